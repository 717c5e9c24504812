import { basename } from 'node:path';

/** A document of a file that a scenario writes. */
export interface Document {
  readonly scenario: string;
  readonly file: string;
  readonly text: string;
  readonly lines: readonly string[];

  /** The name of the document within its scenario. */
  readonly label: string;

  /** The kind of an object, or the name of another file. */
  readonly group: string;
}

type Place = Pick<Document, 'scenario' | 'file'>;

/** The documents of golden files, in the order in which they are read or written. */
export class Documents {
  private readonly byName = new Map<string, Document>();
  private readonly byText = new Map<string, Document>();
  private readonly byGroup = new Map<string, Document[]>();
  private readonly files = new Map<string, string>();
  private readonly placesOfContents = new Map<string, Place[]>();

  /** Adds a document. */
  add({ scenario, file }: Place, text: string): void {
    const { name, group } = nameOf(file, text);
    let label = name;
    for (let number = 2; this.byName.has(`${scenario}: ${label}`); number++) label = `${name} #${number}`;
    const document = { scenario, file, text, lines: text.split('\n'), label, group };
    this.byName.set(`${scenario}: ${label}`, document);
    if (this.byText.has(text)) return;
    this.byText.set(text, document);
    this.byGroup.set(group, [...this.byGroup.get(group) ?? [], document]);
  }

  /** Adds the content of a file. */
  addFile(place: Place, content: string): void {
    this.files.set(`${place.scenario}: ${place.file}`, content);
    this.placesOfContents.set(content, [...this.placesOfContents.get(content) ?? [], place]);
  }

  /** The first document with a text. */
  same(text: string): Document | undefined {
    return this.byText.get(text);
  }

  /** The document of a scenario with a label. */
  named(scenario: string, label: string): Document {
    return found(this.byName, `${scenario}: ${label}`);
  }

  /** The documents of the same kind. */
  alike(file: string, text: string): readonly Document[] {
    return this.byGroup.get(nameOf(file, text).group) ?? [];
  }

  /** The content of a file. */
  file(scenario: string, file: string): string {
    return found(this.files, `${scenario}: ${file}`);
  }

  /** The first file with a content, preferably one of the same path. */
  fileOf(content: string, file: string): Place | undefined {
    const places = this.placesOfContents.get(content) ?? [];
    return places.find((place) => place.file === file) ?? places[0];
  }
}

function found<T>(values: ReadonlyMap<string, T>, name: string): T {
  const value = values.get(name);
  if (value === undefined) throw new Error(`no golden file has "${name}"`);
  return value;
}

function nameOf(file: string, text: string): { readonly name: string; readonly group: string } {
  const kind = /^kind: (.*)$/m.exec(text)?.[1];
  if (kind === undefined) return { name: file, group: basename(file) };
  const metadata = /^metadata:\n((?: .*\n)*)/m.exec(text)?.[1] ?? '';
  const [namespace, name] = ['namespace', 'name'].map((key) => new RegExp(`^  ${key}: (.*)$`, 'm').exec(metadata)?.[1]);
  return { name: [kind, [namespace, name].filter(Boolean).join('/')].join(' ').trim(), group: kind };
}
