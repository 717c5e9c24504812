import { App } from 'cdk8s';
import { IConstruct, Node } from 'constructs';
import { isSynthesizing, synthesize } from './synthesis';

const STEPS = Symbol.for('cdk8s-cluster-api.Preparation');

interface Prepared extends IConstruct {
  [STEPS]?: (() => void)[];
}

/**
 * Completes a tree before it is validated and written: all that depends on later declarations and that no lazy value can express, such as
 * how many ConfigMaps carry the manifests of a delivery, and the order of objects. Doing it again changes nothing unless the tree changed.
 *
 * @param root the top of the tree
 */
export function prepare(root: IConstruct): void {
  (root as Prepared)[STEPS]?.forEach((step) => step());
}

/**
 * Registers a step of the preparation. Steps run in the order in which they are registered.
 *
 * @param scope a construct of the tree
 * @param step what it does; it must not throw
 */
export function onPrepare(scope: IConstruct, step: () => void): void {
  prepareBeforeValidation(scope);
  (scope.node.root as Prepared)[STEPS]!.push(step);
}

/**
 * Has an `App` of cdk8s prepared, too. All of its ways to write begin with the validations of the root, so that this one comes before
 * everything that looks at the tree.
 *
 * @param scope a construct of the tree
 */
export function prepareBeforeValidation(scope: IConstruct): void {
  const root: Prepared = scope.node.root;
  if (root[STEPS]) return;
  Object.defineProperty(root, STEPS, { value: [] });
  if (root instanceof App) synthesizeOnce(root);
  root.node.addValidation({
    validate: () => {
      // A synthesis begins with a tree that is prepared.
      if (!isSynthesizing(root)) prepare(root);
      return [];
    },
  });
}

/** Spares an `App` of cdk8s to validate everything again for each of its charts. One that overrides `synth` is left alone. */
function synthesizeOnce(app: App): void {
  if (app.synth !== App.prototype.synth) return;
  const synth = (): void => {
    prepare(app);
    synthesize(app, () => App.prototype.synth.call(app));
  };
  Object.defineProperty(app, 'synth', { value: synth, configurable: true, writable: true });
}

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
