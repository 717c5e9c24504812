import { CERT_MANAGER_DELIVERY } from './cert-manager-installation';
import { checkLabelName, checkReplicas, checkResources } from './component-options';
import { addBackup } from './etcd-backup';
import { etcdClient } from './etcd-client';
import { checkEtcd, ISSUERS_DELIVERY, MAX_TENANTS, planIssuers } from './etcd-data-store';
import { addDefragmentation, EtcdDefragmentation } from './etcd-defragmentation';
import { addAuthentication, addDisruptionBudget } from './etcd-guard';
import { addDataStore, checkExternalStore, installedStore, KamajiDataStore } from './kamaji-data-store';
import { checkChartOptions, managementChart, ManagementChartOptions } from './management-chart';
import { ManagementPlan } from './management-plan';
import { pinnedVersion } from './version-matrix';
import { DataStore } from '../../../imports/kamaji.clastix.io';
import { CatalogName } from '../../manifests/values/catalog';
import { mergeValues } from '../../manifests/values/chart-values';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';
import { ResourceRequirements } from '../../manifests/values/resource-requirements';
import { KAMAJI_CHARTS } from '../../manifests/values/versions';
import { IsolationPeer } from '../contracts/capabilities/isolation-peer';
import { HelmCrdPolicy } from '../contracts/helm-chart';
import { KAMAJI_NAMESPACE, kamajiWebhook } from '../control-planes/kamaji/webhook';

/** Names of the deliveries of Kamaji. */
export const KAMAJI_DELIVERY = 'kamaji';
const DEFINITIONS = 'kamaji-crds';
const DATA_STORES = 'kamaji-data-stores';

const PROPERTY = 'kamaji';

/**
 * Time before their end at which certificates are renewed. With the 24 hours of the program, a day without Kamaji ends control planes.
 * (clastix/kamaji cmd/manager/cmd.go, 26.8.2-edge)
 */
const RENEWAL = '720h';


/** Options of Kamaji's DataStores. */
export interface KamajiDataStoresOptions {
  /**
   * Release of Kamaji in the form of its tags: `26.8.2-edge`. The Kubernetes versions of tenants are checked against it
   * (`TC-MANAGEMENT-VERSION`, `TC-MANAGEMENT-VERSION-UNTESTED`, `TC-MANAGEMENT-VERSION-CONFLICT`).
   *
   * @default - the release that the library was released with; unknown if this app does not install Kamaji
   */
  readonly version?: string;

  /**
   * DataStores that this app creates (`TC-MANAGEMENT-DATA-STORE-TAKEN`, `TC-MANAGEMENT-ETCD-TAKEN`).
   *
   * @default - one etcd for all tenants, `default`; none if this app does not install Kamaji
   */
  readonly dataStores?: KamajiDataStore[];
}

/** Options of the installation of Kamaji. */
export interface KamajiInstallationOptions extends ManagementChartOptions, KamajiDataStoresOptions {
  /**
   * DataStore of control planes that do not name one. It must be an etcd in `dataStores`, and is installed before Kamaji
   * (`TC-MANAGEMENT-DATA-STORE-DEFAULT`).
   *
   * @default - the first etcd in `dataStores`; without an etcd, each control plane must name its DataStore
   */
  readonly defaultDataStore?: string;

  /**
   * Number of replicas of the manager: one leader, the others on standby (`TC-MANAGEMENT-REPLICAS`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * CPU and memory of the manager (`TC-MANAGEMENT-RESOURCES`).
   *
   * @default - the chart's, without its CPU limit, and with memory that follows from the number of tenants, as request and limit: 512Mi up to 20
   * tenants, 768Mi up to 50, 1280Mi up to 100, 2Gi up to 200, else 4608Mi
   */
  readonly resources?: ResourceRequirements;

  /**
   * True if Kamaji sends usage data to its developers.
   *
   * @default false
   */
  readonly telemetry?: boolean;
}

/**
 * Installation of Kamaji in the management cluster.
 *
 * @example
 * const kamaji = management.KamajiInstallation.chart({
 *   dataStores: [management.KamajiDataStore.etcd('default'), management.KamajiDataStore.etcd('gold')],
 *   defaultDataStore: 'default',
 * });
 */
export class KamajiInstallation {
  /**
   * This app installs its charts: the definitions (kamaji-crds) first, then the etcd of the default DataStore, then Kamaji, then all other
   * etcds. Kamaji publishes its charts only under one moving version. The delivery therefore reads them from Git at the tag of the
   * release. To use your own packages, set `repository` and `chartVersion`.
   *
   * A management cluster without access to the internet needs such packages: kamaji depends on the chart kamaji-etcd, and Flux and Argo CD
   * fetch that from https://clastix.github.io/charts when they build kamaji from Git, although it is not installed. `helm package
   * --dependency-update` puts it into the package.
   *
   * Source: fluxcd/source-controller v1.9.1 internal/helm/chart/dependency_manager.go, collectMissing; clastix/kamaji charts/kamaji,
   * charts/kamaji-crds; clastix/kamaji-etcd charts/kamaji-etcd.
   *
   * @param options what differs from the defaults
   */
  public static chart(options: KamajiInstallationOptions = {}): KamajiInstallation {
    return new KamajiInstallation({ dataStores: [KamajiDataStore.etcd('default')], ...options }, true);
  }

  /**
   * This app does not install Kamaji: it is already installed.
   *
   * @param options DataStores that this app still creates
   */
  public static existing(options: KamajiDataStoresOptions = {}): KamajiInstallation {
    return new KamajiInstallation(options, false);
  }

  private constructor(private readonly options: KamajiInstallationOptions, private readonly install: boolean) {}

  /**
   * Release of Kamaji, as far as it is known.
   *
   * @internal
   */
  public _version(versions: CatalogName): string | undefined {
    return this.options.version ?? (this.install ? pinnedVersion('kamaji', versions) : undefined);
  }

  /**
   * Names of all DataStores, as far as they are known.
   *
   * @internal
   */
  public get _dataStores(): string[] | undefined {
    return this.install ? this.dataStores.map(({ name }) => name).sort() : undefined;
  }

  /**
   * Network peers of the DataStores that this app creates.
   *
   * @internal
   */
  public get _dataStorePeers(): { [dataStore: string]: IsolationPeer[] } {
    return Object.fromEntries(this.dataStores.map((store) => [store.name, store._peers]));
  }

  /**
   * Largest number of tenants of each etcd that this app installs.
   *
   * @internal
   */
  public get _dataStoreLimits(): { [dataStore: string]: number } {
    return Object.fromEntries(this.dataStores.flatMap(({ name, _etcd }) => (_etcd ? [[name, _etcd.options.maxTenants ?? MAX_TENANTS]] : [])));
  }

  /**
   * Network peers of Kamaji's webhook, as far as they are known.
   *
   * @internal
   */
  public get _webhookPeers(): IsolationPeer[] | undefined {
    const { namespace, values } = this.options;
    return this.install ? [kamajiWebhook(namespace, values?.nameOverride)] : undefined;
  }

  /**
   * Plans Kamaji and the DataStores.
   *
   * @returns the DataStores
   * @internal
   */
  public _plan(plan: ManagementPlan, storageClasses: readonly string[] | undefined): DataStore[] {
    plan.report(...checkKamaji(this.options, this.defaultStore, storageClasses));
    const version = this._version(plan.catalog);
    if (version !== undefined) plan.install('kamaji', version, `${PROPERTY}.version`);
    const first = this.install ? this.defaultStore : undefined;
    if (this.install) this.planDefinitions(plan);
    planIssuers(plan, this.dataStores.flatMap(({ _etcd }) => (_etcd ? [_etcd] : [])));
    const etcds = first ? [this.planEtcd(plan, first, [DEFINITIONS])] : [];
    if (this.install) this.planManager(plan, first);
    const others = this.dataStores.filter((store) => store._etcd && store !== first);
    etcds.push(...others.map((store) => this.planEtcd(plan, store, [DEFINITIONS, KAMAJI_DELIVERY])));
    const made = etcds.flatMap((dataStore) => dataStore ?? []);
    // A second DataStore of the same name is reported, and gets no objects.
    const isFirst = (name: string, index: number) => this.dataStores.findIndex((other) => other.name === name) === index;
    const external = this.dataStores.filter(({ name, _external }, index) => _external && isFirst(name, index));
    if (external.length === 0) return made;
    const manifests = plan.addManifests(DATA_STORES, [KAMAJI_DELIVERY]);
    return [...made, ...external.map((store) => {
      const dataStore = addDataStore(manifests, store.name, store._external!);
      const property = this.propertyOf(store);
      plan.record(dataStore, { 'spec': property, 'spec.endpoints.**': `${property}.endpoints.**` });
      return dataStore;
    })];
  }

  /** Plans an etcd, the Job that enables its authentication, and then its DataStore, unless the values have the chart make that. */
  private planEtcd(plan: ManagementPlan, store: KamajiDataStore, after: readonly string[]): DataStore | undefined {
    const { chart: newest, options } = store._etcd!;
    const chartVersion = options.chartVersion ?? plan.pinned('kamajiEtcd');
    const chart = chartVersion === newest.chartVersion ? newest : { ...newest, chartVersion, images: undefined };
    const property = this.propertyOf(store);
    plan.install('kamajiEtcd', chart.chartVersion, `${PROPERTY}.dataStores["${store.name}"].chartVersion`);
    plan.addChart(etcdDelivery(store), chart, [CERT_MANAGER_DELIVERY, ISSUERS_DELIVERY, ...after]);
    const client = etcdClient(chart);
    const guard = plan.addManifests(guardDelivery(store), [ISSUERS_DELIVERY, etcdDelivery(store)]);
    addDisruptionBudget(guard, client);
    addAuthentication(guard, client);
    const { backup, defragmentation = EtcdDefragmentation.cronJob() } = options;
    const cronJobs = { backup: backup && addBackup(guard, client, backup), defragmentation: addDefragmentation(guard, client, defragmentation) };
    Object.entries(cronJobs).forEach(([option, cronJob]) => cronJob && plan.record(cronJob, { 'spec.schedule': `${property}.${option}.schedule` }));
    const { enabled, headless = true } = chart.values!.datastore;
    if (enabled) return undefined;
    return addDataStore(plan.addManifests(dataStoreDelivery(store), [guardDelivery(store), ...after]), store.name, installedStore(client, headless));
  }

  private get dataStores(): readonly KamajiDataStore[] {
    return this.options.dataStores ?? [];
  }

  private get defaultStore(): KamajiDataStore | undefined {
    const { defaultDataStore } = this.options;
    return this.dataStores.find(({ name, _etcd }) => _etcd && (defaultDataStore === undefined || name === defaultDataStore));
  }

  private propertyOf(store: KamajiDataStore): string {
    return `${PROPERTY}.dataStores[${this.dataStores.indexOf(store)}]`;
  }

  private planDefinitions(plan: ManagementPlan): void {
    const { namespace = KAMAJI_NAMESPACE, repository, chartVersion, timeout } = this.options;
    plan.addChart(DEFINITIONS, managementChart({
      chart: 'kamaji-crds',
      pin: this.pin(plan),
      gitPath: 'charts/kamaji-crds',
      releaseName: 'kamaji-crds',
      namespace,
      // The definitions refer to the webhooks by the names in the other chart.
      values: { kamajiNamespace: namespace },
      // The chart runs no images in any version.
    }, { repository, chartVersion, timeout, images: [] }), [CERT_MANAGER_DELIVERY]);
  }

  private planManager(plan: ManagementPlan, first: KamajiDataStore | undefined): void {
    const { options } = this;
    const memory = plan.sized(({ kamajiMemory }) => kamajiMemory);
    plan.addChart(KAMAJI_DELIVERY, managementChart({
      chart: 'kamaji',
      pin: this.pin(plan),
      gitPath: 'charts/kamaji',
      releaseName: 'kamaji',
      namespace: KAMAJI_NAMESPACE,
      crds: HelmCrdPolicy.SKIP,
      tolerations: { tolerations: [] },
      values: mergeValues({
        'replicaCount': options.replicas,
        'image': { tag: this._version(plan.catalog), pullPolicy: 'IfNotPresent' },
        'defaultDatastoreName': first?.name ?? '',
        'kamaji-etcd': { deploy: false },
        'telemetry': { disabled: !(options.telemetry ?? false) },
        // With many tenants the CPU limit of the chart, 200m, would throttle the manager. On a host full of virtual machines, a process above
        // its request is the first that is killed.
        'resources': { limits: { cpu: null, memory }, requests: { memory } },
        'extraArgs': [plan.sized(({ workers }) => `--max-concurrent-tcp-reconciles=${workers}`), `--certificate-expiration-deadline=${RENEWAL}`],
        ...(plan.pullSecrets && { imagePullSecrets: [...plan.pullSecrets] }),
      }, options.resources && { resources: options.resources }),
    }, {
      ...options,
      // The image follows the release of Kamaji, not the version of the chart.
      images: options.images ?? [{ image: `clastix/kamaji:${this._version(plan.catalog)}` }],
    }), [CERT_MANAGER_DELIVERY, DEFINITIONS, ...(first ? [etcdDelivery(first)] : [])], first ? [readyDelivery(first)] : []);
  }

  private pin({ catalog }: ManagementPlan) {
    return { repository: KAMAJI_CHARTS.repository, version: this._version(catalog)! };
  }
}

/** Name of the delivery of an etcd. Its release may have the name of one in another namespace. */
function etcdDelivery({ name }: KamajiDataStore): string {
  return `etcd-${name}`;
}

/** Name of the delivery of the authentication Job of an etcd. It is ready once authentication is on. */
function guardDelivery({ name }: KamajiDataStore): string {
  return `etcd-${name}-guard`;
}

/** Name of the delivery of the DataStore of an etcd. */
function dataStoreDelivery({ name }: KamajiDataStore): string {
  return `etcd-${name}-data-store`;
}

/** Name of the delivery after which the DataStore of an etcd exists, with authentication. */
function readyDelivery(store: KamajiDataStore): string {
  return store._etcd!.chart.values!.datastore.enabled ? guardDelivery(store) : dataStoreDelivery(store);
}

const DATA_STORE_TAKEN_RULE: Rule = {
  id: 'TC-MANAGEMENT-DATA-STORE-TAKEN',
  title: 'The names of DataStores must be unique: they are cluster-scoped.',
  source: 'clastix/kamaji charts/kamaji/crds/kamaji.clastix.io_datastores.yaml',
};

const DATA_STORE_DEFAULT_RULE: Rule = {
  id: 'TC-MANAGEMENT-DATA-STORE-DEFAULT',
  title: 'Kamaji\'s default DataStore must be an etcd that is installed before it: without it Kamaji does not start, and rejects all DataStores.',
  source: 'clastix/kamaji internal/datastore/utils/check.go, charts/kamaji/controller-gen/validating-webhook.yaml',
};

const ETCD_TAKEN_RULE: Rule = {
  id: 'TC-MANAGEMENT-ETCD-TAKEN',
  title: 'The names of etcds must be unique in their namespace.',
  source: 'helm.sh/docs/intro/using_helm (release names are unique within a namespace)',
};

/** Checks the options of Kamaji and its DataStores. */
function checkKamaji(
  options: KamajiInstallationOptions, first: KamajiDataStore | undefined, storageClasses: readonly string[] | undefined,
): Problem[] {
  const { dataStores = [], defaultDataStore } = options;
  const names = dataStores.map(({ name }) => name);
  const defaultFault = defaultDataStore === undefined || first ? undefined : names.includes(defaultDataStore)
    ? `"${defaultDataStore}" is not installed here, so that it cannot be there before Kamaji`
    : `dataStores has no DataStore "${defaultDataStore}"`;
  const releases = dataStores.flatMap(({ _etcd }) => (_etcd ? [`${_etcd.chart.namespace}/${_etcd.chart.releaseName}`] : []));
  return [
    ...checkReplicas(`${PROPERTY}.replicas`, options.replicas),
    ...checkResources(`${PROPERTY}.resources`, options.resources),
    ...checkChartOptions(PROPERTY, options),
    ...dataStores.flatMap((store, index) => checkStore(`${PROPERTY}.dataStores[${index}]`, store, storageClasses)),
    ...twice(names).map((name) => ({
      rule: DATA_STORE_TAKEN_RULE, property: `${PROPERTY}.dataStores`, message: `two DataStores are called "${name}"`, fix: 'rename one of the two',
    })),
    // DataStores of the same name share the default release name: the same problem.
    ...twice(releases).filter(() => twice(names).length === 0).map((release) => ({
      rule: ETCD_TAKEN_RULE, property: `${PROPERTY}.dataStores`, message: `two etcds are called ${release}`, fix: 'give one of the two another releaseName or namespace',
    })),
    ...problemIf(DATA_STORE_DEFAULT_RULE, `${PROPERTY}.defaultDataStore`, defaultFault, 'name an etcd of dataStores, or leave it out and have control planes name their own'),
  ];
}

function checkStore(property: string, { name, _etcd, _external }: KamajiDataStore, storageClasses: readonly string[] | undefined): Problem[] {
  return [
    ...checkLabelName(`${property}.name`, name),
    ...(_etcd ? checkEtcd(property, _etcd.options, storageClasses) : []),
    ...(_external ? checkExternalStore(property, _external) : []),
  ];
}

function twice(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))].sort();
}
