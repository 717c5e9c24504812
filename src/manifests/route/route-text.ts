import { ComponentStep, KubernetesStep, LeftCluster, Route, RoutedCluster, RouteFinding } from './route-model';
import { durationWords } from '../plan/consequences/duration-words';
import { turnWords } from '../plan/plan-totals';
import { clusterName, countWords, namesWords, withManagement } from '../plan/plan-words';
import { Effect } from '../rules/changes/effects';
import { wrapped } from '../values/printable';

const INDENT = '   ';

/** A route for a terminal. */
export function routeText(route: Route, columns = Infinity): string {
  const lines = [headline(route), ...route.steps.flatMap((step, index) => ['', `${index + 1}. `.padEnd(INDENT.length) + titleOf(step), ...linesOf(step)])];
  const left = route.left.length === 0 ? [] : ['', `Not at Kubernetes ${route.target} afterwards:`, ...leftLines(route.left)];
  const notes = route.notes.length === 0 ? [] : ['', 'To look up, since it does not follow from these manifests:', ...route.notes.map((note) => `${INDENT}${note}`)];
  return `${[...lines, ...left, ...notes].flatMap((line) => wrapped(line, columns, `${/^ */.exec(line)![0]}${INDENT}`)).join('\n')}\n`;
}

function headline({ target, steps, arrived }: Route): string {
  const raised = steps.filter((step): step is KubernetesStep => step.step === 'kubernetes');
  const clusters = new Set(raised.flatMap((step) => step.clusters.map(clusterName)));
  const there = arrived.length === 0 ? '' : `; ${clustersWords(arrived.length)} there already`;
  if (steps.length === 0) return `Kubernetes ${target}: no commit${there}`;
  const machines = raised.reduce(({ minimum, maximum }, { totals: { machinesReplaced } }) => (
    { minimum: minimum + machinesReplaced.minimum, maximum: maximum + machinesReplaced.maximum }), { minimum: 0, maximum: 0 });
  const order = steps.length === 1 ? '' : ', each to be merged when the one before has taken effect';
  const commits = `${steps.length} ${steps.length === 1 ? 'commit' : 'commits'} for ${clustersWords(clusters.size)}${order}`;
  return `Kubernetes ${target}: ${commits}; ${countWords(machines, 'machine is', 'machines are')} replaced on the way${there}`;
}

function clustersWords(count: number): string {
  return `${count} ${count === 1 ? 'cluster' : 'clusters'}`;
}

function titleOf(step: ComponentStep | KubernetesStep): string {
  if (step.step === 'component') {
    return withManagement(step.managementCluster, `raise ${step.title} from ${step.from} to ${step.to} or newer, which Kubernetes ${step.neededFor} needs`);
  }
  const ring = step.ring === undefined ? '' : `, ring ${step.ring}`;
  return `raise ${clustersWords(step.clusters.length)} from ${step.from.join(', ')} to ${step.version}${ring}: ${namesWords(step.clusters.map(nameOf))}`;
}

function nameOf(cluster: RoutedCluster): string {
  return clusterName(cluster);
}

function linesOf(step: ComponentStep | KubernetesStep): string[] {
  const texts = step.step === 'component' ? componentLines(step) : kubernetesLines(step);
  return texts.map((text) => `${INDENT}${text}`);
}

function componentLines({ first, effect }: ComponentStep): string[] {
  const pods = effect?.effect === Effect.PODS && effect.pods !== undefined ? [`${effect.pods} ${effect.pods === 1 ? 'pod is' : 'pods are'} replaced`] : [];
  return [...first.map((text) => `first: ${text}`), ...pods, ...effect?.notes ?? []];
}

function kubernetesLines({ findings, totals, seconds }: KubernetesStep): string[] {
  const { machinesReplaced, waitingParts, uncountedParts } = totals;
  const time = seconds === undefined ? '' : `, each cluster in at most ${durationWords(seconds)} by declared timeouts`;
  return [
    `${countWords(machinesReplaced, 'machine is', 'machines are')} replaced${machinesReplaced.maximum > 0 ? turnWords(totals) : ''}${time}`,
    ...(uncountedParts > 0 ? [`an unknown number in ${uncountedParts} more ${uncountedParts === 1 ? 'group' : 'groups'}`] : []),
    ...(waitingParts > 0 ? [`${waitingParts} ${waitingParts === 1 ? 'group of machines waits' : 'groups of machines wait'} for the control plane`] : []),
    ...findings.map(findingLine),
  ];
}

function findingLine({ rule, warning, message, fix, objects, clusters }: RouteFinding): string {
  const others = objects.length > 1 ? ` and ${objects.length - 1} more` : '';
  const where = `${objects[0]}${others}${clusters > 1 ? `, in ${clustersWords(clusters)}` : ''}`;
  return `${warning ? 'look at' : 'with it'}: ${where}: ${message}: ${fix} (${rule})`;
}

/** Clusters with the same reason are in one line. */
function leftLines(left: readonly LeftCluster[]): string[] {
  const reasons = new Map<string, LeftCluster[]>();
  for (const one of left) {
    const key = `${one.version ?? ''} ${one.why}`;
    reasons.set(key, [...reasons.get(key) ?? [], one]);
  }
  return [...reasons.values()].map((group) => {
    const [{ version, why }] = group;
    return `${INDENT}${namesWords(group.map(nameOf))}${version === undefined ? '' : ` at ${version.replace(/^v/, '')}`}: ${why}`;
  });
}
