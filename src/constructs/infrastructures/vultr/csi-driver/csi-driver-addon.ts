import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { CLASSES } from './checks';
import { csiRules, LEASE_PERMISSIONS } from './permissions';
import { controllerPod, DRIVER_NAME, NAMESPACE, nodePod } from './pods';
import { VultrCsiDriver } from './vultr-csi-driver';
import { canExpand, volumeClassOf, VultrStorageClass } from './vultr-storage-class';
import { DEFAULT_CLASS_ANNOTATION, VolumeBindingMode, VolumeReclaimPolicy } from '../../../../manifests/values/storage-class';
import { classSources } from '../../../addons/csi/class-checks';
import { FieldSources } from '../../../app/synth/field-sources';
import { TypedApiObject } from '../../../app/synth/typed-api-object';
import { Addon, AddonConfig } from '../../../contracts/addon';
import { AddonCapability } from '../../../contracts/addon-capability';
import { ClusterContext } from '../../../contracts/cluster-context';
import { pullSecretsField } from '../../../contracts/company-network/company-network';

// As upstream has them.
const CONTROLLER = 'csi-vultr-controller';
const NODE = 'csi-vultr-node';

const RBAC = 'rbac.authorization.k8s.io';

/** Vultr's CSI driver in the tenant, and the storage classes. */
export class VultrCsiDriverAddon extends Addon {
  /** Name of the addon. */
  public readonly name = 'vultr-csi-driver';

  /** What it brings. */
  public override readonly provides: string[] = [AddonCapability.PERSISTENT_VOLUMES];

  /** Nothing that would have to be there first: its pods wait for the pod network by themselves. */
  public override readonly requires: string[] = [];

  /**
   * @param owner the construct that was given the classes
   * @param driver how the driver runs
   * @param classes the storage classes
   */
  public constructor(
    private readonly owner: Construct, private readonly driver: VultrCsiDriver, private readonly classes: readonly VultrStorageClass[],
  ) {
    super();
  }

  /** Makes the objects. */
  public bind(tenant: Chart, { versions, companyNetwork }: ClusterContext): AddonConfig {
    const expansion = this.classes.some(canExpand);
    const pullSecrets = pullSecretsField(companyNetwork);
    new TypedApiObject(tenant, 'CSIDriver', { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', clusterScoped: true }, {
      metadata: { name: DRIVER_NAME }, spec: { attachRequired: true, fsGroupPolicy: 'ReadWriteOnceWithFSType', podInfoOnMount: true },
    });
    addServiceAccount(tenant, CONTROLLER);
    addServiceAccount(tenant, NODE);
    addRights(tenant, expansion);
    new TypedApiObject(tenant, 'Deployment', { apiVersion: 'apps/v1', kind: 'Deployment' }, {
      metadata: { name: CONTROLLER, namespace: NAMESPACE, labels: labels(CONTROLLER) },
      spec: {
        replicas: 1,
        // Its companions elect leaders, the driver itself does not: two versions of it must not work on the same volume.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: labels(CONTROLLER) },
        template: {
          metadata: { labels: labels(CONTROLLER) },
          spec: { ...controllerPod(CONTROLLER, this.driver, expansion, versions), ...pullSecrets },
        },
      },
    });
    new TypedApiObject(tenant, 'DaemonSet', { apiVersion: 'apps/v1', kind: 'DaemonSet' }, {
      metadata: { name: NODE, namespace: NAMESPACE, labels: labels(NODE) },
      spec: {
        selector: { matchLabels: labels(NODE) },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '10%' } },
        template: { metadata: { labels: labels(NODE) }, spec: { ...nodePod(NODE, this.driver.options, versions), ...pullSecrets } },
      },
    });
    this.classes.forEach((storageClass, index) => {
      FieldSources.record(addStorageClass(tenant, `StorageClass${index}`, storageClass), this.owner, classSources(`${CLASSES}[${index}]`));
    });
    return { volumeClasses: this.classes.map(volumeClassOf) };
  }
}

function labels(name: string): { [key: string]: string } {
  return { 'app.kubernetes.io/name': name };
}

function addServiceAccount(tenant: Construct, name: string): void {
  new TypedApiObject(tenant, `${name}-account`, { apiVersion: 'v1', kind: 'ServiceAccount' }, {
    metadata: { name, namespace: NAMESPACE, labels: labels(name) }, automountServiceAccountToken: false,
  });
}

function addRights(tenant: Construct, expansion: boolean): void {
  const subjects = [{ kind: 'ServiceAccount', name: CONTROLLER, namespace: NAMESPACE }];
  new TypedApiObject(tenant, 'ClusterRole', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', clusterScoped: true }, {
    metadata: { name: CONTROLLER, labels: labels(CONTROLLER) }, rules: csiRules(expansion),
  });
  new TypedApiObject(tenant, 'ClusterRoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', clusterScoped: true }, {
    metadata: { name: CONTROLLER, labels: labels(CONTROLLER) }, roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: CONTROLLER }, subjects,
  });
  new TypedApiObject(tenant, 'Role', { apiVersion: `${RBAC}/v1`, kind: 'Role' }, {
    metadata: { name: CONTROLLER, namespace: NAMESPACE, labels: labels(CONTROLLER) }, rules: LEASE_PERMISSIONS,
  });
  new TypedApiObject(tenant, 'RoleBinding', { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding' }, {
    metadata: { name: CONTROLLER, namespace: NAMESPACE, labels: labels(CONTROLLER) }, roleRef: { apiGroup: RBAC, kind: 'Role', name: CONTROLLER }, subjects,
  });
}

function addStorageClass(tenant: Construct, id: string, storageClass: VultrStorageClass): ApiObject {
  const { name, storage } = storageClass;
  const annotations = { ...storageClass.annotations, ...(storageClass.isDefault && { [DEFAULT_CLASS_ANNOTATION]: 'true' }) };
  return new TypedApiObject(tenant, id, { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', clusterScoped: true }, {
    metadata: { name, labels: storageClass.labels, ...(Object.keys(annotations).length > 0 && { annotations }) },
    provisioner: DRIVER_NAME,
    parameters: { disk_type: storage.diskType, storage_type: storage.storageType },
    reclaimPolicy: storageClass.reclaimPolicy ?? VolumeReclaimPolicy.DELETE,
    volumeBindingMode: storageClass.volumeBindingMode ?? VolumeBindingMode.IMMEDIATE,
    allowVolumeExpansion: canExpand(storageClass),
  });
}
