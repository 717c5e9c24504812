import { ChartRenders, ReferenceChart, Render, RenderedPod } from './reference';
import { Rows } from './tables';

/** Facts that the renders of a chart show. */
export interface ChartFacts {
  /** The version that was rendered. */
  readonly version: string;

  /** Size of the largest release record, in percent of the 1 MiB that a Secret holds. */
  readonly recordPercent: number;

  /** True if the release itself holds definitions; those of a `crds/` folder are applied before it. */
  readonly definitionsInTemplates: boolean;

  /** Custom resources in a render that has definitions, too. */
  readonly customResources: readonly string[];

  /** Hooks that run when a release is installed, and not when it is upgraded. */
  readonly installOnlyHooks: readonly string[];

  /** Pods that a toleration given to the addon does not reach, and that do not tolerate everything themselves. */
  readonly untolerated: readonly string[];

  /** Images of the pods with the default values of the addon (`least`) and with all its options (`most`). */
  readonly images: { readonly least: readonly string[]; readonly most: readonly string[] };
}

/** The facts of the charts that were rendered. */
export function factRows(charts: readonly ReferenceChart[], renders: Readonly<Record<string, ChartRenders>>): Rows {
  return Object.fromEntries(charts.filter(({ chart }) => renders[chart]).map((chart) => [chart.chart, chartFacts(renders[chart.chart], chart)]));
}

/** The facts of one chart. */
export function chartFacts({ version, samples }: ChartRenders, { crds }: Pick<ReferenceChart, 'crds'>): ChartFacts {
  const all = Object.values(samples);
  const variant = (part: string): readonly Render[] => Object.entries(samples).filter(([name]) => name.split('.').includes(part)).map(([, render]) => render);
  return {
    version,
    recordPercent: Math.max(...all.map(({ recordPercentOf1MiB }) => recordPercentOf1MiB ?? 0)),
    definitionsInTemplates: crds?.startsWith('templated') ?? false,
    customResources: unique(all.filter(({ definitionsInRender }) => definitionsInRender > 0).flatMap(({ customResources }) => customResources)),
    installOnlyHooks: unique(all.flatMap(({ hooks }) => hooks).filter(({ hook }) => runsAtInstallOnly(hook)).map(({ kind, name }) => `${kind} ${name}`)),
    untolerated: unique(variant('tol').flatMap(({ pods }) => pods).filter((pod) => !toleratesTeam(pod)).map(({ kind, name }) => `${kind} ${withoutHash(name)}`)),
    images: { least: imagesOf(variant('def')), most: imagesOf(variant('all')) },
  };
}

function runsAtInstallOnly(hook: string): boolean {
  const events = hook.split(',').map((event) => event.trim());
  return events.some((event) => /^(pre|post)-install$/.test(event)) && !events.some((event) => /^(pre|post)-upgrade$/.test(event));
}

/** True if a pod tolerates the taint that its render was asked for, or all taints. */
function toleratesTeam({ tolerations }: RenderedPod): boolean {
  const given = tolerations ?? [];
  const everything = given.filter(({ key, operator }) => key === undefined && operator === 'Exists');
  return given.some(({ key }) => key === 'team') || everything.some(({ effect }) => effect === undefined)
    || ['NoSchedule', 'NoExecute'].every((effect) => everything.some((one) => one.effect === effect));
}

/** Names of Jobs end in a hash of their content. */
function withoutHash(name: string): string {
  return name.replace(/-[0-9a-f]{10}$/, '');
}

function imagesOf(renders: readonly Render[]): string[] {
  return unique(renders.flatMap(({ images }) => images));
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
