import { execFileSync, spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** A version of Go as `go env GOVERSION` and `go.mod` write it: of `go1.26.3-X:something` what matters is 1.26. */
const VERSION = /^(?:go\s*)?(\d+)\.(\d+)/;

const LARGEST_OUTPUT = 64 * 1024 * 1024;

/**
 * Fault of the installed Go, in words; undefined if it can build the program.
 *
 * @param installed what `go env GOVERSION` prints; undefined if there is no Go
 * @param wanted text of go.mod
 */
export function goFault(installed: string | undefined, wanted: string): string | undefined {
  const [, line = ''] = /^go\s+(\S+)/m.exec(wanted) ?? [];
  const [, major, minor] = VERSION.exec(line) ?? [];
  const way = `install Go ${major}.${minor} or newer, and put it on the PATH: the API server and the webhooks are built from source`;
  if (installed === undefined) return `there is no program "go"; ${way}`;
  const [, ownMajor, ownMinor] = VERSION.exec(installed.trim()) ?? [];
  const isNew = Number(ownMajor) > Number(major) || (ownMajor === major && Number(ownMinor) >= Number(minor));
  return isNew ? undefined : `${installed.trim() || 'the program "go"'} is too old; ${way}`;
}

/** The program in a folder with a Go module: it is built before it runs, for `go run` passes no signals on. */
export class GoProgram {
  private readonly executable: string;

  /**
   * @param folder the folder of the module
   * @param name name of the executable
   * @param program the package in the module
   */
  public constructor(private readonly folder: string, name: string, private readonly program = '.') {
    this.executable = path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  }

  /** Builds the program. Throws an error that says what is missing. */
  public build(): void {
    const { stdout, error } = spawnSync('go', ['env', 'GOVERSION'], { cwd: this.folder, encoding: 'utf8' });
    const fault = goFault(error ? undefined : stdout, fs.readFileSync(path.join(this.folder, 'go.mod'), 'utf8'));
    if (fault !== undefined) throw new Error(fault);
    const { status } = spawnSync('go', ['build', '-o', this.executable, this.program], { cwd: this.folder, stdio: 'inherit' });
    if (status !== 0) throw new Error(`the program in ${this.folder} cannot be built`);
  }

  /** Asks a program that answers each line with a line, both a JSON value. */
  public ask<Answer>(questions: readonly unknown[], ...args: readonly string[]): Answer[] {
    const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
    const output = execFileSync(this.executable, args, { input, encoding: 'utf8', maxBuffer: LARGEST_OUTPUT });
    return output.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Answer);
  }

  /**
   * Runs the program, which writes to where this process does. Signals to end are passed on, and the program is waited for: it ends the
   * servers that it has started.
   *
   * @param args its arguments
   * @param onOutput called with what it prints, which is printed all the same
   * @returns its exit code
   */
  public async run(args: readonly string[], onOutput?: (text: string) => void): Promise<number> {
    const child = spawn(this.executable, args, { cwd: this.folder, stdio: ['inherit', onOutput === undefined ? 'inherit' : 'pipe', 'inherit'] });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      process.stdout.write(text);
      onOutput!(text);
    });
    const end = (): void => { child.kill('SIGTERM'); };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, end);
    try {
      return await new Promise<number>((resolve, reject) => {
        child.on('error', reject);
        child.on('close', (code) => resolve(code ?? 1));
      });
    } finally {
      for (const signal of signals) process.off(signal, end);
    }
  }
}
