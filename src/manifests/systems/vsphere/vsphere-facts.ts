import { VSPHERE_CLUSTER_RULES } from './clusters';
import { VSPHERE_CSI_CONFIG } from './csi-config';
import { VSPHERE_MACHINE_RULES } from './machines';
import { CLUSTER, MACHINE } from './page-parts';
import { VSPHERE_MACHINE_TEMPLATE } from './vsphere-objects';
import { formFacts, listAt, numberAt, Provider, stringAt, TEMPLATE_FIELDS } from '../../rules/contract';

const MEBIBYTE = 1024 * 1024;

/** Facts of Cluster API's provider for vSphere that its table does not hold. */
export const VSPHERE_FACTS: Partial<Provider> = {
  ...formFacts(CLUSTER, MACHINE),
  rules: [...VSPHERE_CLUSTER_RULES, ...VSPHERE_MACHINE_RULES, ...VSPHERE_CSI_CONFIG],
  machineSizes: {
    [VSPHERE_MACHINE_TEMPLATE]: (template) => {
      const memory = numberAt(template, ...TEMPLATE_FIELDS, 'memoryMiB');
      return {
        cpu: numberAt(template, ...TEMPLATE_FIELDS, 'numCPUs'),
        memory: memory === undefined ? undefined : memory * MEBIBYTE,
        // Devices that are passed through have other names in Kubernetes.
        gpus: listAt(template, ...TEMPLATE_FIELDS, 'pciDevices').length === 0 ? [] : undefined,
      };
    },
  },
  images: {
    [VSPHERE_MACHINE_TEMPLATE]: {
      unknown: (template) => [`images in the virtual machine ${JSON.stringify(stringAt(template, ...TEMPLATE_FIELDS, 'template') ?? '')}, which machines are cloned from`],
    },
  },
};
