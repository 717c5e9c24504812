import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { CLASSES_PROPERTY } from './csi/driver-checks';
import { addStorageClass, checkDefaultClass, checkTaken, classSources } from './csi/storage-classes';
import { ProviderChart, ProviderStorageClass } from './provider-chart';
import { TenantSecret } from './tenant-secret';
import { mergeValues } from '../../manifests/values/chart-values';
import { KubernetesVersion } from '../../manifests/values/kubernetes-version';
import { Problem, Rule } from '../../manifests/values/problem';
import { VolumeBindingMode } from '../../manifests/values/storage-class';
import { Toleration, TolerationOperator } from '../../manifests/values/taints';
import { Problems } from '../app/problems/problems';
import { FieldSources } from '../app/synth/field-sources';
import { Addon, AddonCapability, AddonConfig } from '../contracts/addon';
import { ClusterContext } from '../contracts/cluster-context';
import { pullSecretsField } from '../contracts/company-network/company-network';

/** A release of a chart, and the version of Kubernetes that it is for. */
export interface ProviderChartRelease {
  /**
   * The first minor version of Kubernetes that it is for, e.g. `1.35` (`TC-PROVIDER-CHART-RELEASE`).
   *
   * @default - any
   */
  readonly kubernetes?: string;

  /** Exact version of the chart, as its repository spells it. */
  readonly version: string;

  /**
   * Its images, by the key of the values that has `repository` and `tag` below it, or by the keys of these two with a space between them.
   *
   * @default - not known: they cannot move to another registry (`TC-IMAGE-CHART-UNKNOWN`)
   */
  readonly images?: { [key: string]: string };
}

/** A program that an infrastructure installs in the tenant by a released chart: its cloud controller manager, or its CSI driver. */
export interface ProviderProgram {
  /** Name of the chart, of its release and of the addon. */
  readonly chart: string;

  /** Source of the chart: the address of its repository. */
  readonly repository: string;

  /**
   * Releases of the chart, the oldest first (`TC-PROVIDER-CHART-RELEASE`). A cluster gets the last one that is not for a newer version of Kubernetes than its own, or the first one:
   * a cloud controller manager must not be newer than the API server.
   *
   * Source: kubernetes.io/releases/version-skew-policy.
   *
   * @default - none are known: the user names the version by `given` (`TC-DELIVERY-CHART-VERSION`)
   */
  readonly releases?: ProviderChartRelease[];

  /**
   * The option of the user: another version, source, release name or namespace, further values, or `ProviderChart.external()`.
   *
   * @default ProviderChart.of()
   */
  readonly given?: ProviderChart;

  /**
   * False if the options of the infrastructure need no such program.
   *
   * @default - true; of a program with a `storageDriver`, whether there are storage classes
   */
  readonly needed?: boolean;

  /**
   * Name that the program expects its Secret in `kube-system` to have. `ProviderAddons.secretName` is the one for the values.
   *
   * @default - it needs no Secret
   */
  readonly secretName?: string;

  /**
   * The option of the user for that Secret. Programs with the same `secretName` share it.
   *
   * @default TenantSecret.carried()
   */
  readonly secret?: TenantSecret;

  /**
   * Values of the chart. Those of the user are merged into them.
   *
   * @default - the chart's own
   */
  readonly values?: { [key: string]: any };

  /**
   * Manifests that the tenant gets before the chart, e.g. a ConfigMap.
   *
   * @default - none
   */
  readonly manifests?: { [field: string]: any }[];

  /**
   * Capabilities that the program brings, of `AddonCapability` or names of your own. A default storage class brings `PERSISTENT_VOLUMES`.
   *
   * @default - none
   */
  readonly provides?: string[];

  /**
   * Storage classes of a CSI driver (`TC-PROVIDER-STORAGE-CLASS`). Turn off those of the chart by its values.
   *
   * @default - none
   */
  readonly storageClasses?: ProviderStorageClass[];

  /**
   * Name of the CSI driver in storage classes, e.g. `cinder.csi.openstack.org`. Storage classes require it.
   *
   * @default - none
   */
  readonly storageDriver?: string;
}

const CLASS_RULE: Rule = {
  id: 'TC-PROVIDER-STORAGE-CLASS',
  title: 'Names of storage classes of an infrastructure must be unique, and exactly one class must be the default.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
};

const RELEASE_RULE: Rule = {
  id: 'TC-PROVIDER-CHART-RELEASE',
  title: 'Releases of a chart of an infrastructure must be for minor versions of Kubernetes, in their order: a cluster gets another release otherwise.',
  source: 'kubernetes.io/releases/version-skew-policy',
};

/**
 * The programs that an infrastructure brings to the tenant by released charts. The infrastructures of the library are written with it, too.
 *
 * @example
 * import { Construct } from 'constructs';
 *
 * function cloudControllerManager(scope: Construct, context: ClusterContext, given?: ProviderChart): Addon[] {
 *   return extension.ProviderAddons.of(scope, context, [{
 *     chart: 'example-ccm',
 *     repository: 'https://charts.example.com',
 *     releases: [{ kubernetes: '1.35', version: '1.2.0' }],
 *     given,
 *     secretName: 'example-token',
 *     provides: [AddonCapability.CLOUD_CONTROLLER_MANAGER],
 *     values: { nodeSelector: extension.ProviderAddons.controlPlaneNodes(context), tolerations: extension.ProviderAddons.everywhere() },
 *   }]);
 * }
 */
export class ProviderAddons {
  /**
   * The addons of the programs that are to be installed, for `InfrastructureConfig.addons`. They wait for no pod network. A Secret is carried to the
   * tenant by a ClusterResourceSet, unless the user says otherwise.
   *
   * @param scope the scope that `Infrastructure.bind` was given
   * @param context the cluster that `Infrastructure.bind` was given
   * @param programs all programs of the infrastructure. Storage classes come from the property `storageClasses` of the infrastructure
   */
  public static of(scope: Construct, context: ClusterContext, programs: ProviderProgram[]): Addon[] {
    const carried = new Set<string>();
    return programs.flatMap((program) => {
      const { given = ProviderChart.of(), storageDriver, storageClasses = [], secretName, secret = TenantSecret.carried() } = program;
      const { needed = storageDriver === undefined || storageClasses.length > 0 } = program;
      Problems.of(scope).addAll([...checkClasses(storageClasses), ...checkReleases(program)]);
      if (!given.enabled || !needed) return [];
      if (secretName !== undefined && !carried.has(secretName)) secret._addSet(scope, context, secretName);
      carried.add(secretName ?? '');
      return [new ProviderProgramAddon(program, scope)];
    });
  }

  /**
   * Name of a Secret of the tenant, for values: that of the user, or the one that the program expects.
   *
   * @param usual the name that the program expects
   * @param secret the option of the user
   */
  public static secretName(usual: string, secret?: TenantSecret): string {
    return secret?._nameOr(usual) ?? usual;
  }

  /**
   * The node selector for programs that run beside the API server; undefined if the control plane has no nodes in the tenant. A chart whose own
   * values select them then needs `null` in its place.
   *
   * @param context the cluster
   */
  public static controlPlaneNodes(context: ClusterContext): { [label: string]: string } | undefined {
    return (context.controlPlane.machineCount ?? 0) > 0 ? { 'node-role.kubernetes.io/control-plane': '' } : undefined;
  }

  /** Tolerations of programs that run before nodes are ready: of every taint. */
  public static everywhere(): Toleration[] {
    return [{ operator: TolerationOperator.EXISTS }];
  }

  private constructor() {}
}

function checkClasses(classes: readonly ProviderStorageClass[]): Problem[] {
  const placed = classes.map((given, index) => ({ property: `${CLASSES_PROPERTY}[${index}]`, given }));
  return [...checkTaken(CLASS_RULE, 'storage class', placed), ...(placed.length > 0 ? checkDefaultClass(CLASS_RULE, CLASSES_PROPERTY, placed) : [])];
}

/** A program of an infrastructure in the tenant. */
class ProviderProgramAddon extends Addon {
  public readonly name: string;
  public override readonly provides: string[];

  /** Nothing that would have to be there first: the pod network may wait for it. */
  public override readonly requires: string[] = [];

  public constructor(private readonly program: ProviderProgram, private readonly owner: Construct) {
    super();
    const { chart, provides = [], storageClasses = [] } = program;
    this.name = chart;
    const isDefault = storageClasses.some((storageClass) => storageClass.isDefault);
    this.provides = [...provides, ...(isDefault ? [AddonCapability.PERSISTENT_VOLUMES] : [])];
  }

  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const { chart, releases = [], given, values, manifests = [], ...program } = this.program;
    manifests.forEach((manifest, index) => new ApiObject(tenant, `Manifest${index}`, manifest as any));
    this.addClasses(tenant);
    const { version = '', images } = releaseFor(releases, context.kubernetesVersion) ?? {};
    const { options } = given ?? ProviderChart.of();
    const { chartVersion = version, repository = program.repository, releaseName = chart, namespace = 'kube-system', storageNamespace } = options;
    return {
      charts: [{
        chart,
        repository,
        chartVersion,
        releaseName,
        namespace,
        storageNamespace,
        values: mergeValues({ ...values, ...pullSecretsField(context.companyNetwork) }, options.values),
        images: images && chartVersion === version ? Object.entries(images).map(([key, image]) => ({ image, ...imageKeys(key) })) : undefined,
      }],
    };
  }

  private addClasses(tenant: Chart): void {
    const { storageDriver = '', storageClasses = [] } = this.program;
    storageClasses.forEach((given, index) => {
      const volumeBindingMode = given.volumeBindingMode ?? VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER;
      const object = addStorageClass(tenant, `StorageClass${index}`, { ...given, volumeBindingMode }, storageDriver, given.parameters ?? {});
      FieldSources.record(object, this.owner, classSources(`${CLASSES_PROPERTY}[${index}]`));
    });
  }
}

/** A chart of the table of a provider. */
export function releasedChart<Charts extends { readonly [chart: string]: Pick<ProviderProgram, 'repository' | 'releases'> }>(
  charts: Charts, chart: keyof Charts & string,
): Pick<ProviderProgram, 'chart' | 'repository' | 'releases'> {
  const { repository, releases } = charts[chart];
  return { chart, repository, releases };
}

function releaseFor(releases: readonly ProviderChartRelease[], { minor }: KubernetesVersion): ProviderChartRelease | undefined {
  return releases.filter((release) => firstMinor(release) <= minor).at(-1) ?? releases.at(0);
}

/** The first minor version of a release, such as 35; not a number if it states none that can be read. */
function firstMinor({ kubernetes = '1.0' }: ProviderChartRelease): number {
  return Number(/^1\.(\d+)$/.exec(kubernetes)?.[1]);
}

function checkReleases({ chart, releases = [] }: ProviderProgram): Problem[] {
  const minors = releases.map(firstMinor);
  return releases.flatMap(({ kubernetes }, index): Problem[] => {
    const message = `the chart "${chart}" has a release for ${JSON.stringify(kubernetes)}`;
    const at = { rule: RELEASE_RULE, property: 'infrastructure' };
    if (Number.isNaN(minors[index])) return [{ ...at, message, accepted: 'minor versions of Kubernetes, such as "1.35"', fix: 'correct releases' }];
    const isLate = minors.slice(0, index).some((before) => before > minors[index]);
    return isLate ? [{ ...at, message: `${message} behind one for a later version`, fix: 'list the oldest release first' }] : [];
  });
}

function imageKeys(key: string): { readonly repositoryKey: string; readonly tagKey: string } {
  const [repositoryKey, tagKey] = key.split(' ');
  return tagKey === undefined ? { repositoryKey: `${key}.repository`, tagKey: `${key}.tag` } : { repositoryKey, tagKey };
}
