import { Credentials, DOCKER_HUB_API } from './docker-credentials';
import { HttpAnswer, HttpOptions, parseObject, RegistryError, sendRequest, shortLine } from './registry-request';
import { nodeCrypto } from '../../values/node-crypto';
import { ImageName, parseImageName } from '../image-lock-file';

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
