import { fieldAt, FieldPath } from '../../values/fields';
import { Finding } from '../../values/finding';
import { ManifestRule, RuleExample } from '../manifest-rule';

/** Path of the fields of a machine in a template of machines. */
export const TEMPLATE_FIELDS: FieldPath = ['spec', 'template', 'spec'];

/**
 * The rule of a webhook that refuses a provider ID in a template of machines.
 *
 * @param id id of the rule
 * @param kind kind of the template, as `group/Kind`
 * @param source file of the webhook
 * @param example a template with a provider ID, and without
 */
export function templateProviderId(id: string, kind: string, source: string, example: RuleExample): ManifestRule {
  return {
    id,
    title: 'A template of machines must not have a provider ID: each machine gets its own.',
    source,
    kinds: [kind],
    example,
    check: (object) => templateProviderIds(object, TEMPLATE_FIELDS),
  };
}

/** Finds a provider ID in a template. */
export function templateProviderIds(object: object, path: FieldPath): Finding[] {
  const id = fieldAt(object, ...path, 'providerID');
  return typeof id !== 'string' || id === '' ? [] : [{ path: [...path, 'providerID'], message: 'all machines of the template would have one ID', fix: 'remove it' }];
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
