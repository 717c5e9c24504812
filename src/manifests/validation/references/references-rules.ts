import { AGREEMENT } from './agreement';
import { MISSING_OBJECTS } from './missing-objects';
import { REFERENCE_KEYS } from './reference-keys';
import { SOURCE_KEYS } from './source-keys';
import { kindsWhere } from '../../objects/known-kinds';
import { groupKind, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { BOOTSTRAP_TEXT } from '../../rules/references/examples';
import { REFERRING_KINDS } from '../../rules/references/object-references';

const duplicate: ManifestRule = {
  id: 'TC-TRAP-REF-DUPLICATE',
  title: 'An object must be unique: of two with one name, the one that is applied last wins.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  // Of others each tenant may have one of the same name.
  get kinds() {
    const ofProviders = kindsWhere(({ role, managementOnly }) => managementOnly ?? role !== undefined);
    return [...new Set([...REFERRING_KINDS, ...ofProviders])];
  },
  trap: true,
  example: { failing: documents(BOOTSTRAP_TEXT, BOOTSTRAP_TEXT), corrected: BOOTSTRAP_TEXT },
  check: (object, index) => {
    const name = nameOf(object);
    return name === undefined || index.find(groupKind(object), namespaceOf(object), name) === object ? [] : [{
      path: ['metadata', 'name'], message: `there is another ${String(object.kind)} "${name}" in the namespace`, fix: 'remove or rename one of the two',
    }];
  },
};

/** Names that have to be right within one kind. */
const REFERENCE_IDENTITY: readonly ManifestRule[] = [duplicate];

/** Rules for references between objects that are applied together. */
export const REFERENCE_MANIFEST_RULES: readonly ManifestRule[] = [
  ...MISSING_OBJECTS, ...SOURCE_KEYS, ...REFERENCE_KEYS, ...AGREEMENT, ...REFERENCE_IDENTITY,
];
