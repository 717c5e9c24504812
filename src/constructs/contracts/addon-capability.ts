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
