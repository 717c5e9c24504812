import { VSPHERE_CLUSTER_RULES } from './clusters';
import { VSPHERE_MACHINE_RULES } from './machines';
import { PAGE_PARTS } from './page-parts';
import { VSPHERE_MACHINE_TEMPLATE } from './vsphere-objects';
import { listAt, machineWords, numberAt, Provider, stringAt, TEMPLATE_FIELDS as MACHINE } from '../../rules/contract';

const MEBIBYTE = 1024 * 1024;

/** Facts of Cluster API's provider for vSphere that its table does not hold. */
export const VSPHERE_FACTS: Partial<Provider> = {
  pageParts: PAGE_PARTS,
  rules: [...VSPHERE_CLUSTER_RULES, ...VSPHERE_MACHINE_RULES],
  templateWords: machineWords(VSPHERE_MACHINE_TEMPLATE, {
    'numCPUs': 'cpu',
    'memoryMiB': 'memory',
    'diskGiB': 'disk',
    'dataDisks': 'dataDisks',
    'template': 'template',
    'network.devices': 'networkDevices',
    'resourcePool': 'resourcePool',
    'datastore': 'datastore',
  }),
  machineSizes: {
    [VSPHERE_MACHINE_TEMPLATE]: (template) => {
      const memory = numberAt(template, ...MACHINE, 'memoryMiB');
      return {
        cpu: numberAt(template, ...MACHINE, 'numCPUs'),
        memory: memory === undefined ? undefined : memory * MEBIBYTE,
        // Devices that are passed through have other names in Kubernetes.
        gpus: listAt(template, ...MACHINE, 'pciDevices').length === 0 ? [] : undefined,
      };
    },
  },
  images: {
    [VSPHERE_MACHINE_TEMPLATE]: {
      unknown: (template) => [`images in the virtual machine ${JSON.stringify(stringAt(template, ...MACHINE, 'template') ?? '')}, which machines are cloned from`],
    },
  },
};
