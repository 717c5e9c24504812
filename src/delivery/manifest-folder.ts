import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ClusterContext } from '../cluster-context';

const FOLDERS = Symbol.for('cdk8s-cluster-api.ManifestFolders');

/** The manifests of an app that deliveries read from files, by folder below the app's output. */
export class ManifestFolders {
  /** Those of the app around a construct; the same ones for every call. */
  public static of(scope: IConstruct): ManifestFolders {
    const root = scope.node.root as IConstruct & { [FOLDERS]?: ManifestFolders };
    if (!root[FOLDERS]) Object.defineProperty(root, FOLDERS, { value: new ManifestFolders() });
    return root[FOLDERS]!;
  }

  /** Whether the app writes the files. */
  public written = false;

  private readonly charts = new Map<string, Chart>();

  private constructor() {}

  /** Says where the manifests of a chart are to be written. */
  public assign(folder: string, chart: Chart): void {
    this.charts.set(folder, chart);
  }

  /** Folder and chart of everything that is to be written, by folder. */
  public get all(): [folder: string, chart: Chart][] {
    return [...this.charts].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

/** Folder, below the app's output, of what is delivered to a cluster under a name: clusters that share a delivery do not share folders. */
export function clusterFolder({ namespace, name }: ClusterContext, delivery: string): string {
  return [namespace, name, delivery].join('/');
}

/** A folder below the app's output as a path of the source that the output is in. */
export function pathInSource(output: string, folder: string): string {
  return [...output.split('/').filter((part) => part !== '' && part !== '.'), folder].join('/');
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
