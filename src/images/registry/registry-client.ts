import { authorize } from './authorization';
import { parseChallenges } from './challenge';
import { Credentials, CredentialStore } from './credentials';
import { HttpAnswer, HttpClient, HttpOptions } from './http-client';
import { ImageLocation, locateImage, loginCommand } from './image-location';
import { claimedDigest, computedDigest, MANIFEST_TYPES } from './manifest-digest';
import { quoted, RegistryError } from './registry-error';

/** How registries are asked. */
export interface RegistryClientOptions extends HttpOptions {
  /** Who has credentials. */
  readonly credentials: CredentialStore;

  /** Gets what the user should know although it is no error. */
  readonly note: (text: string) => void;
}

/**
 * Asks registries for the digests of images (opencontainers/distribution-spec, spec.md: Pull).
 *
 * Registries are asked without credentials first, and get them only when they want some.
 */
export class RegistryClient {
  private readonly http: HttpClient;
  /** `Authorization` headers, by registry and repository. */
  private readonly authorizations = new Map<string, string>();
  private readonly credentials = new Map<string, Promise<Credentials | undefined>>();

  public constructor(private readonly options: RegistryClientOptions) {
    this.http = new HttpClient(options);
  }

  /**
   * The digest that an image has now, verified against what the registry sends. Rejects with a `RegistryError`.
   *
   * @param image name of the image, with its tag
   * @param known a digest that was verified before. When the registry still claims it, the manifest is not read again, which matters where
   * reads are counted
   */
  public async digestOf(image: string, known?: string): Promise<string> {
    const location = locateImage(image);
    if (location === undefined) throw new RegistryError(`"${image}" is not the name of an image with a tag`, 'write it as registry/repository:tag');
    if (known !== undefined) {
      const answer = await this.ask('HEAD', location);
      if (answer.status === 200 && claimedDigest(answer) === known) return known;
    }
    const answer = await this.ask('GET', location);
    if (answer.status === 200) return computedDigest(answer, image);
    throw await this.refusal(answer, image, location);
  }

  private async ask(method: 'GET' | 'HEAD', { host, repository, reference }: ImageLocation): Promise<HttpAnswer> {
    const room = `${host}/${repository}`;
    const url = new URL(`/v2/${repository}/manifests/${reference}`, this.http.origin(host));
    const request = { method, url, accept: MANIFEST_TYPES.join(', ') };
    const answer = await this.http.send({ ...request, authorization: this.authorizations.get(room) });
    const challenges = answer.status === 401 ? parseChallenges(answer.headers.get('www-authenticate') ?? '') : [];
    if (challenges.length === 0) return answer;
    // Where a redirect led elsewhere, the credentials of this registry are none of that server's business.
    const own = answer.url.origin === url.origin;
    const credentials = own ? await this.credentialsFor(host) : undefined;
    const authorization = await authorize(this.http, answer.url.host, challenges, `repository:${repository}:pull`, credentials);
    if (authorization === undefined) return answer;
    if (own) this.authorizations.set(room, authorization);
    return this.http.send({ ...request, url: answer.url, authorization });
  }

  /** A store that fails is no reason to give up: most images are public. */
  private credentialsFor(host: string): Promise<Credentials | undefined> {
    const known = this.credentials.get(host);
    if (known !== undefined) return known;
    const found = this.options.credentials.find(host).catch((error: unknown) => {
      this.options.note(`no credentials for ${host}: ${(error as Error).message}; it is asked without`);
      return undefined;
    });
    this.credentials.set(host, found);
    return found;
  }

  private async refusal({ status, body, headers, url }: HttpAnswer, image: string, { host }: ImageLocation): Promise<RegistryError> {
    const said = saidByRegistry(body);
    const because = said === undefined ? '' : `: ${said}`;
    const login = loginCommand(host);
    switch (status) {
      case 401:
      case 403: {
        const known = await this.credentials.get(host) !== undefined;
        return new RegistryError(`${url.host} does not give ${image} to ${known ? 'this user' : 'strangers'} (${status}${because})`,
          known ? `check what the user of ${this.options.credentials.description} may read, and how the image is spelled`
            : `check how the image is spelled; if it is private, log in: ${login}`);
      }
      case 404:
        return new RegistryError(`${url.host} has no ${image} (404${because})`, 'check repository and tag; some registries say so of private images as well');
      case 429: {
        const after = headers.get('retry-after');
        return new RegistryError(`${url.host} has had too many requests (429${because})`,
          `try again ${after === null ? 'later' : `after ${quoted(after)}${/^\d+$/.test(after) ? ' seconds' : ''}`}, or log in for a higher limit: ${login}`);
      }
      default:
        return new RegistryError(`${url.host} answers ${status} for ${image}${because}`, status >= 500 ? 'try again later' : 'check that it is a registry');
    }
  }
}

/** The registry's own words (opencontainers/distribution-spec spec.md, Error Codes). */
function saidByRegistry(body: Buffer): string | undefined {
  try {
    const { errors } = JSON.parse(body.toString('utf8')) as { errors?: { code?: unknown; message?: unknown }[] };
    const words = [errors?.[0]?.code, errors?.[0]?.message].filter((word) => typeof word === 'string' && word !== '');
    return words.length > 0 ? quoted(words.join(': ')) : undefined;
  } catch {
    return undefined;
  }
}
