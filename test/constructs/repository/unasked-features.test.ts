import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Duration } from 'cdk8s';
import { exampleFleet, POOLED } from './fleet/fleets';
import { Hibernation } from '../../../src/constructs/contracts/cluster-context';
import { TimeWindow, Weekday } from '../../../src/constructs/contracts/delivery/time-window';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ArgoCdApplicationSet } from '../../../src/constructs/deliveries/argo-cd/argo-cd-application-set';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { ClusterMonitoring } from '../../../src/constructs/monitoring/cluster-monitoring';
import { FleetProps } from '../../../src/constructs/repository/fleet/fleet-props';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { HibernationSchedule } from '../../../src/constructs/tenant/hibernation-schedule';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { readFiles } from '../../support/examples';
import { addCluster } from '../../support/many-clusters';

type Files = { readonly [file: string]: string };

let outdir: string;
beforeEach(() => { outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'features-')); });
afterEach(() => fs.rmSync(outdir, { recursive: true, force: true }));

const SOURCE = { url: 'ssh://git@git.example.com/tenants.git', revision: 'main', secretName: 'flux-system', kubectlImage: 'registry.example.com/kubectl:v1.35.4' };
const TOOLS = {
  'Flux': () => new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist' }),
  'Flux with a source for windows': () => new FluxEntryPoints({ sourceName: 'flux-system', path: 'dist', windowedSource: SOURCE }),
  'Argo CD': () => new ArgoCdApplicationSet({ repoUrl: 'https://git.example.com/tenants.git', targetRevision: 'main', path: 'dist' }),
};
type Tool = keyof typeof TOOLS;

function written(add: (app: GitOpsApp) => void, tool: Tool): Files {
  fs.rmSync(outdir, { recursive: true, force: true });
  const app = new GitOpsApp({ outdir, quiet: true, entryPoints: TOOLS[tool]() });
  add(app);
  app.synth();
  return Object.fromEntries(Object.entries(readFiles(outdir)).filter(([file]) => !file.startsWith('.')));
}

/** The files of two clusters, of which the second one has further properties. */
function pair(tool: Tool, props: Partial<TenantClusterProps> = {}): Files {
  return written((app) => {
    addCluster(app, 'plain');
    addCluster(app, 'other', props);
  }, tool);
}

const NIGHT = TimeWindow.weekly({ days: [Weekday.SATURDAY], from: '22:00', duration: Duration.hours(6), timeZone: 'Europe/Zurich' });
const WORK = HibernationSchedule.of({ awake: [TimeWindow.weekly({ days: [Weekday.MONDAY], from: '07:00', duration: Duration.hours(12), timeZone: 'Europe/Zurich' })] });
const kamaji = (props: Partial<ConstructorParameters<typeof KamajiControlPlane>[0]>) => new KamajiControlPlane({ replicas: 2, dataStore: 'default', ...props });

/** Properties that ask for a feature, the same as they are where it is off, and its traces in the output. */
const FEATURES: readonly (readonly [name: string, on: Partial<TenantClusterProps>, off: Partial<TenantClusterProps>, traces: RegExp])[] = [
  ['monitoring', { monitoring: new ClusterMonitoring() }, { monitoring: undefined }, /PrometheusRule|grafana_dashboard/],
  ['change windows', { changeWindows: [NIGHT] }, { changeWindows: undefined }, /CronJob|syncWindows|change-window/],
  ['hibernation', { hibernation: Hibernation.FULL }, { hibernation: undefined }, /replicas: 0|suspend: true|skip-reconcile/],
  ['a schedule', { hibernation: WORK.stateAt('2026-11-28T12:00:00Z') }, { hibernation: WORK.stateAt('2026-11-30T12:00:00Z') }, /replicas: 0|suspend: true|skip-reconcile/],
  ['keys for encryption', {
    controlPlane: kamaji({ encryption: { secretName: 'keys', key: 'config.yaml', externalKeys: { secretStore: 'vault', keys: [{ name: 'a', remoteKey: 'tenants/a' }] } } }),
  }, { controlPlane: kamaji({ encryption: undefined }) }, /ExternalSecret|encryption-provider-config/],
  ['keys of ServiceAccounts', {
    controlPlane: kamaji({ serviceAccountKeys: { secretStore: 'vault', keys: [{ name: 'a', remoteKey: 'tenants/a' }] } }),
  }, { controlPlane: kamaji({ serviceAccountKeys: undefined }) }, /ExternalSecret|sa-certificate/],
];

/** Documents of all files that are about the first cluster. */
const ofPlain = (files: Files): string[] => Object.entries(files)
  .flatMap(([file, text]) => text.split('\n---\n').filter((document) => /\bplain\b/.test(file) || /\btenant-plain\b/.test(document)).map((document) => `${file}\n${document}`));

describe.each(Object.keys(TOOLS) as Tool[])('with %s', (tool) => {
  // Without a source for windows, Flux has none.
  const features = FEATURES.filter(([name]) => name !== 'change windows' || tool !== 'Flux');

  test.each(features)('%s: a cluster that does not ask for it has no trace of it', (_name, _on, _off, traces) => {
    const files = pair(tool);
    expect(Object.keys(files).length).toBeGreaterThan(5);
    expect(Object.entries(files).filter(([, text]) => traces.test(text)).map(([file]) => file)).toEqual([]);
  });

  test.each(features)('%s: switched off, it leaves every byte as it is', (_name, _on, off) => {
    expect(pair(tool, off)).toEqual(pair(tool));
  });

  test.each(features)('%s of one cluster leaves what others have as it is', (_name, on, _off, traces) => {
    const [before, after] = [pair(tool), pair(tool, on)];
    expect(Object.keys(after).some((file) => before[file] !== after[file] && traces.test(after[file]))).toBe(true);
    expect(ofPlain(before).length).toBeGreaterThan(5);
    expect(ofPlain(after)).toEqual(ofPlain(before));
  });
});

describe.each(['Flux', 'Argo CD'] as const)('rings with gates and %s', (tool) => {
  const VERSION = '1.35.4';
  const fleet = (rings: FleetProps['rings']) => written((app) => {
    exampleFleet(app, [{ name: 'a', ring: 'canary' }, { name: 'b', ring: 'main' }], { profiles: { plain: POOLED }, rings });
  }, tool);
  const plain = () => fleet([{ name: 'canary', kubernetesVersion: VERSION }, { name: 'main', kubernetesVersion: VERSION }]);
  const TRACES = /-ring-|readyExpr|rollingSync|RollingSync|rollout-step|dependsOn:\n +- name: ring/;

  test('a fleet without gates has no trace of them', () => {
    expect(Object.entries(plain()).filter(([file, text]) => TRACES.test(text) || /ring/.test(path.basename(file))).map(([file]) => file)).toEqual([]);
  });

  test('a gate that is undefined leaves every byte as it is', () => {
    expect(fleet([{ name: 'canary', kubernetesVersion: VERSION, gate: undefined }, { name: 'main', kubernetesVersion: VERSION }])).toEqual(plain());
  });

  test('a gate shows in the output, and changes no object of Cluster API', () => {
    const [before, after] = [plain(), fleet([{ name: 'canary', kubernetesVersion: VERSION, gate: { soak: Duration.hours(1) } }, { name: 'main', kubernetesVersion: VERSION }])];
    const changed = Object.keys(after).filter((file) => before[file] !== after[file]);
    expect(changed.some((file) => TRACES.test(after[file]))).toBe(true);
    expect(changed.filter((file) => /cluster\.x-k8s\.io\/v1/.test(after[file]) && !/Kustomization/.test(after[file]))).toEqual([]);
  });
});
