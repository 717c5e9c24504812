import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { Problem } from '../../../manifests/values/problem';
import { AppSlot } from '../../app/app-state';
import { placeOf } from '../../app/synth/output-place';

/** Folder, in that of a cluster, of what deliveries read from the repository. */
export const DELIVERED = 'delivered';

/** Finds what is wrong with the path at which a GitOps tool reads the output from Git, which a property states. */
export type CheckOutputPath = (property: string, path: string) => Problem[];

/** The manifests of an app that deliveries read from files, by folder below the app's output. */
export class ManifestFolders {
  /** Folders of the app around a construct; the same ones for every call. */
  public static of(scope: IConstruct): ManifestFolders {
    return FOLDERS.of(scope);
  }

  /** True if the app writes the files. */
  public written = false;

  /** Set while the app is written. */
  public checkOutputPath?: CheckOutputPath;

  private readonly charts = new Map<string, Chart>();

  /** Sets the folder of the manifests of a chart. */
  public assign(folder: string, chart: Chart): void {
    this.charts.set(folder, chart);
  }

  /** Folder and chart of everything that is to be written, by folder. */
  public get all(): [folder: string, chart: Chart][] {
    return [...this.charts].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

const FOLDERS = new AppSlot('ManifestFolders', () => new ManifestFolders());

/**
 * Folder, below the app's output, of what is delivered to a cluster under a name: clusters that share a delivery do not share folders.
 *
 * @param scope the cluster, or a construct in it
 * @param delivery the name
 */
export function deliveredFolder(scope: IConstruct, delivery: string): string {
  return [placeOf(scope).folder.path, DELIVERED, delivery].join('/');
}

/**
 * Name of the file that holds the objects of a folder: a `Kustomization` of kustomize, which stands alone, has the one that Flux and
 * Argo CD look for.
 *
 * @param objects everything in the folder
 */
export function manifestFile(objects: readonly ApiObject[]): string {
  return objects.some(isKustomization) ? 'kustomization.yaml' : 'manifests.yaml';
}

function isKustomization({ apiGroup, kind }: ApiObject): boolean {
  return apiGroup === 'kustomize.config.k8s.io' && kind === 'Kustomization';
}

/** A folder below the app's output as a path of the source that the output is in. */
export function pathInSource(output: string, folder: string): string {
  return [plainPath(output), folder].filter((part) => part !== '').join('/');
}

/** A path inside a repository in its one form: `./charts/` is `charts`. */
export function plainPath(path: string): string {
  return path.split('/').filter((part) => part !== '' && part !== '.').join('/');
}

/**
 * Checks a path inside a repository.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkPath(path: string): string | undefined {
  if (path.split('/').includes('..')) return `${JSON.stringify(path)} leaves the repository`;
  return /^[A-Za-z0-9._/-]*$/.test(path) ? undefined : `${JSON.stringify(path)} has characters other than letters, digits, ".", "_", "-" and "/"`;
}
