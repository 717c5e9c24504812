import { join, resolve } from 'node:path';
import {
  Callable, ClassType, EnumType, InterfaceType, isClassType, isClassOrInterfaceType, isCollectionTypeReference, isEnumType, isInterfaceType,
  isNamedTypeReference, isUnionTypeReference, loadAssemblyFromPath, Parameter, Property, Type, TypeReference,
} from '@jsii/spec';
import { moduleOf, ReferenceModule } from './modules';

export const ROOT = resolve(__dirname, '../..');

/** The page that explains a type. */
export interface Place {
  readonly module: ReferenceModule;
  /** The type that names the page. */
  readonly page: string;
}

/** Constructor, methods and properties of a class or an interface. */
export interface Members {
  readonly initializer?: Callable;
  readonly methods: readonly NonNullable<ClassType['methods']>[number][];
  readonly properties: readonly Property[];
}

/** The assembly that the compiler wrote, without the typed resources of `imports/`. */
export class Library {
  /** The library's own types, by full name. */
  public readonly types: ReadonlyMap<string, Type>;

  readonly #places = new Map<string, Place>();
  readonly #users = new Map<string, Set<string>>();

  public constructor() {
    const { types = {} } = loadAssemblyFromPath(ROOT);
    this.types = new Map(Object.entries(types).filter(([, type]) => fileOf(type).startsWith('src/')));
    for (const [user, type] of this.types) {
      for (const used of namesIn(type)) {
        if (used !== user && this.types.has(used)) this.#users.set(used, (this.#users.get(used) ?? new Set()).add(user));
      }
    }
  }

  /** The page that explains a type: its own, or that of the type that uses it. */
  public placeOf(name: string): Place {
    let place = this.#places.get(name);
    if (!place) {
      const type = this.types.get(name)!;
      const page = this.#pageOf(name, new Set());
      place = page === name ? { module: moduleOf(fileOf(type)), page } : this.placeOf(page);
      this.#places.set(name, place);
    }
    return place;
  }

  /** The names of pages, in the order of the alphabet. */
  public pages(): string[] {
    return [...this.types.keys()].filter((name) => this.placeOf(name).page === name).sort((a, b) => shortName(a).localeCompare(shortName(b), 'en'));
  }

  /** Structs and enums on the page of a type, those of its constructor first. */
  public beside(page: string): string[] {
    const type = this.types.get(page)!;
    const first = isClassType(type) ? (type.initializer?.parameters ?? []).flatMap(({ type: of }) => namesInReference(of)) : [];
    const all = [...this.types.keys()].filter((name) => name !== page && this.placeOf(name).page === page);
    return all.sort((a, b) => Number(first.includes(b)) - Number(first.includes(a)) || shortName(a).localeCompare(shortName(b), 'en'));
  }

  /** Page for the details of a type: that of the only type that uses it, or its own. */
  #pageOf(name: string, seen: ReadonlySet<string>): string {
    const type = this.types.get(name)!;
    if (!isEnumType(type) && !(isInterfaceType(type) && type.datatype)) return name;
    const owner = /^(.*)(Props|Options)$/.exec(name)?.[1];
    if (owner !== undefined && isClassType(this.types.get(owner))) return owner;
    const pages = new Set([...this.#users.get(name) ?? []].map((user) => (seen.has(user) ? user : this.#pageOf(user, new Set([...seen, name])))));
    const [page] = pages;
    return pages.size === 1 && !seen.has(page) && moduleOf(fileOf(this.types.get(page)!)) === moduleOf(fileOf(type)) ? page : name;
  }
}

/** The source of a type, from the root of the repository. */
export function fileOf(type: Type): string {
  return type.locationInModule!.filename;
}

/** `DiyCloud` of `cdk8s-cluster-api.blueprints.DiyCloud`. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The members that a type declares, without those that only implement what its base declares. */
export function membersOf(type: ClassType | InterfaceType): Members {
  const declared = <T extends { readonly overrides?: string }>(members: readonly T[] = []): T[] => (
    members.filter(({ overrides }) => overrides === undefined));
  return {
    initializer: isClassType(type) && !type.abstract ? type.initializer : undefined,
    methods: declared(type.methods),
    properties: declared(type.properties),
  };
}

function namesIn(type: Type): Set<string> {
  if (isEnumType(type as EnumType) || !isClassOrInterfaceType(type)) return new Set();
  const callables = [...isClassType(type) && type.initializer ? [type.initializer] : [], ...type.methods ?? []];
  return new Set([
    ...type.interfaces ?? [],
    ...callables.flatMap(({ parameters = [] }) => parameters).flatMap((parameter: Parameter) => namesInReference(parameter.type)),
    ...(type.methods ?? []).flatMap(({ returns }) => (returns ? namesInReference(returns.type) : [])),
    ...(type.properties ?? []).flatMap((property) => namesInReference(property.type)),
  ]);
}

function namesInReference(reference: TypeReference): string[] {
  if (isNamedTypeReference(reference)) return [reference.fqn];
  if (isCollectionTypeReference(reference)) return namesInReference(reference.collection.elementtype);
  return isUnionTypeReference(reference) ? reference.union.types.flatMap(namesInReference) : [];
}

/** The path of a page from the folder of the reference. */
export function pathOf({ module, page }: Place): string {
  return join(module.name, `${shortName(page)}.md`);
}
