import { nameOf } from '../../objects/manifest-object';
import { Provider } from '../../rules/provider';

const SEALED_SECRET = 'bitnami.com/SealedSecret';

/** Sealed Secrets, which makes Secrets of encrypted ones. */
export const SEALED_SECRETS: Provider = {
  name: 'sealed-secrets',
  title: 'Sealed Secrets',
  kinds: [{ kind: SEALED_SECRET }],
  makesSecrets: {
    // bitnami-labs/sealed-secrets pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go (Unseal: its name, and an owner reference).
    [SEALED_SECRET]: (object) => [{ name: nameOf(object) ?? '', goesAlong: true }],
  },
};
