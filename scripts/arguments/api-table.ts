import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import * as spec from '@jsii/spec';
import { ApiTable, ClassShape, MethodShape, Shape } from '../../src/constructs/app/arguments/argument-type';
import { jsonTable } from '../generated-files';

const ROOT = resolve(__dirname, '..', '..');

/** Types of cdk8s and constructs that the check of arguments knows. */
const KNOWN = ['ApiObject', 'App', 'Chart', 'Construct', 'IConstruct', 'Duration', 'Size'];

/** The table of the API: one type a line. */
export function apiTable(): string {
  const table = new Assembly(spec.loadAssemblyFromPath(ROOT)).table();
  const sorted = (types: object) => Object.fromEntries(Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1)));
  return jsonTable(Object.fromEntries((['classes', 'structs', 'interfaces', 'enums'] as const).map((part) => [part, sorted(table[part])])), 2);
}

/** The types of the library. What is generated from schemas is left out: their rules look at it. */
class Assembly {
  private readonly types: Readonly<Record<string, spec.Type>>;
  private readonly foreignEnums = new Map<string, Record<string, string | number>>();

  public constructor(assembly: spec.Assembly) {
    this.types = assembly.types ?? {};
  }

  public table(): ApiTable {
    const written = Object.values(this.types).filter((type) => !isGenerated(type));
    const again = written.find(({ name, fqn }) => written.some((other) => other.name === name && other.fqn !== fqn));
    if (again) throw new Error(`two public types are called ${again.name}: the check of arguments knows a type by its name`);
    const classes = byName(written.filter(spec.isClassType), ({ name }) => name, (type) => this.classShape(type));
    const interfaces = written.filter(spec.isInterfaceType);
    const structs = byName(interfaces.filter(({ datatype }) => datatype), ({ name }) => name, (type) => this.structShape(type));
    return {
      classes,
      structs,
      interfaces: byName(interfaces.filter(({ datatype }) => !datatype), ({ name }) => name, (type) => membersOf(type)),
      enums: {
        ...byName(written.filter(spec.isEnumType), ({ name }) => name, ({ fqn }) => enumValues(fqn)),
        ...Object.fromEntries(this.foreignEnums),
      },
    };
  }

  private classShape({ namespace, base, abstract, interfaces, initializer, methods = [] }: spec.ClassType): ClassShape {
    // Methods of strategies are called by the library, with contexts of its own, which hold more than strategies are told.
    const isCalledBack = ({ overrides, name }: spec.Method) => abstract === true || overrides !== undefined || name === 'bind';
    const open = methods.filter((method) => !method.protected && (method.static || !isCalledBack(method)));
    const statics = byName(open.filter((method) => method.static), ({ name }) => name, (method) => this.methodShape(method));
    const own = byName(open.filter((method) => !method.static), ({ name }) => name, (method) => this.methodShape(method));
    return {
      ...(namespace !== undefined && { namespace }),
      ...(base !== undefined && { base: this.nameOf(base) }),
      ...(interfaces && { interfaces: interfaces.map((fqn) => this.nameOf(fqn)) }),
      ...(abstract && { abstract }),
      ...(initializer && { takes: this.shape(initializer.parameters) }),
      ...(Object.keys(statics).length > 0 && { statics }),
      ...(Object.keys(own).length > 0 && { methods: own }),
    };
  }

  private methodShape({ static: isStatic, parameters, returns }: spec.Method): MethodShape {
    return { takes: this.shape(parameters), ...(isStatic && returns && { gives: this.textOf(returns) }) };
  }

  private structShape({ interfaces = [], properties }: spec.InterfaceType): Shape {
    return Object.assign({}, ...interfaces.map((fqn) => this.structShape(this.types[fqn] as spec.InterfaceType)), this.shape(properties)) as Shape;
  }

  private shape(values: readonly (spec.Parameter | spec.Property)[] = []): Shape {
    return byName(values, ({ name }) => name, (value) => `${'variadic' in value && value.variadic ? '...' : ''}${this.textOf(value)}`);
  }

  private textOf({ type, optional }: spec.OptionalValue): string {
    return `${this.typeText(type)}${optional ? '?' : ''}`;
  }

  private typeText(type: spec.TypeReference): string {
    if (spec.isNamedTypeReference(type)) return this.nameOf(type.fqn);
    if (spec.isPrimitiveTypeReference(type)) return type.primitive === spec.PrimitiveType.Json ? 'any' : type.primitive;
    if (!spec.isCollectionTypeReference(type)) throw new Error(`the check of arguments does not know unions: ${JSON.stringify(type)}`);
    const { elementtype, kind } = type.collection;
    return kind === spec.CollectionKind.Array ? `[${this.typeText(elementtype)}]` : `{${this.typeText(elementtype)}}`;
  }

  private nameOf(fqn: string): string {
    const type = this.types[fqn];
    const name = fqn.split('.').pop()!;
    if (!type) return this.nameOfForeign(fqn, name);
    if (!isGenerated(type)) return name;
    return spec.isClassType(type) ? 'ApiObject' : 'object';
  }

  private nameOfForeign(fqn: string, name: string): string {
    if (KNOWN.includes(name)) return name;
    const values = enumValues(fqn);
    const isEnum = Object.keys(values).length > 0 && Object.values(values).every((value) => typeof value === 'string');
    if (isEnum) this.foreignEnums.set(name, values);
    return isEnum ? name : 'object';
  }
}

/** Names of the methods and required properties that an object of an interface must have. */
function membersOf({ methods = [], properties = [] }: spec.InterfaceType): string[] {
  return [...methods, ...properties.filter(({ optional }) => !optional)].map(({ name }) => name);
}

function isGenerated({ locationInModule }: spec.Type): boolean {
  return locationInModule?.filename.startsWith('imports/') ?? false;
}

/** The values of an enum, which only the compiled code has. */
function enumValues(fqn: string): Record<string, string | number> {
  const [name, ...path] = fqn.split('.');
  const start = createRequire(__filename)(name === 'cdk8s-cluster-api' ? ROOT : name) as object;
  return { ...path.reduce<any>((module, part) => module?.[part], start) } as Record<string, string | number>;
}

function byName<T, V>(values: readonly T[], name: (value: T) => string, shape: (value: T) => V): Record<string, V> {
  return Object.fromEntries(values.map((value) => [name(value), shape(value)]));
}
