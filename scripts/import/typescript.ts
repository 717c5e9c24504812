import { EnumDeclaration, StructDeclaration } from './declarations';
import { Kind } from './kind';
import { FieldNames } from '../../src/constructs/app/synth/api-fields';

/** Writes the class of a kind. */
export function renderClass(kind: Kind, props: StructDeclaration, names: FieldNames | undefined): string {
  const { className, clusterScoped, group, source, version } = kind;
  const parameter = `props: ${props.name}${props.fields.some(field => !field.optional) ? '' : ' = {}'}`;
  const api = [
    `...${className}.GVK`,
    ...(clusterScoped ? ['clusterScoped: true'] : []),
    ...(names ? [`names: ${renderNames(names, '    ')}`] : []),
  ];
  return `/**
 * \`${kind.kind}\` of \`${group}/${version}\`, ${clusterScoped ? 'cluster-scoped' : 'in a namespace'}.
 *
 * @see ${source.docs}
 */
export class ${className} extends TypedApiObject {
  /** \`apiVersion\` and \`kind\`. */
  public static readonly GVK: GroupVersionKind = { apiVersion: '${group}/${version}', kind: '${kind.kind}' };

  /**
   * Renders the manifest without adding an object to a tree.
   *
   * @param props metadata and fields
   */
  public static manifest(${parameter}): any {
    return manifestOf(${className}.API, props);
  }

  private static readonly API: ApiKind = ${names ? `{\n    ${api.join(',\n    ')},\n  }` : `{ ${api.join(', ')} }`};

  /**
   * @param scope the construct to define the object in
   * @param id a name that is unique within the scope
   * @param props metadata and fields
   */
  public constructor(scope: Construct, id: string, ${parameter}) {
    super(scope, id, ${className}.API, props);
  }
}
`;
}

/** Writes an interface. */
export function renderStruct(struct: StructDeclaration): string {
  const fields = struct.fields.map(({ api, typescript, optional, type }) =>
    `  /** API field \`${api}\`. */\n  readonly ${typescript}${optional ? '?' : ''}: ${type};\n`);
  return `/** \`${struct.place}\`. */\nexport interface ${struct.name} {\n${fields.join('')}}\n`;
}

/** Writes an enum. */
export function renderEnum({ name, place, members }: EnumDeclaration): string {
  const lines = members.map(([member, value]) => `  /** \`${JSON.parse(value)}\`. */\n  ${member} = ${literal(JSON.parse(value))},\n`);
  return `/** Choices of \`${place}\`. */\nexport enum ${name} {\n${lines.join('')}}\n`;
}

/** Writes a class for values that are a number or a string. */
export function renderNumberOrString(name: string, purpose: string): string {
  return `/** ${purpose} */
export class ${name} {
  /** From a number. */
  public static fromNumber(value: number): ${name} {
    return new ${name}(value);
  }

  /** From a string. */
  public static fromString(value: string): ${name} {
    return new ${name}(value);
  }

  private constructor(public readonly value: number | string) {}
}
`;
}

function renderNames(names: FieldNames, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(names).map(([field, entry]) => {
    const key = field === '*' ? '\'*\'' : field;
    if (typeof entry === 'string') { return `${inner}${key}: ${literal(entry)},\n`; }
    if (isPair(entry)) { return `${inner}${key}: [${literal(entry[0])}, ${renderNames(entry[1], inner)}],\n`; }
    return `${inner}${key}: ${renderNames(entry, inner)},\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function isPair(entry: FieldNames | readonly [string, FieldNames]): entry is readonly [string, FieldNames] {
  return Array.isArray(entry);
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replace(/[\\']/g, '\\$&')}'`;
}
