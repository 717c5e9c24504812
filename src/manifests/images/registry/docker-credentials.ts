import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { parseObject } from './registry-request';

/** Credentials for a registry. An identity token gets access tokens from the registry's token server. */
export type Credentials = { readonly username: string; readonly password: string } | { readonly identityToken: string };

/** Host of Docker Hub's API, which image names call `docker.io` (moby/moby registry/config.go). */
export const DOCKER_HUB_API = 'registry-1.docker.io';

const DOCKER_HUB_SERVERS: readonly string[] = ['https://index.docker.io/v1/', 'index.docker.io', 'docker.io', DOCKER_HUB_API];
const HELPER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const HELPER_TIMEOUT_MILLISECONDS = 30_000;
// docker/docker-credential-helpers credentials/error.go
const NOT_FOUND = 'credentials not found in native keychain';
// The user name of an identity token (docker/cli cli/config/credentials/native_store.go).
const TOKEN_USER = '<token>';

interface Entries {
  readonly [server: string]: unknown;
}

/**
 * Finds the credentials that `docker login` stores: `config.json` in `$DOCKER_CONFIG` or `~/.docker`, with `credHelpers`, `credsStore` and
 * `auths`, in this order (docker/cli cli/config/configfile/file.go).
 *
 * @param host host of the registry's API, with its port
 * @param env environment variables
 * @returns the credentials, or undefined if there are none; rejects with a message without secrets if they cannot be read
 */
export async function findDockerCredentials(host: string, env: NodeJS.ProcessEnv): Promise<Credentials | undefined> {
  const { auths = {}, credHelpers = {}, credsStore } = readConfig(env);
  const servers = host === DOCKER_HUB_API ? DOCKER_HUB_SERVERS : [host];
  const server = keyOf(servers, credHelpers);
  const helper = server === undefined ? credsStore : credHelpers[server];
  if (typeof helper === 'string' && helper !== '') {
    const found = await askHelper(helper, server ?? servers[0], env);
    if (found) return found;
  }
  const key = keyOf(servers, auths);
  return key === undefined ? undefined : parseEntry(auths[key]);
}

function readConfig(env: NodeJS.ProcessEnv): { readonly auths?: Entries; readonly credHelpers?: Entries; readonly credsStore?: unknown } {
  const file = path.join(env.DOCKER_CONFIG || path.join(env.HOME || os.homedir(), '.docker'), 'config.json');
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read (${code})`);
  }
  const config = parseObject(text);
  if (config) return config;
  throw new Error(`${file} is not a JSON object`);
}

/** The key of a server: equal to it, or without scheme and path, as Docker compares. */
function keyOf(servers: readonly string[], entries: Entries): string | undefined {
  const keys = Object.keys(entries).sort();
  return servers.find((server) => keys.includes(server))
    ?? keys.find((key) => servers.includes(key.replace(/^https?:\/\//, '').replace(/\/.*$/, '')));
}

function parseEntry(entry: unknown): Credentials | undefined {
  const { auth, username, password, identitytoken } = (entry ?? {}) as { readonly [key: string]: unknown };
  if (isSet(identitytoken)) return { identityToken: identitytoken };
  if (isSet(username) && isSet(password)) return { username, password };
  // The password may contain colons, and some programs pad it with zero bytes.
  const match = isSet(auth) ? /^([^:]*):([\s\S]*?)\0*$/.exec(Buffer.from(auth, 'base64').toString('utf8')) : null;
  return match ? { username: match[1], password: match[2] } : undefined;
}

function isSet(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Runs `docker-credential-<name> get`: the server on standard input, JSON on standard output. */
async function askHelper(name: string, server: string, env: NodeJS.ProcessEnv): Promise<Credentials | undefined> {
  if (!HELPER_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a credential helper`);
  const program = `docker-credential-${name}`;
  const run = promisify(execFile)(program, ['get'], { env, encoding: 'utf8', timeout: HELPER_TIMEOUT_MILLISECONDS, killSignal: 'SIGKILL' });
  // A helper that exits without reading breaks the pipe; its exit code is reported below.
  run.child.stdin?.on('error', () => undefined).end(server);
  let stdout: string;
  try {
    ({ stdout } = await run);
  } catch (error) {
    const { code, stdout: output } = error as { readonly code?: unknown; readonly stdout?: string };
    if (output?.includes(NOT_FOUND)) return undefined;
    // The output may contain secrets.
    const exit = typeof code === 'number' ? ` with exit code ${code}` : '';
    throw new Error(code === 'ENOENT' ? `${program} is not installed` : `${program} failed${exit}`);
  }
  const { Username: username, Secret: secret } = parseObject(stdout) ?? {};
  if (typeof username !== 'string' || typeof secret !== 'string') throw new Error(`${program} did not print JSON with Username and Secret`);
  if (username === TOKEN_USER) return { identityToken: secret };
  return username === '' && secret === '' ? undefined : { username, password: secret };
}
