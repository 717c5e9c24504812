import { parse } from 'yaml';
import { Fields, isFields } from '../values/fields';

/** How a template writes two braces that begin no action. */
const WRITTEN_BRACES = '{{"{{"}}';

/**
 * Values out of the text of a Go template that has no actions but those that write braces; undefined for any other template, which
 * renders to nobody knows what.
 */
export function valuesOfTemplate(template: string): Fields | undefined {
  if (template.replaceAll(WRITTEN_BRACES, '').includes('{{')) return undefined;
  try {
    const values: unknown = parse(template.replaceAll(WRITTEN_BRACES, '{{'));
    return isFields(values) ? values : undefined;
  } catch {
    return undefined;
  }
}
