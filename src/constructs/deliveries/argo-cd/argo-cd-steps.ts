import { EntryTarget } from '../../contracts/delivery/entry-points';
import { EntryStep, EntryTurn } from '../../contracts/delivery/entry-step';

/** Label of Applications with the step of their cluster. */
const LABEL = 'rollout-step';

/** The step of Applications that gates pass by. It comes last, so that nothing waits for them. */
const NO_STEP = 'none';

/** Content of a marker: the seconds that Argo CD takes it for progressing, by a health check of the user's. */
export function markerData({ soak }: EntryTurn): { [key: string]: string } | undefined {
  return soak && { soak: String(soak.toSeconds()) };
}

/**
 * The fields by which an ApplicationSet syncs Applications one step after the other; undefined if no cluster has a turn.
 *
 * Source: argoproj/argo-cd applicationset/progressivesync/progressive_sync.go, v3.5.7.
 *
 * @param targets all folders
 * @param nameTemplate the name of an Application as an expression of a template
 */
export function rollingSync(targets: readonly EntryTarget[], nameTemplate: string): { labels: object; strategy: object } | undefined {
  const turns = targets.flatMap(({ folder, turn }) => (turn ? [{ name: folder.split('/').slice(-2).join('.'), turn }] : []));
  if (turns.length === 0) return undefined;
  const byDepth = new Map<number, Set<string>>();
  for (const { turn } of turns) {
    const depth = depthOf(turn.after);
    byDepth.set(depth, (byDepth.get(depth) ?? new Set()).add(turn.step));
  }
  const steps = [...byDepth].sort(([one], [other]) => one - other).map(([, names]) => [...names].sort());
  const pairs = turns.map(({ name, turn }) => `${JSON.stringify(name)} ${JSON.stringify(turn.step)}`).sort();
  return {
    labels: { [LABEL]: `{{ get (dict ${pairs.join(' ')}) (${nameTemplate}) | default ${JSON.stringify(NO_STEP)} }}` },
    strategy: {
      type: 'RollingSync',
      rollingSync: { steps: [...steps, [NO_STEP]].map((values) => ({ matchExpressions: [{ key: LABEL, operator: 'In', values }] })) },
    },
  };
}

/** Number of steps up to one. */
function depthOf(step: EntryStep | undefined): number {
  return step ? 1 + depthOf(step.previous) : 0;
}
