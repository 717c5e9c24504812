import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { MadeSecret } from '../../rules/made-secrets';
import { Provider } from '../../rules/provider';
import { fieldAt } from '../../values/fields';

const SEALED_SECRET = 'bitnami.com/SealedSecret';

/** Annotation of a Secret that stays when its SealedSecret is deleted. */
const STAYS = 'sealedsecrets.bitnami.com/skip-set-owner-references';

/** Source: bitnami-labs/sealed-secrets pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go (Unseal: its name, and an owner reference). */
function madeOf(object: ManifestObject): readonly MadeSecret[] {
  const name = nameOf(object);
  const stays = fieldAt(object, 'spec', 'template', 'metadata', 'annotations', STAYS) === 'true';
  return name === undefined ? [] : [{ name, ...(!stays && { goesAlong: true as const }) }];
}

/** Sealed Secrets, which makes Secrets of encrypted ones. */
export const SEALED_SECRETS: Provider = {
  name: 'sealed-secrets',
  title: 'Sealed Secrets',
  kinds: [{ kind: SEALED_SECRET, isEncrypted: true }],
  makesSecrets: { [SEALED_SECRET]: madeOf },
};
