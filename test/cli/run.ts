import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ExitCode } from '../../src/cli/command';
import { main } from '../../src/cli/main';

/** Exit code and output of a run of the program. */
export interface Run {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** A folder with files, in which the program runs. */
export class Workplace {
  public readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-'));

  /** The time in milliseconds since 1970 at which the program runs. */
  public now?: number;

  public write(files: { readonly [name: string]: string | Buffer }): void {
    for (const [name, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
      fs.writeFileSync(this.path(name), content);
    }
  }

  public read(name: string): string {
    return fs.readFileSync(this.path(name), 'utf8');
  }

  public path(name: string): string {
    return path.join(this.folder, name);
  }

  public async run(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Promise<Run> {
    let [out, err] = ['', ''];
    const { now } = this;
    const code = await main(args, {
      ...(now !== undefined && { now: () => now }),
      cwd: this.folder,
      env: { HOME: this.folder, ...env },
      readInput: async () => Buffer.from(input),
      out: (text) => { out += text; },
      err: (text) => { err += text; },
    });
    return { code, out, err };
  }

  public remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A Deployment with these images. */
export function deployment(name: string, ...images: string[]): string {
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'a' },
    spec: { template: { spec: { containers: images.map((image, index) => ({ name: `c${index}`, image })) } } },
  });
}
