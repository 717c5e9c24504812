import sources from './sources.json';

/** One definition that is imported. */
export interface CrdPin {
  /** `metadata.name` of the definition. */
  readonly name: string;
  /**
   * The version that gets types.
   *
   * @default - none: the library makes no such object, and knows the definition to validate those of others
   */
  readonly version?: string;
  /** SHA-256 of the definition's `spec` as JSON with sorted keys and without white space. */
  readonly sha256: string;
}

/** A Go module of a project. */
export interface GoModule {
  /** Path of the module; its version is that of the source. */
  readonly path: string;
  /** Checksum of the module, as `go.sum` has it. */
  readonly sum: string;
}

/** The definitions of one release of a project. */
export interface CrdSource {
  /** `owner/name` on GitHub. */
  readonly project: string;
  /** The release, as it is tagged. */
  readonly version: string;
  /** Address of upstream's documentation. */
  readonly docs: string;
  /** Name of the file with these definitions in a local directory of definitions. */
  readonly file: string;
  /** Addresses of the definitions; empty when upstream publishes none. */
  readonly urls: readonly string[];
  /**
   * The Go module with the files of the URLs. They are taken from it, as it can be had in more places.
   *
   * @default - the URLs
   */
  readonly module?: GoModule;
  /**
   * Format of the files at the URLs: YAML documents, or a Go map whose values are YAML documents.
   *
   * @default 'yaml'
   */
  readonly format?: 'yaml' | 'go-string-map';
  /** Address of upstream's text where it is no definition that could be downloaded. */
  readonly upstreamUrl?: string;
  /**
   * True if the definitions become part of the package as they are, with their rules in CEL: the library has no rules of its own that say the same.
   *
   * @default false
   */
  readonly whole?: boolean;
  /**
   * True of definitions that no server of the suite has: they are loaded only to be compared with the package's, where they can be had.
   *
   * @default false
   */
  readonly unserved?: boolean;
  /** Peculiarity of this source. */
  readonly note?: string;
  /** The definitions. */
  readonly crds: readonly CrdPin[];
}

/** All sources of definitions, sorted by project. */
export const CRD_SOURCES = sources as readonly CrdSource[];
