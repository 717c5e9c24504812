import { posix } from 'node:path';
import {
  CollectionKind, Docs, isCollectionTypeReference, isNamedTypeReference, isPrimitiveTypeReference, isUnionTypeReference, TypeReference,
} from '@jsii/spec';
import { Library, pathOf, shortName } from './library';

/** Code spans of Markdown, which stay as they are. */
const CODE = /(`+[^`]*`+)/;

/** Prose without HTML: a `<` outside of code is a character. */
export function escaped(text: string): string {
  return text.split(CODE).map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part)).join('');
}

/** Writes text and types of one page, with links to the pages of types. */
export class Words {
  readonly #named: ReadonlyMap<string, string>;

  public constructor(private readonly library: Library, private readonly page: string) {
    this.#named = new Map([...library.types.keys()].map((name) => [shortName(name), name]));
  }

  /** Prose of a docstring, with links from the names of types. */
  public prose(text: string): string {
    return text.split(CODE).map((part, index) => {
      if (index % 2 === 0) return escaped(part);
      const name = this.#named.get(part.slice(1, -1));
      return name === undefined ? part : this.#link(name, part);
    }).join('');
  }

  /** Summary and remarks. */
  public docs({ summary, remarks, custom, returns }: Docs = {}): string[] {
    const thrown = custom?.throws;
    return [
      ...(summary ? [this.prose(summary), ''] : []),
      ...(remarks ? [this.prose(remarks), ''] : []),
      ...(returns ? [`Returns ${this.prose(returns)}`, ''] : []),
      ...(thrown ? [`Throws ${this.prose(thrown)}`, ''] : []),
    ];
  }

  /** A sample, as a block of TypeScript. */
  public example({ example }: Docs = {}): string[] {
    return example ? ['```ts', example.trimEnd(), '```', ''] : [];
  }

  /** A type as a link to its page, or as code. */
  public type(reference: TypeReference): string {
    if (isCollectionTypeReference(reference)) {
      const element = this.type(reference.collection.elementtype);
      return reference.collection.kind === CollectionKind.Array ? `list of ${element}` : `object with values of ${element}`;
    }
    if (isUnionTypeReference(reference)) return reference.union.types.map((one) => this.type(one)).join(' or ');
    if (isNamedTypeReference(reference)) return this.#link(reference.fqn, `\`${this.library.types.has(reference.fqn) ? shortName(reference.fqn) : reference.fqn}\``);
    return `\`${typeScript(reference)}\``;
  }

  #link(name: string, text: string): string {
    if (!this.library.types.has(name)) return text;
    const place = this.library.placeOf(name);
    const anchor = place.page === name ? '' : `#${shortName(name).toLowerCase()}`;
    if (place.page === this.page) return anchor === '' ? text : `[${text}](${anchor})`;
    return `[${text}](${posix.relative(this.library.placeOf(this.page).module.name, pathOf(place))}${anchor})`;
  }
}

/** A type as TypeScript spells it. */
export function typeScript(reference: TypeReference): string {
  if (isPrimitiveTypeReference(reference)) return reference.primitive === 'json' ? 'object' : reference.primitive;
  if (isNamedTypeReference(reference)) return shortName(reference.fqn);
  if (isUnionTypeReference(reference)) return reference.union.types.map(typeScript).join(' | ');
  if (!isCollectionTypeReference(reference)) throw new Error(`unknown kind of type: ${JSON.stringify(reference)}`);
  const element = typeScript(reference.collection.elementtype);
  return reference.collection.kind === CollectionKind.Array ? `${element}[]` : `{ [key: string]: ${element} }`;
}
