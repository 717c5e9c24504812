import { IConstruct } from 'constructs';
import { constructsIn } from './synthesis';

/** Before or after a construct with everything in it. */
interface Step {
  readonly construct: IConstruct;
  readonly end: boolean;
}

/**
 * Constructs in the order of their tree, and each of them after all that it depends on, or that a construct around it depends on.
 *
 * Each dependency is one edge, from the end of one subtree to the start of another: cdk8s makes one for each pair of objects, and looks at
 * every way through them. A construct and what it is in have no order between them, nor do constructs of different trees.
 *
 * @param root the top of the tree
 */
export function inDependencyOrder(root: IConstruct): readonly IConstruct[] {
  const all = constructsIn(root);
  if (all.every(({ node }) => node.dependencies.length === 0)) return all;

  const inTree = new Set(all);
  const order: IConstruct[] = [];
  const done: ReadonlyMap<boolean, Set<IConstruct>> = new Map([[false, new Set()], [true, new Set()]]);
  const open: ReadonlyMap<boolean, Set<IConstruct>> = new Map([[false, new Set()], [true, new Set()]]);
  // A stack of its own: chains of dependencies are deeper than that of JavaScript.
  const steps: Step[] = [{ construct: root, end: true }];
  while (steps.length > 0) {
    const step = steps[steps.length - 1];
    const { construct, end } = step;
    if (done.get(end)!.has(construct)) {
      steps.pop();
    } else if (open.get(end)!.has(construct)) {
      steps.pop();
      done.get(end)!.add(construct);
      if (!end) order.push(construct);
    } else {
      open.get(end)!.add(construct);
      for (const next of before(step, inTree).reverse()) {
        if (done.get(next.end)!.has(next.construct)) continue;
        if (open.get(next.end)!.has(next.construct)) throw circle(steps, next.construct);
        steps.push(next);
      }
    }
  }
  return order;
}

/** The direct predecessors of a step. */
function before({ construct, end }: Step, inTree: ReadonlySet<IConstruct>): Step[] {
  const { node } = construct;
  if (end) return [{ construct, end: false }, ...node.children.map((child) => ({ construct: child, end: true }))];
  const others = node.dependencies.filter((other) => inTree.has(other) && !node.scopes.includes(other) && !other.node.scopes.includes(construct));
  return [
    ...(node.scope && inTree.has(node.scope) ? [{ construct: node.scope, end: false }] : []),
    ...others.map((other) => ({ construct: other, end: true })),
  ];
}

function circle(steps: readonly Step[], construct: IConstruct): Error {
  const way = steps.slice(steps.findIndex((step) => step.construct === construct)).map((step) => step.construct.node.path);
  const paths = [...way, construct.node.path].filter((path, index, all) => path !== all[index - 1]);
  return new Error(`Dependency cycle detected: ${paths.join(' => ')}; remove one of the dependencies between them`);
}
