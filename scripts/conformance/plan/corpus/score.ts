import { CorpusPair, statesOf } from './corpus';
import { Grade, judge, Judgment } from './judge';
import { findProgram } from '../../../../src/cli/build/programs';
import { PlanJson } from '../compare-plan';
import { printedPlan } from '../printed-plan';

/** A pair and the judgment of its plan. */
export interface JudgedPair {
  readonly pair: CorpusPair;
  readonly judgment: Judgment;
}

/** True if the plan of a pair can be made on this machine. */
export function isPlannable({ needs }: CorpusPair): boolean {
  return needs === undefined || [needs, 'kubectl'].some((program) => findProgram(program, process.env, []) !== undefined);
}

/** Plans each pair as its user does, and compares the plan with what the real controllers did. */
export async function judgedPairs(pairs: readonly CorpusPair[]): Promise<JudgedPair[]> {
  const judged: JudgedPair[] = [];
  for (const pair of pairs) {
    if (!isPlannable(pair)) throw new Error(`${pair.name} needs kustomize: put kubectl or kustomize on the PATH`);
    const { json } = await printedPlan('.', statesOf(pair));
    judged.push({ pair, judgment: judge(JSON.parse(json) as PlanJson, pair.verdict) });
  }
  return judged;
}

/** A table of how many pairs of each origin the plan foretells, in Markdown. */
export function scoreTable(judged: readonly JudgedPair[]): string {
  const origins = [...new Set(judged.map(({ pair }) => pair.origin))];
  const row = (name: string, some: readonly JudgedPair[]): string => {
    const counts = Object.values(Grade).map((grade) => some.filter(({ judgment }) => judgment.grade === grade).length);
    return `| ${name} | ${some.length} | ${counts.join(' | ')} |`;
  };
  return [
    `| origin | pairs | ${Object.values(Grade).join(' | ')} |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...origins.map((origin) => row(origin, judged.filter(({ pair }) => pair.origin === origin))),
    row('all', judged),
    '',
  ].join('\n');
}

/** A table with a row for each pair, in Markdown. */
export function pairTable(judged: readonly JudgedPair[]): string {
  return [
    '| pair | what changes | what the controllers do | plan |',
    '| --- | --- | --- | --- |',
    ...judged.map(({ pair, judgment }) => `| \`${pair.name}\` | ${pair.change} | ${verdictWords(pair)} | ${judgment.grade}${pair.open === undefined ? '' : `: ${pair.open}`} |`),
    '',
  ].join('\n');
}

function verdictWords({ verdict: { refused = [], waits, clusters = {}, releases = {} } }: CorpusPair): string {
  if (refused.length > 0) return `refused: ${refused.join(', ')}`;
  const words = [
    ...Object.entries(clusters).flatMap(([name, { change, controlPlane, pools = {} }]) => [
      ...change === undefined ? [] : [`${name} is ${change}`],
      ...controlPlane === undefined ? [] : [`control plane: ${machineWords(controlPlane)}`],
      ...Object.entries(pools).map(([pool, machines]) => `${pool}: ${machineWords(machines)}`),
    ]),
    ...Object.entries(releases).map(([name, change]) => `release ${name} is ${change}`),
    ...waits ? ['the rest waits'] : [],
  ];
  return words.length === 0 ? 'nothing' : words.join('; ');
}

function machineWords({ before, after, kept, newSets, changed }: NonNullable<NonNullable<CorpusPair['verdict']['clusters']>[string]['controlPlane']>): string {
  const replaced = Math.min(before, after) - kept;
  return [
    ...before === after ? [] : [`${before} -> ${after} machines`],
    ...replaced > 0 ? [`${replaced} of ${before} replaced`] : [],
    ...replaced <= 0 && newSets > 0 && before > 0 ? ['another MachineSet'] : [],
    ...changed.length > 0 ? [`${changed.join(', ')} change in place`] : [],
  ].join(', ');
}
