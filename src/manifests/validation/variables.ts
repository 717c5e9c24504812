import { VALIDATION_RULES } from './validation-rules';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { isNotSubstituted } from '../objects/prune-annotations';
import { RuleFinding } from '../rules/manifest-rule';
import { contentsOf } from '../rules/of-one-object';
import { STRUCTURE_RULES } from '../rules/structure/structure-rules';
import { providers } from '../systems/providers';
import { isFields } from '../values/fields';
import { hasVariable, variableNames } from '../values/variables';

type Path = readonly (string | number)[];

/** Whole values that providers fill in: `[[ name ]]`. */
const PLACEHOLDER = /^\[\[{1,2}[^[\]\n]{1,200}\]{1,2}\]$/;

/**
 * Values of Secrets that name the place of the value, for `op inject`, vals and bank-vaults, and those that a template has.
 *
 * Source: helmfile/vals README.md, bank-vaults/vault-secrets-webhook pkg/common/injector.go.
 */
const SECRET_PLACE = /^(?:op:\/\/\S{1,500}|ref\+\w{1,50}:\/\/\S{1,500}|vault:\S{1,500}|\{\{[^}]{1,500}\}\}|\$[A-Z_][A-Z0-9_]{0,99})$/;

const WHOLE_VARIABLE = /^\$\{\s*[A-Za-z_][^{}]*\}$/;

/** Fields that hold programs and files, in which `${NAME}` is often a variable of the program. */
const FREE_TEXT: ReadonlySet<string> = new Set([
  'annotations', 'args', 'binaryData', 'bootCommands', 'command', 'content', 'data', 'env', 'patches', 'postKubeadmCommands', 'preKubeadmCommands',
  'script', 'stringData', 'userData', 'values',
]);

const MOST_NAMES = 5;

/** A string with variables. */
interface Place {
  readonly path: Path;
  readonly names: readonly string[];

  /** True if only templates have such a string here. */
  readonly isTemplate: boolean;
}

/**
 * Removes findings about values with variables that are not replaced yet, and adds one finding that names the variables.
 *
 * @param object the object
 * @param findings what was found in it
 */
export function withoutVariables(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  // Most objects have none, and there may be many of them.
  const found = withoutPlaceholders(object, findings);
  if (!contentsOf(object).dollar || isNotSubstituted(object)) return found;
  const places = placesIn(object, []);
  if (places.length === 0) return found;
  const kept = found.filter((finding) => !isAbout(finding, object));
  const told = places.find(({ isTemplate }) => isTemplate) ?? (kept.length < found.length ? places[0] : undefined);
  return told ? [variableFinding(places, told.path), ...kept] : kept;
}

/**
 * Removes findings about the change of a value with variables that are not replaced yet, before or after: the values that servers get are not known.
 *
 * @param findings what was found
 * @param states the object before and after the change
 */
export function withoutVariableChanges(findings: readonly RuleFinding[], ...states: readonly (ManifestObject | undefined)[]): readonly RuleFinding[] {
  if (findings.length === 0) return findings;
  const substituted = states.flatMap((object) => (object && contentsOf(object).dollar && !isNotSubstituted(object) ? [object] : []));
  return substituted.length === 0 ? findings : findings.filter((finding) => !substituted.some((object) => isAbout(finding, object)));
}

/** Findings about values that a program replaces before it applies them become one, a warning. */
function withoutPlaceholders(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  if (findings.length === 0) return findings;
  const isSecret = groupKind(object) === '/Secret';
  const about = findings.filter(({ path }) => isPlaceholder(object, valueAt(object, path), isSecret && ['data', 'stringData'].includes(String(path[0]))));
  if (about.length === 0) return findings;
  return [{
    rule: VALIDATION_RULES.variables,
    path: about[0].path,
    message: about.length === 1 ? 'it holds a placeholder that nothing has replaced, and is not checked' : `${about.length} placeholders here are not replaced, and not checked`,
    fix: 'validate what is made of it, with values in their places',
  }, ...findings.filter((finding) => !about.includes(finding))];
}

function isPlaceholder(object: ManifestObject, value: unknown, isSecretValue: boolean): boolean {
  if (typeof value !== 'string') return false;
  const text = value.trim();
  return PLACEHOLDER.test(text) || providers().some(({ replacesText }) => replacesText?.(object, text)) || (isSecretValue && SECRET_PLACE.test(text));
}

function valueAt(object: ManifestObject, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step) ? Reflect.get(inner, step) : undefined), object);
}

function variableFinding(places: readonly Place[], path: Path): RuleFinding {
  const names = [...new Set(places.flatMap((place) => place.names))];
  const more = names.length - MOST_NAMES;
  return {
    rule: VALIDATION_RULES.variables,
    path,
    message: `it holds variables that nothing has replaced, ${names.slice(0, MOST_NAMES).map((name) => `\${${name}}`).join(', ')}${more > 0 ? ` and ${more} more` : ''},`
      + ' and values with variables are not checked',
    fix: 'validate what is made of it, e.g. what clusterctl generate, flux build or envsubst writes',
  };
}

/** True if a finding is about a value with a variable, directly or by its entries, or names one. Traps in programs are reported, but for those of a value that is a variable. */
function isAbout({ rule, path, message, accepted }: RuleFinding, object: ManifestObject): boolean {
  const value = valueAt(object, path);
  if (rule.trap && isFreeText(path)) return typeof value === 'string' && WHOLE_VARIABLE.test(value);
  if (path.some((step) => hasVariable(step)) || hasVariable(message) || hasVariable(accepted)) return true;
  // Rules and alternatives are about all that is inside.
  if (rule.id === STRUCTURE_RULES.rule.id || (rule.id === STRUCTURE_RULES.value.id && isFields(value))) return placesIn(value, []).length > 0;
  return hasVariable(value) || (Array.isArray(value) && value.some(hasVariable));
}

function isFreeText(path: Path): boolean {
  return path.some((step) => FREE_TEXT.has(String(step)));
}

function placesIn(value: unknown, path: Path): Place[] {
  if (typeof value === 'string') return value.includes('${') ? placeOf(value, path) : [];
  if (Array.isArray(value)) return value.flatMap((entry, index) => placesIn(entry, [...path, index]));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(name.includes('${') ? placeOf(name, [...path, name]) : []), ...placesIn(inner, [...path, name])]);
}

function placeOf(text: string, path: Path): Place[] {
  const names = variableNames(text);
  if (names.length === 0) return [];
  return [{ path, names, isTemplate: !/\s/.test(text.trim()) && !isFreeText(path) }];
}
