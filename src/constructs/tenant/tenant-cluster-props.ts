import { ClusterAutoscaler } from '../addons/cluster-autoscaler/cluster-autoscaler';
import { Cni } from '../addons/cni/cni';
import { Bootstrap } from '../contracts/bootstrap';
import { IManagementCluster } from '../contracts/capabilities/management-cluster';
import { Hibernation } from '../contracts/cluster-context';
import { TenantIsolation } from './isolation/tenant-isolation';
import { ClusterTopology } from './topology/cluster-topology';
import { CompanyNetwork } from '../contracts/company-network/company-network';
import { ControlPlane } from '../contracts/control-plane';
import { Delivery } from '../contracts/delivery/delivery';
import { TimeWindow } from '../contracts/delivery/time-window';
import { Infrastructure } from '../contracts/infrastructure';
import { Versions } from '../contracts/versions';
import { ImageSources } from '../images/image-sources';
import { ClusterMonitoring } from '../monitoring/cluster-monitoring';

/** Name and version of a tenant cluster. */
export interface TenantClusterIdentity {
  /**
   * Namespace in the management cluster that holds the tenant cluster's objects, a DNS label. One namespace for each
   * cluster keeps the rights of its controllers apart. Those of Kubernetes and of components of the management cluster, such as
   * `kube-system`, `default`, `capi-system` and `flux-system`, are refused. A cluster that exists in `default` may stay there, with
   * `createNamespace: false` and without `isolation`, which is a warning.
   *
   * Rules: `TC-CLUSTER-SYSTEM-NAMESPACE`, `TC-CLUSTER-DEFAULT-NAMESPACE`.
   */
  readonly namespace: string;

  /**
   * Kubernetes version of the control plane and, unless a pool says otherwise, of the nodes: `1.35.4` or `v1.35.4`.
   *
   * Raise it one minor version at a time. Cluster API's preflight checks hold the nodes back until the control plane is there. The library
   * knows the flags and feature gates of the versions in docs/versions.md: older ones are refused, newer ones give a warning. The
   * management cluster may offer fewer, and so may Kamaji.
   *
   * Rules: `TC-CLUSTER-VERSION`, `TC-CLUSTER-VERSION-NEWER`, `TC-MANAGEMENT-KUBERNETES-VERSION`, `TC-KAMAJI-KUBERNETES-VERSION`.
   */
  readonly kubernetesVersion: string;

  /**
   * Name of the cluster, a DNS label that starts with a letter (`TC-CLUSTER-NAME`).
   *
   * @default - the construct id
   */
  readonly name?: string;
}

/** Settings of a tenant cluster beyond its parts. All have defaults. */
export interface TenantClusterSettings {
  /**
   * Default of the bootstrap of pools.
   *
   * @default new KubeadmBootstrap()
   */
  readonly bootstrap?: Bootstrap;

  /**
   * Ranges that pods get their addresses from: one, or one for each address family, the primary first. Each node gets a part of it
   * (`nodeCidrMaskSizes`), so that it has to hold one for every node that there may be. Must not overlap with what the machines see around
   * them. Changing it on a living cluster breaks the cluster.
   *
   * Rule: `TC-NETWORK-POD-CAPACITY`.
   *
   * @default - 10.243.0.0/16
   */
  readonly podCidrs?: string[];

  /**
   * Prefix lengths of what one node gets of `podCidrs`, one for each of these and in their order: `--node-cidr-mask-size-ipv4` and its
   * like of kube-controller-manager. The pods of a node need that many addresses: 24 is enough for `kubelet.maxPods` up to 253, 26 for 61,
   * unless the pod network gives addresses out by itself, as Calico does. Nodes that are there keep what they have.
   *
   * Rules: `TC-NETWORK-NODE-MASK`, `TC-POOL-MAX-PODS`.
   *
   * @default - 24 (IPv4), 64 (IPv6)
   */
  readonly nodeCidrMaskSizes?: number[];

  /**
   * Ranges that Services get their addresses from, in the address families and order of `podCidrs`. Changing it on a
   * living cluster breaks the cluster.
   *
   * @default - 10.95.0.0/16
   */
  readonly serviceCidrs?: string[];

  /**
   * DNS domain of the cluster, with at least one dot. It cannot be changed later.
   *
   * @default cluster.local
   */
  readonly serviceDomain?: string;

  /**
   * True if the `Namespace` object is made here. Switch it off where another tool makes it, or for the second cluster of a namespace.
   *
   * Clusters that share a namespace trust each other: policies, quota and rights hold for all of it, and the CSI driver of one may change
   * volumes of the other's virtual machines (kubevirt/csi-driver pkg/kubevirt/client.go looks machines up by name alone).
   *
   * Rule: `TC-CLUSTER-NAMESPACE-TAKEN`.
   *
   * @default true
   */
  readonly createNamespace?: boolean;

  /**
   * Labels of the `Namespace` object, e.g. for pod security. They are given to the cluster that makes it (`TC-CLUSTER-NAMESPACE-LABELS`).
   *
   * @default - none
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * Labels that every object of the cluster in the management cluster gets. `cluster.x-k8s.io/cluster-name` is always there.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the `Cluster` object.
   *
   * @default - those that make Argo CD ask before it removes the cluster
   */
  readonly annotations?: { [key: string]: string };

  /**
   * The versions of charts, images and controllers, as of a month: `Versions.of('2026.08')` stays there until it is moved. What says its
   * own version keeps that.
   *
   * Rule: `TC-CLUSTER-CATALOG`.
   *
   * @default - the newest catalog of the package, so that a newer package moves them
   */
  readonly versions?: Versions;

  /**
   * Sources of images and charts: those of every object of the cluster, in the management cluster and in the tenant, and of every
   * chart (`TC-IMAGE-NAME`, `TC-IMAGE-UNPINNED`, `TC-IMAGE-DIGEST`).
   *
   * @default - from where their projects publish them
   */
  readonly images?: ImageSources;

  /**
   * The network of the company that the cluster is in: pull secrets of private registries, private chart repositories, proxy, certificate
   * authorities, mirrors and time servers.
   *
   * @default - that of `managementCluster`, else that of the app, else none
   */
  readonly companyNetwork?: CompanyNetwork;

  /**
   * True if Cluster API leaves the cluster alone. A paused cluster cannot be deleted either.
   *
   * @default false
   */
  readonly paused?: boolean;

  /**
   * Puts the cluster to sleep, in two commits; without it, the same page wakes the cluster again.
   *
   * 1. `Hibernation.POOLS` takes the machines away. All pools have `replicas: 0`; those with `PoolSize.between` lose their bounds and the
   *    autoscaler is stopped, so that it orders no machine. Their health checks are paused, and deliveries are suspended: Flux suspends its
   *    HelmReleases and Kustomizations, Argo CD skips the Applications. ClusterResourceSets and HelmChartProxies cannot be suspended. Cluster
   *    API drains the nodes, waits until the volumes are detached and deletes the machines, for which API server, cloud controller manager
   *    and CSI driver still run.
   * 2. When `kubectl get machines -n <namespace> -l cluster.x-k8s.io/cluster-name=<name>` finds none, `Hibernation.FULL` also stops the control
   *    plane and the controllers beside it. A control plane that runs on machines cannot be stopped
   *    (`TC-CLUSTER-HIBERNATION-CONTROL-PLANE`): with it, the first step is all there is.
   *
   * Everything else stays: the data of the API server, its certificates and address, Services with their addresses, volumes, policies, quota,
   * access. To wake the cluster, remove the property: the output is what it was before. Machines come when the control plane is there. A pool
   * with `PoolSize.between` starts at its minimum.
   *
   * Sources: kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go (drainNode), core/webhooks/admission/machinedeployment.go
   * (replicas), clastix/kamaji internal/resources/k8s_deployment_resource.go.
   *
   * @default - the cluster is awake
   */
  readonly hibernation?: Hibernation;

  /**
   * The reason why nothing of the cluster may change, such as a sales season. A `GitOpsApp` then refuses what `cdk8s-cluster-api plan`
   * would show for it, and the error says what that is. Not empty.
   *
   * Rules: `TC-CLUSTER-FROZEN`, `TC-CLUSTER-FREEZE-REASON`.
   *
   * @default - it may change
   */
  readonly freeze?: string;

  /**
   * Times at which changes in Git may reach the cluster: each commit waits for the next of them, and what was changed in the management
   * cluster by hand is undone as the entry points say. They need a `GitOpsApp` with entry points that hold windows: `FluxEntryPoints` with
   * a `windowedSource`, `ArgoCdEntryPoints`, `ArgoCdApplicationSet`. What controllers do by themselves waits for nothing: health checks,
   * the autoscaler, certificates that are renewed.
   *
   * Rules: `TC-WINDOW-ENTRY-POINTS`, `TC-WINDOW-DAYS`, `TC-WINDOW-TIME`, `TC-WINDOW-DURATION`, `TC-WINDOW-TIME-ZONE`,
   * `TC-WINDOW-DIFFERENT`, `TC-WINDOW-ALWAYS`.
   *
   * @default - at any time
   */
  readonly changeWindows?: TimeWindow[];

  /**
   * True while the cluster moves to another management cluster: its entry for the GitOps tool is stopped (Flux: `suspend`, Argo CD: no automated
   * sync), so that the tool of the former one does not make again what `clusterctl move` takes away. Everything else stays as it is. Set it in
   * a commit before the move; the commit after it removes it, along with the change of `managementCluster`.
   *
   * Rules: `TC-GITOPS-MOVED`, `TC-GITOPS-MOVING`.
   *
   * Source: kubernetes-sigs/cluster-api cmd/clusterctl/client/cluster/mover.go.
   *
   * @default false
   */
  readonly moving?: boolean;

  /**
   * True if the cluster is taken down: the first of two commits that remove it. A cluster that is removed from the page at once is pruned
   * as a whole, along with the controllers that clean up behind it. Resume a paused one first (`TC-CLUSTER-DECOMMISSION-PAUSED`).
   *
   * 1. With `decommission` the output holds no `Cluster`, and nothing that Cluster API deletes with it: pools, health checks, templates,
   *    control plane, infrastructure. Nor is there an autoscaler. Flux prunes the `Cluster`; Argo CD asks the user to confirm; where nothing
   *    is pruned, delete the `Cluster` by hand. Cluster API deletes workers, control plane and infrastructure, in this order. Everything
   *    else stays: cloud controller manager, CSI driver, network policies, quota, access, deliveries. Nothing is uninstalled from a tenant
   *    that goes: Flux suspends its HelmReleases and Kustomizations, Applications of Argo CD lose the finalizer of `cascadeDeletion`,
   *    HelmChartProxies and ClusterResourceSets pass over a `Cluster` that is deleted.
   * 2. When `kubectl get cluster` finds it no more, remove the page. No finalizer of what is pruned then needs the tenant.
   *
   * The namespace is kept, and in it what only you should delete: volumes and load balancers of the tenant, ConfigMaps of its API server.
   * `kubectl get services,datavolumes,volumesnapshots,configmaps -n <namespace> -l cluster.x-k8s.io/cluster-name=<name>` shows them, in
   * the cluster that runs the machines. Delete them by this label, or the namespace if nothing else is in it. Only the programs in the
   * tenant remove DNS records, load balancers and volumes elsewhere: before the first commit, delete the objects that they were made for.
   *
   * Sources: kubernetes-sigs/cluster-api core/reconcilers/cluster, core/reconcilers/clusterresourceset,
   * kubernetes-sigs/cluster-api-addon-provider-helm controllers, fluxcd/helm-controller and fluxcd/kustomize-controller
   * internal/controller (suspend), argoproj/argo-cd docs/user-guide/sync-options.md (confirm).
   *
   * @default false
   */
  readonly decommission?: boolean;

  /**
   * Alerts and a dashboard for the cluster, from what this page declares.
   *
   * @default - none
   */
  readonly monitoring?: ClusterMonitoring;
}

/** Options of a tenant cluster beside its identity and version. */
export interface TenantClusterOptions extends TenantClusterSettings {
  /** Control plane. */
  readonly controlPlane: ControlPlane;

  /** Provider of the machines. */
  readonly infrastructure: Infrastructure;

  /**
   * The pod network: `new Cilium()`, `new Calico()`, `new Flannel()`, or `Cni.none()` if the user installs one. Required, since without one no
   * node gets ready. Control plane and addons follow from what it does.
   */
  readonly cni: Cni;

  /**
   * The management cluster, as far as it is known what it offers. What the tenant asks it for by name is then looked up: storage classes,
   * instance types, networks, devices, data stores, versions, ranges, limits.
   *
   * @default - nothing of this is checked
   */
  readonly managementCluster?: IManagementCluster;

  /**
   * Delivery of the pod network, addons and workloads to the tenant (`TC-CLUSTER-DELIVERY`).
   *
   * @default - not at all: the cluster must have nothing to deliver
   */
  readonly delivery?: Delivery;

  /**
   * Options of the autoscaler, which sizes the pools with `PoolSize.between`.
   *
   * @default ClusterAutoscaler.of()
   */
  readonly clusterAutoscaler?: ClusterAutoscaler;

  /**
   * The cluster as a topology: `Cluster.spec.topology` and the ClusterClass that it needs, in place of a control plane, an infrastructure object
   * and MachineDeployments. `Cluster` cannot change from one form to the other once it exists.
   *
   * Rules: `TC-TOPOLOGY-FIELD`, `TC-TOPOLOGY-TEMPLATE`, `TC-CHANGE-TOPOLOGY-ADDED`.
   *
   * @default - the cluster has objects of its own
   */
  readonly topology?: ClusterTopology;

  /**
   * Isolation of the tenant in the management cluster: network policies, quota, limit range and access for the whole namespace.
   *
   * @default - not at all
   */
  readonly isolation?: TenantIsolation;
}

/** Properties of a tenant cluster. */
export interface TenantClusterProps extends TenantClusterIdentity, TenantClusterOptions {}
