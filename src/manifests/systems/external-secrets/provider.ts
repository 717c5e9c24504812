import { REFERENTS } from './referents';
import { EXTERNAL_SECRET, STORES } from './stores';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { MadeSecret } from '../../rules/made-secrets';
import { Provider } from '../../rules/provider';
import { FieldPath, objectsAt, stringAt } from '../../values/fields';

const NAME: FieldPath = ['spec', 'target', 'name'];

/** Source: external-secrets/external-secrets apis/externalsecrets/v1/externalsecret_types.go (ExternalSecretTarget, ExternalSecretCreationPolicy). */
function madeOf(object: ManifestObject): readonly MadeSecret[] {
  const named = stringAt(object, ...NAME);
  const name = named ?? nameOf(object);
  const policy = stringAt(object, 'spec', 'target', 'creationPolicy') ?? 'Owner';
  if (name === undefined || policy === 'None' || policy === 'Merge') return [];
  return [{
    name,
    ...(policy === 'Owner' && { goesAlong: true as const }),
    ...(named !== undefined && { field: NAME }),
    templates: ['spec', 'target', 'template', 'data'],
    entries: new Map(objectsAt(object, 'spec', 'data').flatMap(([entry]) => {
      const [key, remote] = [stringAt(entry, 'secretKey'), stringAt(entry, 'remoteRef', 'key')];
      return key === undefined || remote === undefined ? [] : [[key, remote] as const];
    })),
  }];
}

/** External Secrets, which makes Secrets from external stores. */
export const EXTERNAL_SECRETS: Provider = {
  name: 'external-secrets',
  title: 'External Secrets',
  kinds: [{ kind: EXTERNAL_SECRET }],
  rules: [...STORES, ...REFERENTS],
  makesSecrets: { [EXTERNAL_SECRET]: madeOf },
};
