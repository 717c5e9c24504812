import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { DockerConfig } from '../../../src/images/registry/docker-config';
import { DOCKER_HUB_HOST } from '../../../src/images/registry/image-location';

let folder: string;
beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'docker-config-')); });
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');

function config(content: unknown): DockerConfig {
  fs.writeFileSync(path.join(folder, 'config.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return new DockerConfig({ DOCKER_CONFIG: folder, PATH: `${folder}:${process.env.PATH}` });
}

/** A credential helper that says what it was asked, and then this. */
function helper(name: string, script: string): void {
  fs.writeFileSync(path.join(folder, `docker-credential-${name}`), `#!/bin/sh\nread server\necho "$1 $server" > ${folder}/asked\n${script}\n`, { mode: 0o755 });
}

const asked = () => fs.readFileSync(path.join(folder, 'asked'), 'utf8').trim();

test('is in the home folder unless DOCKER_CONFIG says otherwise', async () => {
  fs.mkdirSync(path.join(folder, '.docker'));
  fs.writeFileSync(path.join(folder, '.docker', 'config.json'), JSON.stringify({ auths: { 'r.example.com': { auth: base64('a:b') } } }));
  const inHome = new DockerConfig({ HOME: folder });
  expect(inHome.description).toBe(path.join(folder, '.docker', 'config.json'));
  expect(await inHome.find('r.example.com')).toEqual({ username: 'a', password: 'b' });
  expect(await new DockerConfig({ HOME: folder, DOCKER_CONFIG: '/nowhere' }).find('r.example.com')).toBeUndefined();
});

test.each<[string, unknown, unknown]>([
  ['user and password in one', { auth: base64('robot$a:pass:word') }, { username: 'robot$a', password: 'pass:word' }],
  ['padded with zero bytes', { auth: base64('a:b\0\0') }, { username: 'a', password: 'b' }],
  ['user and password apart', { username: 'a', password: 'b' }, { username: 'a', password: 'b' }],
  ['an identity token', { auth: base64('a:'), identitytoken: 't' }, { identityToken: 't' }],
  ['a registry token', { registrytoken: 't' }, { bearerToken: 't' }],
  ['an empty entry, as Docker leaves where a helper has the secret', {}, undefined],
  ['no user', { auth: base64('nothing') }, undefined],
  ['null', null, undefined],
])('an entry with %s', async (_name, entry, credentials) => {
  expect(await config({ auths: { 'r.example.com:5000': entry } }).find('r.example.com:5000')).toEqual(credentials);
});

test.each([
  ['r.example.com', 'r.example.com', true],
  ['https://r.example.com', 'r.example.com', true],
  ['https://r.example.com/v2/', 'r.example.com', true],
  ['r.example.com', 'r.example.com:5000', false],
  ['example.com', 'r.example.com', false],
  ['https://index.docker.io/v1/', DOCKER_HUB_HOST, true],
  ['docker.io', DOCKER_HUB_HOST, true],
])('the entry %s is used for %s: %s', async (key, host, used) => {
  expect(await config({ auths: { [key]: { auth: base64('a:b') } } }).find(host) !== undefined).toBe(used);
});

test.each(['{', '"text"', 'null'])('the file %j is refused without its text', async (text) => {
  await expect(config(text).find('r.example.com')).rejects.toThrow(/config\.json is not JSON$/);
});

describe('a credential helper', () => {
  test('is asked for its registry', async () => {
    helper('test', 'echo \'{"ServerURL":"x","Username":"a","Secret":"b"}\'');
    expect(await config({ credHelpers: { 'r.example.com': 'test' } }).find('r.example.com')).toEqual({ username: 'a', password: 'b' });
    expect(asked()).toBe('get r.example.com');
  });

  test('may have an identity token', async () => {
    helper('test', 'echo \'{"Username":"<token>","Secret":"t"}\'');
    expect(await config({ credsStore: 'test' }).find(DOCKER_HUB_HOST)).toEqual({ identityToken: 't' });
    expect(asked()).toBe('get https://index.docker.io/v1/');
  });

  test('that has nothing leaves it to the file', async () => {
    helper('test', 'echo "credentials not found in native keychain"; exit 1');
    const both = config({ credsStore: 'test', auths: { 'r.example.com': { auth: base64('a:b') } } });
    expect(await both.find('r.example.com')).toEqual({ username: 'a', password: 'b' });
    expect(await both.find('other.example.com')).toBeUndefined();
  });

  test.each([
    ['fails', 'test', 'echo the-secret; exit 3', 'docker-credential-test failed with status 3'],
    ['gives no JSON', 'test', 'echo the-secret', 'docker-credential-test gave no JSON'],
    ['gives no secret', 'test', 'echo \'{"Username":"a"}\'', 'docker-credential-test gave no user and secret'],
    ['is missing', 'absent', '', 'there is no program docker-credential-absent'],
    ['is a path', '../../bin/sh', '', '"../../bin/sh" is not the name of a credential helper'],
  ])('that %s', async (_name, name, script, said) => {
    helper('test', script);
    await expect(config({ credHelpers: { 'r.example.com': name } }).find('r.example.com')).rejects.toThrow(new Error(said));
  });
});
