import { changedText } from '../example-text';
import { isUpdate, keeps } from './kept-fields';
import { TransitionRule } from './transition-rule';
import { groupOf, ManifestObject } from '../../objects/manifest-object';
import { objectsAt, sameValue, stringAt } from '../../values/fields';
import { checkChangedRules } from '../structure/check-definition-rules';
import { DEFINITION } from '../structure/kind-definitions';
import { definedWidget } from '../structure/structure-rules';
import { structureOf } from '../structure/structures';

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
    // The server refuses to remove the stored version.
    return [...old].filter(([name, served]) => served && !now.get(name) && (now.has(name) || name !== storedVersion(before))).map(([name]) => ({
      path: ['spec', 'versions'], message: `${name} is not served any more`, fix: 'look for manifests and programs that ask for it, and silence this when there are none',
    }));
  },
};

/** Object of a custom kind. */
const WIDGET = `apiVersion: example.com/v1
kind: Widget
metadata:
  name: acme
  namespace: tenant-acme
spec: {least: 1, most: 3}
`;
const KEPT = definedWidget('{rule: self.least == oldSelf.least, message: least is immutable}');

/** The rule about rules over changes. */
export const FIELD_RULE: TransitionRule = {
  id: 'TC-CHANGE-FIELD-RULE',
  title: "A change must keep the rules in CEL over changes of its kind's CustomResourceDefinition, such as those of immutable fields.",
  source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (transition rules)',
  kinds: [],
  // Of any kind.
  kindSuffix: '',
  asWritten: true,
  example: { before: `${KEPT}---\n${WIDGET}`, failing: `${KEPT}---\n${WIDGET.replace('least: 1', 'least: 2')}`, corrected: `${KEPT}---\n${WIDGET.replace('most: 3', 'most: 4')}` },
  check: (change) => {
    const { before, after } = change;
    if (!isUpdate(change) || sameValue(before, after)) return [];
    const structure = structureOf(groupOf(after!), String(after!.kind));
    const found = [structure, ...structure?.others ?? []].map((one) => (one ? checkChangedRules(before!, after!, one) : []));
    return found.reduce((best, other) => (other.length < best.length ? other : best));
  },
};

export const DEFINITION_CHANGES: readonly TransitionRule[] = [IDENTITY, STORED, SERVED, FIELD_RULE];

/** The version that objects are stored in. */
function storedVersion(object: ManifestObject): string | undefined {
  return stringAt(objectsAt(object, 'spec', 'versions').find(([version]) => version.storage === true)?.[0], 'name');
}

/** Names of versions, and whether they are served. */
function versionsOf(object: ManifestObject): ReadonlyMap<string, boolean> {
  return new Map(objectsAt(object, 'spec', 'versions').map(([version]) => [stringAt(version, 'name') ?? '', version.served === true]));
}
