import { Chart } from 'cdk8s';
import { ClusterContext } from './cluster-context';
import { GitManifests } from './git-manifests';
import { HelmChart } from './helm-chart';

/** Charts and manifests that an addon installs, and the volumes that they provide. */
export interface AddonConfig {
  /**
   * Helm charts, in the order in which they are installed.
   *
   * @default - none
   */
  readonly charts?: HelmChart[];

  /**
   * Manifests of Git repositories, applied together, before the charts. They stay when the addon is removed.
   *
   * @default - none
   */
  readonly gitManifests?: GitManifests[];

  /**
   * True if the manifests come after the charts: their kinds are defined by one of these. A Kustomization of Flux, and an Application of
   * Argo CD, fail until the definitions are there and are tried again. So does a ClusterResourceSet, but after ever longer pauses of up to
   * 16 minutes (kubernetes/client-go util/workqueue/default_rate_limiters.go).
   *
   * @default false - they come before the charts
   */
  readonly chartsFirst?: boolean;

  /**
   * Properties of volumes of the storage classes that the addon brings. Claims of the cluster's workloads and addons are checked against them.
   *
   * @default - not known, and not checked
   */
  readonly volumeClasses?: VolumeClass[];
}

/**
 * Something that runs in the tenant.
 *
 * An instance is plain data: it can be given to any number of clusters. Manifests are constructs that it defines in the chart it is
 * given; Helm charts are what it returns. How both reach the tenant is decided by the cluster's delivery.
 */
export abstract class Addon {
  /** Name of the addon, a DNS label that is unique within a cluster. */
  public abstract readonly name: string;

  /**
   * Capabilities that the addon brings.
   *
   * @default - none
   */
  public readonly provides: string[] = [];

  /**
   * Capabilities that must be brought by another addon, and are there before this one is installed.
   *
   * @default - a pod network
   */
  public readonly requires: string[] = [AddonCapability.POD_NETWORK];

  /**
   * Names of addons, or capabilities of addons, that cannot be in the same cluster.
   *
   * @default - none
   */
  public readonly conflictsWith: string[] = [];

  /**
   * Addons that this one is installed after, beside those that bring what it requires.
   *
   * @default - none
   */
  public readonly after: Addon[] = [];

  /**
   * Makes what the addon installs.
   *
   * Bad values are reported through `Problems.of(tenant)`; the name of the addon is put before the property.
   *
   * @param tenant a chart whose objects go to the tenant
   * @param context the cluster that the addon is for
   */
  public abstract bind(tenant: Chart, context: ClusterContext): AddonConfig;
}

/**
 * Capabilities that bundled addons bring or need. A third party's addon may use these and names of its own.
 *
 * @example
 * acme.addAddon(new HelmAddon('issuers', {
 *   chart: 'issuers',
 *   repository: 'https://charts.example.com',
 *   chartVersion: '1.2.0',
 *   namespace: 'cert-manager',
 *   requires: [AddonCapability.CERTIFICATES],
 * }));
 */
export class AddonCapability {
  /** Pods have a network. Every addon that runs pods comes after what brings this. */
  public static readonly POD_NETWORK = 'pod-network';

  /** NetworkPolicies have an effect. */
  public static readonly NETWORK_POLICY = 'network-policy';

  /** Certificates of `cert-manager.io` are issued. */
  public static readonly CERTIFICATES = 'certificates';

  /** The custom resource definitions of the Gateway API are there. */
  public static readonly GATEWAY_API = 'gateway-api';

  /** Ingresses have an effect. */
  public static readonly INGRESS = 'ingress';

  /** `metrics.k8s.io` answers. */
  public static readonly RESOURCE_METRICS = 'resource-metrics';

  /** Volumes can be snapshotted: definitions and controller of `snapshot.storage.k8s.io`. */
  public static readonly VOLUME_SNAPSHOTS = 'volume-snapshots';

  /** PersistentVolumeClaims are bound, also those without a storage class. */
  public static readonly PERSISTENT_VOLUMES = 'persistent-volumes';

  /** Addresses and zones of nodes whose kubelets wait for a cloud provider are set. */
  public static readonly CLOUD_CONTROLLER_MANAGER = 'cloud-controller-manager';

  /** Nodes are labelled with their hardware features. */
  public static readonly NODE_FEATURES = 'node-features';

  /** Names of Services and pods are resolved, at the address in the configuration of the kubelets. */
  public static readonly CLUSTER_DNS = 'cluster-dns';

  /** There is an ingress class for Ingresses that name none. */
  public static readonly DEFAULT_INGRESS_CLASS = 'default-ingress-class';

  /** Services of type LoadBalancer that name no class are published. */
  public static readonly DEFAULT_LOAD_BALANCER = 'default-load-balancer';

  /** Definitions of `monitoring.coreos.com`. */
  public static readonly PROMETHEUS_OPERATOR_CRDS = 'prometheus-operator-crds';

  private constructor() {}
}

/** Number of nodes and pods that use a volume at a time. */
export enum VolumeAccessMode {
  /** One node reads and writes. */
  READ_WRITE_ONCE = 'ReadWriteOnce',

  /** One pod reads and writes. */
  READ_WRITE_ONCE_POD = 'ReadWriteOncePod',

  /** Many nodes read. */
  READ_ONLY_MANY = 'ReadOnlyMany',

  /** Many nodes read and write. */
  READ_WRITE_MANY = 'ReadWriteMany',
}

/**
 * Properties of volumes of a storage class, as the CSI driver behind it supports them. Claims of a cluster's workloads and addons are checked at
 * synthesis; the driver would refuse them at run time, and the pods wait for ever.
 */
export interface VolumeClass {
  /** Name of the StorageClass. */
  readonly name: string;

  /**
   * True if claims that name no class are of this one.
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /** Access modes that volumes with a file system can have (`TC-STORAGE-CLAIM-ACCESS-MODE`). */
  readonly accessModes: VolumeAccessMode[];

  /**
   * Access modes that raw block volumes can have (`TC-STORAGE-CLAIM-ACCESS-MODE`).
   *
   * @default - the same
   */
  readonly blockAccessModes?: VolumeAccessMode[];

  /**
   * The smallest volume, as a Kubernetes quantity (`TC-STORAGE-CLAIM-SIZE`).
   *
   * @default - any size
   */
  readonly least?: string;

  /**
   * The largest volume, as a Kubernetes quantity (`TC-STORAGE-CLAIM-SIZE`).
   *
   * @default - any size
   */
  readonly most?: string;

  /**
   * Unit that sizes must be a multiple of, as a Kubernetes quantity (`TC-STORAGE-CLAIM-SIZE`).
   *
   * @default - any size
   */
  readonly step?: string;

  /**
   * True if a volume can begin as a copy of a snapshot or of another volume (`TC-STORAGE-CLAIM-SOURCE`).
   *
   * @default true
   */
  readonly copies?: boolean;
}
