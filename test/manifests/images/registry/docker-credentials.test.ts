import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { DOCKER_HUB_API, findDockerCredentials } from '../../../../src/manifests/images/registry/docker-credentials';

let folder: string;
beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docker-credentials-')); });
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Finds the credentials for a registry in this config.json. */
function find(content: unknown, host = 'r.example.com') {
  fs.writeFileSync(path.join(folder, 'config.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return findDockerCredentials(host, { DOCKER_CONFIG: folder, PATH: `${folder}:${process.env.PATH}` });
}

/** Installs a credential helper that records its input and then runs the script. */
function helper(name: string, script: string): void {
  fs.writeFileSync(path.join(folder, `docker-credential-${name}`), `#!/bin/sh\nread server\necho "$1 $server" > ${folder}/asked\n${script}\n`, { mode: 0o755 });
}

const asked = () => fs.readFileSync(path.join(folder, 'asked'), 'utf8').trim();

test('the config is in the home folder unless DOCKER_CONFIG is set', async () => {
  fs.mkdirSync(path.join(folder, '.docker'));
  fs.writeFileSync(path.join(folder, '.docker', 'config.json'), JSON.stringify({ auths: { 'r.example.com': { auth: base64('a:b') } } }));
  expect(await findDockerCredentials('r.example.com', { HOME: folder })).toEqual({ username: 'a', password: 'b' });
  expect(await findDockerCredentials('r.example.com', { HOME: folder, DOCKER_CONFIG: '/nowhere' })).toBeUndefined();
});

test.each<[string, unknown, unknown]>([
  ['user and password, base64', { auth: base64('robot$a:pass:word') }, { username: 'robot$a', password: 'pass:word' }],
  ['characters beyond ASCII', { auth: base64('jürgen:pässwörd€') }, { username: 'jürgen', password: 'pässwörd€' }],
  ['padded with zero bytes', { auth: base64('a:b\0\0') }, { username: 'a', password: 'b' }],
  ['user and password apart', { username: 'a', password: 'b' }, { username: 'a', password: 'b' }],
  ['an identity token', { auth: base64('a:'), identitytoken: 't' }, { identityToken: 't' }],
  ['an empty entry, as Docker leaves where a helper has the secret', {}, undefined],
  ['no user', { auth: base64('nothing') }, undefined],
  ['null', null, undefined],
])('an entry with %s', async (_name, entry, credentials) => {
  expect(await find({ auths: { 'r.example.com:5000': entry } }, 'r.example.com:5000')).toEqual(credentials);
});

test.each([
  ['r.example.com', 'r.example.com', true],
  ['https://r.example.com', 'r.example.com', true],
  ['https://r.example.com/v2/', 'r.example.com', true],
  ['r.example.com', 'r.example.com:5000', false],
  ['example.com', 'r.example.com', false],
  ['https://index.docker.io/v1/', DOCKER_HUB_API, true],
  ['docker.io', DOCKER_HUB_API, true],
])('the entry %s is used for %s: %s', async (key, host, used) => {
  expect(await find({ auths: { [key]: { auth: base64('a:b') } } }, host) !== undefined).toBe(used);
});

test.each(['{"auth": "the-secret', '"text"', 'null'])('the file %j is rejected without quoting it', async (text) => {
  await expect(find(text)).rejects.toThrow(/config\.json is not a JSON object$/);
});

describe('a credential helper', () => {
  test('is asked for its registry', async () => {
    helper('test', 'echo \'{"ServerURL":"x","Username":"a","Secret":"b"}\'');
    expect(await find({ credHelpers: { 'r.example.com': 'test' } })).toEqual({ username: 'a', password: 'b' });
    expect(asked()).toBe('get r.example.com');
  });

  test('may have an identity token', async () => {
    helper('test', 'echo \'{"Username":"<token>","Secret":"t"}\'');
    expect(await find({ credsStore: 'test' }, DOCKER_HUB_API)).toEqual({ identityToken: 't' });
    expect(asked()).toBe('get https://index.docker.io/v1/');
  });

  test('that has nothing leaves it to the file', async () => {
    helper('test', 'echo "credentials not found in native keychain"; exit 1');
    const both = { credsStore: 'test', auths: { 'r.example.com': { auth: base64('a:b') } } };
    expect(await find(both)).toEqual({ username: 'a', password: 'b' });
    expect(await find(both, 'other.example.com')).toBeUndefined();
  });

  test.each([
    ['fails', 'test', 'echo the-secret; exit 3', 'docker-credential-test failed with exit code 3'],
    ['prints no JSON', 'test', 'echo the-secret', 'docker-credential-test did not print JSON with Username and Secret'],
    ['prints no secret', 'test', 'echo \'{"Username":"a"}\'', 'docker-credential-test did not print JSON with Username and Secret'],
    ['is missing', 'absent', '', 'docker-credential-absent is not installed'],
    ['is a path', '../../bin/sh', '', '"../../bin/sh" is not the name of a credential helper'],
  ])('that %s', async (_name, name, script, said) => {
    helper('test', script);
    await expect(find({ credHelpers: { 'r.example.com': name } })).rejects.toThrow(new Error(said));
  });
});
