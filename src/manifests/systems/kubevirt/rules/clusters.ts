import { CLOUD_CONTROLLER } from './controller-config';
import { cloudControllerManager, cluster, kubevirtCluster } from './examples';
import { KUBEVIRT_CLUSTER, KUBEVIRT_CLUSTER_TEMPLATE } from './kubevirt-objects';
import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { CLUSTER, CLUSTER_CLASS } from '../../../rules/cluster-api/cluster-api-kinds';
import { isOfLeavingCluster } from '../../../rules/cluster-api/cluster-members';
import { replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { POD_KINDS } from '../../../rules/pod-objects';
import { argumentOf, runningPrograms, valueOf } from '../../../rules/programs';
import { clusterOf, objectReference, partReference, referrersOf } from '../../../rules/references/object-references';
import { CLAIM_KINDS, claimsOf } from '../../../rules/volume-claims';
import { fieldAt, Fields, isFields, isSet, stringAt, stringsAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';
import { KAMAJI_CONTROL_PLANE, KAMAJI_CONTROL_PLANE_TEMPLATE } from '../../kamaji/rules/kamaji-objects';

const MANAGED_BY = 'cluster.x-k8s.io/managed-by';
const CLUSTER_CONTROLLER = 'kubernetes-sigs/cluster-api-provider-kubevirt controllers/kubevirtcluster_controller.go';
const MANAGED = `  annotations:\n    ${MANAGED_BY}: kamaji\n`;
const SERVICE_TYPES: readonly string[] = ['ClusterIP', 'LoadBalancer'];
const STORAGE_BUSES: readonly string[] = ['scsi', 'virtio'];

/** Name of KubeVirt's CSI driver. */
const CSI_DRIVER = 'csi.kubevirt.io';

const managedBy: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-MANAGED-BY',
  title: `A KubevirtCluster whose control plane Kamaji hosts must have the annotation ${MANAGED_BY}: the provider creates a second endpoint without a backend otherwise.`,
  source: `${CLUSTER_CONTROLLER}, clastix/cluster-api-control-plane-provider-kamaji docs/providers-kubevirt.md`,
  kinds: [KUBEVIRT_CLUSTER, KUBEVIRT_CLUSTER_TEMPLATE],
  trap: true,
  example: {
    failing: kubevirtCluster('') + cluster('KamajiControlPlane'),
    corrected: kubevirtCluster(MANAGED) + cluster('KamajiControlPlane'),
  },
  check: checkManagedBy,
};

const managedFields: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-MANAGED-FIELDS',
  title: `A KubevirtCluster with the annotation ${MANAGED_BY} must not have a Service or SSH keys: the provider ignores it.`,
  source: CLUSTER_CONTROLLER,
  kinds: [KUBEVIRT_CLUSTER],
  trap: true,
  example: {
    failing: kubevirtCluster(`${MANAGED}spec:\n  controlPlaneServiceTemplate: {spec: {type: LoadBalancer}}\n`),
    corrected: kubevirtCluster(MANAGED),
  },
  check: (object) => (annotated(object) ? ['controlPlaneServiceTemplate', 'sshKeys'].filter((field) => hasValues(fieldAt(object, 'spec', field))).map((field) => ({
    path: ['spec', field],
    message: `the endpoint is managed by ${stringAt(object, 'metadata', 'annotations', MANAGED_BY) ?? 'another controller'}, and the KubeVirt provider makes no `
      + `${field === 'sshKeys' ? 'SSH keys' : 'Service'} for such a cluster`,
    fix: field === 'sshKeys' ? 'remove it' : 'remove it, and configure the Service on the control plane',
  })) : []),
};

const serviceType: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-SERVICE-TYPE',
  title: 'The Service of a control plane must have the type LoadBalancer or ClusterIP, and LoadBalancer in another cluster: the management cluster does not reach it otherwise.',
  source: `kubernetes-sigs/cluster-api-provider-kubevirt pkg/loadbalancer/loadbalancer.go, ${CLUSTER_CONTROLLER}`,
  kinds: [KUBEVIRT_CLUSTER],
  trap: true,
  example: {
    failing: kubevirtCluster('spec:\n  controlPlaneServiceTemplate: {spec: {type: NodePort}}\n'),
    corrected: kubevirtCluster('spec:\n  controlPlaneServiceTemplate: {spec: {type: LoadBalancer}}\n'),
  },
  check: (object) => {
    const path = ['spec', 'controlPlaneServiceTemplate', 'spec', 'type'];
    const given = stringAt(object, ...path);
    if (given !== 'LoadBalancer' && isSet(object, 'spec', 'infraClusterSecretRef') && !annotated(object) && !isSet(object, 'spec', 'controlPlaneEndpoint', 'host')) {
      return [{ path, message: 'the control plane runs on machines in another cluster, and only that cluster reaches its API server', fix: 'write LoadBalancer' }];
    }
    return given === undefined || SERVICE_TYPES.includes(given) ? [] : [{
      path, message: `with the type "${given}" the cluster's endpoint is not reachable from outside`, accepted: SERVICE_TYPES.join(', '), fix: 'write LoadBalancer',
    }];
  },
};

const clusterName: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CCM-CLUSTER-NAME',
  title: 'KubeVirt\'s cloud controller manager must have the name of its Cluster, by which the load balancers of the tenant find their machines.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go',
  kinds: POD_KINDS,
  trap: true,
  example: {
    failing: cloudControllerManager('other') + cluster('KubeadmControlPlane'),
    corrected: cloudControllerManager('acme') + cluster('KubeadmControlPlane'),
  },
  check: checkClusterName,
};

const storageBus: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-STORAGE-BUS',
  title: 'Volumes of KubeVirt\'s CSI driver must have the bus scsi or virtio: other buses accept no disks while a machine runs.',
  source: 'kubevirt/kubevirt pkg/storage/admitters/storagehotplug.go',
  kinds: ['storage.k8s.io/StorageClass'],
  trap: true,
  example: { failing: storageClass('sata'), corrected: storageClass('scsi') },
  check: (object) => {
    const given = stringAt(object, 'parameters', 'bus');
    return object.provisioner !== CSI_DRIVER || given === undefined || STORAGE_BUSES.includes(given) ? [] : [{
      path: ['parameters', 'bus'], message: `disks cannot be added to the bus "${given}"`, accepted: STORAGE_BUSES.join(', '), fix: 'leave it out for scsi',
    }];
  },
};

/** Clusters, and what runs beside them. */
export const CLUSTERS: readonly ManifestRule[] = [managedBy, managedFields, serviceType, clusterName, storageBus];

function annotated(object: ManifestObject): boolean {
  return isSet(object, 'metadata', 'annotations', MANAGED_BY);
}

/** True if a value is set at any depth. */
function hasValues(value: unknown): boolean {
  return isFields(value) ? Object.values(value as Fields).some(hasValues) : value !== undefined && value !== null;
}

function checkManagedBy(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const owner = clusterOf(object, index);
  const hosted = owner !== undefined && partReference(owner, 'controlPlaneRef')?.kind === KAMAJI_CONTROL_PLANE;
  const classes = referrersOf(object, index, CLUSTER_CLASS).map((referrer) => referrer.object);
  const templated = classes.some((one) => ['templateRef', 'ref'].some((field) => (
    objectReference(fieldAt(one, 'spec', 'controlPlane', field))?.kind === KAMAJI_CONTROL_PLANE_TEMPLATE
  )));
  const inner = ['spec', 'template', 'metadata', 'annotations', MANAGED_BY];
  const fix = `add ${MANAGED_BY}: kamaji`;
  return allOf(
    hosted && !annotated(object) ? [{ path: ['metadata', 'annotations'], message: `Kamaji hosts the control plane, and the annotation ${MANAGED_BY} is missing`, fix }] : [],
    templated && !isSet(object, ...inner) ? [{
      path: inner.slice(0, -1), message: `Kamaji hosts the control planes of the class, and the annotation ${MANAGED_BY} is missing in what clusters get`, fix,
    }] : [],
  );
}

function checkClusterName(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  return runningPrograms(object).filter(({ name }) => name === CLOUD_CONTROLLER).flatMap((program) => {
    const argument = argumentOf(program, 'cluster-name');
    const path = argument?.path ?? [...program.path, 'args'];
    if (!argument) {
      return program.isComplete ? [{ path, message: 'there is no --cluster-name, so that it would be kubernetes', fix: 'add --cluster-name with the name of the Cluster' }] : [];
    }
    const given = valueOf(program, argument, index);
    if (given === undefined || index.find(CLUSTER, namespaceOf(object), given) || isOfLeavingCluster(object, given, index)) return [];
    if (index.allIn(CLUSTER, namespaceOf(object)).length === 0) return [];
    return [{
      path,
      message: `--cluster-name is ${given}, and among the manifests that were read there is no such Cluster in the namespace`,
      fix: given.startsWith('"') ? 'leave out the quotes, which go to the program' : 'write the name of the Cluster',
    }];
  });
}

/** A StorageClass of KubeVirt's CSI driver. */
export function storageClass(bus: string): string {
  return `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast
provisioner: ${CSI_DRIVER}
allowVolumeExpansion: true
parameters:
  bus: ${bus}
`;
}

/** Modes in which several nodes mount a volume. */
const SHARED: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany'];

const CLAIM_TEXT = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: shop
spec:
  accessModes: [ReadWriteMany]
  resources: {requests: {storage: 10Gi}}
  storageClassName: fast
  volumeMode: Block
`;

/** Volumes that are asked for. */
export const TENANT_STORAGE: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CLAIM',
  title: 'A volume of KubeVirt\'s CSI driver that several nodes mount must be a raw block device: the driver has no shared file system.',
  source: 'kubevirt/csi-driver pkg/service/controller.go',
  kinds: CLAIM_KINDS,
  trap: true,
  example: replaced(CLAIM_TEXT, '  volumeMode: Block\n', '', storageClass('scsi')),
  check: (object, index) => claimsOf(CSI_DRIVER, object, index).filter(({ spec }) => stringAt(spec, 'volumeMode') !== 'Block').flatMap(({ spec, path }) => (
    stringsAt(spec, 'accessModes').filter(([mode]) => SHARED.includes(mode)).map(([mode, at]) => ({
      path: [...path, 'accessModes', at],
      message: `the driver refuses a file system that is ${mode}`,
      accepted: 'ReadWriteOnce, or volumeMode Block',
      fix: 'write ReadWriteOnce, or volumeMode: Block where the program can use a raw device',
    }))
  )),
};
