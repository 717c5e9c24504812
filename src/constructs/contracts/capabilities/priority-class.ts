import { InfraClusterCapabilities } from './infra-cluster-capabilities';
import { checkOffered } from './offered';
import { Finding } from '../../../manifests/values/finding';

// kubernetes/kubernetes pkg/apis/scheduling/types.go: every API server makes these.
const BUILT_IN = ['system-cluster-critical', 'system-node-critical'];

/** Reports a PriorityClass that is not in the capabilities of a cluster; nothing if they list none. */
export function checkPriorityClass(name: string | undefined, { priorityClasses }: InfraClusterCapabilities, place: string): Finding[] {
  return checkOffered(name, { place, kind: 'PriorityClass', list: 'priorityClasses', names: priorityClasses && [...priorityClasses, ...BUILT_IN] });
}
