import { METAL3_API_VERSION } from './metal3-kinds';
import { checkDuration, fieldAt, FieldPath, Finding, groupKind, isSet, ManifestRule, replaced, specPath, stringAt, templateYaml } from '../../rules/contract';

const METAL3_REMEDIATION_TEMPLATE = 'infrastructure.cluster.x-k8s.io/Metal3RemediationTemplate';

const TEMPLATE_TEXT = templateYaml('infrastructure.cluster.x-k8s.io/v1beta1', 'Metal3RemediationTemplate', 'strategy: {type: Reboot, retryLimit: 2, timeout: 600s}');

/** The shortest time for a reboot. */
const SHORTEST = { seconds: 100, message: (seconds: number) => `a machine does not reboot in ${seconds} seconds`, fix: 'write the time that the machine needs to boot, such as 10 minutes' };

/** Reboots of machines before Cluster API replaces them. */
export const METAL3_REMEDIATION: ManifestRule = {
  id: 'TC-ADMIT-METAL3-REMEDIATION',
  title: 'Remediation by Metal3 must have a strategy of the type Reboot, with 100 seconds or more for each try.',
  source: 'metal3-io/cluster-api-provider-metal3 internal/webhooks/v1beta2/metal3remediationtemplate_webhook.go, metal3remediation_webhook.go',
  kinds: [METAL3_REMEDIATION_TEMPLATE, 'infrastructure.cluster.x-k8s.io/Metal3Remediation'],
  example: replaced(TEMPLATE_TEXT, 'timeout: 600s', 'timeout: 10s'),
  check: (object) => {
    const isTemplate = groupKind(object) === METAL3_REMEDIATION_TEMPLATE;
    const path = [...specPath(object), 'strategy'];
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
      ...(isCurrent ? [] : [...checkType(strategy, path), ...checkDuration(object, [...path, 'timeout'], SHORTEST)]),
    ];
  },
};

function checkType(strategy: unknown, path: FieldPath): Finding[] {
  const type = stringAt(strategy, 'type') ?? '';
  return type === '' || type === 'Reboot' ? [] : [{ path: [...path, 'type'], message: `${JSON.stringify(type)} is no strategy`, accepted: 'Reboot', fix: 'write Reboot' }];
}
