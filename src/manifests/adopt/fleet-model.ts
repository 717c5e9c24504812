import { SolvedPage } from './solved-page';
import { PagePool, TenantPage } from './tenant-page';
import { isPageFields, PageCall, PageConstant, PageExpression, PageFields, PageFile, PageTemplate, PageValue } from '../rules/page-expression';

/** Clusters that differ in values only. */
export interface FleetGroup {
  /** Name of the profile. */
  readonly profile: string;

  /** Their common page, with values of the list in it. Name, namespace and version are columns of every list. */
  readonly page: TenantPage;
  readonly columns: readonly string[];
  readonly members: readonly FleetMember[];
}

/** A cluster of a list. */
export interface FleetMember {
  readonly solved: SolvedPage;
  readonly kubernetesVersion: string;

  /** Its values, by column. */
  readonly values: ReadonlyMap<string, string>;
}

/** Clusters in groups, and those that are like no other. */
export interface GroupedPages {
  readonly groups: readonly FleetGroup[];
  readonly single: readonly SolvedPage[];
}

/** So many clusters that are alike become a list. */
const FEWEST = 3;

/** Beyond so many columns, a list tells less than pages. */
const MOST_COLUMNS = 15;

/** Properties that the list has of every cluster. */
const LISTED: readonly string[] = ['namespace', 'kubernetesVersion'];

/** Texts that a cell of a list gives back as they are. */
const SAFE_TEXT = /^[^\s;"](?:[^\r\n;"]*[^\s;"])?$/;

/** Finds clusters that differ in values only. */
export function groupPages(pages: readonly SolvedPage[]): GroupedPages {
  const byShape = new Map<string, SolvedPage[]>();
  // The construct id of a cluster of a list is its name, which must be unique.
  const listable = pages.filter(({ parts: { id, name } }) => id === name);
  for (const solved of listable) {
    const key = shapeOf(solved.page);
    const same = byShape.get(key);
    if (same) same.push(solved);
    else byShape.set(key, [solved]);
  }
  const names = new Set<string>();
  const groups: FleetGroup[] = [];
  const single = pages.filter((solved) => !listable.includes(solved));
  for (const alike of [...byShape.values()].sort((one, other) => other.length - one.length)) {
    const group = alike.length < FEWEST ? undefined : unify(alike, names);
    if (group) groups.push(group);
    else single.push(...alike);
  }
  return { groups, single: pages.filter((solved) => single.includes(solved)) };
}

/** A page without its values. */
function shapeOf({ props, pools, addons, removed, patches }: TenantPage): string {
  const own = { ...props, namespace: undefined, kubernetesVersion: undefined };
  const changes = patches.map(({ target, operations }) => [target, operations.map((operation) => (
    [operation.op, operation.path, operation.op === 'remove' ? null : shape(operation.value as PageExpression)]))]);
  const parts = [pools.map(({ id, props: one }) => [id, shape(one)]), addons.map(({ name, addon }) => [name, shape(addon)])];
  return JSON.stringify([shape(own), ...parts, removed, changes]);
}

function shape(value: PageExpression | undefined): unknown {
  if (value instanceof PageCall) return ['call', value.name, value.isNew, value.args.map(shape)];
  if (value instanceof PageConstant) return ['constant', value.name];
  if (value instanceof PageFile) return 'file';
  if (isTexts(value)) return 'texts';
  if (Array.isArray(value)) return value.map(shape);
  if (isPageFields(value)) return Object.entries(value).filter(([, field]) => field !== undefined).map(([key, field]) => [key, shape(field)]);
  return typeof value;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** Makes a value of the list of each difference between pages; undefined if a list cannot hold it. */
function unify(alike: readonly SolvedPage[], names: Set<string>): FleetGroup | undefined {
  const unification = new Unification(alike);
  const [{ page: first }] = alike;
  const propsOf = (page: TenantPage): PageFields => Object.fromEntries(Object.entries(page.props).filter(([key]) => !LISTED.includes(key)));
  try {
    const page: TenantPage = {
      id: 'tenant',
      props: unification.unify(alike.map(({ page: one }) => propsOf(one)), []) as PageFields,
      pools: first.pools.map(({ id }, index): PagePool => (
        { id, props: unification.unify(alike.map(({ page: one }) => one.pools[index].props), [id]) as PageFields })),
      addons: first.addons.map(({ name }, index) => (
        { name, addon: unification.unify(alike.map(({ page: one }) => one.addons[index].addon), [name])! })),
      removed: first.removed,
      patches: first.patches.map(({ target, operations }, place) => ({
        target,
        operations: operations.map((operation, index) => {
          if (operation.op === 'remove') return operation;
          const values = alike.map(({ page: one }) => (one.patches[place].operations[index] as { readonly value: PageExpression }).value);
          return { ...operation, value: unification.unify(values, [...[target.pool ?? target.addon ?? []].flat(), ...fieldNames(operation.path)]) };
        }),
      })),
    };
    const columns = [...unification.columns.keys()];
    if (columns.length > MOST_COLUMNS) return undefined;
    return {
      profile: profileName(first.pools.map(({ id }) => id), names),
      page,
      columns,
      members: alike.map((solved, index) => ({
        solved,
        kubernetesVersion: String(solved.page.props.kubernetesVersion),
        values: new Map(columns.map((column) => [column, unification.columns.get(column)!.cells[index]])),
      })),
    };
  } catch (error) {
    if (error instanceof NotListable) return undefined;
    throw error;
  }
}

/** The last names of a path. */
function fieldNames(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && !/^\d+$/.test(part)).slice(-2);
}

function profileName(pools: readonly string[], names: Set<string>): string {
  const wish = names.size === 0 ? 'standard' : pools.join('-') || 'without-pools';
  let name = wish;
  for (let number = 2; names.has(name); number++) name = `${wish}-${number}`;
  names.add(name);
  return name;
}

/** A value that no cell of a list gives back. */
class NotListable extends Error {}

/** A column of the list. */
interface Column {
  readonly value: PageValue;
  readonly cells: readonly string[];
}

class Unification {
  public readonly columns = new Map<string, Column>();

  public constructor(private readonly pages: readonly SolvedPage[]) {}

  /**
   * One expression for the values of all pages.
   *
   * @param values the values
   * @param path where they are, by names of pools and properties
   */
  public unify(values: readonly (PageExpression | undefined)[], path: readonly string[]): PageExpression | undefined {
    const [first] = values;
    if (first instanceof PageCall) {
      const calls = values as readonly PageCall[];
      return new PageCall(first.name, first.args.map((_, index) => this.unify(calls.map(({ args }) => args[index]), path)!), first.isNew);
    }
    if (first instanceof PageConstant) return first;
    if (first instanceof PageFile) return this.template((values as readonly PageFile[]).map((file) => file.path)) ?? fail();
    if (values.every((value) => JSON.stringify(value) === JSON.stringify(first))) return first;
    if (isTexts(first)) return this.texts(values as readonly (readonly string[])[], path);
    if (Array.isArray(first)) return first.map((_, index) => this.unify(values.map((value) => (value as readonly PageExpression[])[index]), [...path, `${index + 1}`])!);
    if (isPageFields(first)) {
      const fields = values as readonly PageFields[];
      return Object.fromEntries(Object.keys(first).map((key) => [key, this.unify(fields.map((one) => one[key]), [...path, key])]));
    }
    if (typeof first === 'string') return this.template(values as readonly string[]) ?? this.column(values as readonly string[], path, 'text');
    if (typeof first === 'number' && values.every((value) => Number.isSafeInteger(value) && Number(value) >= 0)) return this.column(values.map(String), path, 'integer');
    return typeof first === 'boolean' ? this.column(values.map(String), path, 'flag') : fail();
  }

  /** A text that follows from the names of the clusters. */
  private template(texts: readonly string[]): PageExpression | undefined {
    const parts = texts.map((text, index) => this.partsOf(text, index));
    const [first] = parts;
    if (!parts.every((one) => JSON.stringify(one) === JSON.stringify(first))) return undefined;
    if (first.length === 1) return first[0];
    return new PageTemplate(first);
  }

  private partsOf(text: string, index: number): readonly (string | PageValue)[] {
    const { namespace, name } = this.pages[index].parts;
    const namespaces = new Set(this.pages.map(({ parts }) => parts.namespace));
    // A namespace that they share is a part of other words at most.
    const words = [...namespaces.size > 1 ? [[namespace, 'cluster.namespace']] : [], [name, 'cluster.name']];
    return words.reduce<readonly (string | PageValue)[]>((parts, [word, value]) => (
      parts.flatMap((part) => (typeof part === 'string' ? divided(part, word, new PageValue(value)) : [part]))), [text]);
  }

  private texts(values: readonly (readonly string[])[], path: readonly string[]): PageExpression {
    const isTemplate = values.every((list) => list.length === values[0].length);
    const templates = isTemplate ? values[0].map((_, index) => this.template(values.map((list) => list[index]))) : [undefined];
    if (templates.every((item) => item !== undefined)) return templates as PageExpression[];
    if (!values.flat().every((text) => SAFE_TEXT.test(text))) return fail();
    return this.column(values.map((list) => list.join(';')), path, path.at(-1)?.endsWith('Cidrs') ? 'cidrs' : 'texts', true);
  }

  private column(cells: readonly string[], path: readonly string[], reader: string, isList = false): PageValue {
    if (!isList && reader === 'text' && !cells.every((cell) => SAFE_TEXT.test(cell))) return fail();
    const same = [...this.columns.values()].find((known) => known.value.text.startsWith(`cluster.${reader}(`) && known.cells.every((cell, index) => cell === cells[index]));
    if (same) return same.value;
    const wish = columnName(path);
    let name = wish;
    for (let number = 2; this.columns.has(name); number++) name = `${wish}${number}`;
    const value = new PageValue(`cluster.${reader}('${name}')`);
    this.columns.set(name, { value, cells });
    return value;
  }
}

function fail(): never {
  throw new NotListable();
}

/** A text around the occurrences of a word in it. */
function divided(text: string, word: string, value: PageValue): (string | PageValue)[] {
  const pieces = text.split(word);
  return pieces.flatMap((piece, index) => [...index > 0 ? [value] : [], ...piece === '' ? [] : [piece]]);
}

/** `md-0`, `machine`, `cpu`: `md0Cpu`. The pool and the last name tell it. */
function columnName(path: readonly string[]): string {
  const words = path.length > 2 ? [path[0], path.at(-1)!] : path;
  const plain = words.join('-').replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase()).replace(/^[^A-Za-z]+/, '');
  return plain === '' ? 'value' : `${plain[0].toLowerCase()}${plain.slice(1)}`;
}
