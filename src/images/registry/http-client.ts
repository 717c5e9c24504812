import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal, networkFault } from './network-fault';
import { RegistryError } from './registry-error';

/** How requests are made. */
export interface HttpOptions {
  /** Seconds that one request may take, its body included. */
  readonly timeoutSeconds: number;

  /** Milliseconds before the second try; each further wait is twice as long. */
  readonly backoffMilliseconds: number;

  /** Hosts, with their ports, that are spoken to without TLS. */
  readonly insecureHosts: ReadonlySet<string>;

  /** Environment variables. */
  readonly env: NodeJS.ProcessEnv;
}

/** A request. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: URL;
  readonly accept?: string;

  /** Text of the `Authorization` header. No other host than the one of the URL ever gets it. */
  readonly authorization?: string;

  /** Fields of a form. */
  readonly form?: URLSearchParams;
}

/** What came back. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;

  /** Where the answer came from, which redirects may have changed. */
  readonly url: URL;
}

const TRIES = 4;
const MOST_REDIRECTS = 5;
const LONGEST_WAIT = 60_000;
// Clients have to expect manifests of 4 MB, and registries may take larger ones (opencontainers/distribution-spec spec.md, Pushing
// Manifests); the registry of the distribution project takes none above 4 MiB (registry/handlers/manifests.go).
const LARGEST_BODY = 4 * 1024 * 1024;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const TRY_AGAIN: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Makes requests, and makes them again when a server is busy or out of reach for a moment. */
export class HttpClient {
  public constructor(private readonly options: HttpOptions) {}

  /** Where a registry's API is. */
  public origin(host: string): string {
    return `${this.options.insecureHosts.has(host) ? 'http' : 'https'}://${host}`;
  }

  /** Whether requests may go to a URL: with TLS, or where the user renounced it. */
  public allows(url: URL): boolean {
    return url.protocol === 'https:' || (url.protocol === 'http:' && this.options.insecureHosts.has(url.host));
  }

  /** Sends a request. Whatever the server answers is an answer; rejects with a `RegistryError` if there is none. */
  public async send(request: HttpRequest): Promise<HttpAnswer> {
    for (let tried = 1; ; tried++) {
      const backoff = this.options.backoffMilliseconds * 2 ** (tried - 1);
      try {
        const answer = await this.follow(request);
        if (tried === TRIES || !TRY_AGAIN.has(answer.status)) return answer;
        const wait = waitBeforeRetry(answer.headers.get('retry-after'), backoff);
        if (wait > LONGEST_WAIT) return answer;
        await sleep(wait);
      } catch (error) {
        if (error instanceof RegistryError) throw error;
        if (tried === TRIES || isFinal(error)) throw networkFault(error, request.url, this.options.timeoutSeconds, this.options.env);
        await sleep(backoff);
      }
    }
  }

  private async follow(request: HttpRequest): Promise<HttpAnswer> {
    let { url } = request;
    const signal = AbortSignal.timeout(Math.ceil(this.options.timeoutSeconds * 1000));
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await fetch(url, {
        method: request.method,
        headers: {
          ...(request.accept !== undefined && { accept: request.accept }),
          ...(request.authorization !== undefined && url.origin === request.url.origin && { authorization: request.authorization }),
        },
        body: request.form,
        redirect: 'manual',
        signal,
      });
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null) {
        return { status: response.status, headers: response.headers, body: await bodyOf(response, url), url };
      }
      await response.body?.cancel();
      url = this.redirected(url, location, request);
    }
    throw new RegistryError(`${request.url.host} redirects more than ${MOST_REDIRECTS} times`, 'check the address of the registry, and any proxy before it');
  }

  private redirected(from: URL, location: string, request: HttpRequest): URL {
    const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
    if (to === undefined || to.username !== '' || to.password !== '') {
      throw new RegistryError(`${from.host} redirects to ${to === undefined ? 'what is no address' : `${to.host} with a user and a password in the address`}`,
        'check the address of the registry, and any proxy before it');
    }
    if (!this.allows(to)) {
      throw new RegistryError(`${from.host} redirects to an address without TLS: ${to.protocol}//${to.host}`,
        to.protocol === 'http:' ? `if it may be followed in the clear: --insecure-registry ${to.host}` : 'check the address of the registry');
    }
    // A form holds credentials.
    if (request.form !== undefined && to.origin !== from.origin) {
      throw new RegistryError(`${from.host} redirects a request with credentials to ${to.host}`, 'check the address of the registry');
    }
    return to;
  }
}

async function bodyOf(response: Response, url: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > LARGEST_BODY) {
      throw new RegistryError(`${url.host} answers with more than ${LARGEST_BODY / 1024 / 1024} MiB`, 'check that it is a registry');
    }
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

/** Milliseconds to wait: what the server asks for, in seconds or as a date (RFC 9110 §10.2.3), and never less than the backoff. */
function waitBeforeRetry(retryAfter: string | null, backoff: number): number {
  if (retryAfter === null) return backoff;
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(wait) ? backoff : Math.max(wait, backoff);
}
