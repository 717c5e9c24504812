import { IConstruct } from 'constructs';
import { ImageSources } from './image-sources';
import { AppSlot } from '../app/app-state';

/**
 * Tracks the used entries of image sources in an app. Several clusters may share the sources, so unused entries are known only after the
 * last cluster is checked.
 */
export class SourceUsage {
  /** The usage of image sources in the app around a construct; the same one for every call. */
  public static of(scope: IConstruct, sources: ImageSources): SourceUsage {
    const usages = USAGE.of(scope);
    const found = usages.get(sources) ?? new SourceUsage(sources);
    usages.set(sources, found);
    return found;
  }

  private readonly users = new Set<object>();
  private readonly seen = new Set<object>();
  private readonly used = new Set<string>();

  private constructor(private readonly sources: ImageSources) {}

  /** Adds a user of the sources; returns true for the first user. */
  public add(user: object): boolean {
    this.users.add(user);
    return this.users.size === 1;
  }

  /** Records a used entry: an override or a mirror, by its key. */
  public use(kind: 'override' | 'mirror', key: string | undefined): void {
    if (key !== undefined) this.used.add(`${kind} ${key}`);
  }

  /**
   * Marks a user as completely checked.
   *
   * @returns the unused entries, once all users are checked
   */
  public complete(user: object): { readonly overrides: string[]; readonly mirrors: string[] } {
    this.seen.add(user);
    if (this.seen.size < this.users.size) return { overrides: [], mirrors: [] };
    // The next check of the app starts again.
    this.seen.clear();
    return {
      overrides: this.sources._resolver.overrideKeys.filter((key) => !this.used.has(`override ${key}`)),
      mirrors: this.sources._resolver.mirrorKeys.filter((key) => !this.used.has(`mirror ${key}`)),
    };
  }
}

const USAGE = new AppSlot('ImageSourceUsage', () => new Map<ImageSources, SourceUsage>());
