import { IConstruct } from 'constructs';
import { constructsIn, errorsOf } from '../synth/synthesis';

/** Of constructs that are refused for the same, this many are named: what is wrong with a fleet's profile is wrong with each of its clusters. */
const MOST_NAMED = 3;

/**
 * Runs the validations of a tree, each once.
 *
 * @param root the top of the tree
 * @throws one error with everything that is refused, as an `App` of cdk8s does
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
  throw new Error(`Validation failed with the following errors:\n  ${[...places].map(([error, paths]) => `${placeText(paths)}${error}`).join('\n  ')}`);
}

/** What the app itself finds names the construct by itself. */
function placeText(paths: readonly string[]): string {
  return paths.every((path) => path === '') ? '' : `[${named(paths)}] `;
}

function named(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return `${paths.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
