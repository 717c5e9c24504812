import { execFile } from 'node:child_process';
import { Credentials } from './credentials';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const PATIENCE = 30_000;
const NOT_FOUND = 'credentials not found in native keychain';
// Stands for the user where the secret is an identity token (docker/cli cli/config/credentials/native_store.go).
const TOKEN_USER = '<token>';

/**
 * Asks a program `docker-credential-<name>` for credentials (docker/docker-credential-helpers credentials/credentials.go: the server on
 * standard input, JSON on standard output).
 *
 * @returns the credentials, or undefined if the program has none for the server
 */
export async function askCredentialHelper(name: string, server: string, env: NodeJS.ProcessEnv): Promise<Credentials | undefined> {
  if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a credential helper`);
  const program = `docker-credential-${name}`;
  const answer = await run(program, server, env);
  if (answer === undefined) return undefined;
  let parsed: { Username?: unknown; Secret?: unknown } | null;
  try {
    parsed = JSON.parse(answer) as typeof parsed;
  } catch {
    throw new Error(`${program} gave no JSON`);
  }
  const { Username: username, Secret: secret } = parsed ?? {};
  if (typeof username !== 'string' || typeof secret !== 'string') throw new Error(`${program} gave no user and secret`);
  if (username === TOKEN_USER) return { identityToken: secret };
  return username === '' && secret === '' ? undefined : { username, password: secret };
}

function run(program: string, server: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, ['get'], { env, timeout: PATIENCE, encoding: 'utf8' }, (error, stdout) => {
      if (!error) resolve(stdout);
      else if (stdout.includes(NOT_FOUND)) resolve(undefined);
      else if (error.code === 'ENOENT') reject(new Error(`there is no program ${program}`));
      // What it printed may hold secrets, so it is not shown.
      else reject(new Error(`${program} failed${typeof error.code === 'number' ? ` with status ${error.code}` : ''}`));
    });
    // A program that ends without reading breaks the pipe; its status says what happened.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(server);
  });
}
