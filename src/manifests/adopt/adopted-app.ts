import { CarriedFile, carriedFiles } from './carried-files';
import { ClusterParts, findClusters, objectId, Obstacle } from './cluster-parts';
import { InputObjects, LeftObject } from './input-objects';
import { PageProblem, PageRunner } from './page-run';
import { SolvedPage, solvePage } from './solved-page';
import { ReadObject } from '../landscape/placed-objects';
import { ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';

/** An app as a whole, when it is run. */
export interface AppRun {
  readonly objects: readonly ManifestObject[];

  /** The problems of synthesis. */
  readonly problems: readonly PageProblem[];
}

/** Runs whole apps. */
export interface AppRunner extends PageRunner {
  /**
   * Runs an app.
   *
   * @param pages its clusters
   * @param carried its other manifests
   */
  runApp(pages: readonly SolvedPage[], carried: readonly CarriedFile[]): AppRun;
}

/** An app that makes the objects of the input again. */
export interface AdoptedApp {
  readonly pages: readonly SolvedPage[];
  readonly carried: readonly CarriedFile[];
  readonly left: readonly LeftObject[];

  /** Clusters and pools that no page makes. */
  readonly obstacles: readonly Obstacle[];

  /** Problems that are silenced. */
  readonly silenced: readonly PageProblem[];

  /** Problems with which synthesis of the app fails. */
  readonly refused: readonly PageProblem[];

  /** Objects of the app. */
  readonly made: readonly ManifestObject[];
}

/**
 * Writes an app for the objects of the input: pages of clusters, and what is taken along.
 *
 * @param input the objects
 * @param pathOf the path of a file below the folder that was read
 * @param runner runs pages and apps
 * @param onSolved is called after each cluster
 */
export function adoptedApp(
  input: InputObjects, pathOf: (file: string) => string, runner: AppRunner, onSolved?: (done: number, total: number) => void,
): AdoptedApp {
  const objects = input.objects.map(({ object }) => object);
  const index = new ManifestIndex(objects);
  const found = findClusters(objects);
  const obstacles = [...found.obstacles];
  const pages: SolvedPage[] = [];
  found.clusters.forEach((parts: ClusterParts, done) => {
    onSolved?.(done, found.clusters.length);
    const solved = solvePage(parts, index, runner);
    if (typeof solved === 'string') obstacles.push({ object: parts.cluster, reason: solved });
    else pages.push(solved);
  });
  return withCarried({ pages, obstacles, left: input.left }, input.objects, pathOf, runner);
}

type Paged = Pick<AdoptedApp, 'pages' | 'obstacles' | 'left'>;

/** Takes other objects along, as far as synthesis writes them beside the pages, and clusters whose page it refuses beside the others. */
function withCarried(app: Paged, reads: readonly ReadObject[], pathOf: (file: string) => string, runner: AppRunner): AdoptedApp {
  let current = app;
  for (;;) {
    const paged = new Set(current.pages.flatMap((page) => page.objects.map(({ object }) => objectId(object))));
    // By identity: a duplicate that is left has the id of the object that the app makes.
    const left = new Set(current.left.map(({ read }) => read));
    const carried = carriedFiles(reads.filter((read) => !paged.has(objectId(read.object)) && !left.has(read)), pathOf);
    const { problems, objects } = runner.runApp(current.pages, carried);
    const refused = problems.filter(({ canBeSilenced }) => !canBeSilenced);
    const next = withoutRefused(current, carried, refused);
    if (!next) return { ...current, carried, refused, silenced: problems.filter(({ canBeSilenced }) => canBeSilenced), made: objects };
    current = next;
  }
}

/** The app without what problems are about that cannot be silenced; undefined if they are about none of its parts. */
function withoutRefused(app: Paged, carried: readonly CarriedFile[], refused: readonly PageProblem[]): Paged | undefined {
  const objects = refusedObjects(refused, carried);
  const pages = app.pages.flatMap((page) => {
    const problem = refused.find(({ path }) => path[0] === page.page.id);
    return problem ? [{ page, reason: `breaks a rule of the library beside the others: ${problem.text}` }] : [];
  });
  if (objects.size === 0 && pages.length === 0) return undefined;
  return {
    pages: app.pages.filter((page) => !pages.some((one) => one.page === page)),
    obstacles: [...app.obstacles, ...pages.map(({ page, reason }) => ({ object: page.parts.cluster, reason }))],
    left: [...app.left, ...[...objects].map(([read, reason]) => ({ read, reason }))],
  };
}

/** The objects that problems are about: one of a file, or all of it. */
function refusedObjects(problems: readonly PageProblem[], carried: readonly CarriedFile[]): ReadonlyMap<ReadObject, string> {
  return new Map(problems.flatMap(({ path, text }) => {
    const reads = carried.find(({ id }) => id === path[0])?.reads ?? [];
    const own = path.length === 1 ? reads : reads.filter(({ object }) => path.at(-1) === chartObjectId(object));
    return own.map((read) => [read, `cannot be a part of an app: ${text}`] as const);
  }));
}

/** The construct id of an object of a file. */
function chartObjectId({ apiVersion, kind, metadata }: ManifestObject): string {
  const { namespace, name } = (metadata ?? {}) as { readonly namespace?: string; readonly name?: string };
  return [apiVersion, kind, namespace, name].filter((part) => part).join('/').replaceAll('/', ' ');
}
