import { IConstruct } from 'constructs';
import { AppSlot } from '../app-state';

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
  /** The files of the app around a construct; the same object for every call. */
  public static of(scope: IConstruct): OutputFiles {
    return FILES.of(scope);
  }

  /** True if the app writes the files. */
  public written = false;

  private readonly makers: (() => readonly OutputFile[])[] = [];

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

const FILES = new AppSlot('OutputFiles', () => new OutputFiles());
