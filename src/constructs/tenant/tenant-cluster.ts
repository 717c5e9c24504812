import { ApiObject, Chart } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { adoptControlPlaneMachines, adoptResources } from './adopt-resources';
import {
  checkControlPlaneSetup, checkForeignObjects, checkIdentity, checkLabels, checkNameTaken, checkNewerVersion, checkPlace, checkPodCapacity,
  checkVersion, checkVersions,
} from './cluster-checks';
import { addNamespace } from './cluster-namespace';
import { freeze } from './freeze';
import { enterNamespace } from './isolation/cluster-loads';
import { admitTenant } from './isolation/management-limits';
import { checkPublishedServices } from './isolation/service-isolation';
import { TenantIsolationConfig } from './isolation/tenant-isolation';
import { checkDecommission, checkHibernation, emptyPool, removeFromTree, stop, stopControllers } from './life-cycle';
import { IPoolOwner, NodePool } from './node-pool';
import { resolveContext } from './resolve-context';
import { writeSharedTemplatesOnce } from './shared-templates';
import { TenantClusterProps } from './tenant-cluster-props';
import { TenantDeliveries } from './tenant-deliveries';
import { TopologyObjects } from './topology/topology-objects';
import { Cluster } from '../../../imports/cluster.x-k8s.io';
import { confirmRemoval } from '../../manifests/objects/prune-annotations';
import { CLUSTER_NAME_LABEL } from '../../manifests/rules/cluster-api/cluster-api-kinds';
import { CLUSTER_PROPERTIES } from '../../manifests/rules/cluster-api/page-properties';
import { KubernetesVersion } from '../../manifests/values/kubernetes-version';
import { DeliveredAddon } from '../addons/addon-set';
import { addClusterAutoscaler } from '../addons/cluster-autoscaler/add-cluster-autoscaler';
import { ClusterAutoscaler } from '../addons/cluster-autoscaler/cluster-autoscaler';
import { closedList } from '../app/arguments/closed-list';
import { Problems, strategyScope } from '../app/problems/problems';
import { moveLast } from '../app/synth/child-order';
import { claimName, excuseClaims } from '../app/synth/claims';
import { FieldSources } from '../app/synth/field-sources';
import { clusterFolder, placeChart, placePart } from '../app/synth/output-place';
import { validateApp } from '../app/validation/attached-validation';
import { Addon } from '../contracts/addon';
import { Bootstrap } from '../contracts/bootstrap';
import { checkInfrastructureProvider, checkServedVersion } from '../contracts/capabilities/capability-checks';
import { ClusterContext, Hibernation, Kubeconfigs } from '../contracts/cluster-context';
import { appNetwork } from '../contracts/company-network/company-network';
import { ControlPlaneMachines } from '../contracts/control-plane';
import { checkChangeWindows } from '../contracts/delivery/change-windows';
import { addAddressPoolScope } from '../contracts/network/address-pool-use';
import { checkNetwork } from '../contracts/network/cluster-network';
import { MOST_NODES } from '../contracts/node-pool/most-nodes';
import { NodePoolProps } from '../contracts/node-pool/node-pool-props';
import { Versions } from '../contracts/versions';
import { checkCompanyNetwork } from '../control-planes/kubeadm/bootstrap/company-network';
import { KubeadmBootstrap } from '../control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { ImagePass } from '../images/image-pass';
import { ClusterMonitoringConfig } from '../monitoring/cluster-monitoring';

/**
 * A tenant Kubernetes cluster: everything that the management cluster needs to make it and keep it.
 *
 * It is a chart: in an `App` it becomes one file, and it nests in other charts.
 *
 * @example
 * const acme = new TenantCluster(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   controlPlane: new KamajiControlPlane({ replicas: 2 }),
 *   infrastructure: new KubevirtInfrastructure(),
 *   cni: new Cilium(),
 *   delivery: new FluxDelivery(),
 * });
 */
export class TenantCluster extends Chart implements IPoolOwner {
  /** The Cluster API object that stands for the whole. */
  public readonly cluster: Cluster;

  /** The control plane object, e.g. a `KamajiControlPlane`. */
  public readonly controlPlane: ApiObject;

  /**
   * The machines that the control plane runs on, as objects.
   *
   * @default - the control plane has none
   */
  public readonly controlPlaneMachines?: ControlPlaneMachines;

  /** The infrastructure object, e.g. a `KubevirtCluster`. */
  public readonly infrastructure: ApiObject;

  /**
   * The Deployment of the cloud controller manager in the management cluster.
   *
   * @default - none runs there
   */
  public readonly cloudControllerManager?: ApiObject;

  /**
   * The Deployment of the CSI driver's controller in the management cluster.
   *
   * @default - none runs there
   */
  public readonly csiController?: ApiObject;

  /**
   * The ClusterClass of the cluster, named after its content.
   *
   * @default - the cluster has no topology, or shares its class
   */
  public readonly clusterClass?: ApiObject;

  /** The Secrets that will hold kubeconfigs of the tenant. */
  public readonly kubeconfig: Kubeconfigs;

  /**
   * The objects that isolate the tenant in the management cluster.
   *
   * @default - the cluster was given no isolation
   */
  public readonly isolation?: TenantIsolationConfig;

  /**
   * The objects that monitor the cluster.
   *
   * @default - the cluster was given no monitoring, is decommissioned, or sleeps with `Hibernation.FULL`
   */
  public readonly monitoring?: ClusterMonitoringConfig;

  /** @internal */
  public readonly _context: ClusterContext;

  /** @internal */
  public readonly _bootstrap: Bootstrap;

  private readonly pools: NodePool[] = [];
  private readonly deliveries: TenantDeliveries;
  private readonly clusterAutoscaler: ClusterAutoscaler;
  private readonly topology?: TopologyObjects;
  private autoscaled = false;
  private autoscalerDeployment?: ApiObject;

  public constructor(scope: Construct, id: string, props: TenantClusterProps) {
    const name = props.name ?? id;
    super(scope, id, { namespace: props.namespace, labels: { ...props.labels, [CLUSTER_NAME_LABEL]: name }, disableResourceNameHashes: true });
    validateApp(this);

    this._bootstrap = props.bootstrap ?? new KubeadmBootstrap();
    this._context = resolveContext(name, props, appNetwork(this));
    MOST_NODES.set(this, () => this.pools.reduce((sum, { size }) => sum + size.maximum, 0));
    placeChart(this, { ...clusterFolder(this, this._context, props.managementCluster), mainFile: 'cluster', tenant: { ...this._context, moving: props.moving } });
    this.clusterAutoscaler = props.clusterAutoscaler ?? ClusterAutoscaler.of();
    ImagePass.of(this).use(props.images);
    this.check(props);
    freeze(this, props.freeze);
    const route = { delivery: props.delivery, scope: strategyScope(this, 'Delivery') };
    this.deliveries = new TenantDeliveries(this, this._context, route, props.cni);

    addNamespace(this, props);
    addAddressPoolScope(this);
    const { resource: infrastructure, addons = [], cloudControllerManager, csiController } = props.infrastructure.bind(strategyScope(this, 'Infrastructure'), this._context);
    addons.forEach((addon) => this.addAddon(addon));
    const controlPlane = props.controlPlane.bind(strategyScope(this, 'ControlPlane'), this._context);
    checkControlPlaneSetup(props.controlPlane, controlPlane.machines, this._context).forEach((problem) => Problems.of(this).add(problem));
    adoptControlPlaneMachines(this, controlPlane, this._context.name);
    this.infrastructure = infrastructure;
    this.cloudControllerManager = cloudControllerManager;
    this.csiController = csiController;
    this.controlPlane = controlPlane.resource;
    this.controlPlaneMachines = controlPlane.machines;
    this.kubeconfig = this._context.kubeconfigs;
    adoptResources(this, this._context, { controlPlane: controlPlane.resource, infrastructure });
    this.cluster = this.makeCluster(props);
    writeSharedTemplatesOnce(this, () => this.formerTemplates());
    if (props.topology) {
      const parts = { cluster: this.cluster, infrastructure, controlPlane: this.controlPlane, machines: this.controlPlaneMachines };
      this.topology = new TopologyObjects(this, parts, props.topology.options);
      this.clusterClass = this.topology.clusterClass;
      // The webhook refuses a Cluster whose new ClusterClass does not exist yet.
      moveLast(this.cluster);
    }
    this.isolation = props.isolation?.bind(placePart(strategyScope(this, 'Isolation'), 'isolation'), this._context);
    const asleep = props.hibernation === Hibernation.FULL && this._context.controlPlane.stopsAtZeroReplicas;
    if (asleep) {
      stop(this.controlPlane);
      ['ControlPlane', 'Infrastructure'].forEach((part) => stopControllers(this.node.findChild(part)));
    }
    if (props.decommission) {
      const { machineTemplate, machineHealthCheck, remediationTemplate } = this.controlPlaneMachines ?? {};
      removeFromTree(this, this.cluster, this.controlPlane, this.infrastructure, machineTemplate, machineHealthCheck, remediationTemplate);
      removeFromTree(this, this.node.tryFindChild('ClusterClass'));
    }
    if (!props.decommission && !asleep) {
      this.monitoring = props.monitoring?._bind(
        placePart(strategyScope(this, 'Monitoring'), 'monitoring'), this._context, { trees: () => [this, ...this.madeOfTopology()], frozen: props.freeze !== undefined });
    }
    const own: ReadonlySet<IConstruct> = new Set(this.node.children);
    Problems.of(this)._addCheck(() => checkForeignObjects(this, own));
  }

  /** Name of the cluster. */
  public get name(): string {
    return this._context.name;
  }

  /** Kubernetes version of the control plane, and of pools without an own one. */
  public get kubernetesVersion(): KubernetesVersion {
    return this._context.kubernetesVersion;
  }

  /** The versions of charts, images and controllers where nothing else is said. */
  public get versions(): Versions {
    return this._context.versions;
  }

  /** Ranges that pods get their addresses from, one per address family. */
  public get podCidrs(): string[] {
    return closedList(this, 'podCidrs', this._context.network.podCidrs, 'give the ranges to the constructor');
  }

  /** Ranges that Services get their addresses from, one per address family. */
  public get serviceCidrs(): string[] {
    return closedList(this, 'serviceCidrs', this._context.network.serviceCidrs, 'give the ranges to the constructor');
  }

  /**
   * The Deployment of the cluster autoscaler in the management cluster; undefined as long as no pool is autoscaled, and where it is switched
   * off.
   */
  public get autoscaler(): ApiObject | undefined {
    return this.autoscalerDeployment;
  }

  /**
   * Adds a group of equal machines.
   *
   * @param id name of the pool, a DNS label; objects are named `<cluster>-<id>`
   * @param props the properties of the nodes
   */
  public addNodePool(id: string, props: NodePoolProps): NodePool {
    return new NodePool(this, id, props);
  }

  /** The pools of the cluster, in the order in which they were added. */
  public get nodePools(): NodePool[] {
    return closedList(this, 'nodePools', this.pools, 'call addNodePool(id, props)');
  }

  /**
   * The pool of a name, for what was added elsewhere, such as by a blueprint or a profile. An error is thrown if there is none.
   *
   * @param id name of the pool, as it was given to `addNodePool`
   */
  public findNodePool(id: string): NodePool {
    return found(this.pools.find(({ node }) => node.id === id), `${this.name} has no pool "${id}"`, this.pools.map(({ node }) => node.id));
  }

  /**
   * Installs something in the tenant, through the cluster's delivery. The order of calls does not matter.
   *
   * @param addon the addon; an instance can be given to any number of clusters
   * @returns the objects that were made for it
   */
  public addAddon(addon: Addon): DeliveredAddon {
    return this.deliveries.add(addon);
  }

  /**
   * The objects that were made for the addon of a name, for what was added elsewhere, such as by a blueprint or the infrastructure. An error is
   * thrown if there is none.
   *
   * @param name name of the addon; that of the pod network, too
   */
  public findAddon(name: string): DeliveredAddon {
    return found(this.deliveries.find(name), `${this.name} has no addon "${name}"`, this.addons.map((addon) => addon.name));
  }

  /** The addons of the tenant, the pod network among them, in the order in which they were added. */
  public get addons(): Addon[] {
    return closedList(this, 'addons', this.deliveries.all, 'call addAddon(addon)');
  }

  /**
   * A chart whose objects go to the tenant, through the cluster's delivery and after all addons: the place for constructs of your own,
   * of cdk8s-plus or any other library. Objects that live in a namespace must name it. CustomResourceDefinitions and Namespaces get
   * annotations by which GitOps tools never prune them, unless their own decide about it (`kustomize.toolkit.fluxcd.io/prune: enabled`).
   */
  public get workloads(): Chart {
    return this.deliveries.workloads;
  }

  /** @internal */
  public _register(pool: NodePool): void {
    this.pools.push(pool);
    ImagePass.of(this).settle(Problems.of(pool));
    const { decommission, hibernation } = this._context;
    if (hibernation) emptyPool(pool);
    this.topology?.add(pool);
    if (decommission) {
      removeFromTree(this, pool.machineDeployment, pool.machineHealthCheck, pool.machineTemplate, pool.bootstrapTemplate, pool.remediationTemplate);
    }
    if (!pool.size.autoscaled || this.autoscaled) return;
    this.autoscaled = true;
    const pools = () => ({
      templates: this.pools.map(({ machineTemplate }) => machineTemplate),
      autoscaled: this.pools.filter(({ size }) => size.autoscaled).length,
    });
    const autoscaler = strategyScope(this, 'ClusterAutoscaler');
    this.autoscalerDeployment = addClusterAutoscaler(autoscaler, this._context, this.clusterAutoscaler, pools);
    if (hibernation) stopControllers(autoscaler);
    // It orders no machines any more.
    if (decommission) removeFromTree(this, autoscaler);
  }

  private check(props: TenantClusterProps): void {
    const { network, companyNetwork, controlPlane, infrastructure, kubernetesVersion, management, apiServer } = this._context;
    const problems = Problems.of(this);
    const owner = claimName(this, 'Cluster', `${props.namespace}/${this._context.name}`);
    // Objects that are named after the cluster then have the name of another object.
    if (owner !== undefined) excuseClaims(this);
    [
      ...checkPlace(this),
      ...checkIdentity(this._context, props),
      ...checkNameTaken(this._context, owner),
      ...checkVersion(props.kubernetesVersion),
      ...checkNewerVersion(props.kubernetesVersion),
      ...checkVersions(props.versions),
      ...checkInfrastructureProvider(management, infrastructure.provider),
      ...(KubernetesVersion.isValid(props.kubernetesVersion) ? checkServedVersion(kubernetesVersion, management?.kubernetesVersions) : []),
      ...checkLabels(props),
      ...(props.isolation ? [] : checkPublishedServices(this, props.infrastructure, this._context)),
      ...checkDecommission(props.decommission ?? false, props.paused ?? false),
      ...checkHibernation(props),
      ...checkChangeWindows(this, props.changeWindows),
      ...(companyNetwork ? checkCompanyNetwork(companyNetwork) : []),
      ...checkNetwork(network, {
        kubernetesVersion,
        reservedCidrs: infrastructure.reservedCidrs ?? [],
        dualStack: controlPlane.dualStack ?? true,
        kubeadm: controlPlane.kubeadm ?? false,
        apiServerHost: apiServer.published?.host,
      }),
    ].forEach((problem) => problems.add(problem));
    problems._addCheck(() => checkPodCapacity(network, this.pools, controlPlane.machineCount ?? 0));
    enterNamespace({ chart: this, context: this._context, hasPolicies: props.isolation?._hasPolicies(this._context) ?? false });
    if (props.managementCluster) admitTenant({ chart: this, context: this._context, isolation: props.isolation }, props.managementCluster);
  }

  /** The templates in whose place former ones may be written. */
  private formerTemplates(): ApiObject[] {
    const { machineTemplate, formerTemplates } = this.controlPlaneMachines ?? {};
    const pools = this.pools.filter((pool) => pool._keepsFormerTemplates).flatMap((pool) => [pool.machineTemplate, pool.bootstrapTemplate]);
    return [...formerTemplates && machineTemplate ? [machineTemplate] : [], ...pools];
  }

  /** Objects that are not in the tree, because Cluster API makes them of the topology, under the same names. */
  private madeOfTopology(): IConstruct[] {
    if (!this.topology) return [];
    const pools = this.pools.flatMap(({ machineDeployment, machineHealthCheck }) => [machineDeployment, machineHealthCheck]);
    return [this.controlPlane, this.controlPlaneMachines?.machineHealthCheck, ...pools].flatMap((part) => part ?? []);
  }

  private makeCluster(props: TenantClusterProps): Cluster {
    const { name, network } = this._context;
    const cluster = new Cluster(this, 'Cluster', {
      metadata: { name, annotations: { ...confirmRemoval(), ...props.annotations } },
      spec: {
        clusterNetwork: {
          apiServerPort: network.apiServerPort,
          pods: { cidrBlocks: network.podCidrs },
          services: { cidrBlocks: network.serviceCidrs },
          serviceDomain: network.serviceDomain,
        },
        controlPlaneRef: referenceTo(this.controlPlane),
        infrastructureRef: referenceTo(this.infrastructure),
        ...(props.paused && { paused: true }),
      },
    });
    FieldSources.record(cluster, this, CLUSTER_PROPERTIES);
    FieldSources.record(this.controlPlane, this, { 'spec.version': 'kubernetesVersion' });
    return cluster;
  }
}

function referenceTo(object: ApiObject): { apiGroup: string; kind: string; name: string } {
  return { apiGroup: object.apiGroup, kind: object.kind, name: object.name };
}

function found<T>(part: T | undefined, missing: string, names: readonly string[]): T {
  if (part === undefined) throw new Error(`${missing}. Accepted: ${names.join(', ') || 'none, for there are none yet'}.`);
  return part;
}
