import { METAL3_API_VERSION } from './metal3-kinds';
import { groupKind } from '../../objects/manifest-object';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, isSet, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { parseGoDuration } from '../../values/go-duration';

const METAL3_REMEDIATION_TEMPLATE = 'infrastructure.cluster.x-k8s.io/Metal3RemediationTemplate';
const SHORTEST_SECONDS = 100;
const NANOSECONDS = 1_000_000_000n;

const TEMPLATE_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: Metal3RemediationTemplate
metadata:
  name: acme
  namespace: tenant-acme
spec:
  template:
    spec:
      strategy: {type: Reboot, retryLimit: 2, timeout: 600s}
`;

/** Reboots of machines before Cluster API replaces them. */
export const METAL3_REMEDIATION: ManifestRule = {
  id: 'TC-ADMIT-METAL3-REMEDIATION',
  title: 'Remediation by Metal3 must have a strategy of the type Reboot, with 100 seconds or more for each try.',
  source: 'metal3-io/cluster-api-provider-metal3 internal/webhooks/v1beta2/metal3remediationtemplate_webhook.go, metal3remediation_webhook.go',
  kinds: [METAL3_REMEDIATION_TEMPLATE, 'infrastructure.cluster.x-k8s.io/Metal3Remediation'],
  example: replaced(TEMPLATE_TEXT, 'timeout: 600s', 'timeout: 10s'),
  check: (object) => {
    const isTemplate = groupKind(object) === METAL3_REMEDIATION_TEMPLATE;
    const path = isTemplate ? ['spec', 'template', 'spec', 'strategy'] : ['spec', 'strategy'];
    const strategy = fieldAt(object, ...path);
    if (!isSet(strategy)) {
      // The webhook of templates fails without a strategy. The definition requires what is around it, but no spec.
      const isMissing = isTemplate && (!isSet(object, 'spec') || isSet(object, 'spec', 'template', 'spec'));
      return isMissing ? [{ path, message: 'the template has no strategy', fix: 'write strategy: {type: Reboot, retryLimit: 1}' }] : [];
    }
    const isCurrent = object.apiVersion === METAL3_API_VERSION;
    const required = isTemplate ? [] : ['type', ...(isCurrent ? [] : ['retryLimit'])].filter((field) => !fieldAt(strategy, field));
    return [
      ...required.map((field) => ({ path: [...path, field], message: `${field} is missing`, fix: field === 'type' ? 'write Reboot' : 'write 1 or more' })),
      // The definition of v1beta2 says the same.
      ...(isCurrent ? [] : [...checkType(strategy, path), ...checkTimeout(strategy, path)]),
    ];
  },
};

function checkType(strategy: unknown, path: readonly string[]): Finding[] {
  const type = stringAt(strategy, 'type') ?? '';
  return type === '' || type === 'Reboot' ? [] : [{ path: [...path, 'type'], message: `${JSON.stringify(type)} is no strategy`, accepted: 'Reboot', fix: 'write Reboot' }];
}

function checkTimeout(strategy: unknown, path: readonly string[]): Finding[] {
  const text = stringAt(strategy, 'timeout');
  if (text === undefined) return [];
  const duration = parseGoDuration(text);
  const place = [...path, 'timeout'];
  if (duration === undefined) return [{ path: place, message: `${JSON.stringify(text)} is no duration`, accepted: 'durations such as 600s or 10m', fix: 'write the number with its unit' }];
  const seconds = Number(duration / NANOSECONDS);
  return seconds === 0 || seconds >= SHORTEST_SECONDS ? [] : [{
    path: place, message: `a machine does not reboot in ${seconds} seconds`, accepted: `${SHORTEST_SECONDS} seconds and more`, fix: 'write the time that the machine needs to boot, such as 10 minutes',
  }];
}
