import { METAL3_API_VERSION } from './metal3-kinds';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { isSet, numberAt, stringAt } from '../../values/fields';
import { parseGoDuration } from '../../values/go-duration';

const STRATEGY = ['spec', 'template', 'spec', 'strategy'];
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
  title: 'Remediation by Metal3 must have the type Reboot, and 100 seconds or more for each try.',
  source: 'metal3-io/cluster-api-provider-metal3 internal/webhooks/v1beta2/metal3remediationtemplate_webhook.go',
  kinds: ['infrastructure.cluster.x-k8s.io/Metal3RemediationTemplate'],
  example: replaced(TEMPLATE_TEXT, 'timeout: 600s', 'timeout: 10s'),
  check: (object) => {
    // The definition of v1beta2 says the same.
    if (object.apiVersion === METAL3_API_VERSION) return [];
    const type = stringAt(object, ...STRATEGY, 'type') ?? '';
    const time = [...STRATEGY, isSet(object, ...STRATEGY, 'timeout') ? 'timeout' : 'timeoutSeconds'];
    const duration = parseGoDuration(stringAt(object, ...time) ?? '');
    const seconds = duration === undefined ? numberAt(object, ...time) : Number(duration / NANOSECONDS);
    return [
      ...(type === '' || type === 'Reboot' ? [] : [{ path: [...STRATEGY, 'type'], message: `${JSON.stringify(type)} is no strategy`, accepted: 'Reboot', fix: 'write Reboot' }]),
      ...(seconds === undefined || seconds === 0 || seconds >= SHORTEST_SECONDS ? [] : [{
        path: time, message: `a machine does not reboot in ${seconds} seconds`, accepted: `${SHORTEST_SECONDS} seconds and more`, fix: 'write the time that the machine needs to boot, such as 10 minutes',
      }]),
    ];
  },
};
