import * as net from 'node:net';
import { Credentials } from '../../../../src/manifests/images/registry/docker-credentials';
import { RegistryClient, RegistryClientOptions } from '../../../../src/manifests/images/registry/registry-client';
import { RegistryError } from '../../../../src/manifests/images/registry/registry-request';
import { digestOfText, indexManifest, RegistryServer } from '../../../constructs/images/registry/registry-server';

const MANIFEST = indexManifest('app');
const DIGEST = digestOfText(MANIFEST);

let registry: RegistryServer;
let other: RegistryServer;
const warnings: string[] = [];

beforeEach(async () => {
  registry = await RegistryServer.start({ 'team/app:v1': MANIFEST });
  other = await RegistryServer.start({ 'team/app:v1': MANIFEST });
  warnings.length = 0;
});
afterEach(() => Promise.all([registry.close(), other.close()]));

function client(options: Partial<RegistryClientOptions> & { logins?: { [host: string]: Credentials } } = {}): RegistryClient {
  return new RegistryClient({
    timeoutSeconds: 5,
    backoffMilliseconds: 1,
    insecureHosts: new Set([registry.host, other.host]),
    env: {},
    credentials: async (host) => options.logins?.[host],
    warn: (text) => warnings.push(text),
    ...options,
  });
}

const image = () => `${registry.host}/team/app:v1`;

/** The message of a failed lookup and its fix. */
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
    expect(text).toContain(`names the digest ${DIGEST} for ${image()}, but its manifest has ${digestOfText(indexManifest('forged'))}`);
  });

  test.each([
    ['a login page', '<html>log in</html>'],
    ['JSON that is no manifest', '{"schemaVersion": 2}'],
    ['JSON that is no object', 'null'],
    ['schema version 1', '{"schemaVersion": 1, "fsLayers": []}'],
  ])('%s', async (_name, body) => {
    answerWith(body, { 'content-type': 'text/html' });
    expect(await fault(client().digestOf(image()))).toContain('without an image manifest of schema version 2 (text/html)');
  });

  test.each([
    ['a list of manifests that has layers, too', { schemaVersion: 2, manifests: [{}], layers: [] }, 'lists layers and other manifests at once'],
    ['a list of no manifests', { schemaVersion: 2, manifests: [] }, 'lists no manifests'],
    ['a manifest of another type than the answer', { schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json', layers: [] },
      'as application/octet-stream, which calls itself application/vnd.oci.image.manifest.v1+json'],
  ])('%s', async (_name, body, text) => {
    answerWith(JSON.stringify(body), { 'content-type': 'application/octet-stream; charset=utf-8' });
    expect(await fault(client().digestOf(image()))).toContain(text);
  });

  test('a body without end', async () => {
    answerWith(' '.repeat(4 * 1024 * 1024 + 1));
    expect(await fault(client().digestOf(image()))).toContain('more than 4 MiB');
  });

  test.each(['busybox', 'quay.io/team/app', 'https://quay.io/team/app:v1', 'Team/../app:v1', ''])('the name %j', async (name) => {
    expect(await fault(client().digestOf(name))).toContain(`"${name}" is not the name of an image with a tag`);
  });
});

describe('refusals', () => {
  const refuse = (status: number, headers: { [name: string]: string } = {}, body = '') => {
    registry.answer = (_request, response) => {
      response.writeHead(status, headers).end(body);
      return true;
    };
  };

  test('404 is not retried, and shows the reason of the registry', async () => {
    expect(await fault(client().digestOf(`${registry.host}/team/app:v2`)))
      .toContain(`answers 404 for ${registry.host}/team/app:v2: MANIFEST_UNKNOWN: manifest unknown`);
    expect(registry.seen).toHaveLength(1);
  });

  const WITHOUT_REASON = ['{"errors": null}', '{"errors": [null]}', '{"errors": ["x"]}', '{"errors": [{"code": 1}]}'];
  test.each(WITHOUT_REASON)('a body of %s has no reason', async (body) => {
    refuse(404, {}, body);
    expect(await fault(client().digestOf(image()))).toContain(`answers 404 for ${image()} |`);
  });

  test('the reason of the registry cannot write to the terminal', async () => {
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

  test.each(['3600', new Date(Date.now() + 3_600_000).toUTCString()])('429 until %s is not retried', async (after) => {
    refuse(429, { 'retry-after': after });
    expect(await fault(client().digestOf(image()))).toContain(`answers 429 for ${image()} | try again later, or log in`);
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

  test('a token server that redirects gets no second request', async () => {
    wantToken(`http://${other.host}/token`);
    other.answer = (_request, response) => {
      response.writeHead(307, { location: `http://${registry.host}/token` }).end();
      return true;
    };
    const text = await fault(client({ logins: { [registry.host]: { identityToken: 'long-lived' } } }).digestOf(image()));
    expect(text).toContain(`the token server ${other.host} answers 307 without a token for ${registry.host}`);
    expect(registry.seen.map(({ method }) => method)).toEqual(['GET']);
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
    expect(text).toContain(`answers 401 for ${image()} | check the name`);
    expect(text).toContain(`docker login ${registry.host}`);
  });

  test('rejected ones are not quoted', async () => {
    registry.answer = (_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    };
    const text = await fault(client({ logins: { [registry.host]: login } }).digestOf(image()));
    expect(text).toContain(`answers 401 for ${image()} | check the name of the image, and what the user of your docker login may read`);
    expect(text).not.toContain('pass:word');
    expect(text).not.toContain(BASIC.slice(6));
  });

  test('that cannot be read are a warning, and public images are found', async () => {
    wantToken(`http://${other.host}/token`);
    const credentials = () => Promise.reject(new Error('the keychain is locked'));
    expect(await client({ credentials }).digestOf(image())).toBe(DIGEST);
    expect(warnings).toEqual([`no credentials for ${registry.host}: the keychain is locked; the request is sent without`]);
  });

  test('a token server without TLS gets none', async () => {
    wantToken(`http://${other.host}/token`);
    const text = await fault(client({ insecureHosts: new Set([registry.host]), logins: { [registry.host]: login } }).digestOf(image()));
    expect(text).toContain('without TLS');
    expect(text).toContain(`--insecure-registry ${other.host}`);
    expect(other.seen).toEqual([]);
  });

  test.each([
    ['', '""'],
    ['not a url', '"not a url"'],
    ['ftp://127.0.0.1/token', '"ftp://127.0.0.1"'],
    ['https://user:secret@127.0.0.1/token', '"https://127.0.0.1"'],
  ])('the token server %j is rejected', async (realm, shown) => {
    wantToken(realm);
    expect(await fault(client().digestOf(image())))
      .toContain(`${registry.host} names the token server ${shown}, not an http(s) URL without user and password`);
  });

  test.each([
    [401, '', 'log in: docker login'], [500, '', 'try again later'], [200, '{}', 'check the address'], [200, 'x', 'check the address'],
    [200, '{"token":"a\\r\\nb"}', 'check the address'],
  ])('a token server that answers %d %s', async (status, body, fix) => {
    wantToken(`http://${other.host}/token`);
    other.answer = (_request, response) => {
      response.writeHead(status).end(body);
      return true;
    };
    expect(await fault(client({ logins: { [registry.host]: login } }).digestOf(image())))
      .toContain(`the token server ${other.host} answers ${status} without a token for ${registry.host} | ${fix}`);
  });

  test('only the first of several challenges of a registry counts', async () => {
    wantToken(`http://${other.host}/token`, ', Basic realm="http://elsewhere.example.com"');
    expect(await client({ logins: { [registry.host]: login } }).digestOf(image())).toBe(DIGEST);
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([BASIC]);
  });

  test('beyond ASCII are sent as UTF-8', async () => {
    wantToken(`http://${other.host}/token`);
    await client({ logins: { [registry.host]: { username: 'jürgen', password: 'pässwörd€' } } }).digestOf(image());
    expect(Buffer.from(other.seen[0].authorization!.slice(6), 'base64').toString('utf8')).toBe('jürgen:pässwörd€');
  });
});

describe('redirects', () => {
  const LOGIN = { username: 'a', password: 'secret' };
  const CHALLENGE = { 'www-authenticate': 'Basic realm="x"' };
  const redirectTo = (target: string) => {
    registry.answer = (request, response) => {
      if (request.headers.authorization === undefined) response.writeHead(401, CHALLENGE).end();
      else response.writeHead(307, { location: target }).end();
      return true;
    };
  };

  test('are followed to another host without the credentials', async () => {
    redirectTo(`http://${other.host}/v2/team/app/manifests/v1`);
    expect(await client({ logins: { [registry.host]: LOGIN } }).digestOf(image())).toBe(DIGEST);
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test.each([
    ['Basic', true, () => 'Basic realm="give me"'],
    ['Basic', false, () => 'Basic realm="give me"'],
    ['a token', true, () => `Bearer realm="http://${other.host}/token"`],
    ['a token', false, () => `Bearer realm="http://${other.host}/token"`],
  ])('another host that wants %s, after a login to the registry: %s, gets no credentials', async (_name, afterLogin, challenge) => {
    const target = `http://${other.host}/v2/team/app/manifests/v1`;
    redirectTo(target);
    if (!afterLogin) registry.answer = (_request, response) => Boolean(response.writeHead(307, { location: target }).end());
    other.answer = (_request, response) => Boolean(response.writeHead(401, { 'www-authenticate': challenge() }).end());
    const logins = { [registry.host]: LOGIN, [other.host]: LOGIN };
    expect(await fault(client({ logins }).digestOf(image()))).toContain(`${other.host} answers 401`);
    expect(other.seen.map(({ url, authorization }) => [url, authorization])).toEqual([['/v2/team/app/manifests/v1', undefined]]);
  });

  test('keep them on the same host', async () => {
    registry.answer = (request, response) => {
      if (request.headers.authorization === undefined) response.writeHead(401, CHALLENGE).end();
      else if (request.url?.startsWith('/v2/team/')) response.writeHead(307, { location: '/v2/moved/app/manifests/v1' }).end();
      else return false;
      return true;
    };
    registry.manifests.set('moved/app:v1', MANIFEST);
    expect(await client({ logins: { [registry.host]: LOGIN } }).digestOf(image())).toBe(DIGEST);
    expect(registry.seen.at(-1)).toMatchObject({ url: '/v2/moved/app/manifests/v1', authorization: `Basic ${Buffer.from('a:secret').toString('base64')}` });
  });

  test.each([
    ['ftp://example.com/x', 'redirects to "ftp://example.com", not an http(s) URL'],
    ['http://unencrypted.example.com/x', 'http://unencrypted.example.com, without TLS | if it may be reached so: --insecure-registry unencrypted.example.com'],
    ['http://', 'redirects to "http://", not an http(s) URL'],
    ['https://user:pass@example.com/', 'redirects to "https://example.com", not an http(s) URL without user and password'],
  ])('to %s are rejected', async (target, message) => {
    redirectTo(target);
    expect(await fault(client({ logins: { [registry.host]: LOGIN } }).digestOf(image()))).toContain(message);
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

  test('plain http is not tried by itself, and TLS not again', async () => {
    const requests = jest.spyOn(globalThis, 'fetch');
    const text = await fault(client({ insecureHosts: new Set() }).digestOf(image()));
    expect(requests).toHaveBeenCalledTimes(1);
    requests.mockRestore();
    expect(text).toContain(`no TLS connection to ${registry.host}`);
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

describe('the URL of an image', () => {
  const HUB = 'https://registry-1.docker.io/v2';
  let urls: string[];
  beforeEach(() => {
    urls = [];
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
      urls.push(String(url));
      return new Response(null, { status: 401 });
    });
  });
  afterEach(() => jest.restoreAllMocks());

  test.each([
    ['busybox:1.37.0', `${HUB}/library/busybox/manifests/1.37.0`],
    ['docker.io/library/busybox:1', `${HUB}/library/busybox/manifests/1`],
    ['index.docker.io/calico/cni:v3', `${HUB}/calico/cni/manifests/v3`],
    ['registry.k8s.io/pause:3.10', 'https://registry.k8s.io/v2/pause/manifests/3.10'],
    ['registry:5000/team/app:v1', 'https://registry:5000/v2/team/app/manifests/v1'],
    ['[::1]:5000/app:v1', 'https://[::1]:5000/v2/app/manifests/v1'],
  ])('%s', async (name, url) => {
    await fault(client().digestOf(name));
    expect(urls).toEqual([url]);
  });

  test.each([
    ['busybox:1', 'docker login'],
    ['r.example.com:5000/app:v1', 'docker login r.example.com:5000'],
  ])('of %s needs %s', async (name, command) => {
    expect(await fault(client().digestOf(name))).toMatch(new RegExp(`: ${command}$`));
  });
});
