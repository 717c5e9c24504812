import { ManifestObject } from '../../src/manifests/objects/manifest-object';

/** Origin of a case. */
export type CaseOrigin = 'rule' | 'transition' | 'mutation';

/** A request to a server, which both the server and the rules judge. */
export interface ConformanceCase {
  /** Names the case, e.g. `example-vultr:17`: `--only` takes it. */
  readonly id: string;

  readonly origin: CaseOrigin;

  /** Id of the rule, or name of the golden file: the row of the tables. */
  readonly row: string;

  /** The change of the object, in words. */
  readonly words: string;

  /** The expected answer of the server; undefined where it is not known beforehand. */
  readonly expected?: 'refused' | 'accepted';

  /** Objects that the server has to hold while it judges, because a webhook looks them up. */
  readonly set: readonly ManifestObject[];

  /** The stored object, for an update. */
  readonly before?: string;

  /** The manifest as JSON, which may be broken. */
  readonly text: string;

  /** Everything that was there, and is written, besides the object: references are looked up among these. */
  readonly aroundBefore?: readonly ManifestObject[];
  readonly around: readonly ManifestObject[];
}
