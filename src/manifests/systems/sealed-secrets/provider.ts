import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { replaced } from '../../rules/example-text';
import { MadeSecret } from '../../rules/made-secrets';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { fieldAt, stringAt } from '../../values/fields';

/** The kind of encrypted Secrets. */
export const SEALED_SECRET = 'bitnami.com/SealedSecret';

/** Annotation of a Secret that stays when its SealedSecret is deleted. */
const STAYS = 'sealedsecrets.bitnami.com/skip-set-owner-references';

const TEXT = `apiVersion: bitnami.com/v1alpha1
kind: SealedSecret
metadata: {name: login, namespace: shop}
spec:
  encryptedData: {password: AgBy3i4OJSWK}
  template:
    metadata: {name: login, namespace: shop}
`;

/** Annotations by which a Secret was encrypted for more than its name and its namespace. */
const WIDE: Readonly<Record<string, readonly string[]>> = {
  'sealedsecrets.bitnami.com/cluster-wide': ['name', 'namespace'], 'sealedsecrets.bitnami.com/namespace-wide': ['name'],
};

const moved: ManifestRule = {
  id: 'TC-TRAP-SEALED-SECRETS-PLACE',
  title: 'A SealedSecret should have the name and the namespace that it was encrypted for, which kubeseal also writes into its template: it is not decrypted otherwise.',
  source: 'bitnami-labs/sealed-secrets pkg/apis/sealedsecrets/v1alpha1/sealedsecret_expansion.go (NewSealedSecret, labelFor, EncryptionLabel, Unseal), v0.36.6',
  kinds: [SEALED_SECRET],
  trap: true,
  // The template may have been written by hand.
  warning: true,
  example: replaced(TEXT, 'metadata: {name: login, namespace: shop}', 'metadata: {name: login, namespace: default}'),
  check: (object) => ['name', 'namespace'].flatMap((field) => {
    const [own, sealed] = [['metadata', field], ['spec', 'template', 'metadata', field]].map((path) => stringAt(object, ...path));
    const isWide = Object.entries(WIDE).some(([key, fields]) => fields.includes(field) && fieldAt(object, 'metadata', 'annotations', key) === 'true');
    return own === undefined || sealed === undefined || own === sealed || isWide || /\$\{|\{\{/.test(own + sealed) ? [] : [{
      path: ['metadata', field], message: `it seems to be encrypted for the ${field} "${sealed}", which its template has`, fix: `write "${sealed}", or encrypt it again`,
    }];
  }),
};

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
  rules: [moved],
  makesSecrets: { [SEALED_SECRET]: madeOf },
};
