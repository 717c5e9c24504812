import * as fs from 'node:fs';
import * as path from 'node:path';
import { SAMPLES } from './samples';
import CHART_CATALOGUE from '../../../../data/charts.json';
import { TolerationOperator } from '../../../../src/manifests/values/taints';
import { chartsOf, problemsOf, valuesOf } from '../bound';
import { unknownKeys } from '../chart-keys';
import { dualStack } from '../cni/contexts';

const NO_CHART = ['catalogue-addon', 'gateway-api'];
const CATALOGUE = path.join(__dirname, '../../../../src/constructs/addons/catalog');
const CNI_CHARTS = ['cilium', 'crd.projectcalico.org.v1', 'flannel', 'tigera-operator'];
const CLOUD_CHARTS = ['nifcloud-additional-storage-csi-driver', 'nifcloud-cloud-controller-manager'];

test('there is a sample of every addon, and an addon of every chart', () => {
  const files = fs.readdirSync(CATALOGUE).map((file) => file.replace('.ts', '')).filter((file) => !NO_CHART.includes(file));

  expect(Object.keys(SAMPLES)).toHaveLength(files.length);
  expect(Object.values(SAMPLES).map(({ chart }) => chart).concat(CNI_CHARTS, CLOUD_CHARTS).sort()).toEqual(Object.keys(CHART_CATALOGUE).sort());
});

describe.each(Object.entries(SAMPLES))('%s', (name, { least, most, chart, repository, version, namespace, privileged, provides, requires, mostRequires, tolerations }) => {
  test('is the chart that is expected, of an exact version, where pods may run as they need', () => {
    const charts = chartsOf(least());

    expect(charts).toHaveLength(1);
    expect(charts[0]).toMatchObject({ chart, repository, chartVersion: version, namespace, releaseName: name });
    expect(charts[0].namespaceLabels).toEqual(privileged ? { 'pod-security.kubernetes.io/enforce': 'privileged' } : undefined);
  });

  test('says what it brings and needs', () => {
    expect(least()).toMatchObject({ name, provides: provides ?? [], requires: requires ?? ['pod-network'] });
    expect(most().requires).toEqual(mostRequires ?? requires ?? ['pod-network']);
  });

  test.each([['least', least], ['most', most]])('sets values under keys that the chart has, with the %s that can be said', (_what, build) => {
    const all = { tolerations: [{ key: 'team', operator: TolerationOperator.EXISTS }] };

    expect(chartsOf(build(all)).flatMap(unknownKeys)).toEqual([]);
    expect(chartsOf(build(all), { ...dualStack, kubeProxyReplaced: true }).flatMap(unknownKeys)).toEqual([]);
    expect(problemsOf(build(all))).toEqual([]);
  });

  test('sets nothing empty, and nothing that YAML has no word for', () => {
    for (const build of [least, most]) {
      expect(oddities(valuesOf(build()) ?? {})).toEqual([]);
    }
  });

  test('has pods that tolerate what the user says', () => {
    const team = { key: 'team', operator: TolerationOperator.EXISTS };
    const values = valuesOf(most({ tolerations: [team] }));

    expect(pathsWith(values, team)).toEqual([...tolerations].sort());
    expect(problemsOf(most({ tolerations: [{}] }))).toMatchObject([{ id: 'TC-ADDON-TOLERATION', text: expect.stringContaining(`${name}.tolerations[0]`) }]);
  });

  test('is installed as the user says', () => {
    const first = least();
    const addon = least({
      name: 'own', namespace: 'elsewhere', chartVersion: '0.0.1', repository: 'https://mirror.example.com', values: { extra: { a: 1 } }, after: [first],
    });

    expect(addon).toMatchObject({ name: 'own', after: [first] });
    expect(chartsOf(addon)[0]).toMatchObject({
      chart, releaseName: 'own', namespace: 'elsewhere', chartVersion: '0.0.1', repository: 'https://mirror.example.com', values: { extra: { a: 1 } },
    });
  });
});

/** Paths of values that are undefined or empty. */
function oddities(value: unknown, prefix = ''): string[] {
  if (value === undefined) return [`${prefix} is undefined`];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  return entries.length === 0 ? [`${prefix} is empty`] : entries.flatMap(([key, below]) => oddities(below, `${prefix}.${key}`));
}

/** Sorted paths of lists that hold a value. */
function pathsWith(value: unknown, wanted: object, prefix = ''): string[] {
  if (Array.isArray(value)) return value.some((item) => JSON.stringify(item) === JSON.stringify(wanted)) ? [prefix] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => pathsWith(below, wanted, prefix === '' ? key : `${prefix}.${key}`)).sort();
}
