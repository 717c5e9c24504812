import { MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { fieldAt, stringAt } from '../../values/fields';
import { ManifestRule } from '../manifest-rule';
import { objectReference } from '../references/object-references';

const MACHINE = ['spec', 'template', 'spec'];

/** A rule against failure domains of pools whose infrastructure provider does not read them. */
export function ignoredFailureDomain(
  { provider, templateKind, fix, ...rule }: Pick<ManifestRule, 'id' | 'source' | 'example'> & { provider: string; templateKind: string; fix: string },
): ManifestRule {
  return {
    ...rule,
    title: `Pools of ${provider} machines have no failure domain: the provider does not read it, and places the machines as if it were not set.`,
    kinds: [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL],
    trap: true,
    check: (object) => {
      const failureDomain = stringAt(object, ...MACHINE, 'failureDomain');
      if (failureDomain === undefined || objectReference(fieldAt(object, ...MACHINE, 'infrastructureRef'))?.kind !== templateKind) return [];
      return [{
        path: [...MACHINE, 'failureDomain'],
        message: `the ${provider} provider does not read the failure domain ${JSON.stringify(failureDomain)}`,
        fix,
      }];
    },
  };
}
