import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { checkOwnStatement } from './capabilities/admit-tenant';
import { ManagementCapabilities } from './capabilities/management-capabilities';
import { IManagementCluster } from './capabilities/management-cluster';
import { CdiInstallation } from './cdi-installation';
import { CertManagerInstallation } from './cert-manager-installation';
import { ClusterApiInstallation } from './cluster-api-installation';
import { KAMAJI_DELIVERY, KamajiInstallation } from './kamaji-installation';
import { KubevirtInstallation } from './kubevirt-installation';
import { ManagementPlan } from './management-plan';
import { checkStated, derivedCapabilities, offeredCapabilities } from './offered-capabilities';
import { MANAGEMENT_RULES } from './rules';
import { checkVersions } from './version-matrix';
import { checkLabelName } from './workload-options';
import { Delivery } from '../delivery/delivery';
import { clusterFolder, ManifestFolders } from '../delivery/manifest-folder';
import { keepOnPrune } from '../delivery/marks';
import { ImageSources } from '../images/image-sources';
import { clusterPath, placeChart } from '../synth/output-place';
import { strategyScope } from '../synth/strategy-scope';
import { Problem } from '../validation/problem';
import { Problems } from '../validation/problems';

/** Properties of a management cluster. */
export interface ManagementClusterProps {
  /**
   * Namespace of the objects that deliver, which must be there: `flux-system` where Flux is, unless you keep it to itself. With Argo CD,
   * whose Applications are in its own namespace, it is a part of their names and of the paths of their manifests (`TC-MANAGEMENT-NAME`).
   */
  readonly namespace: string;

  /**
   * How charts and manifests reach this very cluster, in a `GitOpsApp`: `FluxDelivery` where the app has `FluxEntryPoints` or the delivery
   * a `manifestSource`, or `ArgoCdDelivery` with a `manifestSource` (`TC-DELIVERY-OWN-CLUSTER`, `TC-MANAGEMENT-MANIFEST-APP`).
   */
  readonly delivery: Delivery;

  /**
   * Name of the cluster, a DNS label; the objects that deliver start with it (`TC-MANAGEMENT-NAME`). Changing it installs nothing anew,
   * but leaves the objects of the old name behind.
   *
   * @default - the construct id
   */
  readonly name?: string;

  /**
   * Who installs cert-manager.
   *
   * @default CertManagerInstallation.chart()
   */
  readonly certManager?: CertManagerInstallation;

  /**
   * Who installs Cluster API and its providers.
   *
   * @default ClusterApiInstallation.operator()
   */
  readonly clusterApi?: ClusterApiInstallation;

  /**
   * Who installs Kamaji, and its DataStores.
   *
   * @default KamajiInstallation.chart()
   */
  readonly kamaji?: KamajiInstallation;

  /**
   * Who installs KubeVirt.
   *
   * @default KubevirtInstallation.operator()
   */
  readonly kubevirt?: KubevirtInstallation;

  /**
   * Who installs CDI, the importer of disk images.
   *
   * @default CdiInstallation.operator()
   */
  readonly cdi?: CdiInstallation;

  /**
   * Where images and charts come from: those of charts and providers, of KubeVirt and CDI. What an operator's release file names, or a
   * provider that the library does not know, can only be moved where it is given (`OperatorManifest.file`, `image`)
   * (`TC-MANAGEMENT-OPERATOR-MANIFEST`, `TC-MANAGEMENT-IMAGE`). Kamaji publishes its charts in Git only, which no `chartRegistry` holds:
   * name a mirror of the Git repository in `chartRepositories`, or, where nothing reaches the internet, package the charts and name their
   * `repository` (see `KamajiInstallation.chart`).
   *
   * @default - from where their projects publish them
   */
  readonly images?: ImageSources;

  /**
   * What the cluster offers its tenants beside what follows from the rest: Kamaji's release, devices and feature gates are
   * known, and refused where they are stated otherwise (`TC-MANAGEMENT-CAPABILITY`); DataStores that others make are added.
   *
   * @default - what follows from the rest
   */
  readonly capabilities?: ManagementCapabilities;

  /**
   * Whether versions are accepted that are not known to work together. Those that are known not to stay refused
   * (`TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default false
   */
  readonly allowUntestedVersions?: boolean;
}

/**
 * A management cluster: everything that tenant clusters need around them, installed by the delivery into the cluster that it runs in.
 *
 * The order is: cert-manager; the Cluster API Operator, and the definitions of Kamaji; the etcd of Kamaji's default DataStore; a Job that
 * enables its authentication; Kamaji, which neither tool installs before the Job is complete; all other DataStores, each with such a Job,
 * and the providers. The operators of KubeVirt and CDI come before their objects. Flux orders charts among charts and
 * manifests among manifests; what comes too early between the two fails, and is tried again.
 *
 * Everything in it, also what you add, carries the marks that keep Flux and Argo CD from pruning it: what is switched off here goes on
 * running, and tenants with it. Remove it by hand.
 *
 * Give the construct to its tenants as `managementCluster`. Their objects are of kinds that only come with it, and of a Kustomization Flux
 * applies definitions, cluster roles, namespaces and classes first, and nothing of the rest while one kind in it is unknown (fluxcd/pkg
 * ssa/manager_apply.go, ApplyAllStaged): another Kustomization has to apply tenants, and with Argo CD another Application, as
 * `FluxEntryPoints` and `ArgoCdEntryPoints` write them. These are tried again until the kinds are there. They do not depend on this
 * cluster's Kustomization: no chart, provider or download that fails here holds back a change of a tenant.
 */
export class ManagementCluster extends Chart implements IManagementCluster {
  /** What the cluster offers its tenants: what was stated, and what follows from what is installed. */
  public readonly capabilities: ManagementCapabilities;

  /**
   * The objects that Cluster API's providers are installed by, the core provider first. Empty where somebody else installs them.
   */
  public readonly providers: ApiObject[];

  /** The DataStores that are no part of a chart: those of external databases. */
  public readonly dataStores: ApiObject[];

  /** The `KubeVirt` object; undefined where somebody else makes it. */
  public readonly kubevirt?: ApiObject;

  /** The `CDI` object; undefined where somebody else makes it. */
  public readonly cdi?: ApiObject;

  /**
   * @param scope the app
   * @param id name of the construct, and of the cluster unless the props say otherwise
   * @param props what is installed
   */
  public constructor(scope: Construct, id: string, props: ManagementClusterProps) {
    super(scope, id, { namespace: props.namespace, disableResourceNameHashes: true });
    const { certManager, cdi, delivery, namespace, capabilities = {}, name = id, allowUntestedVersions = false } = props;
    const kamaji = props.kamaji ?? KamajiInstallation.chart();
    const kubevirt = props.kubevirt ?? KubevirtInstallation.operator();
    const clusterApi = props.clusterApi ?? ClusterApiInstallation.operator();
    const plan = new ManagementPlan(this, props.images);
    plan.report(...checkLabelName('name', name), ...checkLabelName('namespace', namespace));

    (certManager ?? CertManagerInstallation.chart())._plan(plan);
    this.dataStores = kamaji._plan(plan, capabilities.storageClasses?.map((storageClass) => storageClass.name));
    this.providers = clusterApi._plan(plan, [KAMAJI_DELIVERY]);
    this.kubevirt = kubevirt._plan(plan);
    this.cdi = (cdi ?? CdiInstallation.operator())._plan(plan);
    plan.report(...checkVersions(plan.installed, allowUntestedVersions));

    const derived = derivedCapabilities(kamaji, kubevirt, clusterApi);
    plan.report(...checkStated(capabilities, derived));
    this.capabilities = offeredCapabilities(capabilities, derived);
    checkOwnStatement(this, capabilities);

    const target = { name, namespace };
    placeChart(this, { path: clusterPath(target), mainFile: 'cluster' });
    plan.deliver(strategyScope(this, 'Delivery'), delivery, target);
    Problems.of(this)._addCheck(() => {
      // Last of all checks: with the others the objects come that deliver manifests.
      keepAll(this);
      return this.checkFolders(clusterFolder(target, ''));
    });
  }

  private checkFolders(prefix: string): Problem[] {
    const folders = ManifestFolders.of(this);
    const folder = folders.all.map(([path]) => path).find((path) => path.startsWith(prefix));
    return folder === undefined || folders.written ? [] : [{
      rule: MANAGEMENT_RULES.manifestApp,
      property: 'delivery.manifestSource',
      message: `manifests are read from "${folder}", and the app does not write them there`,
      fix: 'make the app a GitOpsApp',
    }];
  }
}

/** Keeps the objects that deliver: what they have made would go with them. */
function keepAll(cluster: Construct): void {
  const objects = cluster.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  objects.forEach((object) => Object.entries(keepOnPrune()).forEach(([key, value]) => object.metadata.addAnnotation(key, value)));
}
