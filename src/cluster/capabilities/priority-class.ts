import { InfraClusterCapabilities } from './infra-cluster-capabilities';
import { checkOffered, Finding } from './offered';

// kubernetes/kubernetes pkg/apis/scheduling/types.go: every API server makes these.
const BUILT_IN = ['system-cluster-critical', 'system-node-critical'];

/** Says that a cluster has no such PriorityClass; nothing where it has, or where nobody said which there are. */
export function checkPriorityClass(name: string | undefined, { priorityClasses }: InfraClusterCapabilities, place: string): Finding[] {
  return checkOffered(name, { place, kind: 'PriorityClass', list: 'priorityClasses', names: priorityClasses && [...priorityClasses, ...BUILT_IN] });
}
