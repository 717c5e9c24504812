import { execFile } from 'node:child_process';

/** More than pacmak, pip and Go print together. */
const LONGEST_OUTPUT = 64 * 1024 ** 2;

/** Output and exit code of a program. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, beside others. */
export function runToEnd(program: string, args: readonly string[], cwd: string, env: { readonly [name: string]: string } = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, encoding: 'utf8', maxBuffer: LONGEST_OUTPUT, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      // A text is the code of an error of the system: the program was not started.
      if (typeof error?.code === 'string') reject(error);
      else resolve({ code: error ? error.code ?? 1 : 0, stdout, stderr });
    });
  });
}

/** Runs a program, and shows what it printed only when it fails. */
export async function run(program: string, args: readonly string[], cwd: string, env: { readonly [name: string]: string } = {}): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(program, args, cwd, env);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed in ${cwd}\n${stdout}${stderr}`);
  return stdout;
}
