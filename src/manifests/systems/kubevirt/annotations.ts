import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { AnnotationPlace, BOOLEAN_FORM, SystemAnnotations } from '../../rules/annotation-facts';
import { objectsAt } from '../../values/fields';

const VM = 'kubevirt.io/VirtualMachine';
const VMI = 'kubevirt.io/VirtualMachineInstance';
const DATA_VOLUME = 'cdi.kubevirt.io/DataVolume';
const TEMPLATE = 'infrastructure.cluster.x-k8s.io/KubevirtMachineTemplate';

/** Objects that an instance, and a DataVolume, hand their metadata on to. */
const OF_INSTANCES: readonly string[] = [VMI, '/Pod'];
const OF_VOLUMES: readonly string[] = [DATA_VOLUME, '/PersistentVolumeClaim'];

/** Metadata in a virtual machine, at the path of its own fields. */
function machinePlaces(object: ManifestObject, at: readonly string[]): AnnotationPlace[] {
  const volumes = objectsAt(object, ...at, 'spec', 'dataVolumeTemplates').map(([, index]) => (
    { path: [...at, 'spec', 'dataVolumeTemplates', index, 'metadata'], reaches: OF_VOLUMES }));
  const own = groupKind(object) === VM ? [] : [{ path: [...at, 'metadata'], reaches: [VM] }];
  return [...own, { path: [...at, 'spec', 'template', 'metadata'], reaches: OF_INSTANCES }, ...volumes];
}

/** Labels and annotations that KubeVirt and CDI read. */
export const KUBEVIRT_ANNOTATIONS: SystemAnnotations = {
  reader: 'KubeVirt',
  facts: [
    { key: 'kubevirt.io/allow-pod-bridge-network-live-migration', kinds: [VMI], presence: true },
    { key: 'kubevirt.io/immediate-data-volume-creation', kinds: [VM], form: BOOLEAN_FORM },
    { key: 'kubevirt.io/libvirt-log-filters', kinds: [VMI] },
    { key: 'kubevirt.io/placePCIDevicesOnRootComplex', kinds: [VMI], form: BOOLEAN_FORM },
    { key: 'cdi.kubevirt.io/storage.bind.immediate.requested', kinds: OF_VOLUMES },
    { key: 'cdi.kubevirt.io/storage.deleteAfterCompletion', kinds: [DATA_VOLUME], form: BOOLEAN_FORM },
    { key: 'cdi.kubevirt.io/storage.usePopulator', kinds: OF_VOLUMES, form: BOOLEAN_FORM },
    { key: 'cdi.kubevirt.io/storage.pod.retainAfterCompletion', kinds: OF_VOLUMES, form: BOOLEAN_FORM },
  ],
  places: {
    [VM]: (object) => machinePlaces(object, []),
    [TEMPLATE]: (object) => machinePlaces(object, ['spec', 'template', 'spec', 'virtualMachineTemplate']),
    'kubevirt.io/VirtualMachineInstanceReplicaSet': () => [{ path: ['spec', 'template', 'metadata'], reaches: OF_INSTANCES }],
    'kubevirt.io/VirtualMachinePool': (object) => machinePlaces(object, ['spec', 'virtualMachineTemplate']),
  },
  source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go; kubevirt/containerized-data-importer pkg/controller/common/util.go',
};
