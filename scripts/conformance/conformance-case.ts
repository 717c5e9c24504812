import { ManifestObject } from '../../src/manifests/objects/manifest-object';

/** What a case comes from. */
export type CaseOrigin = 'rule' | 'transition' | 'mutation';

/** What somebody asks a server to do, which both the server and the rules judge. */
export interface ConformanceCase {
  /** Names the case, e.g. `example-vultr:17`: `--only` takes it. */
  readonly id: string;

  readonly origin: CaseOrigin;

  /** Id of the rule, or name of the golden file: the row of the tables. */
  readonly row: string;

  /** What was done to the object. */
  readonly words: string;

  /** What the server has to say; undefined where nobody knows beforehand. */
  readonly expected?: 'refused' | 'accepted';

  /** Objects that the server has to hold while it judges, because a webhook looks them up. */
  readonly set: readonly ManifestObject[];

  /** What is there, for an update. */
  readonly before?: string;

  /** The manifest as JSON, which may be broken. */
  readonly text: string;

  /** Everything that was there, and is written, besides the object: references are looked up among these. */
  readonly aroundBefore?: readonly ManifestObject[];
  readonly around: readonly ManifestObject[];
}
