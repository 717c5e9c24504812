import { DEVICES, domainWith, INSTANCE, machineTemplate, persistentMachine } from './examples';
import { instance, MACHINE_KINDS, VIRTUAL_MACHINE, VIRTUAL_MACHINE_INSTANCE, virtualMachine } from './kubevirt-objects';
import { runsElsewhere } from './pools';
import { groupKind, ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, isSet, listAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

/** Machines of the provider, and those that are written out. */
const KINDS: readonly string[] = [...MACHINE_KINDS, VIRTUAL_MACHINE, VIRTUAL_MACHINE_INSTANCE];

/** The installation, whose configuration holds for all machines. */
const KUBEVIRT = 'kubevirt.io/KubeVirt';

const EVICTION: readonly string[] = ['evictionStrategy'];
const BRIDGE_ANNOTATION = 'kubevirt.io/allow-pod-bridge-network-live-migration';
const SHARED = 'ReadWriteMany';
const DEVICE_LINES = `${DEVICES}                  gpus:\n                    - {name: gpu-1, deviceName: nvidia.com/AD102GL_L40S}\n`;

/** An instance with an eviction strategy. */
function evicted(strategy: string): string {
  return `              evictionStrategy: ${strategy}\n${INSTANCE}`;
}

/** A template whose machines may be migrated although they are bridged to the pod network. */
function bridged(text: string): string {
  return text.replace('          template:\n            spec:', `          template:\n            metadata: {annotations: {${BRIDGE_ANNOTATION}: ""}}\n            spec:`);
}

/**
 * The field that has a machine move although it is bridged to the pod network; undefined of a machine that does not, or that KubeVirt does not move.
 *
 * @param object a machine, or a template of machines
 * @param index the objects beside it
 */
export function movingField(object: ManifestObject, index: ManifestIndex): FieldPath | undefined {
  const { fields, path } = instance(object);
  const moves = ['LiveMigrate', 'LiveMigrateIfPossible'].includes(stringAt(fields, ...EVICTION) ?? '');
  if (!moves || !isBridged(object) || annotationsOf(object, BRIDGE_ANNOTATION) === undefined) return undefined;
  return runsElsewhere(object, index) ? undefined : [...path, ...EVICTION];
}

/** True if a machine has an address of the pod network by itself. */
function isBridged(object: ManifestObject): boolean {
  const { fields } = instance(object);
  const pods = objectsAt(fields, 'networks').filter(([network]) => isSet(network, 'pod')).map(([{ name }]) => name);
  return objectsAt(fields, 'domain', 'devices', 'interfaces').some(([{ name, bridge }]) => bridge !== undefined && pods.includes(name));
}

/** True if the drain of a machine's host waits until the machine has moved: by its own strategy, or for machines of users by that of the cluster. */
function mustMove(object: ManifestObject, index: ManifestIndex): boolean {
  const own = stringAt(instance(object).fields, ...EVICTION);
  if (own !== undefined || MACHINE_KINDS.includes(groupKind(object))) return own === 'LiveMigrate';
  return index.all(KUBEVIRT).some((one) => stringAt(one, 'spec', 'configuration', ...EVICTION) === 'LiveMigrate');
}

/** The strategy of a machine that cannot move: the provider drains its node, and KubeVirt stops others. */
function otherStrategy(object: ManifestObject): string {
  return `evictionStrategy: ${MACHINE_KINDS.includes(groupKind(object)) ? 'External' : 'None'}`;
}

const deviceMigration: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DEVICE-MIGRATION',
  title: 'A machine with GPUs or host devices must not be set to live-migrate: it cannot, and the drain of its host waits for ever.',
  source: 'kubevirt/kubevirt pkg/virt-handler/vm.go',
  kinds: KINDS,
  trap: true,
  example: {
    failing: bridged(machineTemplate({ domain: domainWith(DEVICE_LINES), instance: evicted('LiveMigrate') })),
    corrected: machineTemplate({ domain: domainWith(DEVICE_LINES), instance: evicted('External') }),
  },
  check: (object, index) => {
    const { fields, path } = instance(object);
    const devices = ['gpus', 'hostDevices'].filter((list) => listAt(fields, 'domain', 'devices', list).length > 0);
    return !mustMove(object, index) || devices.length === 0 ? [] : [{
      path: [...path, ...EVICTION], message: `a machine with ${devices.join(' and ')} cannot move to another host`, fix: `write ${otherStrategy(object)}`,
    }];
  },
};

const bridgeMigration: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-BRIDGE-MIGRATION',
  title: 'A machine that is bridged to the pod network must not be set to live-migrate, unless an annotation allows it: KubeVirt refuses its eviction, and the drain of its host waits for ever.',
  source: 'kubevirt/kubevirt pkg/network/vmispec/interface.go (VerifyVMIMigratable), pkg/virt-api/webhooks/validating-webhook/admitters/pod-eviction-admitter.go',
  kinds: KINDS,
  trap: true,
  example: { failing: machineTemplate({ instance: evicted('LiveMigrate') }), corrected: bridged(machineTemplate({ instance: evicted('LiveMigrate') })) },
  check: (object, index) => {
    if (!mustMove(object, index)) return [];
    const { fields, path } = instance(object);
    const pods = objectsAt(fields, 'networks').filter(([network]) => isSet(network, 'pod')).map(([{ name }]) => name);
    const [primary] = objectsAt(fields, 'domain', 'devices', 'interfaces').filter(([{ name }]) => pods.includes(name)).map(([one]) => one);
    const binding = FIXED_BINDINGS.find((name) => isSet(primary, name));
    if (binding === undefined || (binding === 'bridge' && annotationsOf(object, BRIDGE_ANNOTATION) !== undefined)) return [];
    return [binding === 'bridge' ? {
      path: [...path, ...EVICTION],
      message: 'the machine is bridged to the pod network, and KubeVirt does not move it: its address would change',
      fix: `write ${otherStrategy(object)}; or, if the network plug-in keeps the address of a moved machine, as Kube-OVN and OVN-Kubernetes do, `
        + `the annotation ${BRIDGE_ANNOTATION} on the template`,
    } : {
      path: [...path, ...EVICTION],
      message: `KubeVirt does not move a machine that is connected to the pod network by ${binding}`,
      fix: `connect it by masquerade, or write ${otherStrategy(object)}`,
    }];
  },
};

/** Bindings to the pod network with which KubeVirt does not move a machine; those of plug-ins may be registered as ones that move. */
const FIXED_BINDINGS: readonly string[] = ['bridge', 'slirp', 'macvtap', 'sriov'];

/** An annotation that the instance gets. */
function annotationsOf(object: ManifestObject, name: string): unknown {
  const own = groupKind(object) === VIRTUAL_MACHINE_INSTANCE ? object : fieldAt(virtualMachine(object).fields, 'template');
  return fieldAt(own, 'metadata', 'annotations', name);
}

const diskMigration: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DISK-MIGRATION',
  title: 'A machine that is set to live-migrate must not have a disk that one host alone can use: it cannot move, and the drain of its host waits for ever.',
  source: 'kubevirt/kubevirt pkg/virt-handler/vm.go (checkVolumesForMigration)',
  kinds: KINDS,
  trap: true,
  example: {
    failing: bridged(machineTemplate({ machine: withModes('ReadWriteOnce'), instance: evicted('LiveMigrate') })),
    corrected: bridged(machineTemplate({ machine: withModes(SHARED), instance: evicted('LiveMigrate') })),
  },
  check: (object, index) => (mustMove(object, index) ? [...checkTemplates(object, index), ...checkVolumes(object, index)] : []),
};

/** Disks that the machine makes: by their access modes, or by what is known of their class. */
function checkTemplates(object: ManifestObject, index: ManifestIndex): Finding[] {
  const { fields, path } = virtualMachine(object);
  return objectsAt(fields, 'dataVolumeTemplates').flatMap(([template, at]) => ['storage', 'pvc'].flatMap((claim) => {
    const place = [...path, 'dataVolumeTemplates', at, 'spec', claim];
    if (!isSet(template, 'spec', claim)) return [];
    const modes = stringsAt(template, 'spec', claim, 'accessModes').map(([mode]) => mode);
    if (modes.length > 0) return modes.includes(SHARED) ? [] : [unshared([...place, 'accessModes'], modes.join(' and '), object)];
    const name = stringAt(template, 'spec', claim, 'storageClassName');
    return isLocal(name, index) ? [unshared([...place, 'storageClassName'], `of the class ${name}, which one host alone can use`, object)] : [];
  }));
}

/** Disks that are there already, and folders of the host. */
function checkVolumes(object: ManifestObject, index: ManifestIndex): Finding[] {
  const { fields, path } = instance(object);
  const templates = objectsAt(virtualMachine(object).fields, 'dataVolumeTemplates').map(([template]) => stringAt(template, 'metadata', 'name'));
  return objectsAt(fields, 'volumes').flatMap(([volume, at]) => {
    const place = [...path, 'volumes', at];
    if (isSet(volume, 'hostDisk') && fieldAt(volume, 'hostDisk', 'shared') !== true) return [unshared([...place, 'hostDisk'], 'a file of its host', object)];
    const [claim, dataVolume] = [stringAt(volume, 'persistentVolumeClaim', 'claimName'), stringAt(volume, 'dataVolume', 'name')];
    const found = claim !== undefined ? index.find('/PersistentVolumeClaim', namespaceOf(object), claim)
      : templates.includes(dataVolume) ? undefined : index.find('cdi.kubevirt.io/DataVolume', namespaceOf(object), dataVolume);
    const modes = [['spec'], ['spec', 'pvc'], ['spec', 'storage']].flatMap((part) => stringsAt(found, ...part, 'accessModes').map(([mode]) => mode));
    return modes.length === 0 || modes.includes(SHARED) ? [] : [unshared(place, modes.join(' and '), object)];
  });
}

function unshared(path: FieldPath, disk: string, object: ManifestObject): Finding {
  return {
    path,
    message: `the machine must move to another host when its own is drained, and its disk is ${disk}`,
    accepted: SHARED,
    fix: `give it a disk that is ${SHARED}, or write ${otherStrategy(object)}`,
  };
}

/** Provisioners of volumes on the disks of one host. */
const LOCAL_PROVISIONERS: readonly string[] = [
  'kubernetes.io/no-provisioner', 'rancher.io/local-path', 'kubevirt.io.hostpath-provisioner', 'kubevirt.io/hostpath-provisioner', 'topolvm.io',
  'topolvm.cybozu.com', 'local.csi.openebs.io', 'openebs.io/local', 'zfs.csi.openebs.io', 'microk8s.io/hostpath',
];

/** True if the profile of a class has no mode for several hosts, or its volumes are on one host. */
function isLocal(name: string | undefined, index: ManifestIndex): boolean {
  if (name === undefined) return false;
  const profile = index.find('cdi.kubevirt.io/StorageProfile', undefined, name);
  const sets = objectsAt(profile, 'spec', 'claimPropertySets');
  if (sets.length > 0) return !sets.some(([set]) => stringsAt(set, 'accessModes').some(([mode]) => mode === SHARED));
  return LOCAL_PROVISIONERS.includes(stringAt(index.find('storage.k8s.io/StorageClass', undefined, name), 'provisioner') ?? '');
}

const featureMigration: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-FEATURE-MIGRATION',
  title: 'A machine with encrypted memory or the passthrough of Hyper-V must not be set to live-migrate: it cannot, and the drain of its host waits for ever.',
  source: 'kubevirt/kubevirt pkg/virt-handler/vm.go:1134-1180 (calculateLiveMigrationCondition)',
  kinds: KINDS,
  trap: true,
  example: {
    failing: bridged(machineTemplate({ domain: `                launchSecurity: {sev: {}}\n${domainWith(DEVICES)}`, instance: evicted('LiveMigrate') })),
    corrected: machineTemplate({ domain: `                launchSecurity: {sev: {}}\n${domainWith(DEVICES)}`, instance: evicted('External') }),
  },
  check: (object, index) => {
    const { fields, path } = instance(object);
    if (!mustMove(object, index)) return [];
    const features: readonly (readonly [isUsed: boolean, what: string])[] = [
      [isSet(fields, 'domain', 'launchSecurity'), 'encrypted memory (launchSecurity)'],
      [fieldAt(fields, 'domain', 'features', 'hypervPassthrough', 'enabled') === true, 'hypervPassthrough'],
    ];
    return features.filter(([isUsed]) => isUsed).map(([, what]) => ({
      path: [...path, ...EVICTION], message: `a machine with ${what} cannot move to another host`, fix: `write ${otherStrategy(object)}`,
    }));
  },
};

function withModes(mode: string): string {
  return persistentMachine().replace('storage: {', `storage: {accessModes: [${mode}], `);
}

/** Strategies that start a machine whose instance the provider has deleted. */
const STARTING: readonly string[] = ['Always', 'Once'];

const cordonedNode: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CORDONED-NODE',
  title: 'A machine that the KubeVirt provider drains and stops should not restart from its disk: its node would stay cordoned.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go, kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go',
  kinds: MACHINE_KINDS,
  trap: true,
  warning: true,
  example: {
    failing: machineTemplate({ machine: persistentMachine('          runStrategy: Always\n'), instance: evicted('External') }),
    corrected: machineTemplate({ instance: evicted('External') }),
  },
  check: (object) => {
    const { fields, path } = virtualMachine(object);
    const strategy = stringAt(fields, 'runStrategy') ?? (fieldAt(fields, 'running') === true ? 'Always' : '');
    if (stringAt(instance(object).fields, ...EVICTION) !== 'External' || !STARTING.includes(strategy) || !isPersistent(object)) return [];
    return [{
      path: [...path, 'runStrategy'],
      message: `with ${strategy} the machine is started again after its host was drained, and the KubeVirt provider up to 0.11.2 leaves its node cordoned: `
        + 'no pod is put on it, and since it is ready, no health check replaces it',
      fix: 'write RerunOnFailure, so that a health check replaces the machine; or evictionStrategy None; or uncordon the nodes after each drain. LiveMigrate '
        + 'only where the network plug-in keeps addresses and disks are ReadWriteMany',
    }];
  },
};

/** True if the first disk, from which the machine boots unless others are given an order, keeps its content. */
function isPersistent(object: ManifestObject): boolean {
  const { fields } = instance(object);
  const [first] = objectsAt(fields, 'domain', 'devices', 'disks');
  const [volume] = objectsAt(fields, 'volumes').filter(([{ name }]) => name !== undefined && name === first?.[0].name);
  return volume !== undefined && ['dataVolume', 'persistentVolumeClaim'].some((source) => isSet(volume[0], source));
}

/** Machines whose host is drained. */
export const MIGRATION: readonly ManifestRule[] = [deviceMigration, bridgeMigration, diskMigration, featureMigration, cordonedNode];
