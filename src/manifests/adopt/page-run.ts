import { PageTarget, TenantPage } from './tenant-page';
import { ManifestObject } from '../objects/manifest-object';

/** An object that a page makes. */
export interface MadeObject {
  /** Names of the constructs from the cluster downwards. */
  readonly path: readonly string[];
  readonly object: ManifestObject;
}

/** A reason that synthesis of a page fails. */
export interface PageProblem {
  /** Id of the rule. */
  readonly rule: string;
  readonly text: string;

  /** True for rules over manifests, which can be silenced. */
  readonly canBeSilenced: boolean;

  /** The construct that reports it, from the cluster downwards. */
  readonly path: readonly string[];
}

/** A page that was run. */
export interface PageRun {
  /** All objects. */
  readonly objects: readonly MadeObject[];

  /** The object at a place of the page; undefined if the page makes none there. */
  objectAt(target: PageTarget): ManifestObject | undefined;

  /** Names of the constructs of the object at a place of the page. */
  pathOf(target: PageTarget): readonly string[] | undefined;

  /** The problems of synthesis. */
  problems(): readonly PageProblem[];
}

/** Runs pages with the library. */
export interface PageRunner {
  /**
   * Runs a page.
   *
   * @param page the page
   * @param files files of the app that it reads, by their paths
   * @throws Error if the library refuses an argument
   */
  run(page: TenantPage, files: ReadonlyMap<string, string>): PageRun;
}
