import { KubevirtMachineProps } from './kubevirt-machine-props';
import { KUBEVIRT_RULES } from './rules';
import { isWhole, mebibytes } from './size-text';
import { PropertyReport } from '../../app/problems/property-report';

const GIBIBYTE = 1024;

/** Least disk that Talos Linux asks for, the smallest of the systems for nodes: images and logs of containers need it, not the system. */
const SMALL_DISK = 10 * GIBIBYTE;

/** Most CPUs that KVM gives a guest, unless the host's kernel is built for more (torvalds/linux arch/x86/kvm/Kconfig). */
const MANY_CPUS = 1024;

/** Memory of the largest hosts, and no node's: a unit that was mistaken. No upstream limit. */
const MUCH_MEMORY = 4 * 1024 * GIBIBYTE;

/** Warns of values that KubeVirt accepts, but that are most likely mistakes. */
export function checkSlips(report: PropertyReport, props: KubevirtMachineProps): void {
  const { cpu, memory, rootDisk } = props;
  const { size } = rootDisk._source;
  if (size !== undefined && isWhole(size) && mebibytes(size) < SMALL_DISK) {
    report.at('rootDisk.size').add(KUBEVIRT_RULES.unusualSize, {
      message: `${size.asString()} hold an operating system at best, and not the images of its pods`,
      accepted: 'from 10 GiB without this warning',
      fix: 'give a size such as Size.gibibytes(40)',
    });
  }
  if (cpu !== undefined && Number.isInteger(cpu) && cpu > MANY_CPUS) {
    report.at('cpu').add(KUBEVIRT_RULES.unusualSize, {
      message: `${cpu} CPUs are more than KVM gives one guest on most hosts`,
      accepted: `up to ${MANY_CPUS} without this warning`,
      fix: 'give whole CPUs, not thousandths',
    });
  }
  if (memory !== undefined && isWhole(memory) && mebibytes(memory) > MUCH_MEMORY) {
    report.at('memory').add(KUBEVIRT_RULES.unusualSize, {
      message: `${memory.asString()} of memory are more than hosts have`,
      accepted: 'up to 4096 GiB without this warning',
      fix: 'look at the unit: Size.gibibytes(16), or Size.mebibytes(16384)',
    });
  }
}
