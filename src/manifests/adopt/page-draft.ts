import { ClusterParts, PoolParts } from './cluster-parts';
import { isAutoscaled, manifestPart, poolSettings } from './pool-settings';
import { PageTarget, TenantPage } from './tenant-page';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { call, PageCall, PageExpression, PageFields } from '../rules/page-expression';
import { AdoptedCluster, PageParts } from '../rules/page-parts';
import { providers } from '../validation/providers';
import { fieldAt, isFields, numberAt, stringAt, stringsAt } from '../values/fields';

/** A part of a page that has its own class: of the cluster, or of a pool. */
export interface PageSlot {
  readonly part: 'controlPlane' | 'controlPlaneMachine' | 'infrastructure' | 'machine' | 'bootstrap';

  /**
   * Name of the pool.
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
}

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
}

const ENDPOINT = 'controlPlaneEndpoint';

/** The property with the template of the control plane's machines. */
export const CONTROL_PLANE_TEMPLATE = 'controlPlaneMachines.machineTemplate';

/** A part as text. */
export function slotKey({ part, pool }: PageSlot): string {
  return pool === undefined ? part : `${pool}/${part}`;
}

/** The page of a cluster, as far as classes and their properties tell its objects. */
export function draftPage(parts: ClusterParts, index: ManifestIndex, options: DraftOptions): PageDraft {
  const { id, name, namespace, cluster, pools } = parts;
  const typed: PageSlot[] = [];
  const controlPlaneMachine = parts.controlPlaneTemplate
    && machineOf(parts.controlPlaneTemplate, { part: 'controlPlaneMachine' }, parts, index, { options, typed });
  const around: AdoptedCluster = { ...parts, controlPlaneMachine, index };
  const choose = (slot: PageSlot, object: ManifestObject, table: keyof PageParts) => chosen(slot, object, table, around, { options, typed });
  const infrastructure = choose({ part: 'infrastructure' }, parts.infrastructure, 'infrastructures') ?? infrastructurePart(parts);
  // A class of the library may ask something of each node; the manifest of a running pool has it.
  const appliesNodeSetup = (slot: PageSlot) => typed.some(({ part, pool }) => part === 'infrastructure' || (part === slot.part && pool === slot.pool)) || undefined;
  const version = stringAt(parts.controlPlane, 'spec', 'version') ?? poolVersion(pools);
  const annotations = fieldAt(cluster, 'metadata', 'annotations');
  const props: PageFields = {
    name: id === name ? undefined : name,
    namespace,
    kubernetesVersion: version?.replace(/^v/, '').replace(/[-+].*$/, ''),
    controlPlane: choose({ part: 'controlPlane' }, parts.controlPlane, 'controlPlanes') ?? controlPlanePart(parts, version, controlPlaneMachine && {
      machine: controlPlaneMachine, appliesNodeSetup: appliesNodeSetup({ part: 'controlPlaneMachine' }),
    }),
    infrastructure,
    cni: call('Cni.none'),
    createNamespace: parts.namespaceObject ? undefined : false,
    podCidrs: rangesOf(cluster, 'pods'),
    serviceCidrs: rangesOf(cluster, 'services'),
    serviceDomain: unless(stringAt(cluster, 'spec', 'clusterNetwork', 'serviceDomain'), 'cluster.local'),
    annotations: isFields(annotations) ? annotations as PageFields : undefined,
    paused: fieldAt(cluster, 'spec', 'paused') === true ? true : undefined,
    clusterAutoscaler: pools.some((pool) => isScaled(pool, options)) ? call('ClusterAutoscaler.none') : undefined,
  };
  return {
    page: {
      id,
      props,
      pools: pools.map((pool) => ({
        id: pool.id,
        props: {
          machine: machineOf(pool.machineTemplate, { part: 'machine', pool: pool.id }, parts, index, { options, typed }),
          bootstrap: choose({ part: 'bootstrap', pool: pool.id }, pool.bootstrapTemplate, 'bootstraps')
            ?? manifestPart('ManifestBootstrap', pool.bootstrapTemplate, { appliesNodeSetup: appliesNodeSetup({ part: 'machine', pool: pool.id }) }),
          ...poolSettings(pool, version, isScaled(pool, options)),
        },
      })),
      removed: [],
      patches: [],
    },
    pairs: pairsOf(parts),
    typed,
  };
}

function isScaled(pool: PoolParts, { unsized }: DraftOptions): boolean {
  return isAutoscaled(pool) && !unsized.has(pool.id);
}

/** Options of a draft, and the typed parts that it collects. */
interface Drafting {
  readonly options: DraftOptions;
  readonly typed: PageSlot[];
}

function chosen(
  slot: PageSlot, object: ManifestObject, table: keyof PageParts, cluster: AdoptedCluster, { options, typed }: Drafting,
): PageCall | undefined {
  if (options.asManifests.has(slotKey(slot))) return undefined;
  const kind = groupKind(object);
  const read = providers().map(({ pageParts }) => pageParts?.[table]?.[kind]).find((part) => part !== undefined);
  const found = read?.(object, cluster);
  if (found) typed.push(slot);
  return found;
}

function machineOf(template: ManifestObject, slot: PageSlot, parts: ClusterParts, index: ManifestIndex, drafting: Drafting): PageCall {
  return chosen(slot, template, 'machines', { ...parts, index }, drafting)
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

function infrastructurePart({ infrastructure, controlPlaneTemplate }: ClusterParts): PageCall {
  const isGiven = controlPlaneTemplate !== undefined && statedEndpoint(infrastructure) !== undefined;
  return manifestPart('ManifestInfrastructure', infrastructure, {}, isGiven ? [ENDPOINT] : []);
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
function pairsOf(parts: ClusterParts): PagePair[] {
  const pair = (wanted: ManifestObject | undefined, target: PageTarget, slot?: PageSlot, isTemplate = false): PagePair[] => (
    wanted ? [{ wanted, target, slot, isTemplate }] : []);
  return [
    ...pair(parts.namespaceObject, { member: ['Namespace'] }),
    ...pair(parts.cluster, { member: 'cluster' }),
    ...pair(parts.controlPlane, { member: 'controlPlane' }, { part: 'controlPlane' }),
    ...pair(parts.controlPlaneTemplate, { member: CONTROL_PLANE_TEMPLATE }, { part: 'controlPlaneMachine' }, true),
    ...pair(parts.infrastructure, { member: 'infrastructure' }, { part: 'infrastructure' }),
    ...parts.pools.flatMap((pool) => [
      ...pair(pool.deployment, { pool: pool.id, member: 'machineDeployment' }),
      ...pair(pool.machineTemplate, { pool: pool.id, member: 'machineTemplate' }, { part: 'machine', pool: pool.id }, true),
      ...pair(pool.bootstrapTemplate, { pool: pool.id, member: 'bootstrapTemplate' }, { part: 'bootstrap', pool: pool.id }, true),
      ...pair(pool.healthCheck, { pool: pool.id, member: 'machineHealthCheck' }),
    ]),
  ];
}
