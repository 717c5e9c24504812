import { defaultValue, DocumentedOption, libraryOptions } from './documented-options';
import { addonUser, OPTION_USERS, OptionUser } from './option-users';
import { Addon } from '../../src/constructs/contracts/addon';
import { NAMESPACES } from '../support/namespaces';

const index = jest.requireActual<Record<string, unknown>>('cdk8s-cluster-api');

/** The package as a user has it, with the names of submodules: what the documentation calls a default is looked up by name. */
export const library: Record<string, unknown> = Object.assign({}, index, ...NAMESPACES.map((name) => index[name]));

/** The options of each interface. */
export const documented = libraryOptions();

/** The classes of addons. */
export const addons = Object.entries(library).filter((entry): entry is [string, new (props: object) => Addon] => isAddon(entry[1]) && entry[0] !== 'ManifestAddon' && documented.has(`${entry[0]}Props`));

/** The user of each interface of options. */
export const USERS: Readonly<Record<string, OptionUser>> = {
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

/** Differences that an option makes when it is undefined, or has its default. */
export function leaks({ needs, write }: OptionUser, options: readonly DocumentedOption[]): string[] {
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

/** Expects that no option of an interface leaves a trace, except for the defaults of programs. */
export function expectNoLeaks(name: string): void {
  expect(documented.get(name)?.length).toBeGreaterThan(0);
  expect(leaks(USERS[name], documented.get(name)!)).toEqual((PROGRAMS_DEFAULTS[name] ?? []).map((option) => `${option} as its default`));
}

function isAddon(value: unknown): boolean {
  return typeof value === 'function' && value.prototype instanceof Addon;
}
