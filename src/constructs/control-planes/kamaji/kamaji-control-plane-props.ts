import { KamajiCoreDns, KamajiKubeProxy } from './addons';
import { KamajiAdmissionPlugins } from './admission-plugins';
import { ControlPlaneAudit } from './audit';
import { ControlPlaneAuthentication } from './authentication';
import { KamajiComponent } from './components';
import { KamajiDataStoreOverride } from './data-store';
import { KamajiDeployment } from './deployment';
import { ControlPlaneEncryption } from './encryption';
import { KamajiExposure } from './exposure';
import { KamajiKonnectivity } from './konnectivity';
import { KamajiKubelet } from './kubelet';
import { KamajiServicePort } from './ports';
import { KamajiProbes } from './probes';
import { KamajiSize } from './size';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { ServiceAccountKeys } from '../service-account-keys';

/** Kubeconfigs of administrators that can be published as `<cluster>-kubeconfig`. */
export enum KamajiKubeconfigKey {
  /** A member of `kubeadm:cluster-admins`, at the published endpoint. */
  ADMIN = 'admin.conf',

  /** A member of `kubeadm:cluster-admins`, at the Service inside the management cluster. */
  ADMIN_SERVICE = 'admin.svc',

  /** A member of `system:masters`, at the published endpoint. */
  SUPER_ADMIN = 'super-admin.conf',

  /** A member of `system:masters`, at the Service inside the management cluster. */
  SUPER_ADMIN_SERVICE = 'super-admin.svc',
}

/** Options of a control plane that Kamaji hosts. Everything has a default. */
export interface KamajiControlPlaneProps {
  /**
   * Release of Kamaji in the management cluster, as its tags are written: `edge-26.2.4`, `26.8.2-edge`. It decides how new Kubernetes may
   * be. Where the management cluster says its release, it is that one.
   *
   * Rules: `TC-KAMAJI-VERSION`, `TC-KAMAJI-KUBERNETES-VERSION`, `TC-KAMAJI-VERSION-OTHER`.
   *
   * @default - the management cluster's `kamajiVersion`, else '26.8.2-edge'
   */
  readonly kamajiVersion?: string;

  /**
   * Number of pods that serve the API; a whole number. With 0 there is no API server, and its data stay: `hibernation` of the cluster does
   * this in the right order. From 2 on a PodDisruptionBudget lets one of the pods be evicted at a time.
   *
   * Rules: `TC-ADMIT-FIELD-TYPE`, `TC-TRAP-KAMAJI-STOPPED`.
   *
   * @default 2
   */
  readonly replicas?: number;

  /**
   * CPU and memory of API server, controller manager and scheduler. `resources` of a component replaces its part.
   *
   * Rule: `TC-TRAP-KAMAJI-MEMORY`.
   *
   * @default - the smallest size for the largest number of nodes that the pools may have; a larger pool may therefore replace the pods of the
   * control plane
   */
  readonly size?: KamajiSize;

  /**
   * Name of the `DataStore` that keeps the cluster's state. Another name later means a migration, which works between data stores of one
   * driver only. Name the one before in `formerDataStore` until it has ended.
   *
   * Rules: `TC-KAMAJI-DATA-STORE`, `TC-KAMAJI-DATA-STORE-UNKNOWN`, `TC-CHANGE-KAMAJI-DATA-STORE-EGRESS`.
   *
   * Source: clastix/kamaji docs/content/guides/datastore-migration.md.
   *
   * @default - the one that Kamaji is started with
   */
  readonly dataStore?: string;

  /**
   * Name of the `DataStore` that the control plane moves from. The isolation of the tenant lets it through to both until the property is
   * removed: API servers use the former one until the data are copied and the new pods are ready. Remove it when the TenantControlPlane
   * reports the new one in `status.storage.dataStoreName`, and `Ready` in `status.kubernetesResources.version.status`.
   *
   * Rules: `TC-KAMAJI-FORMER-DATA-STORE`, `TC-KAMAJI-DATA-STORE`, `TC-KAMAJI-DATA-STORE-UNKNOWN`.
   *
   * Source: clastix/kamaji internal/resources/datastore/datastore_migrate.go, internal/resources/k8s_deployment_resource.go.
   *
   * @default - none: no move is under way
   */
  readonly formerDataStore?: string;

  /**
   * Database (or key prefix, for etcd) in the data store: 1 to 63 letters, digits, `_` and `-`, and no other cluster's.
   *
   * It can never change: an existing control plane needs the one that it has, shown as `spec.dataStoreSchema` of its TenantControlPlane.
   *
   * Rules: `TC-KAMAJI-DATA-STORE-IDENTITY`, `TC-KAMAJI-DATA-STORE-TAKEN`.
   *
   * @default - namespace and name of the cluster with a hash of both, at most 32 characters, so that a control plane that is made anew
   * from the same page finds its data
   */
  readonly dataStoreSchema?: string;

  /**
   * User in the data store: 1 to 63 letters, digits, `_` and `-`, 32 for MySQL, and no other cluster's. It can never change.
   *
   * Rules: `TC-KAMAJI-DATA-STORE-IDENTITY`, `TC-KAMAJI-DATA-STORE-TAKEN`.
   *
   * @default - the same text as the default of `dataStoreSchema`
   */
  readonly dataStoreUsername?: string;

  /**
   * Kinds of object that another data store keeps, each once. For data stores of driver etcd.
   *
   * Rule: `TC-TRAP-KAMAJI-DATA-STORE-OVERRIDE`.
   *
   * @default - none
   */
  readonly dataStoreOverrides?: KamajiDataStoreOverride[];

  /**
   * CPU and memory of kine, which runs beside the API server where the data store is not etcd (`TC-KAMAJI-RESOURCES`).
   *
   * @default - no requests and limits
   */
  readonly kineResources?: ResourceRequirements;

  /**
   * Address and Service of the API server.
   *
   * @default KamajiExposure.loadBalancer()
   */
  readonly exposure?: KamajiExposure;

  /**
   * Further names in the API server's certificate: IP addresses, DNS names, wildcard DNS names, without a port. Host names of an Ingress
   * or Gateway are in it anyway.
   *
   * Rule: `TC-TRAP-KAMAJI-CERTIFICATE-NAME`.
   *
   * @default - none
   */
  readonly certSans?: string[];

  /**
   * Further ports of the control plane's Service, for what runs beside the API server (`TC-TRAP-KAMAJI-SERVICE-PORT`).
   *
   * @default - none
   */
  readonly additionalServicePorts?: KamajiServicePort[];

  /**
   * The tunnel from the API server to nodes and pods.
   *
   * @default KamajiKonnectivity.managed()
   */
  readonly konnectivity?: KamajiKonnectivity;

  /**
   * The cluster's DNS server.
   *
   * @default KamajiCoreDns.managed()
   */
  readonly coreDns?: KamajiCoreDns;

  /**
   * The program that leads Services to their pods; a pod network may do it instead, and one of them has to (`TC-KAMAJI-KUBE-PROXY`).
   *
   * @default - managed, unless the cluster's `cni` replaces it
   */
  readonly kubeProxy?: KamajiKubeProxy;

  /**
   * Registry, with a path if there is one, that API server, controller manager and scheduler are pulled from. It reaches neither the
   * addons nor konnectivity (`TC-KAMAJI-IMAGE`).
   *
   * @default 'registry.k8s.io'
   */
  readonly registry?: string;

  /**
   * Flags, feature gates, resources, mounts and image of the API server.
   *
   * @default - see `KamajiComponent`
   */
  readonly apiServer?: KamajiComponent;

  /**
   * Flags, feature gates, resources, mounts and image of the controller manager.
   *
   * @default - see `KamajiComponent`
   */
  readonly controllerManager?: KamajiComponent;

  /**
   * Flags, feature gates, resources, mounts and image of the scheduler.
   *
   * @default - see `KamajiComponent`
   */
  readonly scheduler?: KamajiComponent;

  /**
   * Admission plug-ins to switch on and off.
   *
   * @default - Kamaji's own 17 and NodeRestriction (clastix/kamaji charts/kamaji/crds)
   */
  readonly admissionPlugins?: KamajiAdmissionPlugins;

  /**
   * Identity providers whose users the API server takes.
   *
   * @default - none
   */
  readonly authentication?: ControlPlaneAuthentication;

  /**
   * Audit log of the API server.
   *
   * @default - nothing
   */
  readonly audit?: ControlPlaneAudit;

  /**
   * Encryption of the objects in the data store.
   *
   * @default - not at all
   */
  readonly encryption?: ControlPlaneEncryption;

  /**
   * Keys for tokens of ServiceAccounts, so that they can be exchanged step by step. Each change of the keys or of their order replaces the pods of the control plane.
   *
   * Source: clastix/kamaji internal/resources/sa_certificate.go.
   *
   * @default - Kamaji makes an RSA key when the cluster is created, and keeps it
   */
  readonly serviceAccountKeys?: ServiceAccountKeys;

  /**
   * Placement and settings of the pods in the management cluster.
   *
   * @default - see `KamajiDeployment`
   */
  readonly deployment?: KamajiDeployment;

  /**
   * Probes of the components.
   *
   * @default - see `KamajiProbes`
   */
  readonly probes?: KamajiProbes;

  /**
   * Access to kubelets, and their configuration.
   *
   * @default - see `KamajiKubelet`
   */
  readonly kubelet?: KamajiKubelet;

  /**
   * Kubeconfig that Cluster API and its users get as `<cluster>-kubeconfig`, and machines that join as cluster-info. With one of the
   * `…SERVICE` keys both must be able to resolve and reach Services of the management cluster.
   *
   * @default - `admin.conf`, or `admin.svc` where the exposure has an `advertiseAddress`
   * (clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_resources.go)
   */
  readonly kubeconfigSecretKey?: KamajiKubeconfigKey;

  /**
   * Kinds of infrastructure object that the provider in the management cluster was told to serve beside its own, by the feature gate
   * `DynamicInfrastructureClusterPatch` and the flag `--dynamic-infrastructure-clusters` (`TC-KAMAJI-INFRASTRUCTURE`).
   *
   * @default - none
   */
  readonly additionalInfrastructureKinds?: string[];

  /**
   * Labels of the KamajiControlPlane. They replace all labels of Kamaji's TenantControlPlane.
   *
   * Rule: `TC-ADMIT-FIELD-METADATA`.
   *
   * @default - none beyond those of the chart
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the KamajiControlPlane. They are copied to Kamaji's TenantControlPlane and stay there when they are removed here;
   * `kamaji.clastix.io/migration-timeout` and its like belong here.
   *
   * Rule: `TC-ADMIT-FIELD-METADATA`.
   *
   * @default - marks against pruning and against substitution of variables
   */
  readonly annotations?: { [key: string]: string };
}
