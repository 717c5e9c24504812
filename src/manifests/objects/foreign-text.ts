import { readText } from './manifest-text';

/** Nature of a text that is no YAML, and that no API server is meant to get as it is. */
export interface ForeignText {
  /**
   * Its nature, as a predicate.
   *
   * @default - not known
   */
  readonly message?: string;

  /** True if objects may come out of it. */
  readonly mayHoldObjects: boolean;
}

/** Statements of Go, Helm and Jinja where YAML has the keys of a document. */
const STATEMENT = /^(?:\{\{|\{%|\{#|<%)/m;

/** Expressions of templates, on a line of their own or as part of a value. */
const EXPRESSION_LINE = /^[ \t]*(?:- )?(?:\{\{.*\}\}|\{%.*%\}|<%.*%>)[ \t]*$/gm;
const EXPRESSION = /\{\{.{0,500}?\}\}|\{%.{0,500}?%\}|<%.{0,500}?%>/g;

const MANIFEST_FIELDS: readonly RegExp[] = [/^[ \t-]*["']?apiVersion["']?\s*:/m, /^[ \t-]*["']?kind["']?\s*:/m];

/** One of these fields where a document has its keys, and not deeper inside, as in a playbook. */
const TOP_FIELD = /^(?:- )?["']?(?:apiVersion|kind)["']?\s*:|^[ \t]*\{/m;

/**
 * Tells the nature of a text that cannot be read; undefined if it is a manifest with a mistake.
 *
 * @param text a text that is no YAML
 */
export function foreignText(text: string): ForeignText | undefined {
  const isManifest = TOP_FIELD.test(text) && MANIFEST_FIELDS.every((field) => field.test(text));
  if (isTemplate(text)) return { message: 'is a template: read what it renders to', mayHoldObjects: isManifest };
  return isManifest ? undefined : { mayHoldObjects: false };
}

/** True if a text is a template by its first columns, or can be read once its expressions are left out. */
function isTemplate(text: string): boolean {
  if (STATEMENT.test(text)) return true;
  const plain = text.replace(EXPRESSION_LINE, '').replace(EXPRESSION, 'x');
  return plain !== text && readText(plain).faults.length === 0;
}
