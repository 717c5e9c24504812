import { isSimple } from './plain-text';
import { isLiteral, literalText, textOnOneLine } from './text-scalar';
import { DEEPEST, HALF_CHARACTER, yamlFault } from './yaml-fault';
import { isPlainObject } from '../../values/fields';

/** Readers look for the colon of a key within 1024 characters. */
const LONGEST_KEY = 1000;

/** A line break and the blanks of each depth. */
const LINES = Array.from({ length: DEEPEST + 2 }, (_, depth) => `\n${'  '.repeat(depth)}`);

/**
 * Writes a value as one YAML document, with a line break at its end.
 *
 * The same bytes for the same value: keys in their order, two blanks for each level, items of lists inside their field as cdk8s writes
 * them, strings of several lines as literal blocks, long lines never folded, nothing shared by anchors. Parsers of YAML 1.1 and 1.2 read
 * the values that JSON would have, so minus zero is zero.
 *
 * @param value plain data
 * @throws for what is no plain data, with the place of it
 */
export function yamlText(value: unknown): string {
  return new YamlWriter(value).text;
}

class YamlWriter {
  /** The document. */
  public readonly text: string;

  private out = '';

  public constructor(private readonly root: unknown) {
    // A document that is a string is on one line: parsers disagree on how far its block is indented.
    if (typeof root === 'string') this.out = ` ${this.onOneLine(root)}`;
    else this.value(root, '', -1);
    this.text = `${isFilled(root) ? this.out : this.out.slice(1)}\n`;
  }

  /**
   * Writes what follows the dash of an item or the colon of a field.
   *
   * @param value what to write
   * @param lead what comes before it when it is a list or map with something in it
   * @param depth how deep the item or field is
   */
  private value(value: unknown, lead: string, depth: number): void {
    if (typeof value === 'string') {
      this.out += ` ${isSimple(value) ? value : isLiteral(value) ? this.literal(value, depth) : this.onOneLine(value)}`;
    } else if (typeof value !== 'object' || value === null) {
      this.out += ` ${this.scalar(value)}`;
    } else if (depth > DEEPEST) {
      throw this.fault();
    } else if (Array.isArray(value)) {
      this.list(value, lead, depth + 1);
    } else if (isPlainObject(value)) {
      this.map(value, lead, depth + 1);
    } else {
      throw this.fault();
    }
  }

  private list(list: readonly unknown[], lead: string, depth: number): void {
    if (list.length === 0) this.out += ' []';
    let before = lead;
    for (const item of list) {
      this.out += `${before}-`;
      this.value(item, ' ', depth);
      before = LINES[depth];
    }
  }

  private map(map: Readonly<Record<string, unknown>>, lead: string, depth: number): void {
    const keys = Object.keys(map);
    if (keys.length === 0) this.out += ' {}';
    let before = lead;
    for (const key of keys) {
      const name = this.onOneLine(key);
      this.out += name.length > LONGEST_KEY ? `${before}? ${name}${LINES[depth]}:` : `${before}${name}:`;
      this.value(map[key], LINES[depth + 1], depth);
      before = LINES[depth];
    }
  }

  private literal(text: string, depth: number): string {
    if (HALF_CHARACTER.test(text)) throw this.fault();
    return literalText(text, LINES[depth + 1]);
  }

  private onOneLine(text: string): string {
    const written = textOnOneLine(text);
    if (written === undefined) throw this.fault();
    return written;
  }

  private scalar(value: unknown): string {
    if (value === null || typeof value === 'boolean') return String(value);
    if (typeof value === 'number' && Number.isFinite(value)) return numberText(value);
    throw this.fault();
  }

  private fault(): Error {
    return new TypeError(`YAML cannot be written: ${yamlFault(this.root)}`);
  }
}

/** True if a value is a list or map with something in it, which begins at the start of a line. */
function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Numbers with an exponent have a point: without one, they are strings to parsers of YAML 1.1. */
function numberText(value: number): string {
  const text = String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}
