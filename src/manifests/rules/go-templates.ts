import { NotComputed, TemplateFault } from '../go-template/faults';
import { renderName } from '../go-template/go-template';
import { checkDnsSubdomain, DNS_LABEL_MAX_LENGTH } from '../values/dns';
import { Fields, isFields } from '../values/fields';

/** The line of the first action of a Go template that has no end; undefined where all have. */
export function unclosedAction(text: string): number | undefined {
  for (let start = text.indexOf('{{'); start >= 0;) {
    const end = endOfAction(text, start + 2);
    if (end === undefined) return text.slice(0, start).split('\n').length;
    start = text.indexOf('{{', end);
  }
  return undefined;
}

/** End of an action: its strings and comments may hold braces. */
function endOfAction(text: string, from: number): number | undefined {
  if (/^(- )?\s*\/\*/.test(text.slice(from, from + 100))) {
    const comment = text.indexOf('*/', from);
    const end = comment < 0 ? -1 : text.indexOf('}}', comment);
    return end < 0 ? undefined : end + 2;
  }
  const token = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\}\}|./gs;
  token.lastIndex = from;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '}}') return token.lastIndex;
  }
  return undefined;
}

const RANDOM = 'x7b2q';

/** Definitions accept 256 characters. */
const LONGEST = 1000;

/**
 * Checks a template of names as Cluster API does: it is rendered with sample values, and the result has to be a name of an object.
 *
 * Source: kubernetes-sigs/cluster-api internal/topology/names/names.go.
 *
 * @param template the template
 * @param sample values for its fields, beside `.random`
 * @param sprig functions of sprig that a provider's template may call: it has no `.random`, and the provider cuts long names
 * @returns what is wrong with it, or undefined
 */
export function checkNameTemplate(template: string, sample: Fields, sprig?: readonly string[]): string | undefined {
  if (template.length > LONGEST) return undefined;
  const text = JSON.stringify(template);
  try {
    const end = sprig ? '' : RANDOM;
    const name = renderName(template, sprig ? sample : { ...sample, random: RANDOM }, sprig);
    const fitting = name.length > DNS_LABEL_MAX_LENGTH ? `${name.slice(0, DNS_LABEL_MAX_LENGTH - end.length)}${end}` : name;
    return checkDnsSubdomain(fitting) === undefined ? undefined : `${text} makes names such as ${JSON.stringify(fitting)}, which no object may have`;
  } catch (error) {
    if (error instanceof TemplateFault) return `${text}: ${error.message}`;
    if (error instanceof NotComputed) return undefined;
    throw error;
  }
}

/** The fields that a template may use, as it writes them. */
export function templateFields(sample: Fields): string {
  const fields = Object.entries(sample).flatMap(([name, value]) => (isFields(value) ? Object.keys(value).map((inner) => `.${name}.${inner}`) : [`.${name}`]));
  return [...fields, '.random'].map((field) => `{{ ${field} }}`).join(', ');
}
