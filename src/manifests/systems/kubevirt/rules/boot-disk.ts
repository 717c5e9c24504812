import { INSTANCE, machineDeployment, machineTemplate } from './examples';
import { diskType, instance, MACHINE_KINDS, PlacedFields, virtualMachine } from './kubevirt-objects';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { KUBEADM_CONTROL_PLANE } from '../../../rules/cluster-api/cluster-api-kinds';
import { healthCheckYaml } from '../../../rules/cluster-api/example-manifests';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { machineOwners } from '../../../rules/references/object-references';
import { fieldAt, FieldPath, Fields, isSet, objectsAt, numberAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

/** Volumes that are as in their image again after each start. */
const EPHEMERAL: Readonly<Record<string, string>> = { containerDisk: 'a container disk', ephemeral: 'an ephemeral volume' };

const CONTAINER_DISK = INSTANCE.replace('dataVolume: {name: root}', 'containerDisk: {image: "quay.io/capk/ubuntu-2404-container-disk:v1.35.4"}');

/** The disk that a machine starts from. A warning: the provider's own templates have such disks, for clusters that are thrown away. */
export const BOOT_DISK: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT',
  title: 'A machine that is always restarted must start from a persistent disk: a container disk is reset to its state before the join, so that neither node nor etcd member comes back.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt issue 70, docs/faq.md, kubevirt.io/user-guide/storage/disks_and_volumes',
  kinds: MACHINE_KINDS,
  trap: true,
  warning: true,
  example: {
    failing: machineTemplate({ machine: '          runStrategy: Always\n', instance: CONTAINER_DISK }) + machineDeployment('acme-general'),
    corrected: `${machineTemplate({ machine: '          runStrategy: Once\n', instance: CONTAINER_DISK })}${machineDeployment('acme-general')}---\n${healthCheckYaml('')}`,
  },
  check: (object, index) => {
    const { fields, path } = virtualMachine(object);
    const always = stringAt(fields, 'runStrategy') === 'Always' || fieldAt(fields, 'running') === true;
    const volume = always ? bootVolume(instance(object)) : undefined;
    const kind = volume && Object.keys(EPHEMERAL).find((source) => isSet(volume, source));
    if (kind === undefined) return [];
    return [lostMachine([...path, isSet(fields, 'runStrategy') ? 'runStrategy' : 'running'], EPHEMERAL[kind], servesControlPlane(object, index))];
  },
};

function lostMachine(path: FieldPath, disk: string, controlPlane: boolean): Finding {
  const persistent = 'put its first disk on a DataVolume, in dataVolumeTemplates';
  return {
    path,
    message: controlPlane
      ? `the machine is started again after every end, each time from ${disk}: the member of etcd that it was, and the certificates, are gone`
      : `the machine is started again after every end, each time from ${disk}: the node that it was never comes back`,
    fix: controlPlane ? persistent : `set runStrategy to Once, so that a health check replaces the machine, or ${persistent}`,
  };
}

/**
 * The volume that a machine starts from: that of the lowest bootOrder, or else of the first disk; KubeVirt adds disks for volumes that have
 * none. Undefined if it starts over the network, or if it cannot be determined.
 */
export function bootVolume({ fields }: PlacedFields): Fields | undefined {
  const inOrder = (list: string) => objectsAt(fields, 'domain', 'devices', list).map(([item]) => item);
  const [disks, interfaces, fileSystems] = ['disks', 'interfaces', 'filesystems'].map(inOrder);
  const volumes = objectsAt(fields, 'volumes').map(([volume]) => volume);
  const ordered = [...disks, ...interfaces].filter((device) => numberAt(device, 'bootOrder') !== undefined)
    .sort((one, other) => numberAt(one, 'bootOrder')! - numberAt(other, 'bootOrder')!);
  const added = volumes.filter(({ name }) => ![...disks, ...fileSystems].some((device) => device.name === name));
  const first = ordered[0] ?? [...disks.filter((disk) => diskType(disk) !== 'cdrom'), ...added][0];
  return first && !interfaces.includes(first) ? volumes.find(({ name }) => name === first.name) : undefined;
}

function servesControlPlane(object: ManifestObject, index: ManifestIndex): boolean {
  return isSet(object, 'metadata', 'labels', 'cluster.x-k8s.io/control-plane')
    || machineOwners(object, index).some((owner) => groupKind(owner) === KUBEADM_CONTROL_PLANE);
}
