import { KUBEVIRT_RULES } from './rules';
import { sizingFaults } from '../../../manifests/systems/kubevirt/pod-sizing';
import { Problem } from '../../../manifests/values/problem';
import { KubevirtPodSizing } from '../../contracts/capabilities/infra-cluster-capabilities';

/** Checks KubeVirt's ratios, which are in that property. */
export function checkSizing(sizing: KubevirtPodSizing, property = 'isolation.kubevirtSizing'): Problem[] {
  return sizingFaults(sizing).map(({ field, value, accepted }) => ({
    rule: KUBEVIRT_RULES.podSizing,
    property: `${property}.${field}`,
    message: `${value} is no such number`,
    accepted,
    fix: 'copy the number from the KubeVirt object or the label',
  }));
}
