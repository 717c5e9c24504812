import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { nodeCrypto } from '../../values/node-crypto';
import { printable } from '../../values/printable';
import { ImageName, parseImageName } from '../image-lock-file';

/** Limits of HTTP requests. */
interface HttpOptions {
  /** Seconds that a request may take, including its body. */
  readonly timeoutSeconds: number;

  /** Milliseconds before the first retry; doubled for each further one. */
  readonly backoffMilliseconds: number;

  /** Environment variables. */
  readonly env: NodeJS.ProcessEnv;
}

/** An answer whose body was read. */
interface HttpAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** A failed request. The message names the server, but no secret. */
export class RegistryError extends Error {
  public constructor(message: string, public readonly fix: string) {
    super(message);
  }
}

const ATTEMPTS = 4;
const RETRIED: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const LONGEST_WAIT_MILLISECONDS = 60_000;
// Registries must accept manifests of 4 MiB (opencontainers/distribution-spec spec.md, Pushing Manifests).
const MAX_BODY_MEBIBYTES = 4;
const TLS_FAULT = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_SSL|EPROTO/;

/** Sends a request without following redirects. Retries failed connections and busy servers. */
async function sendRequest(url: URL, init: RequestInit, options: HttpOptions): Promise<HttpAnswer> {
  for (let attempt = 1; ; attempt++) {
    let wait = options.backoffMilliseconds * 2 ** (attempt - 1);
    try {
      const signal = AbortSignal.timeout(Math.ceil(options.timeoutSeconds * 1000));
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      const answer = { url, status: response.status, headers: response.headers, body: await readBody(response, url) };
      wait = Math.max(wait, 1000 * Number(response.headers.get('retry-after') ?? 0));
      // A date in Retry-After is NaN.
      if (attempt === ATTEMPTS || !RETRIED.has(answer.status) || !(wait <= LONGEST_WAIT_MILLISECONDS)) return answer;
    } catch (error) {
      if (error instanceof RegistryError) throw error;
      const code = errorCode(error);
      if (attempt === ATTEMPTS || TLS_FAULT.test(code)) throw connectionError(code, url, options);
    }
    await sleep(wait);
  }
}

async function readBody(response: Response, { host }: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_MEBIBYTES * 1024 * 1024) {
      throw new RegistryError(`${host} answers with more than ${MAX_BODY_MEBIBYTES} MiB`, 'check that it is a registry');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The code of the innermost cause: `fetch` itself reports only that it failed. */
function errorCode(error: unknown): string {
  const { name, code, cause, message } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return name;
  return typeof code === 'string' ? code : cause === undefined ? message : errorCode(cause);
}

function connectionError(code: string, { host }: URL, { timeoutSeconds, env }: HttpOptions): RegistryError {
  if (TLS_FAULT.test(code)) {
    return new RegistryError(`no TLS connection to ${host} (${code})`,
      `for certificates of your own authority: NODE_EXTRA_CA_CERTS=FILE; for a registry without TLS: --insecure-registry ${host}`);
  }
  // Node ignores these variables by default, and before 22.21 always (nodejs.org/docs/latest/api/cli.html).
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => env[name]);
  const hint = proxy === undefined || env.NODE_USE_ENV_PROXY === '1' ? ''
    : `; Node uses ${proxy} only with NODE_USE_ENV_PROXY=1, since Node 22.21 and 24.0`;
  return code === 'TimeoutError'
    ? new RegistryError(`${host} did not answer within ${timeoutSeconds} seconds`, `try again, or with a longer --timeout${hint}`)
    : new RegistryError(`${host} cannot be reached (${code})`, `check the name, the network and that the registry runs${hint}`);
}

/** The object in a JSON string; undefined for any other string. The parser's message is dropped because it quotes the string: secrets. */
function parseObject(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Text from a server on one line, with control characters made visible, cut after 200 characters. */
function shortLine(text: string): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

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

/** Options of a client of registries. */
export interface RegistryClientOptions extends HttpOptions {
  /** Finds the credentials for a registry; rejects with a message without secrets. */
  readonly credentials: (registry: string) => Promise<Credentials | undefined>;

  /** Hosts, with their ports, that may be reached without TLS. */
  readonly insecureHosts: ReadonlySet<string>;

  /** Receives warnings. */
  readonly warn: (text: string) => void;
}

const CHECK_ADDRESS = 'check the address of the registry, and any proxy before it';
const CONCURRENT_REQUESTS = 4;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/**
 * Looks up digests in registries (opencontainers/distribution-spec spec.md, Pull). A registry gets credentials only after it answers 401,
 * and no other host gets them but the token server that it names.
 */
export class RegistryClient {
  /** `Authorization` headers by repository. */
  private readonly authorizations = new Map<string, string>();
  private readonly logins = new Map<string, Promise<Credentials | undefined>>();

  public constructor(private readonly options: RegistryClientOptions) {}

  /**
   * Looks up several digests. A failure takes the place of its digest, and does not stop the others.
   *
   * @param requests the images
   * @param onAnswer receives how many have been looked up
   */
  public async digestsOf(
    requests: readonly { readonly image: string; readonly known?: string }[], onAnswer: (answered: number) => void = () => undefined,
  ): Promise<(string | RegistryError)[]> {
    let answered = 0;
    const results: (string | RegistryError)[] = [];
    const queue = requests.entries();
    const work = async () => {
      for (const [index, { image, known }] of queue) {
        results[index] = await this.digestOf(image, known).catch((error: unknown) => {
          if (error instanceof RegistryError) return error;
          throw error;
        });
        onAnswer(++answered);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, work));
    return results;
  }

  /**
   * The digest of an image, computed from its manifest. Rejects with a `RegistryError`.
   *
   * @param image name of the image, with its tag
   * @param known a digest that was computed before
   */
  public async digestOf(image: string, known?: string): Promise<string> {
    const name = parseImageName(image);
    if (name?.tag === undefined) {
      throw new RegistryError(`"${image}" is not the name of an image with a tag`, 'write it as registry/repository:tag');
    }
    if (known !== undefined) {
      // Docker Hub limits GET, not HEAD.
      const { status, headers } = await this.requestManifest('HEAD', name);
      if (status === 200 && headers.get('docker-content-digest') === known) return known;
    }
    const answer = await this.requestManifest('GET', name);
    if (answer.status === 200) return manifestDigest(answer, image);
    throw refusal(answer, image, registryOf(name), await this.logins.get(registryOf(name)));
  }

  private async requestManifest(method: string, name: ImageName): Promise<HttpAnswer> {
    const registry = registryOf(name);
    const repository = `${registry}/${name.path}`;
    const scheme = this.options.insecureHosts.has(registry) ? 'http' : 'https';
    const url = new URL(`${scheme}://${registry}/v2/${name.path}/manifests/${name.tag}`);
    const answer = await this.followRedirects(method, url, this.authorizations.get(repository));
    const challenge = answer.headers.get('www-authenticate');
    if (answer.status !== 401 || challenge === null || answer.url.origin !== url.origin) return answer;
    const authorization = await this.authorize(registry, challenge, `repository:${name.path}:pull`);
    if (authorization === undefined) return answer;
    this.authorizations.set(repository, authorization);
    return this.followRedirects(method, url, authorization);
  }

  private async followRedirects(method: string, start: URL, authorization: string | undefined): Promise<HttpAnswer> {
    let url = start;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const headers = new Headers({ accept: MANIFEST_TYPES });
      if (authorization !== undefined && url.origin === start.origin) headers.set('authorization', authorization);
      const answer = await sendRequest(url, { method, headers }, this.options);
      const location = answer.headers.get('location');
      if (!REDIRECTS.has(answer.status) || location === null) return answer;
      url = this.checkUrl(location, `${url.host} redirects to`, url);
    }
    throw new RegistryError(`${start.host} redirects more than ${MAX_REDIRECTS} times`, CHECK_ADDRESS);
  }

  /** Checks a URL that a server names. `fetch` does not accept a user or password in it. */
  private checkUrl(text: string, subject: string, base?: URL): URL {
    const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
      const shown = url === undefined ? shortLine(text) : `${url.protocol}//${url.host}`;
      throw new RegistryError(`${subject} "${shown}", not an http(s) URL without user and password`, CHECK_ADDRESS);
    }
    if (url.protocol === 'https:' || this.options.insecureHosts.has(url.host)) return url;
    throw new RegistryError(`${subject} http://${url.host}, without TLS`, `if it may be reached so: --insecure-registry ${url.host}`);
  }

  private async authorize(registry: string, challenge: string, scope: string): Promise<string | undefined> {
    const login = await this.findLogin(registry);
    const [, bearer] = /(?:^|,)\s*bearer\s+(.*)/is.exec(challenge) ?? [];
    if (bearer !== undefined) return `Bearer ${await this.requestToken(registry, bearer, scope, login)}`;
    return /(?:^|,)\s*basic\b/i.test(challenge) ? basicAuthorization(login) : undefined;
  }

  /** Most images are public, so missing credentials are no error. */
  private findLogin(registry: string): Promise<Credentials | undefined> {
    const login = this.logins.get(registry) ?? this.options.credentials(registry).catch((error: Error) => {
      this.options.warn(`no credentials for ${registry}: ${error.message}; the request is sent without`);
      return undefined;
    });
    this.logins.set(registry, login);
    return login;
  }

  /** Gets an access token from the registry's token server (distribution.github.io/distribution/spec/auth: token and oauth). */
  private async requestToken(registry: string, challenge: string, defaultScope: string, login?: Credentials): Promise<string> {
    const parameters = [...challenge.matchAll(/(\w+)\s*=\s*(?:"([^"]*)"|([^\s",]+))/g)]
      .map(([, name, quoted, plain]) => [name.toLowerCase(), quoted ?? plain]);
    // Reversed, so that the parameters of a further challenge do not replace those of the first.
    const { realm = '', service, scope = defaultScope } = Object.fromEntries(parameters.reverse()) as Record<string, string>;
    const url = this.checkUrl(realm, `${registry} names the token server`);
    const fields = { ...(service !== undefined && { service }), scope };
    const init: RequestInit = {};
    if (login && 'identityToken' in login) {
      init.method = 'POST';
      const grant = { grant_type: 'refresh_token', client_id: 'cdk8s-cluster-api', refresh_token: login.identityToken };
      init.body = new URLSearchParams({ ...fields, ...grant });
    } else {
      Object.entries(fields).forEach(([name, value]) => url.searchParams.set(name, value));
      if (login) init.headers = { authorization: basicAuthorization(login)! };
    }
    const answer = await sendRequest(url, init, this.options);
    const { token, access_token: accessToken } = parseObject(answer.body.toString()) ?? {};
    const given = token ?? accessToken;
    if (answer.status === 200 && typeof given === 'string' && /^[\x21-\x7e]+$/.test(given)) return given;
    const refused = answer.status === 401 || answer.status === 403;
    throw new RegistryError(`the token server ${url.host} answers ${answer.status} without a token for ${registry}`,
      refused ? `log in: ${loginCommand(registry)}` : answer.status >= 500 ? 'try again later' : CHECK_ADDRESS);
  }
}

function registryOf({ host }: ImageName): string {
  return host === 'docker.io' ? DOCKER_HUB_API : host;
}

function loginCommand(registry: string): string {
  return registry === DOCKER_HUB_API ? 'docker login' : `docker login ${registry}`;
}

function basicAuthorization(login: Credentials | undefined): string | undefined {
  if (!login || !('username' in login)) return undefined;
  return `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
}

function manifestDigest(answer: HttpAnswer, image: string): string {
  const { schemaVersion, mediaType, manifests, layers } = parseObject(answer.body.toString()) ?? {};
  const { host } = answer.url;
  const type = answer.headers.get('content-type')?.split(';')[0].trim();
  // The digest of schema version 1 is not that of the bytes.
  if (schemaVersion !== 2 || !(Array.isArray(manifests) || Array.isArray(layers))) {
    throw new RegistryError(`${host} answers for ${image} without an image manifest of schema version 2 (${shortLine(type ?? 'no content type')})`,
      'check that it is a registry; a proxy or a login page may answer in its place');
  }
  const fault = Array.isArray(manifests) ? indexFault(manifests, layers) : undefined;
  if (fault !== undefined) throw new RegistryError(`${host} answers for ${image} with a manifest that ${fault}`, 'have the image pushed again');
  if (typeof mediaType === 'string' && type !== undefined && type !== mediaType) {
    throw new RegistryError(`${host} sends the manifest of ${image} as ${shortLine(type)}, which calls itself ${shortLine(mediaType)}`,
      'check proxies and caches between you and the registry');
  }
  const digest = `sha256:${nodeCrypto().createHash('sha256').update(answer.body).digest('hex')}`;
  const claimed = answer.headers.get('docker-content-digest');
  if (!claimed?.startsWith('sha256:') || claimed === digest) return digest;
  throw new RegistryError(`${host} names the digest ${shortLine(claimed)} for ${image}, but its manifest has ${digest}`,
    'do not use this image; check proxies and caches between you and the registry');
}

/** Reason that a list of manifests stands for no image (opencontainers/image-spec image-index.md, CVE-2021-41190). */
function indexFault(manifests: readonly unknown[], layers: unknown): string | undefined {
  if (layers !== undefined) return 'lists layers and other manifests at once: what it means depends on who reads it';
  return manifests.length === 0 ? 'lists no manifests: there is nothing to run' : undefined;
}

function refusal(answer: HttpAnswer, image: string, registry: string, login: Credentials | undefined): RegistryError {
  const { url, status } = answer;
  const { errors } = parseObject(answer.body.toString()) ?? {};
  const { code, message } = (Array.isArray(errors) ? errors[0] ?? {} : {}) as { readonly code?: unknown; readonly message?: unknown };
  const reason = [code, message].filter((text) => typeof text === 'string' && text !== '').map((text) => `: ${shortLine(text as string)}`);
  const forbidden = login ? 'check the name of the image, and what the user of your docker login may read'
    : `check the name of the image; if it is private: ${loginCommand(registry)}`;
  const fixes: { readonly [status: number]: string } = {
    401: forbidden,
    403: forbidden,
    404: 'check the repository and the tag; some registries answer 404 for private images too',
    429: `try again later, or log in for a higher limit: ${loginCommand(registry)}`,
  };
  return new RegistryError(`${url.host} answers ${status} for ${image}${reason.join('')}`,
    fixes[status] ?? (status >= 500 ? 'try again later' : 'check that it is a registry'));
}
