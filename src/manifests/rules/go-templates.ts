import { checkDnsSubdomain, DNS_LABEL_MAX_LENGTH } from '../values/dns';
import { fieldAt, Fields, isFields } from '../values/fields';

/** The line of the first action of a Go template that has no end; undefined where all have. */
export function unclosedAction(text: string): number | undefined {
  for (let start = text.indexOf('{{'); start >= 0;) {
    const end = endOfAction(text, start + 2);
    if (end === undefined) return text.slice(0, start).split('\n').length;
    start = text.indexOf('{{', end);
  }
  return undefined;
}

/** Where an action ends: its strings and comments may hold braces. */
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

const ACTION = /\{\{(.*?)\}\}/gs;
const FIELD = /^(?:\.[A-Za-z_]\w*)+$/;
const RANDOM = 'x7b2q';

/** Definitions accept 256 characters. */
const LONGEST = 1000;

/**
 * Checks a template of names as Cluster API does: it is rendered with sample values, and the result has to be a name of an object.
 * Templates with more in them than fields, such as functions, are not judged.
 *
 * Source: kubernetes-sigs/cluster-api internal/topology/names/names.go.
 *
 * @param template the template
 * @param sample values for its fields, beside `.random`
 * @returns what is wrong with it, or undefined
 */
export function checkNameTemplate(template: string, sample: Fields): string | undefined {
  if (template.length > LONGEST) return undefined;
  const values: Fields = { ...sample, random: RANDOM };
  // A minus at the inner side of the braces takes away the white space outside.
  const text = template.replace(/\s*\{\{-\s/g, '{{ ').replace(/\s-\}\}\s*/g, ' }}');
  const actions = [...text.matchAll(ACTION)].map(([, action]) => action.trim());
  // In texts within an action, braces are braces.
  const isOpen = text.replace(ACTION, '').includes('{{') || actions.some((action) => /[{}]/.test(action) && !/["'`]/.test(action));
  if (isOpen) return `${JSON.stringify(template)} has braces that are not closed`;
  if (!actions.every((action) => FIELD.test(action))) return undefined;
  const missing = actions.find((action) => typeof valueOf(values, action) !== 'string');
  if (missing !== undefined) return `${JSON.stringify(template)} asks for ${missing}, and there is no such value`;
  const name = text.replace(ACTION, (_, action: string) => String(valueOf(values, action.trim())));
  const fitting = name.length > DNS_LABEL_MAX_LENGTH ? `${name.slice(0, DNS_LABEL_MAX_LENGTH - RANDOM.length)}${RANDOM}` : name;
  return checkDnsSubdomain(fitting) === undefined ? undefined : `${JSON.stringify(template)} makes names such as ${JSON.stringify(fitting)}, which no object may have`;
}

/** The fields that a template may use, as it writes them. */
export function templateFields(sample: Fields): string {
  const fields = Object.entries(sample).flatMap(([name, value]) => (isFields(value) ? Object.keys(value).map((inner) => `.${name}.${inner}`) : [`.${name}`]));
  return [...fields, '.random'].map((field) => `{{ ${field} }}`).join(', ');
}

function valueOf(values: Fields, action: string): unknown {
  return fieldAt(values, ...action.slice(1).split('.'));
}
