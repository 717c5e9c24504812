import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { DRIVER_NAME } from './driver-config';
import { KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { canExpand, CLASSES_PROPERTY, KubevirtFileSystem, KubevirtStorageClass, KubevirtVolumeBus, volumeClassOf } from './kubevirt-storage-class';
import { nodeDaemonSet } from './node-daemon-set';
import { CSI_DRIVER_PROPERTY } from './option-checks';
import { DEFAULT_CLASS_ANNOTATION, VolumeBindingMode, VolumeReclaimPolicy } from '../../../../manifests/values/storage-class';
import { podSources } from '../../../addons/controllers/pod-sources';
import { classSources } from '../../../addons/csi/class-checks';
import { FieldSources } from '../../../app/synth/field-sources';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { Addon, AddonConfig } from '../../../contracts/addon';
import { AddonCapability } from '../../../contracts/addon-capability';
import { ClusterContext } from '../../../contracts/cluster-context';
import { Versions } from '../../../contracts/versions';

/** Namespace of the driver in the tenant, as upstream has it. */
const NAMESPACE = 'kubevirt-csi-driver';

/** Name of the driver's objects in the tenant, as upstream has it. */
const NAME = 'kubevirt-csi-node';

const RBAC = 'rbac.authorization.k8s.io';
const LABELS = { 'app.kubernetes.io/name': NAME };

/**
 * What the tenant needs for volumes: the driver on its nodes, and the storage classes.
 *
 * The driver has a namespace of its own, so that the label which admits its privileged pods stands there for everyone to see and holds for
 * nothing else. Nothing here is marked against pruning: none of it holds data. Volumes outlive a class, and what was removed by mistake
 * comes back as it was, whereas a class without its driver would promise volumes that are never provisioned.
 */
export class CsiNodeAddon extends Addon {
  /** Name of the addon. */
  public readonly name = 'kubevirt-csi-driver';

  /** What it brings. */
  public override readonly provides: string[] = [AddonCapability.PERSISTENT_VOLUMES];

  /**
   * @param owner the construct that was given the options
   * @param options how the driver runs
   * @param classes the storage classes
   */
  public constructor(
    private readonly owner: Construct, private readonly options: KubevirtCsiDriverOptions, private readonly classes: readonly KubevirtStorageClass[],
  ) {
    super();
  }

  /** Makes the objects. */
  public bind(tenant: Chart, { versions }: ClusterContext): AddonConfig {
    this.addDriver(tenant, versions);
    this.addRights(tenant);
    this.classes.forEach((storageClass, index) => {
      const property = `${CLASSES_PROPERTY}[${index}]`;
      FieldSources.record(addStorageClass(tenant, `StorageClass${index}`, storageClass), this.owner, {
        ...classSources(property), 'parameters.bus': `${property}.bus`,
      });
    });
    return { volumeClasses: this.classes.map(volumeClassOf) };
  }

  private addDriver(tenant: Construct, versions: Versions): void {
    new TypedApiObject(tenant, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, {
      metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
    });
    new TypedApiObject(tenant, 'CSIDriver', { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', clusterScoped: true }, {
      metadata: { name: DRIVER_NAME },
      spec: { attachRequired: true, fsGroupPolicy: 'ReadWriteOnceWithFSType', podInfoOnMount: true },
    });
    const daemonSet = new TypedApiObject(tenant, 'DaemonSet', { apiVersion: 'apps/v1', kind: 'DaemonSet' }, {
      metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS },
      spec: nodeDaemonSet(NAME, LABELS, this.options, versions),
    });
    FieldSources._record(daemonSet, this.owner, () => podSources(this.options.node ?? {}, `${CSI_DRIVER_PROPERTY}.node.`));
  }

  /**
   * The driver looks once which machine its node is; the upstream role grants far more.
   *
   * Source: kubevirt/csi-driver cmd/kubevirt-csi-driver.
   */
  private addRights(tenant: Construct): void {
    new TypedApiObject(tenant, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }, {
      metadata: { name: NAME, namespace: NAMESPACE, labels: LABELS }, automountServiceAccountToken: false,
    });
    new TypedApiObject(tenant, 'ClusterRole', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', clusterScoped: true }, {
      metadata: { name: NAME, labels: LABELS }, rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
    });
    new TypedApiObject(tenant, 'ClusterRoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', clusterScoped: true }, {
      metadata: { name: NAME, labels: LABELS },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: NAME },
      subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: NAMESPACE }],
    });
  }
}

function addStorageClass(tenant: Construct, id: string, storageClass: KubevirtStorageClass): ApiObject {
  const { name, labels, infraClass, bus = KubevirtVolumeBus.SCSI, fsType = KubevirtFileSystem.EXT4 } = storageClass;
  const annotations = { ...storageClass.annotations, ...(storageClass.isDefault && { [DEFAULT_CLASS_ANNOTATION]: 'true' }) };
  return new TypedApiObject(tenant, id, { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', clusterScoped: true }, {
    metadata: { name, labels, ...(Object.keys(annotations).length > 0 && { annotations }) },
    provisioner: DRIVER_NAME,
    parameters: { bus, 'csi.storage.k8s.io/fstype': fsType, ...(infraClass !== undefined && { infraStorageClassName: infraClass }) },
    // The server would write the same two, and a class takes no change of them.
    reclaimPolicy: storageClass.reclaimPolicy ?? VolumeReclaimPolicy.DELETE,
    volumeBindingMode: storageClass.volumeBindingMode ?? VolumeBindingMode.IMMEDIATE,
    allowVolumeExpansion: canExpand(storageClass),
  });
}
