import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Chart, Testing } from 'cdk8s';
import { parse, parseAllDocuments } from 'yaml';
import { ChartRenders, ReferenceChart, Render, RenderedPod } from './reference';
import { catalogEntry } from './tables';
import CATALOG from '../../data/charts.json';
import { Calico } from '../../src/constructs/addons/cni/calico';
import { Cilium } from '../../src/constructs/addons/cni/cilium';
import { Flannel } from '../../src/constructs/addons/cni/flannel';
import { HelmChart } from '../../src/constructs/contracts/helm-chart';
import { KUBERNETES_GROUPS } from '../../src/manifests/rules/structure/kind-structure';
import { Fields, fieldAt, isFields } from '../../src/manifests/values/fields';
import { TolerationOperator } from '../../src/manifests/values/taints';
import { CatalogueSample, SAMPLES } from '../../test/constructs/addons/catalog/samples';
import { clusterContext } from '../../test/support/contexts';

/** Addons with their fewest and their most options. */
const ADDONS: readonly Pick<CatalogueSample, 'least' | 'most'>[] = [
  ...Object.values(SAMPLES),
  { least: (common) => new Calico(common), most: (common) => new Calico({ ...common, apiServer: true, flowLogs: true }) },
  { least: (common) => new Cilium(common), most: (common) => new Cilium({ ...common, hubble: true }) },
  { least: (common) => new Flannel(common), most: (common) => new Flannel({ ...common, networkPolicy: true }) },
];

/**
 * Reads an unpacked chart, such as `helm pull --untar` writes.
 *
 * @param folder the folder with `Chart.yaml`
 * @param given repository, by default that of the table; and the source that was read, by default the archive in the repository
 */
export function readChartFolder(folder: string, given: { readonly repository?: string; readonly source?: string }): ReferenceChart {
  const { name: chart, version: chartVersion, appVersion, kubeVersion } = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as Record<string, string>;
  const repository = given.repository ?? (CATALOG as Readonly<Record<string, { readonly repository: string } | undefined>>)[chart]?.repository;
  if (repository === undefined) throw new Error(`${folder}: the chart "${chart}" is new; name its repository (--repository URL)`);
  const templates = filesIn(folder).filter((file) => /(^|\/)templates\/.*\.ya?ml$/.test(file));
  const isTemplated = templates.some((file) => /^kind: CustomResourceDefinition$/m.test(readFileSync(join(folder, file), 'utf8')));
  return {
    chart,
    repository,
    chartVersion: `${chartVersion}`,
    appVersion: `${appVersion}`,
    kubeVersion,
    source: given.source ?? `${repository.replace(/^\w+:\/\//, '')}: ${chart}-${chartVersion}.tgz`,
    crds: isTemplated ? 'templated' : undefined,
    values: flatValues(parse(readFileSync(join(folder, 'values.yaml'), 'utf8')) as unknown),
  };
}

/** Values by the paths of their keys: `a.b`, `a."b.c"`, and `a[]` for a list. */
function flatValues(value: unknown, path = ''): Record<string, unknown> {
  if (Array.isArray(value)) return { [`${path}[]`]: '[]' };
  if (!isFields(value)) return { [path]: value ?? 'null' };
  const entries = Object.entries(value);
  if (entries.length === 0) return path === '' ? {} : { [path]: '{}' };
  return Object.assign({}, ...entries.map(([key, below]) => {
    const name = key.includes('.') ? `"${key}"` : key;
    return flatValues(below, path === '' ? name : `${path}.${name}`);
  })) as Record<string, unknown>;
}

/** Renders an unpacked chart by Helm, with the values of its addon. */
export function renderChartFolder(folder: string, read: ReferenceChart): ChartRenders {
  const { chart, chartVersion } = read;
  // The same object as in the addon, which needs the row of a new chart.
  Object.assign(CATALOG, { [chart]: catalogEntry(read) });
  const tolerations = [{ key: 'team', operator: TolerationOperator.EXISTS }];
  const samples = ADDONS.flatMap(({ least, most }) => {
    const variants = { def: least(), all: most(), tol: most({ tolerations }) };
    return Object.entries(variants).flatMap(([variant, addon]) => {
      const { charts = [] } = addon.bind(new Chart(Testing.app(), 'tenant'), clusterContext());
      return charts.filter((one) => one.chart === chart).map((one) => [`${addon.name}.${variant}`, render(folder, one)] as const);
    });
  });
  if (samples.length === 0) throw new Error(`no sample in test/constructs/addons/catalog/samples.ts installs the chart "${chart}"`);
  return { version: chartVersion, samples: Object.fromEntries(samples) };
}

function render(folder: string, { releaseName, namespace, values = {} }: HelmChart): Render {
  const manifest = execFileSync(process.env.HELM ?? 'helm', ['template', releaseName, folder, '--namespace', namespace, '--skip-tests', '--values', '-'], {
    encoding: 'utf8', input: JSON.stringify(values), maxBuffer: 2 ** 28,
  });
  const objects = parseAllDocuments(manifest).map((document) => document.toJS() as unknown).filter(isFields);
  const pods = objects.flatMap(podsOf);
  const groups = objects.map((object) => `${/^(.*)\//.exec(String(object.apiVersion))?.[1] ?? ''}/${String(object.kind)}`);
  return {
    images: [...new Set(pods.flatMap(({ images }) => images))].sort(),
    pods,
    hooks: objects.flatMap((object) => {
      const hook = fieldAt(object, 'metadata', 'annotations', 'helm.sh/hook');
      return hook === undefined ? [] : [{ hook: String(hook), kind: String(object.kind), name: String(fieldAt(object, 'metadata', 'name')) }];
    }),
    customResources: [...new Set(groups.filter((kind) => !KUBERNETES_GROUPS.has(kind.split('/')[0])))].sort(),
    definitionsInRender: objects.filter(({ kind }) => kind === 'CustomResourceDefinition').length,
    recordPercentOf1MiB: recordPercent(folder, values, manifest),
  };
}

/** The pod that an object is or makes, with its images. */
function podsOf(object: Fields): (RenderedPod & { readonly images: readonly string[] })[] {
  const spec = object.kind === 'Pod' ? object.spec : fieldAt(object, 'spec', 'template', 'spec') ?? fieldAt(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec');
  if (!isFields(spec) || !Array.isArray(spec.containers)) return [];
  const containers = [...spec.containers, ...(spec.initContainers ?? []) as unknown[]] as { readonly image: string }[];
  const tolerations = (spec.tolerations ?? null) as RenderedPod['tolerations'];
  return [{ kind: String(object.kind), name: String(fieldAt(object, 'metadata', 'name')), tolerations, images: containers.map(({ image }) => image) }];
}

/** Size of the release record: Helm keeps the chart, the values and the manifest of a release in a Secret, compressed and as base64. */
function recordPercent(folder: string, config: object, manifest: string): number {
  const files = filesIn(folder).map((name) => ({ name, data: readFileSync(join(folder, name)).toString('base64') }));
  const record = gzipSync(JSON.stringify({ chart: { files }, config, manifest }), { level: 9 }).toString('base64');
  return Math.round(record.length * 100 / 2 ** 20);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, '/').length)).sort();
}
