import { deployment, Workplace } from './run';
import { main } from '../../src/cli/main';
import { Surroundings, wantsColors } from '../../src/cli/surroundings';
import { table } from '../../src/cli/table';
import { Progress } from '../../src/manifests/values/progress';
import { indexManifest, RegistryServer } from '../constructs/images/registry/registry-server';

// eslint-disable-next-line no-control-regex
const CLEARED = /\r\u001b\[K/g;

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

async function onTerminal(args: readonly string[], terminal: Partial<Surroundings>): Promise<string> {
  let out = '';
  await main(args, { cwd: workplace.folder, env: {}, readInput: async () => Buffer.from(''), out: (text) => { out += text; }, err: () => undefined, ...terminal });
  return out;
}

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('with %j, and a terminal: %p, colors are wanted: %p', (env, isTerminal, expected) => {
  expect(wantsColors(env, isTerminal)).toBe(expected);
});

test('severities of findings are in color, and nothing that they quote is', async () => {
  workplace.write({ 'a.yaml': JSON.stringify({ 'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': { name: 'a' }, 'da\u001b[31mta': {} }) });
  const plain = await onTerminal(['validate', 'a.yaml'], {});
  const colored = await onTerminal(['validate', 'a.yaml'], { colors: true });

  expect(plain).toContain('  error    TC-ADMIT-FIELD-UNKNOWN');
  expect(colored).toContain('  \u001b[31merror  \u001b[39m  TC-ADMIT-FIELD-UNKNOWN');
  // eslint-disable-next-line no-control-regex
  expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(plain);
});

test('an explanation is in color', async () => {
  const colored = await onTerminal(['explain', 'TC-ADDON-CYCLE'], { colors: true });

  expect(colored).toContain('\u001b[1mTC-ADDON-CYCLE\u001b[22m (\u001b[31merror\u001b[39m)');
});

test('tables fit the terminal; the first column stays whole', async () => {
  const image = 'registry.example.com/a/long/path/to/an/image:v1.2.3';
  workplace.write({ 'a.yaml': deployment('a-deployment-with-a-name-that-is-rather-long-for-a-table', image) });
  const wide = await onTerminal(['images', 'a.yaml'], {});
  const narrow = await onTerminal(['images', 'a.yaml'], { columns: 80 });

  expect(wide).toContain('Deployment a/a-deployment-with-a-name-that-is-rather-long-for-a-table');
  expect(narrow).toContain(`${image}  Deployment a/a-deployment-`);
  expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBe(80);
});

test('a narrow inventory keeps what tells clusters, pools and addons apart, and names the columns that it has no room for', async () => {
  const labels = Object.fromEntries(['general', 'gpu'].map((name) => [name, { 'cluster.x-k8s.io/cluster-name': 'acme-insurance' }]));
  const place = (name: string) => ({ namespace: 'tenant-acme-insurance', name, labels: labels.gpu });
  const api = { apiVersion: 'cluster.x-k8s.io/v1beta2' };
  workplace.write({
    'dist/a.yaml': [
      { ...api, kind: 'Cluster', metadata: place('acme-insurance'), spec: { clusterNetwork: { pods: { cidrBlocks: ['10.200.0.0/16'] } } } },
      ...Object.keys(labels).map((name) => ({
        ...api, kind: 'MachineDeployment', metadata: place(`acme-insurance-${name}`), spec: { clusterName: 'acme-insurance', replicas: 3 },
      })),
    ].map((object) => JSON.stringify(object)).join('\n---\n'),
  });
  const lines = (await onTerminal(['inventory'], { columns: 60 })).split('\n');

  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines.filter((line) => /^tenant-ac.*…/.test(line)).map((line) => line.split(/ +/)[1])).toEqual(['-', 'general', 'gpu']);
  expect(lines).toContainEqual(expect.stringMatching(/^\(no room for .*LABELS/));
  expect(await onTerminal(['inventory'], {})).not.toContain('…');
});

test('the widest columns are cut first, and none below eight characters', () => {
  const row = ['name', 'x'.repeat(30), 'y'.repeat(10)];

  expect(table(['A', 'B', 'C'], [row], 30)).toBe(`A     B             C\nname  ${'x'.repeat(11)}…  ${'y'.repeat(10)}\n`);
  expect(table(['A', 'B', 'C'], [row], 5)).toBe(`A     B         C\nname  ${'x'.repeat(7)}…  ${'y'.repeat(7)}…\n`);
});

test.each([
  [['validate'], /Reading 1\/1.*Validating 1\/1/],
  [['inventory'], /Reading 1\/1.*Finding clusters/],
  [['images'], /Reading 1\/1/],
  [['plan', 'a.yaml'], /Reading 1\/\d.*Comparing/],
])('%j shows progress on a terminal, and takes it back before it prints', async (command, expected) => {
  workplace.write({ 'a.yaml': deployment('a', 'b:1') });
  const before = await shownBeforeOutput([...command, 'a.yaml']);

  expect(before.replace(CLEARED, ' ')).toMatch(expected);
  expect(before.endsWith('\r\u001b[K')).toBe(true);
});

test('images lock shows how many registries have answered', async () => {
  const registry = await RegistryServer.start({ 'x/one:v1': indexManifest('one'), 'x/two:v1': indexManifest('two') });
  try {
    workplace.write({ 'a.yaml': deployment('a', `${registry.host}/x/one:v1`, `${registry.host}/x/two:v1`) });
    const before = await shownBeforeOutput(['images', 'lock', '--insecure-registry', registry.host, 'a.yaml']);

    expect(before.replace(CLEARED, ' ')).toMatch(/Reading 1\/1.*Asking 1\/2.*Asking 2\/2/);
  } finally {
    await registry.close();
  }
});

/** Output on the terminal before results begin. */
async function shownBeforeOutput(args: readonly string[]): Promise<string> {
  let shown = '';
  let now = 0;
  // Each look at the clock is a second later.
  const progress = new Progress({ isTTY: true, write: (text: string) => { shown += text; } }, () => { now += 2000; return now; });
  let before = '';
  await onTerminal(args, { progress, out: () => { before ||= shown; } });
  return before;
}
