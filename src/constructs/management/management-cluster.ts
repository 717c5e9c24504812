import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { CdiInstallation } from './cdi-installation';
import { CertManagerInstallation } from './cert-manager-installation';
import { ClusterApiInstallation } from './cluster-api-installation';
import { checkLabelName } from './component-options';
import { checkStatedCapabilities, derivedCapabilities, mergeCapabilities } from './derived-capabilities';
import { KAMAJI_DELIVERY, KamajiInstallation } from './kamaji-installation';
import { KubevirtInstallation } from './kubevirt-installation';
import { ManagementPlan } from './management-plan';
import { checkVersions } from './version-matrix';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { checkCatalog, NEWEST_CATALOG } from '../../manifests/values/catalog';
import { Problem, Rule } from '../../manifests/values/problem';
import { Problems, strategyScope } from '../app/problems/problems';
import { clusterFolder, placeChart, placePart } from '../app/synth/output-place';
import { onPrepare } from '../app/synth/synthesis';
import { markOwnTarget, tenantCharts } from '../app/tenant-trees';
import { validateApp } from '../app/validation/attached-validation';
import { consumerCount } from '../contracts/capabilities/consumers';
import { IManagementCluster, ManagementCapabilities } from '../contracts/capabilities/management-cluster';
import { appNetwork, CompanyNetwork } from '../contracts/company-network/company-network';
import { Delivery } from '../contracts/delivery/delivery';
import { deliveredFolder, ManifestFolders } from '../contracts/delivery/manifest-folder';
import { Versions } from '../contracts/versions';
import { checkCompanyNetwork } from '../control-planes/kubeadm/bootstrap/company-network';
import { ImageSources } from '../images/image-sources';
import { ClusterMonitoring, ClusterMonitoringConfig } from '../monitoring/cluster-monitoring';
import { checkOwnStatement } from '../tenant/isolation/management-limits';

/** Properties of a management cluster. */
export interface ManagementClusterProps {
  /**
   * Namespace of the delivery objects, which must exist: with Flux usually `flux-system`. Argo CD keeps its Applications in its own
   * namespace. There this name is a part of their names and of the paths of their manifests.
   *
   * Rule: `TC-MANAGEMENT-NAME`.
   */
  readonly namespace: string;

  /**
   * Delivery of charts and manifests into this cluster, in a `GitOpsApp`. Use `FluxDelivery` if the app has `FluxEntryPoints` or the delivery has
   * a `manifestSource`, or `ArgoCdDelivery` with a `manifestSource` (`TC-DELIVERY-OWN-CLUSTER`, `TC-MANAGEMENT-MANIFEST-APP`).
   */
  readonly delivery: Delivery;

  /**
   * Name of the cluster, a DNS label and the prefix of the delivery objects. A new name reinstalls nothing, but leaves the objects of the
   * old name behind.
   *
   * Rule: `TC-MANAGEMENT-NAME`.
   *
   * @default - the construct id
   */
  readonly name?: string;

  /**
   * The catalog of versions that the components have by default, such as `Versions.of('2026.11')`: those of one month, which were tried
   * together. A newer package then changes none of them. A version that a component states by itself wins.
   *
   * Rules: `TC-MANAGEMENT-CATALOG`, `TC-MANAGEMENT-VERSIONS-UNSET`.
   *
   * @default Versions.newest(), so that each new release of the package may upgrade what all tenants stand on; with a warning
   */
  readonly versions?: Versions;

  /**
   * Installation of cert-manager.
   *
   * @default CertManagerInstallation.chart()
   */
  readonly certManager?: CertManagerInstallation;

  /**
   * Installation of Cluster API and its providers.
   *
   * @default ClusterApiInstallation.operator()
   */
  readonly clusterApi?: ClusterApiInstallation;

  /**
   * Installation of Kamaji and its DataStores.
   *
   * @default KamajiInstallation.chart()
   */
  readonly kamaji?: KamajiInstallation;

  /**
   * Installation of KubeVirt.
   *
   * @default KubevirtInstallation.operator()
   */
  readonly kubevirt?: KubevirtInstallation;

  /**
   * Installation of CDI, the importer of disk images.
   *
   * @default CdiInstallation.operator()
   */
  readonly cdi?: CdiInstallation;

  /**
   * Sources of the images and charts of all components. The library cannot move the images in an operator's release file or of an unknown
   * provider: set them with `OperatorManifest.file` or `image`. Kamaji publishes its charts only in Git, not in a chart registry: set a
   * mirror of the Git repository in `chartRepositories`. Without internet access, package the charts and set their `repository` (see
   * `KamajiInstallation.chart`).
   *
   * Rules: `TC-MANAGEMENT-OPERATOR-MANIFEST`, `TC-MANAGEMENT-IMAGE`.
   *
   * @default - the registries and repositories of their projects
   */
  readonly images?: ImageSources;

  /**
   * The network of the company. Its pull secrets, which must exist in the namespaces of the components, reach cert-manager, Kamaji,
   * Cluster API's providers, KubeVirt and CDI; its proxy and certificate authorities reach CDI's imports. Cluster API's operator and the
   * etcds of data stores take pull secrets in their `values`. Tenants that are given this cluster have the same network.
   *
   * @default - that of the app, else none
   */
  readonly companyNetwork?: CompanyNetwork;

  /**
   * Alerts and a dashboard for the components, from what this page declares.
   *
   * @default - none
   */
  readonly monitoring?: ClusterMonitoring;

  /**
   * Number of tenants that the components are sized for: memory and workers of Kamaji, and workers of its provider. It is a capability, too:
   * tenants that are given this cluster scan less often with their autoscalers if there are many.
   *
   * @default - the tenants of this app that are given this cluster; they scan as often as alone
   */
  readonly tenants?: number;

  /**
   * Further capabilities for tenants, such as DataStores that are created separately. The library knows Kamaji's release, devices and
   * feature gates, and rejects a different statement (`TC-MANAGEMENT-CAPABILITY`).
   *
   * @default - the capabilities of the installed components
   */
  readonly capabilities?: ManagementCapabilities;

  /**
   * True if untested combinations of versions are accepted. Known incompatible versions are always rejected
   * (`TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default false
   */
  readonly allowUntestedVersions?: boolean;
}

/**
 * A management cluster: all components that tenant clusters need, installed by the delivery into its own cluster.
 *
 * The order is: cert-manager; the Cluster API Operator, and the definitions of Kamaji; the etcd of Kamaji's default DataStore; a Job that
 * enables its authentication; the DataStore, which is applied once the Job is complete, and Kamaji; all other etcds, each with such a Job
 * before its DataStore, and the providers. The operators of KubeVirt and CDI come before their objects. Flux orders charts among charts and manifests among
 * manifests; a chart or manifest that comes too early fails, and is retried.
 *
 * Annotations on all its objects, including those that you add, keep Flux and Argo CD from pruning them. A component that you disable here
 * keeps running, and tenants with it: remove it by hand.
 *
 * Pass the construct to its tenants as `managementCluster`. This cluster installs the kinds of their objects. Flux applies the
 * definitions, cluster roles, namespaces and classes of a Kustomization first, and none of the rest while a kind is unknown. Tenants
 * therefore need another Kustomization, or with Argo CD another Application: `FluxEntryPoints` and `ArgoCdEntryPoints` write them. These
 * are retried until the kinds exist. They do not depend on this cluster's Kustomization: a failed chart, provider or download here does
 * not block a change of a tenant.
 *
 * Source: fluxcd/pkg ssa/manager_apply.go, ApplyAllStaged.
 *
 * @example
 * const hall = new management.ManagementCluster(app, 'hall-1', {
 *   namespace: 'flux-system',
 *   delivery: new FluxDelivery(),
 *   kamaji: management.KamajiInstallation.chart({
 *     dataStores: [management.KamajiDataStore.etcd('default', { storageClass: 'replicated', size: Size.gibibytes(20) })],
 *   }),
 * });
 */
export class ManagementCluster extends Chart implements IManagementCluster {
  /** Name of the cluster. */
  public readonly name?: string;

  /** The capabilities for tenants: the stated ones, and those of the installed components. */
  public readonly capabilities: ManagementCapabilities;

  /**
   * The objects of Cluster API's providers, the core provider first. Empty if this app does not install them.
   */
  public readonly providers: ApiObject[];

  /** The DataStores: those of the etcds that this app installs, and of external databases. */
  public readonly dataStores: ApiObject[];

  /** The `KubeVirt` object; undefined if this app does not install KubeVirt. */
  public readonly kubevirt?: ApiObject;

  /** The `CDI` object; undefined if this app does not install CDI. */
  public readonly cdi?: ApiObject;

  /** The objects that monitor the cluster; undefined if it was given no monitoring. */
  public readonly monitoring?: ClusterMonitoringConfig;

  public constructor(scope: Construct, id: string, props: ManagementClusterProps) {
    super(scope, id, { namespace: props.namespace, disableResourceNameHashes: true });
    validateApp(this);
    markOwnTarget(this);
    this.name = props.name ?? id;
    const { certManager, cdi, delivery, namespace, capabilities = {}, name = id, allowUntestedVersions = false } = props;
    const versions = props.versions ?? NEWEST_CATALOG;
    const tenants = props.tenants ?? capabilities.tenants;
    const kamaji = props.kamaji ?? KamajiInstallation.chart();
    const kubevirt = props.kubevirt ?? KubevirtInstallation.operator();
    const clusterApi = props.clusterApi ?? ClusterApiInstallation.operator();
    const companyNetwork = props.companyNetwork ?? capabilities.companyNetwork ?? appNetwork(this);
    const plan = new ManagementPlan(
      this, props.images, companyNetwork, versions, () => tenants ?? consumerCount(this, this));
    if (companyNetwork) plan.report(...checkCompanyNetwork(companyNetwork));
    plan.report(...checkLabelName('name', name), ...checkLabelName('namespace', namespace));

    (certManager ?? CertManagerInstallation.chart())._plan(plan);
    this.dataStores = kamaji._plan(plan, capabilities.storageClasses?.map((storageClass) => storageClass.name));
    this.providers = clusterApi._plan(plan, [KAMAJI_DELIVERY]);
    this.kubevirt = kubevirt._plan(plan);
    this.cdi = (cdi ?? CdiInstallation.operator())._plan(plan, [...capabilities.podCidrs ?? [], ...capabilities.serviceCidrs ?? []]);
    plan.report(...checkCatalogOf(props.versions, plan), ...checkVersions(plan.installed, allowUntestedVersions));

    const derived = derivedCapabilities(kamaji, kubevirt, clusterApi, versions);
    plan.report(...checkStatedCapabilities(capabilities, derived));
    this.capabilities = mergeCapabilities({ ...capabilities, companyNetwork, tenants }, derived);
    checkOwnStatement(this, capabilities);

    const target = { name, namespace, companyNetwork };
    placeChart(this, { ...clusterFolder(this, target, this), mainFile: 'cluster' });
    plan.deliver(strategyScope(this, 'Delivery'), delivery, target);
    this.monitoring = props.monitoring?._bind(
      placePart(strategyScope(this, 'Monitoring'), 'monitoring'), target, { trees: () => [this, ...tenantCharts(this)] });
    // Constructs that are added to the cluster, too.
    onPrepare(this, () => keepAll(this));
    Problems.of(this)._addCheck(() => checkFolders(this));
  }
}

const CATALOG_RULE: Rule = {
  id: 'TC-MANAGEMENT-CATALOG',
  title: 'The catalog of versions of a management cluster must be one that this release of the library has.',
};

const VERSIONS_UNSET_RULE: Rule = {
  id: 'TC-MANAGEMENT-VERSIONS-UNSET',
  title: 'A management cluster should state its catalog of versions: a newer package upgrades its components otherwise.',
  warning: true,
};

/** Checks the catalog, and warns of a cluster without one. */
function checkCatalogOf(versions: Versions | undefined, plan: ManagementPlan): Problem[] {
  if (versions) {
    const fault = checkCatalog(versions);
    return fault ? [{ rule: CATALOG_RULE, property: 'versions', ...fault }] : [];
  }
  return plan.installed.length === 0 ? [] : [{
    rule: VERSIONS_UNSET_RULE,
    property: 'versions',
    message: 'a newer release of the package upgrades each component that states no version, and all tenants stand on them',
    fix: `set versions: Versions.of('${NEWEST_CATALOG.catalog}'), and move to another catalog in a commit of its own`,
  }];
}

const MANIFEST_APP_RULE: Rule = {
  id: 'TC-MANAGEMENT-MANIFEST-APP',
  title: 'A delivery that reads manifests from a repository needs a GitOpsApp, which writes them.',
};

function checkFolders(cluster: Construct): Problem[] {
  const prefix = deliveredFolder(cluster, '');
  const folders = ManifestFolders.of(cluster);
  const folder = folders.all.map(([path]) => path).find((path) => path.startsWith(prefix));
  return folder === undefined || folders.written ? [] : [{
    rule: MANIFEST_APP_RULE,
    property: 'delivery.manifestSource',
    message: `manifests are read from "${folder}", and the app does not write them there`,
    fix: 'make the app a GitOpsApp',
  }];
}

/** Keeps the delivery objects: pruning them would also remove the objects that they deliver. */
function keepAll(cluster: Construct): void {
  const objects = cluster.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  objects.forEach((object) => Object.entries(keepOnPrune()).forEach(([key, value]) => object.metadata.addAnnotation(key, value)));
}
