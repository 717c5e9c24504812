import { IConstruct } from 'constructs';
import { errorsOf, settling } from '../synth/synthesis';

/**
 * Runs the validations of a tree for what comes into being in them: deliveries do.
 *
 * @param root the top of the tree
 */
export function settle(root: IConstruct): void {
  settling(() => forEachOnce(root, ({ node }) => node.validate()));
}

/**
 * Runs the validations of a tree, each once, also those of constructs that other validations add.
 *
 * @param root the top of the tree
 * @throws one error with everything that is refused, as an `App` of cdk8s does
 */
export function demandValid(root: IConstruct): void {
  const errors: string[] = [];
  forEachOnce(root, (construct) => errors.push(...errorsOf(construct).map((error) => `[${construct.node.path}] ${error}`)));
  if (errors.length > 0) throw new Error(`Validation failed with the following errors:\n  ${errors.join('\n  ')}`);
}

function forEachOnce(root: IConstruct, look: (construct: IConstruct) => void): void {
  const seen = new Set<IConstruct>();
  for (let fresh = root.node.findAll(); fresh.length > 0; fresh = root.node.findAll().filter((construct) => !seen.has(construct))) {
    for (const construct of fresh) {
      seen.add(construct);
      look(construct);
    }
  }
}
