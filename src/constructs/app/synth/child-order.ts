import { IConstruct, Node } from 'constructs';

/**
 * Makes a construct the last child of its scope, also one that was taken out of the tree. Files list objects in the order of the tree.
 *
 * @param construct the construct
 */
export function moveLast(construct: IConstruct): void {
  const { id, scope } = construct.node;
  scope!.node.tryRemoveChild(id);
  // A node adds its construct to the scope; the construct keeps the node that it has.
  new Node(construct, scope!, id);
}

/** Keeps a construct in the tree, or takes it out; a construct that was out comes back as the last child of its scope. */
export function keepIf(construct: IConstruct, wanted: boolean): void {
  const { id, scope } = construct.node;
  if (!wanted) scope!.node.tryRemoveChild(id);
  else if (!scope!.node.tryFindChild(id)) moveLast(construct);
}
