import { IConstruct } from 'constructs';
import { OutputFolder } from './output-place';

const SHARE = Symbol.for('cdk8s-cluster-api.Share');

/** Files of a cluster, or its folder. Names of clusters have no dots, which lists beside such folders have. */
const OF_CLUSTER = /^(clusters\/([^/]+)\/([^/.]+))(?:\/|$)/;

/** One of several parts that an app is divided into, cluster by cluster. */
export interface Part {
  /** Whether it has what is about no single cluster. */
  readonly _isFirst: boolean;

  /** Whether it has a cluster. */
  _has(namespace: string, name: string): boolean;
}

/** What of an app this process writes: everything, unless somebody says that it is a part. */
export class Share {
  /** That of the app around a construct; the same one for every call. */
  public static of(scope: IConstruct): Share {
    const root = scope.node.root as IConstruct & { [SHARE]?: Share };
    if (!root[SHARE]) Object.defineProperty(root, SHARE, { value: new Share() });
    return root[SHARE]!;
  }

  private part?: Part;

  /** Folders where one would look for a tenant cluster, and that others have. */
  private readonly common = new Set<string>();

  private constructor() {}

  /** Says that this process writes a part. */
  public limit(part: Part): void {
    this.part = part;
  }

  /** Whether this process writes everything. Otherwise what it does not find may be where it does not look. */
  public get isWhole(): boolean {
    return this.part === undefined;
  }

  /** Whether all clusters are built here. */
  public get knowsAll(): boolean {
    return this.part === undefined || this.part._isFirst;
  }

  /** Whether a tenant cluster is written here. */
  public has({ namespace, name }: { readonly namespace: string; readonly name: string }): boolean {
    return this.part === undefined || this.part._has(namespace, name);
  }

  /**
   * Whether a tenant cluster has to be built here. Whoever has what is about no single cluster needs all of them: some of that is made from
   * what they are, and some checks look at all.
   */
  public builds(namespace: string, name: string): boolean {
    return this.knowsAll || this.has({ namespace, name });
  }

  /** Says of a folder that is in use what it is about. */
  public declare({ path, tenant }: OutputFolder): void {
    if (!tenant) this.common.add(path);
  }

  /**
   * Whether something is written here.
   *
   * @param path a file or folder of the output
   */
  public writes(path: string): boolean {
    if (this.part === undefined) return true;
    const [, folder, namespace, name] = OF_CLUSTER.exec(path) ?? [];
    return folder === undefined || this.common.has(folder) ? this.part._isFirst : this.part._has(namespace, name);
  }
}
