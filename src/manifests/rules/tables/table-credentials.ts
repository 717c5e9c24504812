import { ProviderTable, TableCredentials } from './provider-table';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, isFields, isSet, stringAt } from '../../values/fields';
import { documents, replaced } from '../example-text';
import { ManifestRule } from '../manifest-rule';

const SECRET = '/Secret';

/** The rule over the keys of Secrets with credentials, where a table knows them. */
export function credentialRules({ name, title, kinds, examples: { credentials: example } }: ProviderTable): ManifestRule[] {
  const found = Object.entries(kinds).filter(([, { credentials }]) => credentials);
  const first = found[0]?.[1].credentials;
  if (!example || !first) return [];
  const object = JSON.stringify({ apiVersion: example.apiVersion, kind: example.kind, metadata: { name: 'acme', namespace: 'tenant-acme' }, spec: example.spec });
  const secret = `apiVersion: v1
kind: Secret
metadata:
  name: acme-credentials
  namespace: tenant-acme
stringData:
${first.keys.map((key) => `  ${key}: ""\n`).join('')}`;
  return [{
    id: `TC-TRAP-${name.toUpperCase()}-CREDENTIAL-KEYS`,
    title: `The Secret with the credentials of ${title} must have ${first.keys.length > 1 ? 'the keys' : 'the key'} ${first.keys.join(', ')}: the provider does not reach ${title} otherwise.`,
    source: first.source,
    trap: true,
    kinds: found.map(([kind]) => kind),
    example: replaced(documents(object, secret), `  ${first.keys[0]}: ""`, '  other: ""'),
    check: (holder, index) => {
      const facts = kinds[`${String(holder.apiVersion).split('/')[0]}/${String(holder.kind)}`]?.credentials;
      const path = facts?.name.split('.') ?? [];
      const named = stringAt(holder, ...path);
      const secretObject = facts && named !== undefined && isOfSecret(holder, facts) ? index.find(SECRET, stringAt(holder, ...path.slice(0, -1), 'namespace') ?? namespaceOf(holder), named) : undefined;
      // A Secret without data may be filled by a controller.
      const keys = ['data', 'stringData'].flatMap((field) => { const data = fieldAt(secretObject, field); return isFields(data) ? Object.keys(data) : []; });
      return !facts || keys.length === 0 ? [] : facts.keys.filter((key) => !keys.includes(key)).map((key) => ({
        path, message: `the Secret "${named}" has no key ${key}`, fix: `add ${key} to the Secret`,
      }));
    },
  }];
}

/** True if an object takes credentials from a Secret in its namespace. */
function isOfSecret(holder: ManifestObject, { kind }: TableCredentials): boolean {
  if (!kind) return true;
  const given = fieldAt(holder, ...kind.field.split('.'));
  return isSet(given) ? given === 'Secret' : kind.usual === 'Secret';
}
