import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import CATALOG from '../../data/charts.json';
import FACTS from '../../test/constructs/addons/chart-facts.generated.json';

/** The charts that addons of the library install. */
export const BUNDLED_CHARTS = Object.keys(CATALOG);

/** Further charts of the management cluster: their values are compared too, and their versions are written by hand. */
export const MANAGEMENT_CHARTS = ['cluster-api-operator', 'kamaji', 'kamaji-crds', 'kamaji-etcd'] as const;

/** One chart, as the reference lists it. */
export interface ReferenceChart {
  readonly chart: string;
  readonly repository: string;
  readonly chartVersion: string;
  readonly appVersion: string;
  /** Constraint of `Chart.yaml` on the version of Kubernetes. */
  readonly kubeVersion?: string;
  readonly source: string;
  /** Description of where the chart keeps definitions of custom resources; begins with `templated` if a release holds them. */
  readonly crds?: string;
  /** Keys of `values.yaml` with their defaults; `[]` marks a list, `"a.b"` a key with dots in it. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Keys that templates read although `values.yaml` lacks them. */
  readonly keysNotInValuesYaml?: Readonly<Record<string, unknown>>;
}

/** Path of a file of the reference: in `REFERENCE_DIR`, or beside the checkout. */
export function referencePath(file = 'charts.json'): string {
  return resolve(process.env.REFERENCE_DIR ?? resolve(__dirname, '../../../shared/reference'), file);
}

/** Charts that the reference has, or undefined without a reference. */
export function readCharts(names: readonly string[]): readonly ReferenceChart[] | undefined {
  const path = referencePath();
  if (!existsSync(path)) return undefined;
  const charts = (JSON.parse(readFileSync(path, 'utf8')) as readonly ReferenceChart[]).filter(({ chart }) => names.includes(chart));
  // Without a constraint, the reference says so in words.
  return charts.map((chart) => ({ ...chart, kubeVersion: chart.kubeVersion?.startsWith('none') ? undefined : chart.kubeVersion }));
}

/** A pod template of a render. */
export interface RenderedPod {
  readonly kind: string;
  readonly name: string;
  readonly tolerations: readonly { readonly key?: string; readonly operator?: string; readonly effect?: string }[] | null;
}

/** The output of `helm template` for a chart with certain values. */
export interface Render {
  readonly images: readonly string[];
  readonly pods: readonly RenderedPod[];
  readonly hooks: readonly { readonly hook: string; readonly kind: string; readonly name: string }[];

  /** Custom resources, and the number of definitions in the same render. */
  readonly customResources: readonly string[];
  readonly definitionsInRender: number;

  /** Size of the release record; null where it was not measured. */
  readonly recordPercentOf1MiB: number | null;
}

/** The renders of a chart: names end in `.def` (defaults), `.all` (all options) or `.tol` (all options, and a toleration of the key `team`). */
export interface ChartRenders {
  /** The version that was rendered. */
  readonly version: string;
  readonly samples: Readonly<Record<string, Render>>;
}

/** The renders by chart, or undefined without a reference. Renders without a version are of the one that the facts have. */
export function readRenders(): Readonly<Record<string, ChartRenders>> | undefined {
  const path = referencePath('chart-renders.json');
  if (!existsSync(path)) return undefined;
  const renders = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Partial<ChartRenders>>>;
  const versions = FACTS as Readonly<Record<string, { readonly version: string } | undefined>>;
  return Object.fromEntries(Object.entries(renders).map(([chart, { version = versions[chart]?.version ?? '', samples = {} }]) => [chart, { version, samples }]));
}
