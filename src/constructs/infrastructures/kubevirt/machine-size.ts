import { Size } from 'cdk8s';
import { checkObjectName, isWhole, mebibytes, sizeText } from './disk';
import { HugePageSize, InstanceTypeKind, KubevirtMachineProps, PreferenceKind } from './kubevirt-machine-props';
import { DomainFields, VirtualMachineFields } from './template-types';
import { Quantity } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { sizingFaults } from '../../../manifests/systems/kubevirt/machine-size';
import { unlessEmpty } from '../../../manifests/values/fields';
import { checkQualifiedName } from '../../../manifests/values/labels';
import { Problem, Rule } from '../../../manifests/values/problem';
import { PropertyReport } from '../../app/problems/problems';
import { KubevirtPodSizing } from '../../contracts/capabilities/infra-cluster-capabilities';

/** The kubelet's own threshold for `memory.available` (kubernetes/kubernetes pkg/kubelet/eviction/defaults_linux.go). */
const MIN_MEMORY_MEBIBYTES = 100;

/** `cores` is a number of 32 bits in the schema. */
const MAX_CPUS = 2 ** 31 - 1;

const CPU_RULE: Rule = {
  id: 'TC-KUBEVIRT-CPU',
  title: 'The CPUs of a machine must be a 32-bit whole number from 1, and their model must have a name.',
  source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go',
};

const MEMORY_RULE: Rule = {
  id: 'TC-KUBEVIRT-MEMORY',
  title: 'The memory of a machine must be a whole number of MiB, and more than 100 MiB, at which every kubelet starts to evict pods.',
  source: 'kubernetes/kubernetes pkg/kubelet/eviction/defaults_linux.go',
};

/** Checks CPUs and memory that a guest sees. */
export function checkGuestSize({ cpu, memory }: { readonly cpu?: number; readonly memory?: Size }): [property: string, problem: Problem][] {
  return [
    ...(cpu === undefined || (Number.isInteger(cpu) && cpu >= 1 && cpu <= MAX_CPUS) ? [] : [['cpu', {
      rule: CPU_RULE,
      message: `${cpu} is not a number of CPUs`,
      accepted: `whole numbers from 1 to ${MAX_CPUS}`,
      fix: 'give the CPUs that the guest shall see',
    }] satisfies [string, Problem]]),
    ...(memory === undefined || (isWhole(memory) && mebibytes(memory) > MIN_MEMORY_MEBIBYTES) ? [] : [['memory', {
      rule: MEMORY_RULE,
      message: `${memory.asString()} is ${memoryFault(memory)}`,
      accepted: `whole MiB above ${MIN_MEMORY_MEBIBYTES}`,
      fix: 'give memory such as Size.gibibytes(8)',
    }] satisfies [string, Problem]]),
  ];
}

function memoryFault(memory: Size): string {
  if (isWhole(memory) || mebibytes(memory) === 0) return 'not enough for a node';
  return Number.isInteger(mebibytes(memory)) ? 'too large for Kubernetes' : 'not a whole number of MiB';
}

/** The properties of a machine that its size depends on. */
type Sizing = Pick<KubevirtMachineProps, 'cpu' | 'memory' | 'instanceType' | 'instanceTypeKind' | 'capacity' | 'preference' | 'preferenceKind' | 'cpuModel'
  | 'dedicatedCpus' | 'hugePages'>;

/** The fields of a virtual machine and of its domain that a size gives. */
interface RenderedSizing {
  readonly machine: Pick<VirtualMachineFields, 'instancetype' | 'preference'>;
  readonly domain: Pick<DomainFields, 'cpu' | 'memory'>;
}

/** Renders a size. */
export function renderSizing(sizing: Sizing): RenderedSizing {
  const { cpu, memory, instanceType, preference, cpuModel, dedicatedCpus, hugePages } = sizing;
  return {
    machine: {
      instancetype: instanceType === undefined ? undefined : { kind: sizing.instanceTypeKind ?? InstanceTypeKind.CLUSTER, name: instanceType },
      preference: preference === undefined ? undefined : { kind: sizing.preferenceKind ?? PreferenceKind.CLUSTER, name: preference },
    },
    domain: {
      cpu: unlessEmpty({ cores: cpu, model: cpuModel, dedicatedCpuPlacement: dedicatedCpus }),
      memory: unlessEmpty({
        guest: memory && Quantity.fromString(sizeText(memory)),
        hugepages: hugePages && { pageSize: hugePages },
      }),
    },
  };
}

const SIZING_RULE: Rule = {
  id: 'TC-KUBEVIRT-SIZING',
  title: 'A machine must have cpu and memory, or instanceType, and a capacity only with the latter.',
  source: 'kubevirt/kubevirt pkg/instancetype/apply/cpu.go, memory.go',
};

/** Checks that a machine has one size, and that KubeVirt can give it. */
export function checkSizing(report: PropertyReport, sizing: Sizing): void {
  const { cpu, memory, instanceType, capacity, hugePages } = sizing;
  const explicit = Object.entries({ cpu, memory }).filter(([, value]) => value !== undefined).map(([name]) => name);
  if (instanceType === undefined && explicit.length < 2) {
    const missing = explicit[0] === 'cpu' ? 'memory' : 'cpu';
    (explicit.length === 0 ? report : report.at(missing)).add(SIZING_RULE, {
      message: explicit.length === 0 ? 'the machine has no size' : `${explicit[0]} is given without ${missing}`,
      fix: 'give cpu and memory, or instanceType',
    });
  }
  if (instanceType === undefined && capacity !== undefined) {
    report.at('capacity').add(SIZING_RULE, { message: 'it is given without instanceType', fix: 'leave it out: cpu and memory say it already' });
  }
  checkAmounts(report, { cpu, memory });
  if (sizing.cpuModel !== undefined) checkModel(report.at('cpuModel'), sizing.cpuModel);
  if (capacity) checkAmounts(report.at('capacity'), capacity);
  if (memory && hugePages) checkHugePages(report.at('hugePages'), memory, hugePages);
  checkObjectName(report.at('instanceType'), instanceType);
  checkObjectName(report.at('preference'), sizing.preference);
}

function checkAmounts(report: PropertyReport, size: { readonly cpu?: number; readonly memory?: Size }): void {
  for (const [name, { rule, ...finding }] of checkGuestSize(size)) report.at(name).add(rule, finding);
}

/** KubeVirt labels hosts with the names of their models (kubevirt/kubevirt pkg/virt-handler/node-labeller). */
function checkModel(report: PropertyReport, model: string): void {
  const finding = checkQualifiedName(model) ?? (model.includes('/') ? `"${model}" has a "/"` : undefined);
  report.expect(CPU_RULE, finding, 'name a model that the hosts have, such as "host-passthrough" or "Skylake-Server"');
}

const HUGE_PAGES_RULE: Rule = {
  id: 'TC-KUBEVIRT-HUGE-PAGES',
  title: 'The memory of a machine must be a multiple of its huge page size.',
  source: 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go',
};

function checkHugePages(report: PropertyReport, memory: Size, hugePages: HugePageSize): void {
  const page = hugePages === HugePageSize.ONE_GIBIBYTE ? 1024 : 2;
  if (mebibytes(memory) % page !== 0) {
    report.add(HUGE_PAGES_RULE, {
      message: `${memory.asString()} of memory cannot be made of pages of ${hugePages}`,
      fix: `give memory in multiples of ${hugePages}`,
    });
  }
}

const GIBIBYTE = 1024;

/** Least disk that Talos Linux asks for, the smallest of the systems for nodes: images and logs of containers need it, not the system. */
const SMALL_DISK = 10 * GIBIBYTE;

/** Most CPUs that KVM gives a guest, unless the host's kernel is built for more (torvalds/linux arch/x86/kvm/Kconfig). */
const MANY_CPUS = 1024;

/** Above the memory of the largest hosts: most likely a wrong unit. No upstream limit. */
const MUCH_MEMORY = 4 * 1024 * GIBIBYTE;

const UNUSUAL_SIZE_RULE: Rule = {
  id: 'TC-KUBEVIRT-UNUSUAL-SIZE',
  title: 'A root disk should have at least 10 GiB, and a machine at most 1024 CPUs and 4 TiB of memory: other sizes are most likely mistakes.',
  source: 'docs.siderolabs.com/talos getting-started/system-requirements (disk), torvalds/linux arch/x86/kvm/Kconfig (CPUs)',
  warning: true,
};

/** Warns of values that KubeVirt accepts, but that are most likely mistakes. */
export function checkUnusualSize(report: PropertyReport, props: KubevirtMachineProps): void {
  const { cpu, memory, rootDisk } = props;
  const { size } = rootDisk._source;
  if (size !== undefined && isWhole(size) && mebibytes(size) < SMALL_DISK) {
    report.at('rootDisk.size').add(UNUSUAL_SIZE_RULE, {
      message: `${size.asString()} hold an operating system at best, and not the images of its pods`,
      accepted: 'from 10 GiB without this warning',
      fix: 'give a size such as Size.gibibytes(40)',
    });
  }
  if (cpu !== undefined && Number.isInteger(cpu) && cpu > MANY_CPUS) {
    report.at('cpu').add(UNUSUAL_SIZE_RULE, {
      message: `${cpu} CPUs are more than KVM gives one guest on most hosts`,
      accepted: `up to ${MANY_CPUS} without this warning`,
      fix: 'give whole CPUs, not thousandths',
    });
  }
  if (memory !== undefined && isWhole(memory) && mebibytes(memory) > MUCH_MEMORY) {
    report.at('memory').add(UNUSUAL_SIZE_RULE, {
      message: `${memory.asString()} of memory are more than hosts have`,
      accepted: 'up to 4096 GiB without this warning',
      fix: 'look at the unit: Size.gibibytes(16), or Size.mebibytes(16384)',
    });
  }
}

const POD_SIZING_RULE: Rule = {
  id: 'TC-ISOLATION-SIZING',
  title: 'What KubeVirt is configured with is given in numbers that it accepts.',
  source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go',
};

/** Checks the sizing options of KubeVirt, which are in `property`. */
export function checkPodSizing(sizing: KubevirtPodSizing, property = 'isolation.kubevirtSizing'): Problem[] {
  return sizingFaults(sizing).map(({ field, value, accepted }) => ({
    rule: POD_SIZING_RULE,
    property: `${property}.${field}`,
    message: `${value} is no such number`,
    accepted,
    fix: 'copy the number from the KubeVirt object or the label',
  }));
}
