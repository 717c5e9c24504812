import { IConstruct } from 'constructs';
import { ImageSources } from './image-sources';

const USAGE = Symbol.for('cdk8s-cluster-api.ImageSourceUsage');

/**
 * What of image sources is used in an app. They may be given to several clusters, and an entry is of use when one of these needs it, so
 * that only the last one to be looked at can tell which entries are of none.
 */
export class SourceUsage {
  /** The usage of image sources in the app around a construct; the same one for every call. */
  public static of(scope: IConstruct, sources: ImageSources): SourceUsage {
    const root = scope.node.root as IConstruct & { [USAGE]?: Map<ImageSources, SourceUsage> };
    if (!root[USAGE]) Object.defineProperty(root, USAGE, { value: new Map<ImageSources, SourceUsage>() });
    const usages = root[USAGE]!;
    const found = usages.get(sources) ?? new SourceUsage(sources);
    usages.set(sources, found);
    return found;
  }

  private readonly users = new Set<object>();
  private readonly seen = new Set<object>();
  private readonly used = new Set<string>();

  private constructor(private readonly sources: ImageSources) {}

  /** Adds somebody who was given the sources; says whether he is the first. */
  public add(user: object): boolean {
    this.users.add(user);
    return this.users.size === 1;
  }

  /** Notes that an entry is used: an override or a mirror, by its key. */
  public use(kind: 'override' | 'mirror', key: string | undefined): void {
    if (key !== undefined) this.used.add(`${kind} ${key}`);
  }

  /**
   * Says that somebody has been looked at completely.
   *
   * @returns the entries that nobody uses, once all have been looked at
   */
  public complete(user: object): { readonly overrides: string[]; readonly mirrors: string[] } {
    this.seen.add(user);
    if (this.seen.size < this.users.size) return { overrides: [], mirrors: [] };
    // The next look at the app begins anew.
    this.seen.clear();
    return {
      overrides: this.sources._overrideKeys.filter((key) => !this.used.has(`override ${key}`)),
      mirrors: this.sources._mirrorKeys.filter((key) => !this.used.has(`mirror ${key}`)),
    };
  }
}
