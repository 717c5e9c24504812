import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { askCredentialHelper } from './credential-helper';
import { CredentialStore, Credentials } from './credentials';
import { DOCKER_HUB_HOST } from './image-location';

interface ConfigFile {
  readonly auths?: { readonly [server: string]: unknown };
  readonly credHelpers?: { readonly [server: string]: unknown };
  readonly credsStore?: unknown;
}

const DOCKER_HUB_SERVER = 'https://index.docker.io/v1/';
const DOCKER_HUB_SERVERS: readonly string[] = [DOCKER_HUB_SERVER, 'index.docker.io', 'docker.io', DOCKER_HUB_HOST];

/**
 * The credentials that `docker login` keeps: `config.json` in `$DOCKER_CONFIG`, else in `~/.docker`, with its `credHelpers`, `credsStore`
 * and `auths`, asked in this order (docker/cli cli/config/configfile/file.go).
 */
export class DockerConfig implements CredentialStore {
  public readonly description: string;
  private readonly file: string;
  private config: ConfigFile | undefined;

  /**
   * @param env environment variables
   */
  public constructor(private readonly env: NodeJS.ProcessEnv) {
    this.file = path.join(env.DOCKER_CONFIG || path.join(env.HOME || os.homedir(), '.docker'), 'config.json');
    this.description = this.file;
  }

  public async find(host: string): Promise<Credentials | undefined> {
    this.config ??= readConfig(this.file);
    const { auths = {}, credHelpers = {}, credsStore } = this.config;
    const servers = host === DOCKER_HUB_HOST ? DOCKER_HUB_SERVERS : [host];
    const server = keyFor(credHelpers, servers);
    const helper = server === undefined ? credsStore : credHelpers[server];
    if (typeof helper === 'string' && helper !== '') {
      const found = await askCredentialHelper(helper, server ?? servers[0], this.env);
      if (found) return found;
    }
    const key = keyFor(auths, servers);
    return key === undefined ? undefined : credentialsOf(auths[key]);
  }
}

function readConfig(file: string): ConfigFile {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // The parser's message would quote the text around the fault, which may be a password.
  }
  throw new Error(`${file} is not JSON`);
}

/** The key that is meant for one of these servers: as it is, or without scheme and path, as Docker compares. */
function keyFor(entries: { readonly [server: string]: unknown }, servers: readonly string[]): string | undefined {
  const keys = Object.keys(entries).sort();
  return servers.find((server) => keys.includes(server)) ?? keys.find((key) => servers.includes(hostOf(key)));
}

function hostOf(key: string): string {
  return key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
}

function credentialsOf(entry: unknown): Credentials | undefined {
  const { auth, username, password, identitytoken, registrytoken } = (entry ?? {}) as { [key: string]: unknown };
  if (isText(registrytoken)) return { bearerToken: registrytoken };
  if (isText(identitytoken)) return { identityToken: identitytoken };
  if (isText(username) && isText(password)) return { username, password };
  if (!isText(auth)) return undefined;
  // The password may hold colons. Some programs pad it with zero bytes.
  const [, user, secret] = /^([^:]*):([\s\S]*?)\0*$/.exec(Buffer.from(auth, 'base64').toString('utf8')) ?? [];
  return user === undefined ? undefined : { username: user, password: secret };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
