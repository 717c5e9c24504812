/**
 * What is true of Proxmox's manifests. Synthesis, plans and inventories of a program that registers it know its kinds as they know those of the library.
 */
import { type ManifestRule, numberAt, type Provider } from 'cdk8s-cluster-api/manifests';

const GROUP = 'infrastructure.cluster.x-k8s.io';
const MACHINE_TEMPLATE = `${GROUP}/ProxmoxMachineTemplate`;
const MACHINE = ['spec', 'template', 'spec'];
const MEBIBYTE = 1024 * 1024;

const MEMORY: ManifestRule = {
  id: 'ACME-PROXMOX-MEMORY',
  title: 'The memory of a virtual machine must be a multiple of 8 MiB.',
  source: 'ionos-cloud/cluster-api-provider-proxmox api/v1alpha1/proxmoxmachine_types.go (memoryMiB)',
  kinds: [MACHINE_TEMPLATE],
  example: { failing: template(2047), corrected: template(2048) },
  check: (object) => {
    const memory = numberAt(object, ...MACHINE, 'memoryMiB') ?? 0;
    return memory % 8 === 0 ? [] : [{ path: [...MACHINE, 'memoryMiB'], message: `${memory} MiB is not a multiple of 8`, fix: `write ${Math.ceil(memory / 8) * 8}` }];
  },
};

/** Cluster API's provider for Proxmox VE. */
export const PROXMOX: Provider = {
  name: 'proxmox',
  title: 'Proxmox VE',
  kinds: [
    { kind: `${GROUP}/ProxmoxCluster`, role: 'cluster' },
    { kind: MACHINE_TEMPLATE, role: 'machineTemplate' },
  ],
  rules: [MEMORY],
  templateWords: { [MACHINE_TEMPLATE]: { 'template.spec.numCores': 'cores', 'template.spec.memoryMiB': 'memory' } },
  machineSizes: {
    [MACHINE_TEMPLATE]: (object) => ({
      cpu: numberAt(object, ...MACHINE, 'numCores'), memory: (numberAt(object, ...MACHINE, 'memoryMiB') ?? 0) * MEBIBYTE, gpus: [],
    }),
  },
  images: {
    [MACHINE_TEMPLATE]: { unknown: (object) => [`images in template ${numberAt(object, ...MACHINE, 'templateID')} of Proxmox, which machines are cloned from`] },
  },
};

function template(memory: number): string {
  return `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: ProxmoxMachineTemplate
metadata:
  name: general
spec:
  template:
    spec:
      memoryMiB: ${memory}
`;
}
