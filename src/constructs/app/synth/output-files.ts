import { IConstruct } from 'constructs';

const FILES = Symbol.for('cdk8s-cluster-api.OutputFiles');

/** A file that is no manifest of the app itself. */
export interface OutputFile {
  /** Path below the app's output. */
  readonly path: string;
  readonly content: string;
  /** True if it is a program. */
  readonly executable?: boolean;
}

/** Files that constructs of an app want beside its manifests. */
export class OutputFiles {
  /** Those of the app around a construct; the same ones for every call. */
  public static of(scope: IConstruct): OutputFiles {
    const root = scope.node.root as IConstruct & { [FILES]?: OutputFiles };
    if (!root[FILES]) Object.defineProperty(root, FILES, { value: new OutputFiles() });
    return root[FILES]!;
  }

  /** Whether the app writes the files. */
  public written = false;

  private readonly makers: (() => readonly OutputFile[])[] = [];

  private constructor() {}

  /**
   * Adds files.
   *
   * @param make makes them, once the app is complete and nothing is wrong with it
   */
  public add(make: () => readonly OutputFile[]): void {
    this.makers.push(make);
  }

  /** True if there may be files. */
  public get expected(): boolean {
    return this.makers.length > 0;
  }

  /** Everything that is to be written, by path. */
  public get all(): OutputFile[] {
    return this.makers.flatMap((make) => make()).sort((one, other) => (one.path < other.path ? -1 : 1));
  }
}
