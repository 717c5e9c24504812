import { Size } from 'cdk8s';
import { KUBEVIRT_RULES } from './rules';
import { isWhole, mebibytes } from './size-text';
import { Problem } from '../../../manifests/values/problem';

/** The kubelet's own threshold for `memory.available` (kubernetes/kubernetes pkg/kubelet/eviction/defaults_linux.go). */
const MIN_MEMORY_MEBIBYTES = 100;

/** `cores` is a number of 32 bits in the schema. */
const MAX_CPUS = 2 ** 31 - 1;

/** Checks CPUs and memory that a guest sees. */
export function checkGuestSize({ cpu, memory }: { readonly cpu?: number; readonly memory?: Size }): [property: string, problem: Problem][] {
  return [
    ...(cpu === undefined || (Number.isInteger(cpu) && cpu >= 1 && cpu <= MAX_CPUS) ? [] : [['cpu', {
      rule: KUBEVIRT_RULES.cpu,
      message: `${cpu} is not a number of CPUs`,
      accepted: `whole numbers from 1 to ${MAX_CPUS}`,
      fix: 'give the CPUs that the guest shall see',
    }] satisfies [string, Problem]]),
    ...(memory === undefined || (isWhole(memory) && mebibytes(memory) > MIN_MEMORY_MEBIBYTES) ? [] : [['memory', {
      rule: KUBEVIRT_RULES.memory,
      message: `${memory.asString()} is ${memoryFault(memory)}`,
      accepted: `whole MiB above ${MIN_MEMORY_MEBIBYTES}`,
      fix: 'give memory such as Size.gibibytes(8)',
    }] satisfies [string, Problem]]),
  ];
}

function memoryFault(memory: Size): string {
  if (isWhole(memory)) return 'not enough for a node';
  return Number.isInteger(mebibytes(memory)) ? 'too large for Kubernetes' : 'not a whole number of MiB';
}
