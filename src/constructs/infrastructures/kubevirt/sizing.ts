import { Size } from 'cdk8s';
import { checkObjectName } from './data-volume';
import { checkGuestSize } from './guest-size';
import { HugePageSize, InstanceTypeKind, KubevirtMachineProps, PreferenceKind } from './kubevirt-machine-props';
import { KUBEVIRT_RULES } from './rules';
import { mebibytes, sizeText } from './size-text';
import { DomainFields, VirtualMachineFields } from './template-types';
import { Quantity } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { unlessEmpty } from '../../../manifests/values/fields';
import { checkQualifiedName } from '../../../manifests/values/labels';
import { PropertyReport } from '../../app/problems/property-report';

/** The properties of a machine that its size depends on. */
export type Sizing = Pick<KubevirtMachineProps, 'cpu' | 'memory' | 'instanceType' | 'instanceTypeKind' | 'capacity' | 'preference' | 'preferenceKind' | 'cpuModel'
  | 'dedicatedCpus' | 'hugePages'>;

/** The fields of a virtual machine and of its domain that a size gives. */
export interface RenderedSizing {
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

/** Checks that a machine has one size, and that KubeVirt can give it. */
export function checkSizing(report: PropertyReport, sizing: Sizing): void {
  const { cpu, memory, instanceType, capacity, hugePages } = sizing;
  const explicit = Object.entries({ cpu, memory }).filter(([, value]) => value !== undefined).map(([name]) => name);
  if (instanceType === undefined && explicit.length < 2) {
    const missing = explicit[0] === 'cpu' ? 'memory' : 'cpu';
    (explicit.length === 0 ? report : report.at(missing)).add(KUBEVIRT_RULES.sizing, {
      message: explicit.length === 0 ? 'the machine has no size' : `${explicit[0]} is given without ${missing}`,
      fix: 'give cpu and memory, or instanceType',
    });
  }
  if (instanceType === undefined && capacity !== undefined) {
    report.at('capacity').add(KUBEVIRT_RULES.sizing, { message: 'it is given without instanceType', fix: 'leave it out: cpu and memory say it already' });
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

/** Hosts that have a model are told by a label with its name (kubevirt/kubevirt pkg/virt-handler/node-labeller). */
function checkModel(report: PropertyReport, model: string): void {
  const finding = checkQualifiedName(model) ?? (model.includes('/') ? `"${model}" has a "/"` : undefined);
  report.expect(KUBEVIRT_RULES.cpu, finding, 'name a model that the hosts have, such as "host-passthrough" or "Skylake-Server"');
}

function checkHugePages(report: PropertyReport, memory: Size, hugePages: HugePageSize): void {
  const page = hugePages === HugePageSize.ONE_GIBIBYTE ? 1024 : 2;
  if (mebibytes(memory) % page !== 0) {
    report.add(KUBEVIRT_RULES.hugePages, {
      message: `${memory.asString()} of memory cannot be made of pages of ${hugePages}`,
      fix: `give memory in multiples of ${hugePages}`,
    });
  }
}

