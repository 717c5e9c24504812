import * as path from 'node:path';
import { builtPair, BuildUnit, isChart, unfetched } from './built-pair';
import { chartRenderer } from './helm';
import { kustomizeBuilder } from './kustomize';
import { ProgramAnswer, TimeLimit } from './programs';
import { chartUnits, keptChart, sameChart } from '../../manifests/landscape/chart-units';
import { AddonPlace } from '../../manifests/landscape/cluster-model';
import { deliveryPlace } from '../../manifests/landscape/delivery-targets';
import { groupedBy, objectKey } from '../../manifests/landscape/file-appliers';
import { filledDeliveries } from '../../manifests/landscape/filled-deliveries';
import { addingDeliveries, KustomizeUnits, sameContent, sameUnit, unitKey, UnitSources } from '../../manifests/landscape/kustomize-units';
import { BuiltDelivery, ManifestState, pathWithin } from '../../manifests/landscape/manifest-state';
import { isPatchFile, ManifestFile, PlacedObjects, UnreadValue } from '../../manifests/landscape/placed-objects';
import { FileContent, StateContent } from '../../manifests/landscape/state-content';
import { placeInWorkTree } from '../../manifests/objects/git/work-tree';
import { nameOf, namespaceOf } from '../../manifests/objects/manifest-object';
import { ManifestIndex } from '../../manifests/rules/manifest-index';
import { deliveryFacts } from '../../manifests/systems/providers';
import { fieldAt, sameValue } from '../../manifests/values/fields';
import { Surroundings } from '../surroundings';

/** So many programs run at a time. */
const AT_A_TIME = 4;

/** Most rounds of builds: one may deliver what the next one builds. */
const MOST_ROUNDS = 10;

/** A state, and the files that it was read from. */
export interface ReadState {
  readonly state: ManifestState & Partial<PlacedObjects> & { readonly root: string };
  readonly files: readonly ManifestFile[];

  /**
   * Files whose objects decide nothing of what is compared.
   *
   * @default - there are none
   */
  readonly leftOut?: ReadonlySet<ManifestFile>;

  /** Files of it that cannot be read. */
  readonly broken: readonly UnreadValue[];

  /**
   * Parts that were built, by the files that hold what came out.
   *
   * @default - nothing was built
   */
  readonly built?: ReadonlyMap<string, BuildUnit>;

  /**
   * Parts that were to be built and were not, by their files.
   *
   * @default - there are none
   */
  readonly notBuilt?: ReadonlyMap<string, UnbuiltPart>;
}

/** A part that was not built. */
export interface UnbuiltPart {
  readonly reason: string;

  /** All files that it reads. */
  readonly paths: ReadonlySet<string>;
}

/** Reads files of a state; others that it has are left out. */
type Read = (files: readonly ManifestFile[], all: readonly ManifestFile[]) => PlacedObjects;

/** One unit of each state. */
interface UnitPair {
  readonly units: readonly (BuildUnit | undefined)[];
}

/** Parts of a state that are to be built. */
interface Units {
  readonly kustomizations: KustomizeUnits;
  readonly all: readonly BuildUnit[];
}

/** The way in which states are built. */
export interface BuildOptions {
  /** Reads the files of a state. */
  readonly read: Read;

  /**
   * True if all is built, whether it differs between states or not, and what comes out names its origins.
   *
   * @default - what differs
   */
  readonly all?: boolean;
}

/** Output of a unit in each state. */
interface BuiltPair extends UnitPair {
  readonly pair: UnitPair;
  readonly files: readonly (ManifestFile | undefined)[];
}

/**
 * Puts what kustomize and Helm build in place of what they read, where a kustomization that does more than list files, or a chart, differs in what
 * it reads. Where it cannot be built in one of the states, all stay as they are, and the reason is kept.
 *
 * @param given one state, or an earlier and a later one
 */
export async function builtStates(
  given: readonly ReadState[], { read, all = false }: BuildOptions, surroundings: Surroundings,
): Promise<readonly ReadState[]> {
  let states = given;
  const known = given.map(() => new Set<string>());
  const unbuilt = new Map<string, string>();
  const notBuilt = new Map<string, UnbuiltPart>();
  const failing = new Map<string, string>();
  const unshown = new Map<string, string>();
  // Files that one build reads, a later one may read as well.
  const sources = given.map((one) => ({ content: contentOf(one), kustomizations: one.state.kustomizations ?? [] }));
  for (let round = 0; ; round++) {
    const units = unitsOf(states, sources);
    const wanted = toBuild(units, all ? undefined : givesSame(states), known);
    if (wanted.length === 0) break;
    const isLast = round === MOST_ROUNDS;
    const pairs = isLast ? wanted : readyPairs(wanted, units).map((pair) => withKeptChart(pair, surroundings));
    for (const pair of pairs) pair.units.forEach((unit, index) => unit && known[index].add(unitKey(unit)));
    if (isLast) for (const pair of pairs) setUnbuilt(pair, `more than ${MOST_ROUNDS} deliveries apply one another`, unbuilt);
    const built = isLast ? [] : await buildAll(pairs, states, { unbuilt, failing, origins: all }, surroundings);
    const isBuilt = new Set(built.map(({ pair }) => pair));
    for (const pair of pairs.filter((one) => !isBuilt.has(one))) {
      for (const unit of pair.units) if (unit) notBuilt.set(unit.file, { reason: unbuilt.get(unit.file)!, paths: unit.paths });
      unshownUnits(pair).forEach(([file, what]) => unshown.set(file, what));
    }
    if (isLast) break;
    if (built.length > 0) states = states.map((one, index) => withBuilt(one, units, built, index, { read, isFailed: (file) => unbuilt.has(file) }));
  }
  return unbuilt.size + failing.size === 0 ? states : states.map((one, index) => ({
    ...one,
    notBuilt,
    state: {
      ...one.state,
      ...(unbuilt.size > 0 && { unbuilt }),
      unread: [
        ...one.state.unread ?? [],
        ...[...unshown].map(([file, what]) => ({ file: path.join(one.state.root, file), what, value: index })),
        ...[...failing].map(([file, why]) => ({ file: path.join(one.state.root, file), what: failsFrom(why), value: index, fails: true as const })),
      ],
    },
  }));
}

function failsFrom(why: string): string {
  return `it cannot be built from now on, so that nothing of it is applied or pruned until that is mended: ${why}`;
}

/** The units of each state; none where all of them do nothing but list files. */
function unitsOf(states: readonly ReadState[], sources: readonly UnitSources[]): readonly Units[] {
  const adding = new Set(states.flatMap(({ state }) => addingDeliveries(state)));
  const mayBuild = adding.size > 0 || states.some(({ state: { kustomizations = [], charts = [] } }) => (
    charts.length > 0 || kustomizations.some(({ isPlain }) => !isPlain)));
  if (!mayBuild) return [];
  return states.map(({ state }, index) => {
    const kustomizations = new KustomizeUnits(state, sources[index], adding);
    return { kustomizations, all: [...kustomizations.all, ...chartUnits(state, sources[index].content)] };
  });
}

/** Content of a state as it was read, before anything is built. */
function contentOf({ state, files, broken }: ReadState): StateContent {
  return new Map<string, FileContent>([
    ...files.map((file) => [pathWithin(state, file.file), file] as const),
    ...[...state.inputs ?? []].map(([file, content]) => [file, { bytes: Buffer.from(content, 'latin1') }] as const),
    // Generators take files of any kind.
    ...broken.map(({ file, value }) => [pathWithin(state, file), { bytes: Buffer.from(String(value), 'latin1') }] as const),
  ]);
}

/**
 * The units that do more than list files in one of the states, and do not read the same in both, unless all are built.
 *
 * @param states the units of each state
 * @param isGivenSame true of units whose deliveries change what is built in the same way; undefined if all are built
 * @param known the keys of those that were built before, or were to be
 */
function toBuild(states: readonly Units[], isGivenSame: SameUnits | undefined, known: readonly ReadonlySet<string>[]): UnitPair[] {
  const all = states.map((units) => groupedBy(({ key }) => key, units.all));
  const keys = new Set(all.flatMap((units) => [...units.keys()]));
  const pairs = [...keys].flatMap((key) => unitPairs(all.map((units) => units.get(key) ?? [])));
  return pairs.filter(({ units }) => {
    const [one, other] = units;
    const isNew = !units.some((unit, index) => unit && known[index].has(unitKey(unit)));
    const isBuilding = units.some((unit) => unit && (isChart(unit) || !unit.isPlain));
    return isNew && isBuilding && !(isGivenSame && one && other && isSame(one, other) && isGivenSame(one, other));
  });
}

type SameUnits = (one: BuildUnit, other: BuildUnit) => boolean;

/** Tells of units of two states if their deliveries fill in the same values, and give the same names and labels. */
function givesSame(states: readonly ReadState[]): SameUnits {
  const indexes = states.map(({ state }) => new ManifestIndex(state.objects.filter(({ pack }) => !pack).map(({ object }) => object)));
  return (unit, { delivery: other }) => {
    const one = unit.delivery;
    if (!one || !other || isChart(unit)) return true;
    const given = [one, other].map((delivery, index) => deliveryFacts(delivery)?.values?.(delivery).map(({ kind, name, namespace }) => (
      fieldAt(indexes[index].find(`/${kind ?? ''}`, namespace ?? namespaceOf(delivery), name), 'data'))));
    return sameValue(one.spec, other.spec) && sameValue(given[0], given[1]);
  };
}

/** Units of one key, each with that of the other state: the one of the same file, or else the only one that is left. */
function unitPairs([former = [], latter]: readonly (readonly BuildUnit[])[]): UnitPair[] {
  if (!latter) return former.map((unit) => ({ units: [unit] }));
  const left = new Map(groupedBy(unitKey, latter));
  const pairs = former.map((unit) => {
    const [other, ...others] = left.get(unitKey(unit)) ?? [];
    left.set(unitKey(unit), others);
    return [unit, other] as const;
  });
  const rest = [...left.values()].flat();
  const alone = pairs.filter(([, other]) => !other);
  if (alone.length === 1 && rest.length === 1) return pairs.map(([unit, other]) => ({ units: [unit, other ?? rest[0]] }));
  return [...pairs.map((units) => ({ units })), ...rest.map((unit) => ({ units: [undefined, unit] }))];
}

/** The pairs whose deliveries are as they will be: none is in a file that another pair builds from, or that such a delivery applies. */
function readyPairs(pairs: readonly UnitPair[], states: readonly Units[]): readonly UnitPair[] {
  const reading = states.map((_, index) => {
    const all = pairs.flatMap(({ units }) => [...units[index]?.paths ?? []].map((file) => ({ file, unit: units[index]! })));
    return groupedBy(({ file }) => file, all);
  });
  const waits = (unit: BuildUnit, index: number) => {
    const files = new Set(unit.origins);
    for (const file of files) {
      if (reading[index].get(file)?.some((other) => other.unit !== unit)) return true;
      states[index].kustomizations.originsOf(file).forEach((origin) => files.add(origin));
    }
    return false;
  };
  const ready = pairs.filter(({ units }) => !units.some((unit, index) => unit && waits(unit, index)));
  // Deliveries may apply each other.
  return ready.length > 0 ? ready : pairs;
}

/** A pair whose later chart is the former one, where the delivery keeps that. */
function withKeptChart(pair: UnitPair, { err }: Surroundings): UnitPair {
  const [one, other] = pair.units;
  if (!one || !other || !isChart(one) || !isChart(other) || sameContent(one.chart, other.chart)) return pair;
  const kept = keptChart(one, other);
  if (!kept) return pair;
  const name = `${String(other.delivery.kind)} ${nameOf(other.delivery)}`;
  err(`note: ${path.dirname(other.file)} differs, and has the same version: ${name} keeps the chart that it has until the version in Chart.yaml changes\n`);
  return { ...pair, units: [one, kept] };
}

/**
 * Files of units that may differ in no file that is read: what a delivery adds to a folder, or the values of a chart that installs in the management
 * cluster, such as clusters.
 */
function unshownUnits({ units }: UnitPair): (readonly [file: string, what: string])[] {
  const [one, other] = units;
  if (one && other && isChart(one) && isChart(other)) {
    return sameContent(one.chart, other.chart) && deliveryPlace(other.delivery) === AddonPlace.MANAGEMENT ? [[other.file, 'chart']] : [];
  }
  return units.flatMap((unit) => (unit?.delivery && !isChart(unit) ? [[unit.file, `folder that ${String(unit.delivery.kind)} ${nameOf(unit.delivery)} adds to`] as const] : []));
}

function isSame(one: BuildUnit, other: BuildUnit): boolean {
  if (isChart(one) || isChart(other)) return isChart(one) && isChart(other) && sameChart(one, other);
  return sameUnit(one, other);
}

async function buildAll(
  pairs: readonly UnitPair[], states: readonly ReadState[],
  { unbuilt, failing, origins }: { readonly unbuilt: Map<string, string>; readonly failing: Map<string, string>; readonly origins: boolean },
  surroundings: Surroundings,
): Promise<readonly BuiltPair[]> {
  const foreign = foreignFolders(states, surroundings.cwd);
  const limit = new TimeLimit();
  const builders = { build: kustomizeBuilder(foreign, surroundings, origins, limit), render: chartRenderer(foreign, surroundings, limit) };
  const answers = await inTurn(pairs, async ({ units }) => builtPair(units, builders, origins), (count) => (
    surroundings.progress?.at('Building', count, pairs.length)));
  return pairs.flatMap((pair, at) => {
    const former = origins ? undefined : formerBuild(answers[at]);
    if (former) {
      failing.set(pair.units[1]!.file, answers[at][1]!.error);
      const files = pair.units.map((unit, index) => unit && { file: path.join(states[index].state.root, unit.file), bytes: former });
      return [{ ...pair, pair, files }];
    }
    // The later state tells more than the former one.
    const fault = [...answers[at]].reverse().find((answer) => answer !== undefined && answer.output === undefined);
    if (fault) {
      setUnbuilt(pair, fault.error, unbuilt);
      return [];
    }
    const files = answers[at].map((answer, index) => (
      answer?.output && { file: path.join(states[index].state.root, pair.units[index]!.file), bytes: answer.output }));
    return [{ ...pair, pair, files }];
  });
}

function setUnbuilt({ units }: UnitPair, reason: string | undefined, unbuilt: Map<string, string>): void {
  for (const file of units.flatMap((unit) => (unit ? [...unit.paths, unit.file] : []))) unbuilt.set(file, `not built: ${reason}`);
}

/** The former output of a build that fails from now on: what applies it changes nothing then. */
function formerBuild(answers: readonly (ProgramAnswer | undefined)[]): Buffer | undefined {
  const [was, is] = answers;
  return answers.length === 2 && is?.isRefused === true && (was === undefined || was.output) ? was?.output ?? Buffer.alloc(0) : undefined;
}

/** Folders whose programs are not run. */
function foreignFolders(states: readonly ReadState[], cwd: string): string[] {
  const top = placeInWorkTree(cwd)?.top;
  return [...top === undefined ? [] : [top], ...states.map(({ state }) => path.resolve(cwd, state.root))];
}

/** Works on some of a list at a time. */
async function inTurn<T, U>(list: readonly T[], work: (one: T) => Promise<U>, onStart: (count: number) => void): Promise<readonly U[]> {
  const done: U[] = [];
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const index = next++;
      onStart(next);
      done[index] = await work(list[index]);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return done;
}

/** A state with what was built in place of what it was built from. */
function withBuilt(
  { state, files, leftOut, broken, built: earlier }: ReadState, units: readonly Units[], built: readonly BuiltPair[], index: number,
  { read, isFailed }: { readonly read: Read; readonly isFailed: (file: string) => boolean },
): ReadState {
  const own = built.flatMap((pair) => (pair.units[index] ? [{ unit: pair.units[index], file: pair.files[index]! }] : []));
  const ofOwn = new Set(own.map(({ unit }) => unitKey(unit)));
  const kustomized = own.flatMap(({ unit }) => (isChart(unit) ? [] : [unit]));
  const besides = new Set([
    ...units[index].kustomizations.besides(new Set(kustomized), new Set(own.flatMap(({ unit }) => (unit.delivery ? [unit.delivery] : [])))),
    ...units[index].all.filter((unit) => isChart(unit) && !ofOwn.has(unitKey(unit))).flatMap(({ paths }) => [...paths]),
  ]);
  const consumed = new Set(own.flatMap(({ unit }) => [...unit.paths]).filter((file) => !besides.has(file) && !isFailed(file)));
  // Files that the other state alone reads are nothing in this one.
  const used = new Set(units[index].all.flatMap(({ paths }) => [...paths]));
  for (const unit of built.flatMap(({ units: pair }) => pair.filter((other, at) => other !== undefined && at !== index)) as readonly BuildUnit[]) {
    for (const file of unit.paths) if (!used.has(file) && (isChart(unit) || units[index].kustomizations.leavesOut(file))) consumed.add(file);
  }
  // Patches that nothing lists are left out, also when the kustomizations that do not list them are built.
  for (const { file } of files) {
    const at = pathWithin(state, file);
    if (isPatchFile(at) && units[index].kustomizations.leavesOut(at)) consumed.add(at);
  }
  const isLeft = ({ file }: { readonly file: string }) => !consumed.has(pathWithin(state, file));
  const left = [...files.filter(isLeft), ...own.map(({ file }) => file)];
  const found = read(leftOut ? left.filter((file) => !leftOut.has(file)) : left, left);
  const stillBuilt = (state.kustomizations ?? []).filter((one) => one.isBuilt && isLeft(one));
  const builtNow = own.filter(({ unit }) => !unit.delivery).map(({ file }) => ({ file: file.file, value: {}, isPlain: true, isBuilt: true }));
  const builtFor = own.flatMap(({ unit: { delivery, file, folder, origins } }) => (
    delivery ? [[file, { key: objectKey(delivery), path: origins[0], folder }] as const] : []));
  // A delivery that applies its own folder is in its own build.
  const moved = ([file, one]: readonly [string, BuiltDelivery]) => {
    const into = consumed.has(one.path) ? own.filter(({ unit }) => unit.paths.has(one.path)).map(({ unit }) => unit.file) : [];
    return [file, into.length === 0 ? one : { ...one, path: into.includes(file) ? file : into[0] }] as const;
  };
  const allBuilt = new Map([...earlier ?? [], ...own.map(({ unit, file }) => [file.file, unit] as const)]);
  const next = {
    ...state,
    ...found,
    ...(state.files && { files: left.map(({ file }) => file) }),
    unread: [...found.unread, ...broken.filter(isLeft), ...unfetched(allBuilt.values(), state.root)],
    kustomizations: [...found.kustomizations, ...stillBuilt, ...builtNow],
    inputs: new Map([...state.inputs ?? []].filter(([file]) => !consumed.has(file))),
    builtFor: new Map([...state.builtFor ?? [], ...builtFor].map(moved)),
    leftOut: new Set([...state.leftOut ?? [], ...units[index].kustomizations.leftOutFiles]),
  };
  return {
    files: left,
    leftOut,
    broken,
    built: allBuilt,
    state: { ...next, objects: filledDeliveries(next) },
  };
}
