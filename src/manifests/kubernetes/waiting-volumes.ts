import { clusterObjectText, objectText, podText } from './examples';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS, podOf } from '../rules/pod-objects';
import { STORAGE_CLASS } from '../rules/storage-parameters';
import { isSet, objectsAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

const CLAIM = '/PersistentVolumeClaim';

const TEXT = documents(
  podText('nodeSelector: {kubernetes.io/hostname: node-7}\ncontainers:\n  - name: web\n    image: registry.example.com/web:v1\nvolumes:\n  - {name: data, persistentVolumeClaim: {claimName: data}}\n'),
  objectText('v1', 'PersistentVolumeClaim', 'spec:\n  accessModes: [ReadWriteOnce]\n  storageClassName: local\n  resources: {requests: {storage: 1Gi}}\n', 'data'),
  clusterObjectText('storage.k8s.io/v1', 'StorageClass', 'provisioner: local.csi.example.com\nvolumeBindingMode: WaitForFirstConsumer\n', 'local'),
);

const named: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-NODE-NAME-VOLUME',
  title: 'A pod with a volume whose class waits for its first consumer must not name its node in nodeName: the scheduler does not see the pod, and only it asks for the volume.',
  source: 'kubernetes/kubernetes pkg/controller/volume/scheduling/scheduler_binder.go (AssumePodVolumes: annotation of the selected node), kubernetes.io/docs/concepts/storage/storage-classes (volume binding mode)',
  kinds: POD_KINDS,
  trap: true,
  example: replaced(TEXT, 'nodeSelector: {kubernetes.io/hostname: node-7}', 'nodeName: node-7'),
  check: (object, index) => {
    const pod = podOf(object);
    if (!pod || stringAt(pod.spec, 'nodeName') === undefined) return [];
    return objectsAt(pod.spec, 'volumes').flatMap(([volume]): Finding[] => {
      const name = stringAt(volume, 'persistentVolumeClaim', 'claimName');
      const claim = name === undefined ? undefined : index.find(CLAIM, namespaceOf(object), name);
      // A claim of a volume that exists waits for nothing, nor does one of a pod that the scheduler sees.
      const storage = claim && !isSet(claim, 'spec', 'volumeName') && !isAskedFor(claim, index) ? index.find(STORAGE_CLASS, undefined, stringAt(claim, 'spec', 'storageClassName')) : undefined;
      return stringAt(storage, 'volumeBindingMode') !== 'WaitForFirstConsumer' || stringAt(storage, 'provisioner') === 'kubernetes.io/no-provisioner' ? [] : [{
        path: [...pod.specPath, 'nodeName'],
        message: `the claim "${name}" is of the class "${stringAt(storage, 'metadata', 'name')}", which waits for the scheduler`,
        fix: 'write nodeSelector: {kubernetes.io/hostname: …} instead',
      }];
    });
  },
};

const WORKLOADS = new Lookup(POD_KINDS, (workload) => [namespaceOf(workload)]);

function isAskedFor(claim: ManifestObject, index: ManifestIndex): boolean {
  return WORKLOADS.find(index, namespaceOf(claim)).some((workload) => {
    const pod = podOf(workload);
    return pod !== undefined && stringAt(pod.spec, 'nodeName') === undefined
      && objectsAt(pod.spec, 'volumes').some(([volume]) => stringAt(volume, 'persistentVolumeClaim', 'claimName') === nameOf(claim));
  });
}

/** Rules over volumes that wait for the scheduler. */
export const WAITING_VOLUMES: readonly ManifestRule[] = [named];
