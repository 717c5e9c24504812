/** A field of a struct. */
export interface FieldDeclaration {
  /** Name in the API. */
  readonly api: string;
  /** Name in TypeScript. */
  readonly typescript: string;
  readonly type: string;
  readonly optional: boolean;
}

/** A struct. */
export interface StructDeclaration {
  readonly name: string;
  /** Its place in the API. */
  readonly place: string;
  readonly fields: FieldDeclaration[];
}

/** An enum. */
export interface EnumDeclaration {
  readonly name: string;
  /** Its place in the API. */
  readonly place: string;
  /** Member names and the source text of their values. */
  readonly members: Array<readonly [string, string]>;
}

/** Types of one file, in the order in which they are written. */
export interface Declarations {
  readonly structs: StructDeclaration[];
  readonly enums: EnumDeclaration[];
}

/** Forms of a line in json2jsii's output. */
const LINES = {
  open: /^export (interface|enum) (\w+) \{$/,
  schema: /^ *\* @schema (?:\w+#)?(.+)$/,
  prose: /^ *\* ([^@].*)$/,
  field: /^ {2}readonly (\w+)(\??): (.+);$/,
  member: /^ {2}(\w+) = (.+),$/,
  ignored: /^ *(\/\*\*( .* \*\/)?|\*|\*\/|\})?$/,
};

/**
 * Reads the text that json2jsii writes, so that names and types are exactly the ones that it decided on.
 *
 * @param text interfaces and enums
 */
export function readDeclarations(text: string): Declarations {
  const result: Declarations = { structs: [], enums: [] };
  let struct: StructDeclaration | undefined;
  let choice: EnumDeclaration | undefined;
  let place = '';
  let schema = '';
  for (const line of text.split('\n')) {
    let match: RegExpExecArray | null;
    if ((match = LINES.open.exec(line))) {
      const [, keyword, name] = match;
      struct = keyword === 'interface' ? { name, place, fields: [] } : undefined;
      choice = keyword === 'enum' ? { name, place, members: [] } : undefined;
      if (struct) { result.structs.push(struct); }
      if (choice) { result.enums.push(choice); }
    } else if (struct && (match = LINES.field.exec(line))) {
      const [, typescript, mark, type] = match;
      struct.fields.push({ api: schema, typescript, type, optional: mark === '?' });
    } else if (choice && (match = LINES.member.exec(line))) {
      choice.members.push([match[1], match[2]]);
    } else if ((match = LINES.schema.exec(line))) {
      schema = match[1];
    } else if ((match = LINES.prose.exec(line))) {
      place = match[1];
    } else if (!LINES.ignored.test(line)) {
      throw new Error(`json2jsii wrote a line that is not understood: ${line}`);
    }
  }
  return result;
}
