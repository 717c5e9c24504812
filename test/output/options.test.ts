import * as fs from 'node:fs';
import * as path from 'node:path';
import { defaultValue, DocumentedOption, libraryOptions, optionsIn } from './documented-options';
import { addonUser, OPTION_USERS, OptionUser } from './option-users';
import { Addon } from '../../src/constructs/contracts/addon';

// As a user has it, with the names of submodules: what the documentation calls a default is looked up by name.
const SUBMODULES = ['blueprints', 'hosts', 'management', 'nifcloud', 'operators', 'validation', 'vultr'];
const index = jest.requireActual<Record<string, unknown>>('cdk8s-cluster-api');
const library: Record<string, unknown> = Object.assign({}, index, ...SUBMODULES.map((name) => index[name]));
const documented = libraryOptions();

const addons = Object.entries(library).filter((entry): entry is [string, new (props: object) => Addon] => isAddon(entry[1]) && entry[0] !== 'ManifestAddon' && documented.has(`${entry[0]}Props`));

const USERS: Readonly<Record<string, OptionUser>> = {
  ...Object.fromEntries(addons.map(([name, type]) => [`${name}Props`, addonUser(name, type)])),
  ...OPTION_USERS,
};

/** Options whose default is that of the program or its chart, which is told nothing as long as nobody says anything. */
const PROGRAMS_DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  ClusterAutoscalerOptions: [
    'expanders', 'scanInterval', 'balanceSimilarNodeGroups', 'newPodScaleUpDelay', 'maxNodesTotal', 'scaleDown', 'scaleDownUnneededTime', 'scaleDownUnreadyTime',
    'scaleDownDelayAfterAdd', 'scaleDownDelayAfterDelete', 'scaleDownDelayAfterFailure', 'scaleDownUtilizationThreshold', 'scaleDownGpuUtilizationThreshold',
    'maxScaleDownParallelism', 'maxGracefulTermination', 'ignoreDaemonSetsUtilization', 'skipNodesWithLocalStorage', 'skipNodesWithSystemPods',
  ],
  KubeadmBootstrapProps: ['verbosity'],
  KubeadmControlPlaneProps: ['verbosity'],
  CertManagerProps: ['replicas'],
  EnvoyGatewayProps: ['replicas'],
  IngressNginxProps: ['replicas'],
  KubePrometheusStackProps: ['replicas', 'retention'],
  KyvernoProps: ['replicas'],
  NodeLocalDnsProps: ['localAddress'],
  SnapshotControllerProps: ['replicas'],
  TraefikProps: ['replicas'],
};

/** What differs when an option is there and says nothing, or says what would be without it. */
function leaks({ needs, write }: OptionUser, options: readonly DocumentedOption[]): string[] {
  const plain = write(needs);
  const others = options.filter(({ name }) => !(name in needs));
  const unset = others.map(({ name }) => ({ name, value: undefined, words: 'as undefined' }));
  const defaults = others.flatMap(({ name, documented: text }) => {
    const found = defaultValue(text, library);
    return found ? [{ name, value: found.value, words: 'as its default' }] : [];
  });
  const given = (values: typeof defaults) => write({ ...needs, ...Object.fromEntries(values.map(({ name, value }) => [name, value])) });
  // One after the other only where all at once show that there is something to find: each is a synthesis.
  return [unset, defaults].flatMap((values) => (given(values) === plain ? [] : values.filter((one) => given([one]) !== plain)))
    .map(({ name, words }) => `${name} ${words}`);
}

test.each(Object.entries(USERS))('%s: options that are off, or at their default, leave no trace', (name, user) => {
  expect(documented.get(name)?.length).toBeGreaterThan(0);
  expect(leaks(user, documented.get(name)!)).toEqual((PROGRAMS_DEFAULTS[name] ?? []).map((option) => `${option} as its default`));
});

/** Exported properties that nobody uses here, and why. */
const UNUSED: Readonly<Record<string, string>> = {
  BundledAddonProps: 'part of the properties of every addon of the library',
  ManifestAddonProps: 'of a class to extend; whoever extends it gives them',
  CustomResourceProps: 'what an object says of itself, not how it is made',
  CustomResourceTypeProps: 'fields of a definition: each shows',
  GitOpsAppProps: 'of an app: how its objects are validated and written, not what they are',
  ManifestValidationPluginProps: 'of a plug-in that looks at manifests, and makes none',
};

test('the properties of every class are used', () => {
  const sources = path.join(__dirname, '../../src');
  const files = fs.readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => path.basename(file) === 'index.ts');
  const indexes = files.map((file) => fs.readFileSync(path.join(sources, file), 'utf8')).join();
  const exported = [...new Set(indexes.match(/\b\w+Props\b/g))].filter((name) => (documented.get(name)?.length ?? 0) > 0);
  expect(exported.filter((name) => !(name in USERS))).toEqual(exported.filter((name) => name in UNUSED));
});

test('addons and defaults are found', () => {
  expect(addons.length).toBeGreaterThan(20);
  expect(documented.get('CiliumProps')!.map(({ name }) => name)).toEqual(expect.arrayContaining(['name', 'chartVersion', 'tunnelPort']));
  const values = [...documented].flatMap(([, options]) => options).filter(({ documented: text }) => defaultValue(text, library) !== undefined);
  expect(values.length).toBeGreaterThan(80);
});

describe('says which options leave a trace', () => {
  const options: DocumentedOption[] = [{ name: 'count', documented: '3' }, { name: 'mode', documented: '- none' }];

  test.each<[string, OptionUser['write'], string[]]>([
    ['none', (given) => `count ${(given as { count?: number }).count ?? 3}`, []],
    ['one that is written though it is undefined', (given) => Object.keys(given).join(), ['count as undefined', 'mode as undefined', 'count as its default']],
    ['one whose default is another', (given) => `count ${(given as { count?: number }).count ?? 4}`, ['count as its default']],
  ])('%s', (_what, write, expected) => {
    expect(leaks({ needs: {}, write }, options)).toEqual(expected);
  });

  test('but not of those that are given in any case', () => {
    expect(leaks({ needs: { count: 7 }, write: (given) => `${(given as { count?: number }).count}` }, options)).toEqual([]);
  });

  test('options are those of the interface and of those that it extends', () => {
    const found = optionsIn([
      'export interface A {\n/** @default 1 */\nreadonly one?: number; readonly two: string }',
      'export interface B extends A {\n/**\n * @default - none\n */\nreadonly three?: string; readonly one?: 2 }',
    ]);
    expect(found.get('B')).toEqual([{ name: 'three', documented: '- none' }, { name: 'one', documented: undefined }]);
    expect(found.get('A')).toEqual([{ name: 'one', documented: '1' }]);
  });

  test.each<[string, unknown]>([
    ['true', true], ['0.5', 0.5], ['cluster.local', 'cluster.local'], ['\'a b\', as in the docs', 'a b'], ['1 (some source)', 1], ['10d', '10d'], ['Colour.RED', 'red'],
  ])('the default %s is a value', (text, value) => {
    expect(defaultValue(text, { Colour: { RED: 'red' } })).toEqual({ value });
  });

  test.each([undefined, '- none', 'true, false where there is a webhook', '2 in mode Deployment', '3; 30 for the start'])('the default %s is told in words', (text) => {
    expect(defaultValue(text, {})).toBeUndefined();
  });
});

function isAddon(value: unknown): boolean {
  return typeof value === 'function' && value.prototype instanceof Addon;
}
