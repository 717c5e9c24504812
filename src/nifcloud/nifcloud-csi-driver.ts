import { Chart } from 'cdk8s';
import { apiValues, checkApi, NifcloudCredentials } from './credentials';
import { NifcloudStorageClass } from './nifcloud-storage-class';
import { NIFCLOUD_RULES } from './rules';
import { addStorageClass, checkStorageClasses, volumeClassOf } from './storage-class-object';
import { AddonConfig } from '../addons/addon';
import { AddonCapability } from '../addons/addon-capability';
import { BundledAddonProps } from '../addons/bundled-addon-props';
import { CatalogueAddon } from '../addons/catalogue/catalogue-addon';
import { ClusterContext } from '../cluster-context';
import { Problem } from '../validation/problem';

/** What can be chosen about Nifcloud's CSI driver. */
export interface NifcloudCsiDriverProps extends BundledAddonProps {
  /** Region of the nodes, e.g. `jp-east-1` (`TC-NIFCLOUD-REGION`). */
  readonly region: string;

  /**
   * Where the keys of Nifcloud's API are, in the namespace of the addon. The driver's pod on every node has them: it asks the API which zone
   * its node is in.
   */
  readonly credentials: NifcloudCredentials;

  /**
   * The storage classes of the cluster. The value `storageClasses` of the chart is refused (`TC-NIFCLOUD-CLASS-VALUES`).
   *
   * @default - none
   */
  readonly storageClasses?: NifcloudStorageClass[];
}

/**
 * Nifcloud's CSI driver: volumes are disks of the additional storage, for one node at a time (`ReadWriteOnce`), with a file system or as raw
 * blocks. They have multiples of 100 GiB, in which disks are sold and grow: the driver would round up without a word, and grow a disk by a
 * step too many later. Snapshots and clones do not exist. Claims of the cluster are held to all of this (`TC-STORAGE-CLAIM-ACCESS-MODE`,
 * `TC-STORAGE-CLAIM-SIZE`, `TC-STORAGE-CLAIM-SOURCE`). A node that has taints which the driver does not tolerate gets no volumes: name them
 * in `tolerations`.
 *
 * Source: nifcloud/nifcloud-additional-storage-csi-driver charts/nifcloud-additional-storage-csi-driver 1.1.0.
 */
export class NifcloudCsiDriver extends CatalogueAddon {
  private readonly storageClasses: readonly NifcloudStorageClass[];

  /**
   * @param props how Nifcloud's API is reached, and what differs from the defaults
   */
  public constructor(props: NifcloudCsiDriverProps) {
    const { region, credentials, storageClasses = [], values = {} } = props;
    const once = { effect: 'NoExecute', operator: 'Exists', tolerationSeconds: 300 };
    super({
      chart: 'nifcloud-additional-storage-csi-driver',
      name: 'nifcloud-additional-storage-csi-driver',
      namespace: 'kube-system',
      privileged: true,
      provides: storageClasses.some(({ isDefault }) => isDefault) ? [AddonCapability.PERSISTENT_VOLUMES] : [],
      tolerations: {
        'controller.tolerations': [{ key: 'CriticalAddonsOnly', operator: 'Exists' }, once],
        'node.tolerations': [once],
      },
      check: () => [...checkApi(region, credentials), ...checkStorageClasses(storageClasses), ...checkClassValues(values)],
      values: () => apiValues(region, credentials),
    }, props);
    this.storageClasses = storageClasses;
  }

  /**
   * Makes the storage classes, and gives the chart to the delivery.
   *
   * @param tenant a chart whose objects go to the cluster
   * @param context the cluster that the addon is for
   */
  public override bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const names = this.storageClasses.map(({ name }) => name);
    // One that is there twice is refused, and has no place in the tree.
    this.storageClasses.filter(({ name }, index) => names.indexOf(name) === index).forEach((storageClass) => addStorageClass(tenant, storageClass));
    return { ...super.bind(tenant, context), volumeClasses: this.storageClasses.map(volumeClassOf) };
  }
}

/** Their sizes, access modes and parameters would be nobody's to check. */
function checkClassValues({ storageClasses }: { readonly [key: string]: unknown }): Problem[] {
  const none = storageClasses === undefined || storageClasses === null || (Array.isArray(storageClasses) && storageClasses.length === 0);
  return none ? [] : [{
    rule: NIFCLOUD_RULES.classValues, property: 'values.storageClasses', message: 'the chart would make storage classes of its own', fix: 'write them as storageClasses',
  }];
}
