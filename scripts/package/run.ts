import { execFileSync } from 'node:child_process';

/** Runs a program and shows what it printed only when it fails. */
export function run(program: string, args: readonly string[], cwd: string, env: { readonly [name: string]: string } = {}): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed in ${cwd}\n${stdout ?? ''}${stderr ?? ''}`);
  }
}
