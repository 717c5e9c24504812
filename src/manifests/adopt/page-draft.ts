import { ClusterParts, PoolParts } from './cluster-parts';
import { withoutProperties } from './dropped-properties';
import { healthCheckOf, isAutoscaled, manifestPart, poolSettings } from './pool-settings';
import { PageTarget, TenantPage } from './tenant-page';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { call, fieldsOf, PageCall, PageExpression, PageFields } from '../rules/page-expression';
import { AddonPart, AdoptedCluster, DeliveryPart, PageParts, PartForms } from '../rules/page-parts';
import { storedObject } from '../stored/stored-objects';
import { providers } from '../systems/providers';
import { fieldAt, isFields, numberAt, stringAt, stringsAt } from '../values/fields';

/** A part of a page that has its own class: of the cluster, or of a pool. */
export interface PageSlot {
  readonly part: 'controlPlane' | 'controlPlaneMachine' | 'infrastructure' | 'machine' | 'bootstrap' | 'addon';

  /**
   * Name of the pool, or of the addon.
   *
   * @default - a part of the cluster
   */
  readonly pool?: string;
}

/** Decisions that a first try has shown to be wrong. */
export interface DraftOptions {
  /** Parts that get the class for objects of any kind, as `slotKey` has them. */
  readonly asManifests: ReadonlySet<string>;

  /** Pools whose bounds of the autoscaler are patches. */
  readonly unsized: ReadonlySet<string>;

  /**
   * Properties that are patches, since the class refuses their values: `slotKey` of the part, or the name of the pool, and names joined by
   * dots behind a blank.
   */
  readonly dropped: ReadonlySet<string>;

  /** Objects that classes make without options, by `slotKey` of the part. */
  readonly plain: ReadonlyMap<string, ManifestObject>;
}

/** Options of the first try. */
export const FIRST_DRAFT: DraftOptions = { asManifests: new Set(), unsized: new Set(), dropped: new Set(), plain: new Map() };

/** An object of the input, and where the page makes it. */
export interface PagePair {
  readonly target: PageTarget;
  readonly wanted: ManifestObject;

  /** The part of the page that decides its content, if that has a class of its own. */
  readonly slot?: PageSlot;

  /** True for templates, whose names follow from their content. */
  readonly isTemplate: boolean;
}

/** A page without patches. */
export interface PageDraft {
  readonly page: TenantPage;
  readonly pairs: readonly PagePair[];

  /** Parts that have a class of their own. */
  readonly typed: readonly PageSlot[];

  /** Parts of these whose class has to be run without options first. */
  readonly compared: readonly PageSlot[];
}

const ENDPOINT = 'controlPlaneEndpoint';

/** The property with the template of the control plane's machines. */
export const CONTROL_PLANE_TEMPLATE = 'controlPlaneMachines.machineTemplate';

/** The property with their health check. */
const CONTROL_PLANE_HEALTH_CHECK = 'controlPlaneMachines.machineHealthCheck';

/** A part as text. */
export function slotKey({ part, pool }: PageSlot): string {
  return pool === undefined ? part : `${pool}/${part}`;
}

/** A property of a pool's health check that the library refuses, as `dropped` has it. */
export function healthCheckKey(pool: string, property: string): string {
  return `${pool} healthCheck.${property}`;
}

/** The page of a cluster, as far as classes and their properties tell its objects. */
export function draftPage(parts: ClusterParts, index: ManifestIndex, options: DraftOptions): PageDraft {
  const { id, name, namespace, cluster, pools } = parts;
  const drafting: Drafting = { options, typed: [], compared: [] };
  const { typed } = drafting;
  const controlPlaneMachine = parts.controlPlaneTemplate
    && machineOf(parts.controlPlaneTemplate, { part: 'controlPlaneMachine' }, parts, index, drafting);
  const controlPlaneHealthCheck = healthCheckOf(parts.controlPlaneHealthCheck && storedObject(parts.controlPlaneHealthCheck));
  const around: AdoptedCluster = {
    ...parts,
    controlPlaneMachine,
    index,
    controlPlaneHealthCheck,
    endpoint: statedEndpoint(parts.infrastructure),
    awaitsCloudController: awaitsCloudController(parts),
  };
  const choose = (slot: PageSlot, object: ManifestObject, table: CallTable) => chosen(slot, object, table, around, drafting);
  const infrastructure = choose({ part: 'infrastructure' }, parts.infrastructure, 'infrastructures') ?? infrastructurePart(parts);
  // A class of the library may ask something of each node; the manifest of a running pool has it.
  const appliesNodeSetup = (slot: PageSlot) => awaitsCloudController(parts)
    || typed.some(({ part, pool }) => part === 'infrastructure' || (part === slot.part && pool === slot.pool)) || undefined;
  const version = stringAt(parts.controlPlane, 'spec', 'version') ?? poolVersion(pools);
  const annotations = fieldAt(cluster, 'metadata', 'annotations');
  const controlPlane = choose({ part: 'controlPlane' }, parts.controlPlane, 'controlPlanes');
  const delivered = deliveryOf(around, drafting);
  const props: PageFields = {
    name: id === name ? undefined : name,
    namespace,
    kubernetesVersion: version?.replace(/^v/, '').replace(/[-+].*$/, ''),
    controlPlane: controlPlane ?? controlPlanePart(parts, version, controlPlaneMachine && {
      machine: controlPlaneMachine, appliesNodeSetup: appliesNodeSetup({ part: 'controlPlaneMachine' }),
    }),
    infrastructure,
    cni: call('Cni.none'),
    delivery: delivered?.delivery,
    createNamespace: parts.namespaceObject ? undefined : false,
    podCidrs: rangesOf(cluster, 'pods'),
    serviceCidrs: rangesOf(cluster, 'services'),
    serviceDomain: unless(stringAt(cluster, 'spec', 'clusterNetwork', 'serviceDomain'), 'cluster.local'),
    labels: commonLabels([cluster, parts.controlPlane, parts.infrastructure, ...pools.map(({ deployment }) => deployment)]),
    annotations: isFields(annotations) ? annotations as PageFields : undefined,
    paused: fieldAt(cluster, 'spec', 'paused') === true ? true : undefined,
    clusterAutoscaler: pools.some((pool) => isScaled(pool, options)) ? call('ClusterAutoscaler.none') : undefined,
  };
  const poolProps = (pool: PoolParts): PageFields => {
    const slot: PageSlot = { part: 'machine', pool: pool.id };
    const machine = machineOf(pool.machineTemplate, slot, parts, index, drafting);
    const settings = withoutProperties(poolSettings(pool, version, isScaled(pool, options)), pool.id, options.dropped);
    return { machine, ...withBootstrap(settings, pool, appliesNodeSetup(slot), drafting) };
  };
  const addons = delivered?.addons ?? [];
  const page: TenantPage = { id, props, pools: pools.map((pool) => ({ id: pool.id, props: poolProps(pool) })), addons, removed: [], patches: [] };
  return { page, pairs: [...pairsOf(parts, controlPlane !== undefined), ...addons.map(addonPair)], typed, compared: drafting.compared };
}

/** The charts that a tool delivers to the cluster, without those whose class tells less than the manifest; undefined if none is left. */
function deliveryOf(cluster: AdoptedCluster, { options, typed }: Drafting): DeliveryPart | undefined {
  const found = providers().flatMap(({ pageParts }) => pageParts?.delivery?.(cluster) ?? []).at(0);
  const addons = found?.addons.filter(({ name }) => !options.asManifests.has(slotKey({ part: 'addon', pool: name }))) ?? [];
  if (!found || addons.length === 0) return undefined;
  typed.push(...addons.map(({ name }): PageSlot => ({ part: 'addon', pool: name })));
  return { delivery: found.delivery, addons };
}

function addonPair({ name, object }: AddonPart): PagePair {
  return { wanted: object, target: { addon: name, member: String(object.kind) }, slot: { part: 'addon', pool: name }, isTemplate: false };
}

function isScaled(pool: PoolParts, { unsized }: DraftOptions): boolean {
  return isAutoscaled(pool) && !unsized.has(pool.id);
}

/** The properties of a pool with its bootstrap, whose template may show further ones. */
function withBootstrap(
  settings: PageFields, { id, bootstrapTemplate }: PoolParts, appliesNodeSetup: true | undefined, drafting: Drafting,
): PageFields {
  const found = bootstrapOf(bootstrapTemplate, { part: 'bootstrap', pool: id }, drafting);
  if (!found) return { bootstrap: manifestPart('ManifestBootstrap', bootstrapTemplate, { appliesNodeSetup }), ...settings };
  const { labels, ...shown } = found.pool;
  const both = { ...settings.labels as PageFields | undefined, ...labels as PageFields | undefined };
  return { bootstrap: found.bootstrap, ...settings, labels: Object.keys(both).length === 0 ? undefined : both, ...shown };
}

/** Options of a draft, and the typed parts that it collects. */
interface Drafting {
  readonly options: DraftOptions;
  readonly typed: PageSlot[];
  readonly compared: PageSlot[];
}

/** Tables of classes that are one property of a page each. */
type CallTable = 'controlPlanes' | 'infrastructures' | 'machines';

/** The reader of a kind of a table. */
type ReaderOf<Table extends CallTable | 'bootstraps'> = Required<PageParts>[Table][string] | undefined;

/** The reader of a kind in a table. */
function readerOf<Table extends CallTable | 'bootstraps'>(table: Table, kind: string): ReaderOf<Table> {
  return providers().map(({ pageParts }) => pageParts?.[table]?.[kind] as ReaderOf<Table>).find((part) => part !== undefined);
}

function chosen(slot: PageSlot, object: ManifestObject, table: CallTable, cluster: AdoptedCluster, drafting: Drafting): PageCall | undefined {
  const key = slotKey(slot);
  if (drafting.options.asManifests.has(key)) return undefined;
  const found = readerOf(table, groupKind(object))?.(object, cluster, formsOf(object, slot, drafting));
  return found && use(slot, object, drafting) && withoutProperties({ [slot.part]: found }, key, drafting.options.dropped)[slot.part] as PageCall;
}

/** The class of a bootstrap template, and the properties of its pool; undefined if no class makes it. */
function bootstrapOf(object: ManifestObject, slot: PageSlot, drafting: Drafting) {
  const key = slotKey(slot);
  if (drafting.options.asManifests.has(key)) return undefined;
  const found = readerOf('bootstraps', groupKind(object))?.(formsOf(object, slot, drafting));
  if (!found || !use(slot, object, drafting)) return undefined;
  const { bootstrap, ...pool } = withoutProperties({ bootstrap: found.bootstrap, ...found.pool }, key, drafting.options.dropped);
  const own = bootstrap as PageCall | undefined;
  return { bootstrap: own?.args.length === 0 ? undefined : own, pool };
}

function formsOf(object: ManifestObject, slot: PageSlot, { options }: Drafting): PartForms {
  return { get stored() { return storedObject(object); }, plain: options.plain.get(slotKey(slot)) };
}

/** Notes that a part has a class of its own. */
function use(slot: PageSlot, object: ManifestObject, { typed, compared }: Drafting): true {
  typed.push(slot);
  if (providers().some(({ pageParts }) => pageParts?.compared?.includes(groupKind(object)))) compared.push(slot);
  return true;
}

function machineOf(template: ManifestObject, slot: PageSlot, parts: ClusterParts, index: ManifestIndex, drafting: Drafting): PageCall {
  const { cluster, controlPlane, infrastructure } = parts;
  return chosen(slot, template, 'machines', { cluster, controlPlane, infrastructure, index }, drafting)
    ?? manifestPart('ManifestMachine', template, { infrastructureKind: String(parts.infrastructure.kind) });
}

function controlPlanePart(
  { controlPlane, cluster, infrastructure }: ClusterParts, version: string | undefined,
  machines: { readonly machine: PageCall; readonly appliesNodeSetup?: boolean } | undefined,
): PageCall {
  const plain = version === undefined || /^v?\d+\.\d+\.\d+$/.test(version);
  return manifestPart('ManifestControlPlane', controlPlane, {
    distributionVersion: plain ? undefined : version,
    replicas: numberAt(controlPlane, 'spec', 'replicas'),
    ...machines,
    endpoint: machines && statedEndpoint(infrastructure),
    apiServerPort: numberAt(cluster, 'spec', 'clusterNetwork', 'apiServerPort'),
  }, ['version', 'replicas']);
}

/** The address of the API server that the infrastructure object states. */
function statedEndpoint(infrastructure: ManifestObject): PageFields | undefined {
  const [host, port] = [stringAt(infrastructure, 'spec', ENDPOINT, 'host'), numberAt(infrastructure, 'spec', ENDPOINT, 'port')];
  return host === undefined || host === '' || !port ? undefined : { host, port };
}

function infrastructurePart(parts: ClusterParts): PageCall {
  const { infrastructure, controlPlaneTemplate } = parts;
  const isGiven = controlPlaneTemplate !== undefined && statedEndpoint(infrastructure) !== undefined;
  return manifestPart('ManifestInfrastructure', infrastructure, { externalCloudProvider: awaitsCloudController(parts) || undefined }, isGiven ? [ENDPOINT] : []);
}

/** Labels that all objects have alike, beside those of Cluster API. */
function commonLabels(objects: readonly ManifestObject[]): PageFields | undefined {
  const [first, ...others] = objects.map((object) => fieldAt(object, 'metadata', 'labels'));
  const own = Object.entries(isFields(first) ? first : {}).filter(([key]) => !key.split('/')[0].endsWith('cluster.x-k8s.io'));
  return fieldsOf(Object.fromEntries(own.filter(([key, value]) => others.every((labels) => fieldAt(labels, key) === value))));
}

/** True if the kubelets of all machines wait for a cloud controller manager. */
function awaitsCloudController({ controlPlane, controlPlaneTemplate, pools }: ClusterParts): boolean {
  const configurations = [...controlPlaneTemplate ? [controlPlane] : [], ...pools.map(({ bootstrapTemplate }) => bootstrapTemplate)];
  return configurations.length > 0 && configurations.every((object) => (
    providers().some(({ awaitsCloudController: awaits }) => awaits?.[groupKind(object)]?.(object))));
}

function poolVersion(pools: readonly PoolParts[]): string | undefined {
  return pools.map(({ deployment }) => stringAt(deployment, 'spec', 'template', 'spec', 'version')).find((version) => version !== undefined);
}

function rangesOf(cluster: ManifestObject, part: string): PageExpression | undefined {
  const ranges = stringsAt(cluster, 'spec', 'clusterNetwork', part, 'cidrBlocks').map(([range]) => range);
  return ranges.length === 0 ? undefined : ranges;
}

function unless(value: string | undefined, usual: string): string | undefined {
  return value === usual ? undefined : value;
}

/** The objects of the input that a page makes, and where. */
function pairsOf(parts: ClusterParts, isControlPlaneTyped: boolean): PagePair[] {
  const pair = (wanted: ManifestObject | undefined, target: PageTarget, slot?: PageSlot, isTemplate = false): PagePair[] => (
    wanted ? [{ wanted, target, slot, isTemplate }] : []);
  return [
    ...pair(parts.namespaceObject, { member: ['Namespace'] }),
    ...pair(parts.cluster, { member: 'cluster' }),
    ...pair(parts.controlPlane, { member: 'controlPlane' }, { part: 'controlPlane' }),
    ...pair(parts.controlPlaneTemplate, { member: CONTROL_PLANE_TEMPLATE }, { part: 'controlPlaneMachine' }, true),
    ...(isControlPlaneTyped ? pair(parts.controlPlaneHealthCheck, { member: CONTROL_PLANE_HEALTH_CHECK }) : []),
    ...pair(parts.infrastructure, { member: 'infrastructure' }, { part: 'infrastructure' }),
    ...parts.pools.flatMap((pool) => [
      ...pair(pool.deployment, { pool: pool.id, member: 'machineDeployment' }),
      ...pair(pool.machineTemplate, { pool: pool.id, member: 'machineTemplate' }, { part: 'machine', pool: pool.id }, true),
      ...pair(pool.bootstrapTemplate, { pool: pool.id, member: 'bootstrapTemplate' }, { part: 'bootstrap', pool: pool.id }, true),
      ...pair(pool.healthCheck, { pool: pool.id, member: 'machineHealthCheck' }),
    ]),
  ];
}
