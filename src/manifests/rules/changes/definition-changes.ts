import { changedText } from '../example-text';
import { isUpdate, keeps } from './kept-fields';
import { TransitionRule } from './transition-rule';
import { ManifestObject } from '../../objects/manifest-object';
import { objectsAt, stringAt } from '../../values/fields';

export const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';
const VALIDATION = 'kubernetes/apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go';

/** A definition with versions: those that are served, and which of them is stored. */
function definition(...versions: readonly { readonly name: string; readonly served?: boolean; readonly storage?: boolean }[]): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Widget
    plural: widgets
  versions:
${versions.map(({ name, served = true, storage = false }) => `    - name: ${name}
      served: ${served}
      storage: ${storage}
      schema:
        openAPIV3Schema:
          type: object
`).join('')}`;
}

const ALONE = definition({ name: 'v1alpha1', storage: true });
const BOTH = definition({ name: 'v1alpha1' }, { name: 'v1', storage: true });

const IDENTITY: TransitionRule = {
  id: 'TC-CHANGE-DEFINITION',
  title: 'Group, scope and names of a CustomResourceDefinition cannot be changed.',
  source: VALIDATION,
  kinds: [DEFINITION],
  example: changedText(ALONE, { 'scope: Namespaced': 'scope: Cluster' }, { 'served: true': 'served: true\n      deprecated: true' }),
  check: keeps([
    { path: ['spec', 'group'] },
    { path: ['spec', 'scope'] },
    { path: ['spec', 'names', 'kind'] },
    { path: ['spec', 'names', 'plural'] },
  ], 'keep it, and make another definition'),
};

const STORED: TransitionRule = {
  id: 'TC-CHANGE-DEFINITION-STORED',
  title: 'The storage version of a CustomResourceDefinition must stay until all objects are stored in another version.',
  source: VALIDATION,
  kinds: [DEFINITION],
  example: { before: ALONE, failing: definition({ name: 'v1', storage: true }), corrected: BOTH },
  check: ({ before, after }) => {
    const name = before && storedVersion(before);
    if (!after || name === undefined || versionsOf(after).has(name)) return [];
    return [{
      path: ['spec', 'versions'],
      message: `${name}, in which objects are stored, is not among them any more`,
      fix: 'keep it beside the new one; take it away when the status does not name it among the stored versions',
    }];
  },
};

const SERVED: TransitionRule = {
  id: 'TC-CHANGE-DEFINITION-SERVED',
  title: 'A served version must not be removed while clients still read or write objects in it.',
  source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning',
  kinds: [DEFINITION],
  warning: true,
  example: { before: BOTH, failing: definition({ name: 'v1alpha1', served: false }, { name: 'v1', storage: true }), corrected: BOTH.replace('      served: true', '      deprecated: true\n      served: true') },
  check: (change) => {
    const { before, after } = change;
    if (!isUpdate(change) || !before || !after) return [];
    const [old, now] = [versionsOf(before), versionsOf(after)];
    // That the one that is stored goes is refused.
    return [...old].filter(([name, served]) => served && !now.get(name) && (now.has(name) || name !== storedVersion(before))).map(([name]) => ({
      path: ['spec', 'versions'], message: `${name} is not served any more`, fix: 'look for manifests and programs that ask for it, and silence this when there are none',
    }));
  },
};

/** What a definition of kinds says. */
export const DEFINITION_CHANGES: readonly TransitionRule[] = [IDENTITY, STORED, SERVED];

/** The version that objects are stored in. */
function storedVersion(object: ManifestObject): string | undefined {
  return stringAt(objectsAt(object, 'spec', 'versions').find(([version]) => version.storage === true)?.[0], 'name');
}

/** Names of versions, and whether they are served. */
function versionsOf(object: ManifestObject): ReadonlyMap<string, boolean> {
  return new Map(objectsAt(object, 'spec', 'versions').map(([version]) => [stringAt(version, 'name') ?? '', version.served === true]));
}
