import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

/** Result of a script, with the calls of the programs that took the place of real ones. */
export interface ScriptRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: string[];
}

/** A folder for each test of a suite, in which scripts run with other programs than the machine's. */
export class ScriptFolder {
  private folder = '';

  public constructor() {
    beforeEach(() => {
      this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'script-'));
    });
    afterEach(() => fs.rmSync(this.folder, { recursive: true, force: true }));
  }

  /** The path of a file or folder in it. */
  public path(...names: string[]): string {
    return path.join(this.folder, ...names);
  }

  /** Writes a file, and its folder if there is none. */
  public put(file: string, text: string, mode = 0o644): string {
    fs.mkdirSync(path.dirname(this.path(file)), { recursive: true });
    fs.writeFileSync(this.path(file), text, { mode });
    return this.path(file);
  }

  /** The permissions of a file, in octal digits. */
  public mode(file: string): string {
    return (fs.statSync(this.path(file)).mode % 0o1000).toString(8);
  }

  /** Runs a script with programs, given as shell text, in place of real ones; each records its calls. */
  public run(script: string, programs: { readonly [name: string]: string } = {}, args: readonly string[] = []): ScriptRun {
    const log = this.put('log', '');
    for (const [name, text] of Object.entries(programs)) this.put(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >> ${log}\n${text}\n`, 0o755);
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'script', ...args], {
      encoding: 'utf8', env: { PATH: `${this.path('bin')}:${process.env.PATH}` }, timeout: 60_000,
    });
    return { status, stdout, stderr, calls: fs.readFileSync(log, 'utf8').trim().split('\n') };
  }
}
