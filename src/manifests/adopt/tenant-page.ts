import { PageExpression, PageFields } from '../rules/page-expression';

/** A change of an object that a page makes, as RFC 6902 has it. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** An object of a page: a property of the cluster or of one of its pools, or a construct below the cluster. */
export interface PageTarget {
  /**
   * Name of the pool.
   *
   * @default - an object of the cluster
   */
  readonly pool?: string;

  /**
   * Name of the addon that it delivers; `member` is its kind.
   *
   * @default - not delivered
   */
  readonly addon?: string;

  /** The property that holds it, e.g. `controlPlane`; names of constructs instead if it has none. */
  readonly member: string | readonly string[];
}

/** A pool of a page. */
export interface PagePool {
  readonly id: string;
  readonly props: PageFields;
}

/** An addon of a page. */
export interface PageAddon {
  readonly name: string;

  /** Its class with the options. */
  readonly addon: PageExpression;
}

/** Patches of one object. */
export interface PagePatch {
  readonly target: PageTarget;
  readonly operations: readonly PatchOperation[];
}

/** The page of one cluster. */
export interface TenantPage {
  /** Construct id, which is the name of the cluster unless others have it too. */
  readonly id: string;

  /** Properties of its `TenantCluster`. */
  readonly props: PageFields;
  readonly pools: readonly PagePool[];
  readonly addons: readonly PageAddon[];

  /** Constructs that the page takes out, since there were no such objects: names from the cluster downwards. */
  readonly removed: readonly (readonly string[])[];
  readonly patches: readonly PagePatch[];
}

/** A target as text, by which targets are compared. */
export function targetKey({ pool, addon, member }: PageTarget): string {
  return JSON.stringify([pool, addon, member]);
}

/** A page with another property of its cluster, or of a pool. */
export function withProperty(page: TenantPage, pool: string | undefined, name: string, value: PageExpression | undefined): TenantPage {
  const changed = (props: PageFields): PageFields => ({ ...props, [name]: value });
  if (pool === undefined) return { ...page, props: changed(page.props) };
  return { ...page, pools: page.pools.map((one) => (one.id === pool ? { ...one, props: changed(one.props) } : one)) };
}
