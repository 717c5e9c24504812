import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../../values/printable';

/** Limits of HTTP requests. */
export interface HttpOptions {
  /** Seconds that a request may take, including its body. */
  readonly timeoutSeconds: number;

  /** Milliseconds before the first retry; doubled for each further one. */
  readonly backoffMilliseconds: number;

  /** Environment variables. */
  readonly env: NodeJS.ProcessEnv;
}

/** An answer whose body was read. */
export interface HttpAnswer {
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
export async function sendRequest(url: URL, init: RequestInit, options: HttpOptions): Promise<HttpAnswer> {
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
export function parseObject(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Text from a server on one line, with control characters made visible, cut after 200 characters. */
export function shortLine(text: string): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
