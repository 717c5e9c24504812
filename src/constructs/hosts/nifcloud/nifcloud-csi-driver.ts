import { Chart } from 'cdk8s';
import { apiValues, checkApi, NifcloudCredentials } from './credentials';
import { addNifcloudStorageClass, checkStorageClasses, NifcloudStorageClass, volumeClassOf } from './nifcloud-storage-class';
import { Problem, Rule } from '../../../manifests/values/problem';
import { BundledAddonProps } from '../../addons/bundled-addon';
import { CatalogueAddon } from '../../addons/catalog/catalogue-addon';
import { classSources } from '../../addons/csi/storage-classes';
import { FieldSources } from '../../app/synth/field-sources';
import { AddonCapability, AddonConfig } from '../../contracts/addon';
import { ClusterContext } from '../../contracts/cluster-context';

/** Options of Nifcloud's CSI driver. */
export interface NifcloudCsiDriverProps extends BundledAddonProps {
  /** Region of the nodes, e.g. `jp-east-1` (`TC-NIFCLOUD-REGION`). */
  readonly region: string;

  /**
   * Secret with the keys of Nifcloud's API, in the namespace of the addon. The driver's pod on every node uses the keys to query the zone
   * of its node.
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
 * Nifcloud's CSI driver: volumes are disks of the additional storage, for one node at a time (`ReadWriteOnce`), with a file system or as
 * raw blocks. Sizes must be multiples of 100 GiB, the unit of disks: the driver would round up silently, and later grow a disk by one step
 * too many. The driver has no snapshots and clones. The claims of the cluster are checked against these limits. A node with taints that
 * the driver does not tolerate gets no volumes: set `tolerations`.
 *
 * Rules: `TC-STORAGE-CLAIM-ACCESS-MODE`, `TC-STORAGE-CLAIM-SIZE`, `TC-STORAGE-CLAIM-SOURCE`. Source:
 * nifcloud/nifcloud-additional-storage-csi-driver charts/nifcloud-additional-storage-csi-driver 1.1.0.
 *
 * @example
 * new nifcloud.NifcloudCsiDriver({
 *   region: 'jp-east-1',
 *   credentials: { secretName: 'nifcloud-api' },
 *   storageClasses: [{ name: 'standard', type: nifcloud.NifcloudDiskType.STANDARD, isDefault: true }],
 * });
 */
export class NifcloudCsiDriver extends CatalogueAddon {
  private readonly storageClasses: readonly NifcloudStorageClass[];

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
   * Creates the storage classes, and passes the chart to the delivery.
   *
   * @param tenant a chart whose objects go to the cluster
   * @param context the cluster that the addon is for
   */
  public override bind(tenant: Chart, context: ClusterContext): AddonConfig {
    this.storageClasses.forEach((storageClass, index) => {
      // A duplicate is reported, and gets no object.
      if (this.storageClasses.findIndex(({ name }) => name === storageClass.name) === index) {
        FieldSources.record(addNifcloudStorageClass(tenant, storageClass), tenant, classSources(`storageClasses[${index}]`));
      }
    });
    return { ...super.bind(tenant, context), volumeClasses: this.storageClasses.map(volumeClassOf) };
  }
}

const CLASS_VALUES_RULE: Rule = {
  id: 'TC-NIFCLOUD-CLASS-VALUES',
  title: 'Storage classes must be set in storageClasses, not in the values of the chart, which the library does not check.',
  source: 'nifcloud/nifcloud-additional-storage-csi-driver charts/nifcloud-additional-storage-csi-driver/values.yaml',
};

/** The library would not check their sizes, access modes and parameters. */
function checkClassValues({ storageClasses }: { readonly [key: string]: unknown }): Problem[] {
  const none = storageClasses === undefined || storageClasses === null || (Array.isArray(storageClasses) && storageClasses.length === 0);
  return none ? [] : [{
    rule: CLASS_VALUES_RULE, property: 'values.storageClasses', message: 'the chart would create storage classes that the library does not check', fix: 'set them in storageClasses',
  }];
}
