import * as net from 'node:net';
import { digestOfText, indexManifest, RegistryServer } from './registry-server';
import { Credentials } from '../../../src/images/registry/credentials';
import { RegistryClient, RegistryClientOptions } from '../../../src/images/registry/registry-client';
import { RegistryError } from '../../../src/images/registry/registry-error';

const MANIFEST = indexManifest('app');
const DIGEST = digestOfText(MANIFEST);

let registry: RegistryServer;
let other: RegistryServer;
const notes: string[] = [];

beforeEach(async () => {
  registry = await RegistryServer.start({ 'team/app:v1': MANIFEST });
  other = await RegistryServer.start({ 'team/app:v1': MANIFEST });
  notes.length = 0;
});
afterEach(() => Promise.all([registry.close(), other.close()]));

function client(options: Partial<RegistryClientOptions> & { logins?: { [host: string]: Credentials } } = {}): RegistryClient {
  return new RegistryClient({
    timeoutSeconds: 5,
    backoffMilliseconds: 1,
    insecureHosts: new Set([registry.host, other.host]),
    env: {},
    credentials: { description: 'the test', find: async (host) => options.logins?.[host] },
    note: (text) => notes.push(text),
    ...options,
  });
}

const image = () => `${registry.host}/team/app:v1`;

/** What is said when an image cannot be resolved: the error and what to do. */
async function fault(asked: Promise<string>): Promise<string> {
  const error: unknown = await asked.then((digest) => `resolved to ${digest}`, (reason: unknown) => reason);
  if (!(error instanceof RegistryError)) throw new Error(`no RegistryError but ${String(error)}`);
  return `${error.message} | ${error.fix}`;
}

describe('a public image', () => {
  test('has the digest of what the registry sends, whatever its platforms', async () => {
    expect(await client().digestOf(image())).toBe(DIGEST);
    expect(registry.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v2/team/app/manifests/v1']);
    for (const type of ['oci.image.index.v1', 'oci.image.manifest.v1', 'distribution.manifest.list.v2', 'distribution.manifest.v2']) {
      expect(registry.seen[0].accept).toContain(`${type}+json`);
    }
  });

  test('is not read again while the registry claims the digest that is known', async () => {
    expect(await client().digestOf(image(), DIGEST)).toBe(DIGEST);
    expect(registry.seen.map(({ method }) => method)).toEqual(['HEAD']);
  });

  test('is read when the registry claims another digest, or none', async () => {
    expect(await client().digestOf(image(), digestOfText('before'))).toBe(DIGEST);
    registry.answer = (request, response) => {
      if (request.method === 'HEAD') response.writeHead(405).end();
      else response.writeHead(200, { 'content-type': 'application/vnd.oci.image.index.v1+json' }).end(MANIFEST);
      return true;
    };
    expect(await client().digestOf(image(), DIGEST)).toBe(DIGEST);
    expect(registry.seen.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'HEAD', 'GET']);
  });
});

describe('what no digest is taken from', () => {
  const answerWith = (body: string, headers: { [name: string]: string } = {}) => {
    registry.answer = (_request, response) => {
      response.writeHead(200, headers).end(body);
      return true;
    };
  };

  test('bytes that are not those of the claimed digest', async () => {
    answerWith(indexManifest('forged'), { 'docker-content-digest': DIGEST });
    const text = await fault(client().digestOf(image()));
    expect(text).toContain(`has digest ${DIGEST}, but what it sends has ${digestOfText(indexManifest('forged'))}`);
  });

  test.each([
    ['a login page', '<html>log in</html>', 'no manifest of an image'],
    ['JSON that is no manifest', '{"schemaVersion": 2}', 'no manifest of an image'],
    ['JSON that is no object', 'null', 'no manifest of an image'],
    ['the first format', '{"schemaVersion": 1, "fsLayers": []}', 'before 2016'],
  ])('%s', async (_name, body, said) => {
    answerWith(body, { 'content-type': 'text/html' });
    expect(await fault(client().digestOf(image()))).toContain(said);
  });

  test('a body without end', async () => {
    answerWith(' '.repeat(4 * 1024 * 1024 + 1));
    expect(await fault(client().digestOf(image()))).toContain('more than 4 MiB');
  });

  test('a name without tag', async () => {
    expect(await fault(client().digestOf('registry.example.com/team/app'))).toContain('with a tag');
    expect(registry.seen).toEqual([]);
  });
});

describe('refusals', () => {
  const refuse = (status: number, headers: { [name: string]: string } = {}, body = '') => {
    registry.answer = (_request, response) => {
      response.writeHead(status, headers).end(body);
      return true;
    };
  };

  test('404 is said once, with the words of the registry', async () => {
    expect(await fault(client().digestOf(`${registry.host}/team/app:v2`)))
      .toContain(`has no ${registry.host}/team/app:v2 (404: MANIFEST_UNKNOWN: manifest unknown)`);
    expect(registry.seen).toHaveLength(1);
  });

  test('the words of the registry cannot write to the terminal', async () => {
    refuse(404, {}, JSON.stringify({ errors: [{ code: 'X', message: `\u001b[2J\r\n${'y'.repeat(500)}` }] }));
    const text = await fault(client().digestOf(image()));
    expect(text).not.toMatch(/[\u0000-\u001f]/);
    expect(text.length).toBeLessThan(500);
  });

  test('503 is tried again, and forgotten when it passes', async () => {
    let left = 2;
    registry.answer = (_request, response) => {
      if (left-- <= 0) return false;
      response.writeHead(503).end();
      return true;
    };
    expect(await client().digestOf(image())).toBe(DIGEST);
    expect(registry.seen).toHaveLength(3);
  });

  test('503 for ever is an error after four tries', async () => {
    refuse(503);
    expect(await fault(client().digestOf(image()))).toContain('answers 503');
    expect(registry.seen).toHaveLength(4);
  });

  test('429 waits as long as the registry asks for', async () => {
    let first = true;
    registry.answer = (_request, response) => {
      if (!first) return false;
      first = false;
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    };
    const start = Date.now();
    expect(await client().digestOf(image())).toBe(DIGEST);
    expect(Date.now() - start).toBeGreaterThanOrEqual(990);
  });

  test.each([['3600', 'after 3600 seconds'], [new Date(Date.now() + 3_600_000).toUTCString(), 'GMT']])('429 until %s is not waited for', async (after, said) => {
    refuse(429, { 'retry-after': after });
    const text = await fault(client().digestOf(image()));
    expect(text).toContain('too many requests');
    expect(text).toContain(said);
    expect(registry.seen).toHaveLength(1);
  });
});

describe('credentials', () => {
  const TOKEN = 'the-token';
  const login = { username: 'robot', password: 'pass:word' };
  const BASIC = `Basic ${Buffer.from('robot:pass:word').toString('base64')}`;

  /** Wants a bearer token, which the server behind `realm` gives. */
  const wantToken = (realm: string, rest = ',service="test registry",scope="repository:team/app:pull"') => {
    registry.answer = (request, response) => {
      if (request.url?.startsWith('/token') || request.headers.authorization === `Bearer ${TOKEN}`) return false;
      response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}"${rest}` }).end();
      return true;
    };
    const give: RegistryServer['answer'] = (request, response) => {
      if (!request.url?.startsWith('/token')) return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ access_token: TOKEN }));
      return true;
    };
    other.answer = give;
  };

  test('a token for nobody in particular opens what is public', async () => {
    wantToken(`http://${other.host}/token`);
    expect(await client().digestOf(image())).toBe(DIGEST);
    const [{ url, authorization }] = other.seen;
    expect(authorization).toBeUndefined();
    expect(Object.fromEntries(new URL(url, 'http://x').searchParams)).toEqual({ service: 'test registry', scope: 'repository:team/app:pull' });
  });

  test('user and password get a token, which is used again', async () => {
    wantToken(`http://${other.host}/token`, '');
    registry.manifests.set('team/app:v2', MANIFEST);
    const asking = client({ logins: { [registry.host]: login } });
    await asking.digestOf(image());
    await asking.digestOf(`${registry.host}/team/app:v2`);
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([BASIC]);
    expect(other.seen[0].url).toContain('scope=repository%3Ateam%2Fapp%3Apull');
    expect(registry.seen.map(({ authorization }) => authorization)).toEqual([undefined, `Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
  });

  test('an identity token is exchanged', async () => {
    wantToken(`http://${other.host}/token`);
    expect(await client({ logins: { [registry.host]: { identityToken: 'long-lived' } } }).digestOf(image())).toBe(DIGEST);
    expect(other.seen[0].method).toBe('POST');
    expect(Object.fromEntries(new URLSearchParams(other.seen[0].body))).toMatchObject({
      grant_type: 'refresh_token', refresh_token: 'long-lived', service: 'test registry', scope: 'repository:team/app:pull',
    });
  });

  test('an identity token does not follow a redirect', async () => {
    wantToken(`http://${other.host}/token`);
    other.answer = (_request, response) => {
      response.writeHead(307, { location: `http://${registry.host}/token` }).end();
      return true;
    };
    const text = await fault(client({ logins: { [registry.host]: { identityToken: 'long-lived' } } }).digestOf(image()));
    expect(text).toContain(`redirects a request with credentials to ${registry.host}`);
    expect(registry.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  test('a bearer token goes to the registry as it is', async () => {
    wantToken(`http://${other.host}/token`);
    expect(await client({ logins: { [registry.host]: { bearerToken: TOKEN } } }).digestOf(image())).toBe(DIGEST);
    expect(other.seen).toEqual([]);
  });

  test('a registry without tokens gets user and password, and only when it asks', async () => {
    registry.answer = (request, response) => {
      if (request.headers.authorization === BASIC) return false;
      response.writeHead(401, { 'www-authenticate': 'Negotiate, Basic realm="x, y"' }).end();
      return true;
    };
    expect(await client({ logins: { [registry.host]: login } }).digestOf(image())).toBe(DIGEST);
    expect(registry.seen.map(({ authorization }) => authorization)).toEqual([undefined, BASIC]);
    const text = await fault(client().digestOf(image()));
    expect(text).toContain(`does not give ${image()} to strangers (401)`);
    expect(text).toContain(`docker login ${registry.host}`);
  });

  test('wrong ones are said to be wrong', async () => {
    registry.answer = (_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    };
    const text = await fault(client({ logins: { [registry.host]: login } }).digestOf(image()));
    expect(text).toContain('to this user (401)');
    expect(text).toContain('the test');
    expect(text).not.toContain('pass:word');
  });

  test('a store that fails is noted, and public images are found all the same', async () => {
    wantToken(`http://${other.host}/token`);
    const find = () => Promise.reject(new Error('the keychain is locked'));
    expect(await client({ credentials: { description: 'x', find } }).digestOf(image())).toBe(DIGEST);
    expect(notes).toEqual([`no credentials for ${registry.host}: the keychain is locked; it is asked without`]);
  });

  test('an authentication server without TLS gets none', async () => {
    wantToken(`http://${other.host}/token`);
    const text = await fault(client({ insecureHosts: new Set([registry.host]), logins: { [registry.host]: login } }).digestOf(image()));
    expect(text).toContain('without TLS');
    expect(text).toContain(`--insecure-registry ${other.host}`);
    expect(other.seen).toEqual([]);
  });

  test.each([['', '""'], ['not a url', 'not a url'], ['https://user:secret@127.0.0.1/token', '127.0.0.1']])('the realm %j is refused', async (realm, said) => {
    wantToken(realm);
    expect(await fault(client().digestOf(image()))).toContain(said);
  });

  test.each([
    [401, '', 'refuses the credentials'], [500, '', 'answers 500'], [200, '{}', 'without a token'], [200, 'x', 'without a token'],
    [200, '{"token":"a\\r\\nb"}', 'without a token'],
  ])('an authentication server that answers %d %s', async (status, body, said) => {
    wantToken(`http://${other.host}/token`);
    other.answer = (_request, response) => {
      response.writeHead(status).end(body);
      return true;
    };
    expect(await fault(client({ logins: { [registry.host]: login } }).digestOf(image()))).toContain(said);
  });
});

describe('redirects', () => {
  const BEARER = { bearerToken: 'secret' };
  const redirectTo = (target: string) => {
    registry.answer = (request, response) => {
      if (request.headers.authorization === undefined) response.writeHead(401, { 'www-authenticate': 'Bearer realm="https://x.example.com"' }).end();
      else response.writeHead(307, { location: target }).end();
      return true;
    };
  };

  test('are followed to another host without the credentials', async () => {
    redirectTo(`http://${other.host}/v2/team/app/manifests/v1`);
    expect(await client({ logins: { [registry.host]: BEARER } }).digestOf(image())).toBe(DIGEST);
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test('another host that wants credentials gets none of this registry, and none of its own', async () => {
    redirectTo(`http://${other.host}/v2/team/app/manifests/v1`);
    other.answer = (_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="give me"' }).end();
      return true;
    };
    await fault(client({ logins: { [registry.host]: BEARER, [other.host]: { username: 'a', password: 'b' } } }).digestOf(image()));
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test('keep them on the same host', async () => {
    registry.answer = (request, response) => {
      if (request.headers.authorization === undefined) response.writeHead(401, { 'www-authenticate': 'Bearer realm="https://x.example.com"' }).end();
      else if (request.url?.startsWith('/v2/team/')) response.writeHead(307, { location: '/v2/moved/app/manifests/v1' }).end();
      else return false;
      return true;
    };
    registry.manifests.set('moved/app:v1', MANIFEST);
    expect(await client({ logins: { [registry.host]: BEARER } }).digestOf(image())).toBe(DIGEST);
    expect(registry.seen.at(-1)).toMatchObject({ url: '/v2/moved/app/manifests/v1', authorization: 'Bearer secret' });
  });

  test.each([
    ['ftp://example.com/x', 'redirects to an address without TLS: ftp://example.com | check the address'],
    ['http://unencrypted.example.com/x', 'http://unencrypted.example.com | if it may be followed in the clear: --insecure-registry unencrypted.example.com'],
    ['http://', 'redirects to what is no address'],
    ['https://user:pass@example.com/', 'redirects to example.com with a user and a password in the address'],
  ])('to %s are refused', async (target, message) => {
    redirectTo(target);
    expect(await fault(client({ logins: { [registry.host]: BEARER } }).digestOf(image()))).toContain(message);
  });

  test('without end are an error', async () => {
    registry.answer = (request, response) => {
      response.writeHead(302, { location: request.url }).end();
      return true;
    };
    expect(await fault(client().digestOf(image()))).toContain('redirects more than 5 times');
    expect(registry.seen).toHaveLength(6);
  });
});

describe('the network', () => {
  test('a registry that never answers', async () => {
    registry.answer = () => true;
    expect(await fault(client({ timeoutSeconds: 0.05 }).digestOf(image()))).toContain(`${registry.host} did not answer within 0.05 seconds`);
    expect(registry.seen).toHaveLength(4);
  });

  test('a registry that stops in the middle', async () => {
    registry.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      return true;
    };
    expect(await fault(client({ timeoutSeconds: 0.05 }).digestOf(image()))).toContain('did not answer within');
  });

  test('nobody listens, and what is said of proxies', async () => {
    const { host } = other;
    await other.close();
    expect(await fault(client().digestOf(`${host}/team/app:v1`))).toContain(`${host} cannot be reached (ECONNREFUSED)`);
    expect(await fault(client({ env: { HTTPS_PROXY: 'http://proxy:3128' } }).digestOf(`${host}/team/app:v1`))).toContain('NODE_USE_ENV_PROXY=1');
    expect(await fault(client({ env: { HTTPS_PROXY: 'x', NODE_USE_ENV_PROXY: '1' } }).digestOf(`${host}/team/app:v1`))).not.toContain('PROXY');
  });

  test('plain http is not tried by itself', async () => {
    const text = await fault(client({ insecureHosts: new Set() }).digestOf(image()));
    expect(text).toContain('does not speak TLS');
    expect(text).toContain(`--insecure-registry ${registry.host}`);
    expect(registry.seen).toEqual([]);
  });

  test('a server that hangs up', async () => {
    const server = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
    expect(await fault(client({ insecureHosts: new Set([host]) }).digestOf(`${host}/team/app:v1`))).toContain('cannot be reached');
    await new Promise((resolve) => server.close(resolve));
  });
});
