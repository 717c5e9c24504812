import { IConstruct } from 'constructs';

/**
 * The property of a root that holds its state. All copies of the package in a process share the state, since `Symbol.for` gives them the same
 * symbol and slots are found by name: a program may load the compiled package beside its sources, or beside the copy of another dependency.
 */
const STATE = Symbol.for('cdk8s-cluster-api.AppState');

/** Values of one tree of constructs, by the name of their slot. They live as long as the root. */
type AppState = Map<string, unknown>;

/** The root of a construct: `node.root` makes a list of all scopes. */
export function rootOf(scope: IConstruct): IConstruct {
  let root = scope;
  while (root.node.scope) root = root.node.scope;
  return root;
}

function stateOf(scope: IConstruct): AppState {
  const root: IConstruct & { [STATE]?: AppState } = rootOf(scope);
  if (!root[STATE]) Object.defineProperty(root, STATE, { value: new Map() });
  return root[STATE]!;
}

/** A value that a tree of constructs has once. The module that uses it declares it. */
export class AppSlot<T> {
  /**
   * @param name unique among all slots
   * @param initial makes the first value
   */
  public constructor(private readonly name: string, private readonly initial: () => T) {}

  /** The value in the tree around a construct; the same one for every call. */
  public of(scope: IConstruct): T {
    const state = stateOf(scope);
    let value = state.get(this.name) as T | undefined;
    if (value === undefined) state.set(this.name, value = this.initial());
    return value;
  }
}

/** A value that a construct may have. The module that uses it declares it. */
export class ConstructSlot<T> {
  /** @param name unique among all slots */
  public constructor(private readonly name: string) {}

  /** The value of a construct, if it has one. */
  public get(construct: IConstruct): T | undefined {
    return this.values(construct)?.get(construct);
  }

  /** The value of the innermost construct that has one, of a construct and those around it. */
  public nearest(construct: IConstruct): T | undefined {
    const values = this.values(construct);
    if (!values) return undefined;
    for (let place: IConstruct | undefined = construct; place; place = place.node.scope) {
      const value = values.get(place);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Sets the value of a construct; undefined removes it. */
  public set(construct: IConstruct, value: T | undefined): void {
    const state = stateOf(construct);
    const values = this.values(construct) ?? new Map<IConstruct, T>();
    state.set(this.name, values);
    if (value === undefined) values.delete(construct);
    else values.set(construct, value);
  }

  /** The value of a construct, which gets its first one if it has none. */
  public ensure(construct: IConstruct, initial: () => T): T {
    const known = this.get(construct);
    if (known !== undefined) return known;
    const value = initial();
    this.set(construct, value);
    return value;
  }

  private values(construct: IConstruct): Map<IConstruct, T> | undefined {
    return stateOf(construct).get(this.name) as Map<IConstruct, T> | undefined;
  }
}
