import { Challenge } from './challenge';
import { Credentials } from './credentials';
import { HttpAnswer, HttpClient } from './http-client';
import { loginCommand } from './image-location';
import { quoted, RegistryError } from './registry-error';

const CLIENT = 'cdk8s-cluster-api';

/**
 * Answers a registry's challenge (distribution.github.io/distribution/spec/auth: token and oauth).
 *
 * @param http makes the request to an authentication server
 * @param host the registry
 * @param challenges what it wants; the first that can be met counts
 * @param scope what access is asked for, where the registry does not say
 * @param credentials who asks; nobody in particular if left out
 * @returns the `Authorization` header, or undefined if no challenge can be met
 */
export async function authorize(
  http: HttpClient, host: string, challenges: readonly Challenge[], scope: string, credentials: Credentials | undefined,
): Promise<string | undefined> {
  for (const { scheme, parameters } of challenges) {
    if (scheme === 'bearer') {
      if (credentials?.bearerToken !== undefined) return `Bearer ${credentials.bearerToken}`;
      return `Bearer ${await fetchToken(http, host, parameters, scope, credentials)}`;
    }
    if (scheme === 'basic' && credentials?.username !== undefined) return basic(credentials);
  }
  return undefined;
}

function basic({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

async function fetchToken(
  http: HttpClient, host: string, parameters: ReadonlyMap<string, string>, defaultScope: string, credentials: Credentials | undefined,
): Promise<string> {
  const realm = realmOf(http, host, parameters.get('realm') ?? '');
  const service = parameters.get('service');
  const scope = parameters.get('scope') ?? defaultScope;
  const answer = credentials?.identityToken === undefined
    ? await http.send({
      method: 'GET',
      url: withQuery(realm, { ...(service !== undefined && { service }), scope }),
      authorization: credentials?.username === undefined ? undefined : basic(credentials),
    })
    : await http.send({
      method: 'POST',
      url: realm,
      form: new URLSearchParams({
        grant_type: 'refresh_token', client_id: CLIENT, ...(service !== undefined && { service }), scope, refresh_token: credentials.identityToken,
      }),
    });
  return tokenOf(answer, host, credentials);
}

/** Credentials go to the authentication server, so it must be one that they may go to. */
function realmOf(http: HttpClient, host: string, realm: string): URL {
  const url = URL.canParse(realm) ? new URL(realm) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw new RegistryError(`${host} names no usable authentication server: ${JSON.stringify(quoted(realm))}`, 'check that it is a registry');
  }
  if (http.allows(url)) return url;
  throw new RegistryError(`${host} names an authentication server without TLS: ${url.protocol}//${url.host}`,
    `if tokens and passwords may cross the network in the clear: --insecure-registry ${url.host}`);
}

function withQuery(realm: URL, query: { readonly [name: string]: string }): URL {
  const url = new URL(realm);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function tokenOf({ status, body, url }: HttpAnswer, host: string, credentials: Credentials | undefined): string {
  if (status === 401 || status === 403) {
    throw new RegistryError(
      credentials === undefined ? `${url.host} gives nobody a token for ${host} without a login` : `${url.host} refuses the credentials for ${host}`,
      `log in: ${loginCommand(host)}`,
    );
  }
  if (status !== 200) throw new RegistryError(`${url.host} answers ${status} to the request for a token for ${host}`, 'try again later');
  try {
    const { token, access_token: accessToken } = JSON.parse(body.toString('utf8')) as { token?: unknown; access_token?: unknown };
    const given = token ?? accessToken;
    // Nothing else may stand in a header.
    if (typeof given === 'string' && /^[\x21-\x7e]+$/.test(given)) return given;
  } catch {
    // Said below.
  }
  throw new RegistryError(`${url.host} answers without a token for ${host}`, 'check that it is an authentication server');
}
