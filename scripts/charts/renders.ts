import { existsSync, readFileSync } from 'node:fs';
import { referencePath } from './reference';

/** A pod template of a render. */
export interface RenderedPod {
  readonly kind: string;
  readonly name: string;
  readonly tolerations: readonly { readonly key?: string; readonly operator?: string; readonly effect?: string }[] | null;
}

/** What `helm template` made of a chart with certain values. */
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

/** The versions that were rendered where the file does not name them. */
const RENDERED: Readonly<Record<string, string>> = {
  'cert-manager': 'v1.21.1',
  'cilium': '1.20.0',
  'coredns': '1.46.2',
  'crd.projectcalico.org.v1': 'v3.32.1',
  'external-dns': '1.21.1',
  'external-secrets': '2.9.0',
  'flannel': 'v0.28.9',
  'fluent-bit': '0.58.1',
  'gateway-helm': 'v1.9.0',
  'gpu-operator': 'v26.7.0',
  'ingress-nginx': '4.15.1',
  'kube-prometheus-stack': '88.5.3',
  'kyverno': '3.9.0',
  'metallb': '0.16.1',
  'metrics-server': '3.13.1',
  'node-feature-discovery': '0.19.0',
  'node-local-dns': '2.9.2',
  'reloader': '2.2.16',
  'snapshot-controller': '5.2.0',
  'tigera-operator': 'v3.32.1',
  'traefik': '41.3.0',
  'vector': '0.56.0',
  'velero': '12.1.0',
  'vertical-pod-autoscaler': '0.11.0',
  'victoria-metrics-agent': '0.46.0',
};

/** The renders by chart, or undefined where the reference is not there. */
export function readRenders(): Readonly<Record<string, ChartRenders>> | undefined {
  const path = referencePath('chart-renders.json');
  if (!existsSync(path)) return undefined;
  const renders = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Partial<ChartRenders>>>;
  return Object.fromEntries(Object.entries(renders).map(([chart, { version = RENDERED[chart], samples = {} }]) => [chart, { version, samples }]));
}
