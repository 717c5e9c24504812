import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, Fields, isFields, isSet, listAt, stringAt } from '../../values/fields';

/** Fields that take inputs from elsewhere, or make objects by more than values. */
const MORE: readonly string[] = ['inputStrategy', 'inputsFrom', 'resourcesTemplate', 'steps'];

const PLACEHOLDER = /<<-?\s*inputs\.([\w.-]+?)\s*(?:\|\s*quote\s*)?-?>>/g;

/** Annotation of an object that is left out. */
const RECONCILE = 'fluxcd.controlplane.io/reconcile';

/**
 * The objects that the Flux Operator makes of a ResourceSet with inputs of its own.
 *
 * Source: controlplaneio-fluxcd/flux-operator internal/builder/resourceset.go (BuildResourceSet, BuildResource).
 *
 * @param set the ResourceSet
 * @returns undefined if inputs come from somewhere else, or a template does more than fill in their values
 */
export function madeResources(set: ManifestObject): ManifestObject[] | undefined {
  const isGiven = (value: unknown) => isSet(value) && value !== '' && !(Array.isArray(value) && value.length === 0);
  if (MORE.some((field) => isGiven(fieldAt(set, 'spec', field)))) return undefined;
  const inputs = listAt(set, 'spec', 'inputs');
  const resources = listAt(set, 'spec', 'resources').filter(isFields);
  const made = resources.flatMap((resource) => (inputs.length === 0 ? [resource] : inputs.map((input) => filledIn(resource, input) as Fields)));
  if (JSON.stringify(made).includes('<<')) return undefined;
  const known = new Set<string>();
  return made.filter((object) => {
    const key = JSON.stringify([object.apiVersion, object.kind, stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')]);
    const isLeftOut = known.has(key) || stringAt(object, 'metadata', 'annotations', RECONCILE) === 'disabled';
    known.add(key);
    return !isLeftOut;
  });
}

/** A value with inputs in place of their names. A template that is nothing but an input has its type, since YAML is read afterwards. Digits behind a zero stay a text. */
function filledIn(value: unknown, input: unknown): unknown {
  if (typeof value === 'string') {
    const filled = value.replace(PLACEHOLDER, (whole, name: string) => {
      const found = fieldAt(input, ...name.split('.'));
      return isSet(found) && typeof found !== 'object' ? String(found) : whole;
    });
    const isTyped = filled !== value && value.replace(PLACEHOLDER, '') === '' && !value.includes('quote') && /^(?:0|[1-9]\d{0,14}|true|false)$/.test(filled);
    return isTyped ? JSON.parse(filled) : filled;
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, input));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [String(filledIn(key, input)), filledIn(item, input)]));
}
