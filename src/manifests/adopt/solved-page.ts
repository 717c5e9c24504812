import { ClusterParts, objectId } from './cluster-parts';
import { without } from './dropped-properties';
import { CONTROL_PLANE_TEMPLATE, DraftOptions, draftPage, FIRST_DRAFT, healthCheckKey, PageDraft, PagePair, PageSlot, slotKey } from './page-draft';
import { PageProblem, PageRun, PageRunner } from './page-run';
import { patchOperations } from './patch-operations';
import { PagePatch, PageTarget, PatchOperation, targetKey, TenantPage, withProperty } from './tenant-page';
import { ManifestObject, nameOf, objectName } from '../objects/manifest-object';
import { manifestsText } from '../objects/yaml/manifests-text';
import { ManifestIndex } from '../rules/manifest-index';
import { call, PageCall, PageFields, PageFile } from '../rules/page-expression';
import { storedObject } from '../stored/stored-objects';
import { fieldAt, Fields, isFields } from '../values/fields';

/** Outcome of an object of the input. */
export interface AdoptedObject {
  readonly object: ManifestObject;

  /** Number of patches; 0 if the properties of the page tell all of it. */
  readonly patches: number;

  /** True if the class of the page is one for objects of any kind. */
  readonly isManifest: boolean;
}

/** A page that makes the objects of the input again. */
export interface SolvedPage {
  readonly page: TenantPage;
  readonly parts: ClusterParts;

  /** Files that the page reads, by their paths in the app. */
  readonly files: ReadonlyMap<string, string>;
  readonly objects: readonly AdoptedObject[];

  /** Problems that can be silenced. */
  readonly problems: readonly PageProblem[];
}

/** Patches beyond which a class of its own tells less than the manifest. */
const MOST_PATCHES: Readonly<Record<PageSlot['part'], number>> = {
  controlPlane: 30, controlPlaneMachine: 8, infrastructure: 8, machine: 8, bootstrap: 8, addon: 12,
};

const MOST_TRIES = 40;

/**
 * Writes the page of a cluster, runs it, and adds what is missing until it makes the objects of the input.
 *
 * @param parts the objects of the cluster
 * @param index all objects of the input
 * @param runner runs pages
 * @returns the page, or the reason for none, as a predicate of the cluster
 */
export function solvePage(parts: ClusterParts, index: ManifestIndex, runner: PageRunner): SolvedPage | string {
  let options = FIRST_DRAFT;
  let reason = '';
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const draft = draftPage(parts, index, options);
    const outcome = completed(draft, { parts, index, runner, options });
    if (!('retry' in outcome)) return outcome;
    reason = outcome.reason;
    if (outcome.retry === undefined) return reason;
    options = outcome.retry;
  }
  return reason;
}

/** Surroundings of a try. */
interface Solving {
  readonly parts: ClusterParts;
  readonly index: ManifestIndex;
  readonly runner: PageRunner;
  readonly options: DraftOptions;
}

/** A try that failed, and the options of the next one; undefined if there is nothing left to try. */
interface Failure {
  readonly reason: string;
  readonly retry: DraftOptions | undefined;
}

function completed(draft: PageDraft, solving: Solving): SolvedPage | Failure {
  try {
    return completedOrThrow(draft, solving);
  } catch (error) {
    const reason = `has a property that the library refuses: ${(error as Error).message.split('\n')[0]}`;
    const nodes = draft.typed.filter(({ part }) => ['bootstrap', 'controlPlane', 'addon'].includes(part));
    return { reason, retry: asManifests(nodes, solving.options) ?? asManifests(draft.typed, solving.options) };
  }
}

function completedOrThrow(draft: PageDraft, solving: Solving): SolvedPage | Failure {
  const { parts, index, runner, options } = solving;
  const first = runner.run(draft.page, new Map());
  const plain = plainForms(first, draft, options);
  if (plain) return { reason: 'is not read yet', retry: { ...options, plain } };
  const refused = refusal(first.problems().filter(({ canBeSilenced }) => !canBeSilenced), draft, options);
  if (refused) return refused;
  const { removed, added } = surplus(first, draft.pairs, index);
  const pairs = [...draft.pairs, ...added];
  const templates = pairs.filter(({ isTemplate }) => isTemplate);
  const templatePatches = patchesOf(first, templates);
  const heavy = tooMany(templatePatches, templates, draft.typed);
  if (heavy) return { reason: `needs too many patches of ${slotKey(heavy)}`, retry: asManifests([heavy], options) };
  const bare = { ...draft.page, removed, patches: templatePatches };
  const { page, files } = withFormerTemplates(bare, parts, runner.run(bare, new Map()));
  const named = runner.run(page, files);
  const others = pairs.filter(({ isTemplate }) => !isTemplate);
  const otherPatches = patchesOf(named, others);
  const heavyOther = tooMany(otherPatches, others, draft.typed);
  if (heavyOther) return { reason: `needs too many patches of ${slotKey(heavyOther)}`, retry: asManifests([heavyOther], options) };
  const patched = { ...page, patches: [...templatePatches, ...otherPatches] };
  const further = patchesOf(runner.run(patched, files), others, true);
  const whole = further.length === 0 ? patched : { ...patched, patches: withFurther(patched.patches, further) };
  const final = runner.run(whole, files);
  const wrong = pairs.find((pair) => !isMade(final, pair));
  if (wrong) return { reason: `cannot have its ${objectName(wrong.wanted)} as it is`, retry: asManifests(draft.typed, options) };
  const problems = final.problems();
  const late = refusal(problems.filter(({ canBeSilenced }) => !canBeSilenced), draft, options);
  if (late) return late;
  return { page: whole, parts, files, problems, objects: adoptedOnce(pairs.map((pair) => adopted(pair, whole, draft.typed))) };
}

/** The objects that classes of some parts make without options; undefined if they are known. */
function plainForms(run: PageRun, { pairs, compared }: PageDraft, { plain }: DraftOptions): ReadonlyMap<string, ManifestObject> | undefined {
  const keys = compared.map(slotKey);
  if (keys.every((key) => plain.has(key))) return undefined;
  return new Map(pairs.flatMap(({ slot, target }) => {
    const made = slot && keys.includes(slotKey(slot)) ? run.objectAt(target) : undefined;
    return slot && made ? [[slotKey(slot), storedObject(made)] as const] : [];
  }));
}

/** Objects once each: several pools may have one template. */
function adoptedOnce(objects: readonly AdoptedObject[]): AdoptedObject[] {
  const known = new Map<ManifestObject, AdoptedObject>();
  for (const one of objects) known.set(one.object, { ...one, patches: one.patches + (known.get(one.object)?.patches ?? 0) });
  return [...known.values()];
}

function adopted({ wanted, target, slot }: PagePair, { patches }: TenantPage, typed: readonly PageSlot[]): AdoptedObject {
  return {
    object: wanted,
    patches: patches.filter((patch) => targetKey(patch.target) === targetKey(target)).reduce((sum, { operations }) => sum + operations.length, 0),
    isManifest: slot !== undefined && !typed.some((one) => slotKey(one) === slotKey(slot)),
  };
}

function isMade(run: PageRun, { target, wanted }: PagePair): boolean {
  const made = run.objectAt(target);
  return made !== undefined && patchOperations(made, wanted, true).length === 0;
}

/** Options with which parts get the class for objects of any kind; undefined if they have it already. */
function asManifests(slots: readonly PageSlot[], options: DraftOptions): DraftOptions | undefined {
  const fresh = slots.map(slotKey).filter((key) => !options.asManifests.has(key));
  // Other parts add something else to the objects of a class then.
  return fresh.length === 0 ? undefined : { ...options, asManifests: new Set([...options.asManifests, ...fresh]), plain: new Map() };
}

const CAPACITY_UNKNOWN = 'TC-POOL-CAPACITY-UNKNOWN';

/** The next try after problems of the page; undefined if there are none. */
function refusal(problems: readonly PageProblem[], draft: PageDraft, options: DraftOptions): Failure | undefined {
  const [problem] = problems;
  if (!problem) return undefined;
  const unsized = problems.filter(({ rule }) => rule === CAPACITY_UNKNOWN).map(({ path }) => path[0]).filter((id) => !options.unsized.has(id));
  const reason = `breaks a rule of the library: ${problem.text}`;
  if (unsized.length > 0) return { reason, retry: { ...options, unsized: new Set([...options.unsized, ...unsized]) } };
  const refused = problems.flatMap((one) => refusedHealthCheck(one, draft) ?? refusedProperty(one, draft) ?? []);
  const dropped = refused.filter((key) => !options.dropped.has(key));
  if (dropped.length > 0) return { reason, retry: { ...options, dropped: new Set([...options.dropped, ...dropped]) } };
  const concerned = draft.typed.filter((slot) => problems.some(({ path, text }) => {
    if (slot.part === 'addon') return path.includes(slot.pool!);
    if (slot.pool !== undefined) return path[0] === slot.pool;
    return path.length === 0 && text.includes(` ${slot.part.replace('Machine', '.machine')}`);
  }));
  return { reason, retry: asManifests(concerned, options) ?? asManifests(draft.typed, options) };
}

const PROPERTY = /^TC-[A-Z0-9-]+ ([a-zA-Z]+)((?:\.[a-zA-Z]+)*)/;

/** The health check of a pool that a problem is about, as the options of a draft have it: it is made with a patch then. */
function refusedHealthCheck({ path: [pool], text }: PageProblem, { page }: PageDraft): string | undefined {
  const [, root, rest] = PROPERTY.exec(text) ?? [];
  const [, name] = rest?.split('.') ?? [];
  return root === 'healthCheck' && name !== undefined && page.pools.some(({ id }) => id === pool) ? healthCheckKey(pool, name) : undefined;
}

/** The optional property of a typed part that a problem is about, as the options of a draft have it. */
function refusedProperty({ path: [pool], text }: PageProblem, { page, typed }: PageDraft): string | undefined {
  const [, root, rest] = PROPERTY.exec(text) ?? [];
  if (root === undefined) return undefined;
  const names = [root, ...rest.split('.').slice(1)];
  const part: PageSlot['part'] = POOL_PROPERTIES.includes(root) ? 'bootstrap' : root as PageSlot['part'];
  const slot = typed.find((one) => one.part === part && one.pool === (part === 'controlPlane' || part === 'infrastructure' ? undefined : pool));
  const props = pool === undefined || slot?.pool === undefined ? page.props : page.pools.find(({ id }) => id === pool)!.props;
  // A part as a whole has no property to leave out.
  if (!slot || (names.length === 1 && !POOL_PROPERTIES.includes(root)) || !without(props, names)) return undefined;
  return `${slotKey(slot)} ${names.join('.')}`;
}

/** Properties of a pool that its bootstrap template shows. */
const POOL_PROPERTIES: readonly string[] = ['labels', 'taints', 'kubelet'];

/** Objects of a page that it is not told of. */
interface Surplus {
  readonly removed: (readonly string[])[];
  readonly added: PagePair[];
}

/** Objects that the page makes beside those of the cluster: the ones that the input has, too, and the ones that it has not. */
function surplus(run: PageRun, pairs: readonly PagePair[], index: ManifestIndex): Surplus {
  const paired = new Set(pairs.map(({ target }) => JSON.stringify(run.pathOf(target))));
  const extra = run.objects.filter(({ path }) => !paired.has(JSON.stringify(path)));
  const known = new Map(index.kinds().flatMap((kind) => index.all(kind)).map((object) => [objectId(object), object]));
  const found = extra.map(({ path, object }) => ({ path, wanted: known.get(objectId(object)) }));
  return {
    removed: outermost(found.filter(({ wanted }) => !wanted).map(({ path }) => path), run.objects.map(({ path }) => path)),
    added: found.flatMap(({ path, wanted }) => (wanted ? [{ wanted, target: { member: path }, isTemplate: false }] : [])),
  };
}

/** Paths of objects to take out; that of the construct around them if it has no other ones, since its name is the same in every cluster. */
function outermost(paths: readonly (readonly string[])[], all: readonly (readonly string[])[]): (readonly string[])[] {
  const isGone = new Set(paths.map((path) => JSON.stringify(path)));
  const groups = paths.map((path) => {
    const [top] = path;
    return path.length > 1 && all.every((other) => other[0] !== top || isGone.has(JSON.stringify(other))) ? [top] : path;
  });
  return groups.filter((path, index) => groups.findIndex((other) => JSON.stringify(other) === JSON.stringify(path)) === index);
}

function patchesOf(run: PageRun, pairs: readonly PagePair[], isPatched = false): PagePatch[] {
  return pairs.flatMap(({ target, wanted, isTemplate }) => {
    const made = run.objectAt(target);
    if (!made) return [];
    const operations = patchOperations(made, isTemplate ? renamed(wanted, made) : wanted, isPatched);
    return operations.length === 0 ? [] : [{ target, operations }];
  });
}

/** Patches of a page with further ones. A field that is removed and added again is replaced. */
function withFurther(patches: readonly PagePatch[], further: readonly PagePatch[]): PagePatch[] {
  const targets = new Map([...patches, ...further].map(({ target }) => [targetKey(target), target]));
  return [...targets].map(([key, target]) => {
    const ofTarget = (list: readonly PagePatch[]) => list.filter((one) => targetKey(one.target) === key).flatMap(({ operations }) => operations);
    const [first, second] = [ofTarget(patches), ofTarget(further)];
    const again = new Map(second.map((operation) => [operation.path, operation]));
    const operations = first.map((operation) => {
      const next = operation.op === 'remove' ? again.get(operation.path) : undefined;
      if (next?.op !== 'add') return operation;
      again.delete(operation.path);
      return { ...next, op: 'replace' as const };
    });
    return { target, operations: [...operations, ...again.values()] };
  });
}

/** A template under the name that the page gives it. */
function renamed(wanted: ManifestObject, made: ManifestObject): ManifestObject {
  const metadata = isFields(wanted.metadata) ? wanted.metadata : {};
  return { ...wanted, metadata: { ...metadata, name: fieldAt(made, 'metadata', 'name') } };
}

/** The typed part whose patches are too many. */
function tooMany(patches: readonly PagePatch[], pairs: readonly PagePair[], typed: readonly PageSlot[]): PageSlot | undefined {
  const heavy = pairs.find(({ target, slot }) => {
    if (!slot || !typed.some((one) => slotKey(one) === slotKey(slot))) return false;
    const own = patches.filter((patch) => targetKey(patch.target) === targetKey(target));
    const count = own.flatMap(({ operations }) => operations.filter(isOfContent)).length;
    return count > MOST_PATCHES[slot.part];
  });
  return heavy?.slot;
}

function isOfContent({ path }: PatchOperation): boolean {
  return !path.startsWith('/metadata/');
}

/** A page whose pools and control plane keep the templates that their machines were made from. */
function withFormerTemplates(
  page: TenantPage, { pools, controlPlaneTemplate }: ClusterParts, run: PageRun,
): { readonly page: TenantPage; readonly files: ReadonlyMap<string, string> } {
  const files = new Map<string, string>();
  const keep = (file: string, templates: readonly ManifestObject[], targets: Readonly<Record<string, PageTarget>>): PageCall => {
    const text = manifestsText(templates.map((template) => template as Fields));
    // Pools that share their templates share the file.
    const [known] = [...files].find(([, other]) => other === text) ?? [file];
    files.set(known, text);
    const names = Object.entries(targets).map(([part, target]) => [part, nameOf(run.objectAt(target)!)]);
    return call('FormerTemplates.fromFile', new PageFile(known), Object.fromEntries(names) as PageFields);
  };
  const kept = pools.reduce((current, { id, machineTemplate, bootstrapTemplate }) => (
    withProperty(current, id, 'formerTemplates', keep(`former/${page.id}/${id}.yaml`, [machineTemplate, bootstrapTemplate], {
      machineTemplate: { pool: id, member: 'machineTemplate' }, bootstrapTemplate: { pool: id, member: 'bootstrapTemplate' },
    }))), page);
  if (!controlPlaneTemplate) return { page: kept, files };
  const formerTemplates = keep(`former/${page.id}-control-plane.yaml`, [controlPlaneTemplate], { machineTemplate: { member: CONTROL_PLANE_TEMPLATE } });
  const { controlPlane } = kept.props;
  const { name: className, args: [options] } = controlPlane as PageCall;
  const whole = new PageCall(className, [{ ...options as PageFields, formerTemplates }], true);
  return { page: withProperty(kept, undefined, 'controlPlane', whole), files };
}
