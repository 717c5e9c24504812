import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { ManifestRule, RuleExample } from '../manifest-rule';

/** Path of the fields of a machine in a template of machines. */
export const TEMPLATE_FIELDS: FieldPath = ['spec', 'template', 'spec'];

/** Path of the fields that describe a cluster or a machine: of a template, those that its objects get. */
export function specPath({ kind }: ManifestObject): FieldPath {
  return typeof kind === 'string' && kind.endsWith('Template') ? TEMPLATE_FIELDS : ['spec'];
}

/**
 * The rule of a webhook that refuses a provider ID in a template of machines.
 *
 * @param id id of the rule
 * @param kind kind of the template, as `group/Kind`
 * @param source file of the webhook
 * @param example a template with a provider ID, and without
 * @param isPointer true if the webhook refuses an empty ID, too, as one does that reads a pointer
 */
export function templateProviderId(id: string, kind: string, source: string, example: RuleExample, isPointer = false): ManifestRule {
  return {
    id,
    title: 'A template of machines must not have a provider ID: each machine gets its own.',
    source,
    kinds: [kind],
    example,
    check: (object) => templateProviderIds(object, TEMPLATE_FIELDS, isPointer),
  };
}

/** Finds a provider ID in a template. */
export function templateProviderIds(object: object, path: FieldPath, isPointer = false): Finding[] {
  const id = fieldAt(object, ...path, 'providerID');
  return typeof id !== 'string' || (id === '' && !isPointer) ? [] : [{ path: [...path, 'providerID'], message: 'all machines of the template would have one ID', fix: 'remove it' }];
}

/** The words of plans for fields of a template of machines: those that are named, and `machine` for the others. */
export function machineWords(kind: string, words: Readonly<Record<string, string>>): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const named = Object.entries(words).map(([field, word]) => [`template.spec.${field}`, word]);
  return { [kind]: { 'template.spec': 'machine', ...Object.fromEntries(named) as Record<string, string> } };
}

/** Finds a field that names another namespace than that of the object. */
export function otherNamespace(object: object, path: FieldPath, fix: string): Finding[] {
  const [given, own] = [stringAt(object, ...path), stringAt(object, 'metadata', 'namespace')];
  return given === undefined || own === undefined || given === own ? [] : [{
    path, message: `${JSON.stringify(given)} is another namespace than ${JSON.stringify(own)}, that of the object`, fix: `leave it out, and ${fix}`,
  }];
}

/** Checks of the webhook of machines that the one of their templates leaves out. */
interface MachineCheck {
  /** Kinds of machines, and what their webhook does. */
  readonly machines: Pick<ManifestRule, 'id' | 'title' | 'source' | 'kinds' | 'example'>;

  /** Kinds of templates, of which each machine is refused. */
  readonly templates: Pick<ManifestRule, 'id' | 'title' | 'source' | 'kinds' | 'example'>;

  /** Checks the fields of a machine below a path. */
  readonly check: (object: object, path: FieldPath) => Finding[];
}

/** The rules over machines and over templates, which are accepted with what is refused in each of their machines. */
export function machineRules({ machines, templates, check }: MachineCheck): ManifestRule[] {
  return [
    { ...machines, check: (object) => check(object, ['spec']) },
    { ...templates, trap: true, check: (object) => check(object, TEMPLATE_FIELDS) },
  ];
}
