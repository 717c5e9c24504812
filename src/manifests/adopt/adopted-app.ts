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
  const paged = new Set(pages.flatMap((page) => page.objects.map(({ object }) => objectId(object))));
  return withCarried({ pages, obstacles, left: input.left }, input.objects.filter(({ object }) => !paged.has(objectId(object))), pathOf, runner);
}

type Paged = Pick<AdoptedApp, 'pages' | 'obstacles' | 'left'>;

const MOST_TRIES = 3;

/** Takes other objects along, as far as synthesis writes them. */
function withCarried(app: Paged, reads: readonly ReadObject[], pathOf: (file: string) => string, runner: AppRunner): AdoptedApp {
  let [rest, left] = [reads, app.left];
  for (let tries = 1; ; tries++) {
    const carried = carriedFiles(rest, pathOf);
    const { problems, objects } = runner.runApp(app.pages, carried);
    const refused = problems.filter(({ canBeSilenced }) => !canBeSilenced);
    const named = refusedObjects(refused, rest);
    if (named.size === 0 || tries === MOST_TRIES) {
      return { ...app, left, carried, silenced: problems.filter(({ canBeSilenced }) => canBeSilenced), made: objects };
    }
    left = [...left, ...[...named].map(([read, reason]) => ({ read, reason }))];
    rest = rest.filter((read) => !named.has(read));
  }
}

/** The objects that problems are about, which cannot be silenced. */
function refusedObjects(problems: readonly PageProblem[], reads: readonly ReadObject[]): ReadonlyMap<ReadObject, string> {
  return new Map(problems.flatMap(({ path, text }) => {
    const read = reads.find(({ object }) => path.at(-1) === chartObjectId(object));
    return read ? [[read, `cannot be a part of an app: ${text}`] as const] : [];
  }));
}

/** The construct id of an object of a file. */
function chartObjectId({ apiVersion, kind, metadata }: ManifestObject): string {
  const { namespace, name } = (metadata ?? {}) as { readonly namespace?: string; readonly name?: string };
  return [apiVersion, kind, namespace, name].filter((part) => part).join('/').replaceAll('/', ' ');
}
