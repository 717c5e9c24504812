import { gateFact, gateMinors, gateNames, isKnownMinor, minorAfter } from './component-facts';
import { Finding } from './finding';
import { parseGoBool } from './flag-values';
import { nearestName } from './nearest-name';

// Every component brings these along with its logging flags, in all known minors (k8s.io/component-base/logs/api/v1/kube_features.go).
// The tables do not list them, as they are read from the components' own registries.
const LOGGING_GATES: readonly string[] = ['ContextualLogging', 'LoggingAlphaOptions', 'LoggingBetaOptions'];

/**
 * Checks one feature gate in one minor. A component that is given a gate it does not know, or the other setting of a locked one,
 * does not start (`k8s.io/component-base/featuregate` `SetFromMap`).
 *
 * The components share one list: a gate that only the scheduler looks at is accepted by the kubelet too.
 *
 * @param minor Kubernetes minor, e.g. `1.35`; nothing is found in one that the tables do not know
 * @param name the gate
 * @param enabled the setting
 * @returns what is wrong with it, or undefined
 */
export function checkFeatureGate(minor: string, name: string, enabled: boolean): Finding | undefined {
  if (!isKnownMinor(minor) || LOGGING_GATES.includes(name)) {
    return undefined;
  }
  const gate = gateFact(name, minor);
  if (!gate) {
    return unknownGate(minor, name);
  }
  if (gate.locked && gate.enabledByDefault !== enabled) {
    return {
      path: [name],
      message: `the feature gate ${name} is locked to ${gate.enabledByDefault} in ${minor}`,
      fix: `remove ${name}=${enabled}`,
    };
  }
  return undefined;
}

/**
 * Checks feature gates given as a map, as in `featureGates` of KubeletConfiguration.
 *
 * @returns one finding for every problem, in the order of the map
 */
export function checkFeatureGates(minor: string, gates: Readonly<Record<string, boolean>>): Finding[] {
  return Object.entries(gates).flatMap(([name, enabled]) => checkFeatureGate(minor, name, enabled) ?? []);
}

/**
 * Checks feature gates given as the value of `--feature-gates`: `Name=true,Other=false`.
 *
 * @param minor Kubernetes minor, e.g. `1.35`
 * @param text the value
 * @param prefixed whether `kube:Name=true` is accepted too: by the control plane's components, not by the kubelet
 * @returns one finding for every problem, in the order of the text
 */
export function checkFeatureGatesText(minor: string, text: string, prefixed = false): Finding[] {
  return text.split(',').map((item) => item.trim()).filter((item) => item !== '').flatMap((item): Finding | Finding[] => {
    const [left, right, ...more] = item.split('=');
    const name = prefixed ? left.trim().replace(/^kube:/, '') : left.trim();
    const enabled = right === undefined ? undefined : parseGoBool(right.trim());
    if (enabled === undefined || more.length > 0) {
      return [{ path: [item], message: `"${item}" is not the setting of a feature gate`, fix: `write ${name || 'Name'}=true or ${name || 'Name'}=false` }];
    }
    return checkFeatureGate(minor, name, enabled) ?? [];
  });
}

/** Feature gates as the value of `--feature-gates`, by name. */
export function formatFeatureGates(gates: Readonly<Record<string, boolean>>): string {
  return Object.entries(gates).sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, enabled]) => `${name}=${enabled}`).join(',');
}

function unknownGate(minor: string, name: string): Finding {
  const known = gateMinors(name);
  if (known.length > 0) {
    const isNew = known[0].localeCompare(minor, 'en', { numeric: true }) > 0;
    const when = isNew ? `exists from ${known[0]}` : `removed in ${minorAfter(known)}`;
    return { path: [name], message: `Kubernetes ${minor} has no feature gate ${name} (${when}) and does not start with it`, fix: `remove ${name}` };
  }
  const near = nearestName(name, gateNames());
  return {
    path: [name],
    message: `Kubernetes ${minor} has no feature gate "${name}" and does not start with it`,
    fix: near ? `did you mean ${near}?` : 'remove it',
  };
}
