import { chartsOf } from './bound';
import { SAMPLES } from './catalog/samples';
import { CHART_FACTS } from './chart-facts';
import { inside } from './cni/contexts';
import CHART_CATALOGUE from '../../../data/charts.json';
import { Render } from '../../../scripts/charts/reference';
import { chartFacts } from '../../../scripts/charts/render-facts';
import { BundledAddonProps } from '../../../src/constructs/addons/bundled-addon';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { valueOf } from '../../../src/manifests/images/chart-values';
import { TolerationOperator } from '../../../src/manifests/values/taints';

/** Charts without facts: those of clusters that have no Cluster API. */
const NOT_RENDERED = ['nifcloud-additional-storage-csi-driver', 'nifcloud-cloud-controller-manager'];

test('the facts are those of the versions that are installed: render a chart anew when its version moves', () => {
  const stale = Object.entries(CHART_CATALOGUE)
    .filter(([chart, { version }]) => !NOT_RENDERED.includes(chart) && CHART_FACTS[chart]?.version !== version)
    .map(([chart, { version }]) => `${chart} ${version}: the renders are of ${CHART_FACTS[chart]?.version ?? 'no version'}`);

  expect(stale).toEqual([]);
  expect(NOT_RENDERED.filter((chart) => CHART_FACTS[chart])).toEqual([]);
});

/** Helm keeps chart and manifests of a release in a Secret, which holds 1 MiB; the user's values need some of it. */
const LARGEST_RECORD = 90;

test('the record of each release fits into its Secret', () => {
  const found = Object.entries(CHART_FACTS).filter(([, { recordPercent }]) => recordPercent > LARGEST_RECORD);

  expect(found.map(([chart, { recordPercent }]) => `${chart}: ${recordPercent} % of 1 MiB`)).toEqual([]);
});

/** Custom resources that a chart can render beside their definitions, and the value that makes it do so. Helm would not install the release. */
const BESIDE_DEFINITIONS: Readonly<Record<string, string>> = { 'snapshot-controller': 'volumeSnapshotClasses' };

test('no release holds custom resources and their definitions: Helm looks for all kinds before it creates any', () => {
  const found = Object.entries(CHART_FACTS)
    .filter(([, facts]) => facts.definitionsInTemplates && facts.customResources.length > 0).map(([chart]) => chart);
  const written = Object.values(SAMPLES).flatMap(({ least, most }) => [...chartsOf(least()), ...chartsOf(most())])
    .filter(({ chart, values }) => valueOf(values, BESIDE_DEFINITIONS[chart]) !== undefined).map(({ chart }) => chart);

  expect(found).toEqual(Object.keys(BESIDE_DEFINITIONS));
  expect(written).toEqual([]);
});

/** Pods that no toleration reached when the charts were rendered, and the value that reaches them now (templates that were read beside it). */
const REACHED: Readonly<Record<string, string>> = {
  // cilium/charts cilium-1.20.0.tgz templates/hubble/tls-cronjob/_job-spec.tpl
  'cilium CronJob hubble-generate-certs': 'certgen.tolerations',
  'cilium Job hubble-generate-certs': 'certgen.tolerations',
  // prometheus-community/helm-charts charts/prometheus-node-exporter 4.56.1 templates/daemonset.yaml
  'kube-prometheus-stack DaemonSet kube-prometheus-stack-prometheus-node-exporter': 'prometheus-node-exporter.tolerations',
  // metallb/frr-k8s charts/frr-k8s v0.0.25 templates/controller.yaml, status-cleaner.yaml
  'metallb DaemonSet metallb-frr-k8s': 'frr-k8s.frrk8s.tolerations',
  'metallb Deployment metallb-frr-k8s-statuscleaner': 'frr-k8s.frrk8s.tolerations',
};

test('tolerations reach every pod', () => {
  const team = { key: 'team', operator: TolerationOperator.EXISTS };
  const samples = { ...SAMPLES, cilium: { most: (props: BundledAddonProps) => new Cilium({ ...props, hubble: true }) } };
  const charts = Object.values(samples).flatMap(({ most }) => chartsOf(most({ tolerations: [team] }), inside));
  const covered = Object.entries(REACHED).filter(([pod, path]) => {
    const { values } = charts.find(({ chart }) => pod.startsWith(`${chart} `))!;
    return JSON.stringify(valueOf(values, path) ?? '').match(/"key":"team"|\[{"operator":"Exists"}\]/);
  }).map(([pod]) => pod);

  expect(covered).toEqual(Object.entries(CHART_FACTS).flatMap(([chart, { untolerated }]) => untolerated.map((pod) => `${chart} ${pod}`)));
});

test('no chart has hooks that run at installation only: a retry is an upgrade, which would skip them', () => {
  expect(Object.entries(CHART_FACTS).filter(([, { installOnlyHooks }]) => installOnlyHooks.length > 0)).toEqual([]);
});

describe('what is read from a render', () => {
  const empty: Render = { images: [], pods: [], hooks: [], customResources: [], definitionsInRender: 0, recordPercentOf1MiB: null };
  const facts = (changed: Partial<Render>) => chartFacts({ version: '1', samples: { 'x.tol': { ...empty, ...changed } } }, {});

  test.each<[string, string, string[]]>([
    ['installation only', 'post-install', ['Job a']],
    ['installation and rollback', 'pre-install,pre-rollback', ['Job a']],
    ['installation and upgrade', 'pre-install, pre-upgrade', []],
    ['upgrade only', 'pre-upgrade', []],
    ['deletion', 'post-delete', []],
  ])('a hook at %s', (_, hook, expected) => {
    expect(facts({ hooks: [{ hook, kind: 'Job', name: 'a' }] }).installOnlyHooks).toEqual(expected);
  });

  test.each<[string, object[] | null, boolean]>([
    ['none', null, false],
    ['those of another taint', [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }], false],
    ['everything of one effect', [{ operator: 'Exists', effect: 'NoSchedule' }], false],
    ['the one of the addon', [{ key: 'team', operator: 'Exists' }], true],
    ['everything', [{ operator: 'Exists' }], true],
    ['everything of both effects', [{ operator: 'Exists', effect: 'NoSchedule' }, { operator: 'Exists', effect: 'NoExecute' }], true],
  ])('a pod with tolerations: %s', (_, tolerations, reached) => {
    expect(facts({ pods: [{ kind: 'Job', name: 'a-0123456789', tolerations }] }).untolerated).toEqual(reached ? [] : ['Job a']);
  });

  test('the largest record, and custom resources beside definitions', () => {
    expect(facts({ recordPercentOf1MiB: 7, customResources: ['a/B'], definitionsInRender: 1 })).toMatchObject({ recordPercent: 7, customResources: ['a/B'] });
    expect(facts({ customResources: ['a/B'] })).toMatchObject({ recordPercent: 0, customResources: [] });
  });
});
