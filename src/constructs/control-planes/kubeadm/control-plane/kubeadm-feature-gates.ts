import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { isKnownMinor, kubeadmGateFact, kubeadmGateNames } from '../../../../manifests/values/component-facts';
import { fieldText } from '../../../../manifests/values/fields';
import { nearestName } from '../../../../manifests/values/nearest-name';
import { Problem } from '../../../../manifests/values/problem';

/** Checks feature gates of kubeadm itself. */
export function checkKubeadmFeatureGates(property: string, gates: Readonly<Record<string, boolean>>, minor: string): Problem[] {
  if (!isKnownMinor(minor)) return [];
  return Object.entries(gates).flatMap(([name, enabled]): Problem[] => {
    const at = { rule: KUBEADM_CONTROL_PLANE_RULES.kubeadmFeatureGate, property: fieldText([name], property) };
    const gate = kubeadmGateFact(name, minor);
    if (gate && (!gate.locked || enabled === gate.enabledByDefault)) return [];
    if (gate) {
      return [{ ...at, message: `the feature gate ${name} of kubeadm is locked to ${gate.enabledByDefault} in ${minor}`, fix: `remove ${name}` }];
    }
    const names = [...kubeadmGateNames()];
    const near = names.includes(name) ? undefined : nearestName(name, names);
    return [{
      ...at,
      message: `kubeadm ${minor} has no feature gate "${name}" and does not start with it`,
      accepted: names.filter((known) => kubeadmGateFact(known, minor)).join(', '),
      fix: near ? `did you mean ${near}?` : `remove ${name}; gates of Kubernetes go to its components`,
    }];
  });
}
