import { IConstruct } from 'constructs';
import { placeText } from '../../manifests/values/problem';
import { constructsIn, errorsOf } from '../app/synth/synthesis';

/** Number of problems that are shown: logs of CI systems cut off a few hundred lines. */
const MOST_SHOWN = 20;

/** Environment variable that shows all problems if it is `all`. */
const SHOWN = 'CDK8S_CLUSTER_API_PROBLEMS';

/**
 * Runs the validations of a tree, each once.
 *
 * @param root the top of the tree
 * @throws one error with all problems, as an `App` of cdk8s does
 */
export function demandValid(root: IConstruct): void {
  const places = new Map<string, string[]>();
  const refuse = (construct: IConstruct, error: string) => {
    const paths = places.get(error);
    if (paths) paths.push(construct.node.path);
    else places.set(error, [construct.node.path]);
  };
  const all = new Set(constructsIn(root));
  for (const construct of all) errorsOf(construct).forEach((error) => refuse(construct, error));
  const late = root.node.findAll().filter((construct) => !all.has(construct));
  late.forEach((construct) => refuse(construct, 'a validation made the construct, too late to be validated. Fix: make it before synth().'));
  if (places.size === 0) return;
  const error = new Error(`Validation failed with the following errors:\n${reportText(places)}`);
  // The stack of the check does not help: the fault is in the user's page.
  error.stack = error.message;
  throw error;
}

/** A line for each problem with its constructs; of many, the first ones, and the number for each rule. */
function reportText(places: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...places].map(([error, paths]) => `  ${placeText(paths)}${error}`);
  if (lines.length <= MOST_SHOWN || process.env[SHOWN] === 'all') return lines.join('\n');
  const counts = new Map<string, number>();
  for (const [error] of places) {
    const [rule] = error.split(' ', 1);
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  const rules = [...counts].sort(([, one], [, other]) => other - one).map(([rule, count]) => `${rule} ${count}`);
  return [
    ...lines.slice(0, MOST_SHOWN),
    `  and ${lines.length - MOST_SHOWN} more; ${lines.length} problems in all: ${rules.join(', ')}. ${SHOWN}=all in the environment shows them.`,
  ].join('\n');
}
