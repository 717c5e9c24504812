import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { isUpdate, keeps } from '../../../rules/changes/kept-fields';
import { ManifestChange, TransitionRule } from '../../../rules/changes/transition-rule';
import { CLUSTER_RESOURCE_SET, CORE_WEBHOOKS } from '../../../rules/cluster-api/cluster-api-kinds';
import { resourceSetYaml } from '../../../rules/cluster-api/example-manifests';
import { changedText, documents, edited } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { fieldAt, isSet, objectsAt, sameValue, stringAt } from '../../../values/fields';

const RECONCILER = 'kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_controller.go';

const SET_TEXT = delivering();

const CONTENT_TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: acme-storage
  namespace: tenant-acme
data:
  manifests.yaml: |
    apiVersion: v1
    kind: Namespace
    metadata:
      name: storage
`;

const OTHER_CONTENT = { 'name: storage': 'name: storage-2' };

/** The set with further ConfigMaps. */
function delivering(...names: readonly string[]): string {
  return resourceSetYaml('ApplyOnce', 'acme-storage', ...names);
}

const IMMUTABLE: TransitionRule = {
  id: 'TC-CHANGE-CRS',
  title: 'Strategy and selector of a ClusterResourceSet cannot be changed.',
  source: `${CORE_WEBHOOKS}/clusterresourceset.go`,
  kinds: [CLUSTER_RESOURCE_SET],
  example: changedText(SET_TEXT, { ApplyOnce: 'Reconcile' }, { 'ApplyOnce': 'Reconcile', 'acme-addons': 'acme-addons-2' }),
  check: keeps([
    { path: ['spec', 'strategy'], byDefault: 'ApplyOnce' },
    { path: ['spec', 'clusterSelector'] },
  ], 'keep it, or give the set another name'),
};

const CONTENT: TransitionRule = {
  id: 'TC-CHANGE-CRS-CONTENT',
  title: 'Objects that a ClusterResourceSet applies once must not change: clusters that have them do not get them again.',
  source: RECONCILER,
  kinds: [CLUSTER_RESOURCE_SET],
  trap: true,
  example: {
    before: documents(SET_TEXT, CONTENT_TEXT),
    failing: documents(SET_TEXT, edited(CONTENT_TEXT, OTHER_CONTENT)),
    corrected: documents(delivering('acme-storage-2'), CONTENT_TEXT, edited(CONTENT_TEXT, { ...OTHER_CONTENT, 'acme-storage': 'acme-storage-2' })),
  },
  check: (change) => {
    const { after, old, now } = change;
    if (!isUpdate(change) || (stringAt(after, 'spec', 'strategy') ?? 'ApplyOnce') !== 'ApplyOnce') return [];
    return objectsAt(after, 'spec', 'resources').flatMap(([resource, index]) => {
      const [before, given] = [packOf(change, resource, old), packOf(change, resource, now)];
      return !before || !given || sameValue(contentOf(before), contentOf(given)) ? [] : [{
        path: ['spec', 'resources', index],
        message: `what is in the ${packWords(resource)} changed, and is applied only once`,
        fix: 'deliver it under another name, or by a set whose strategy is Reconcile',
      }];
    });
  },
};

const REMOVED: TransitionRule = {
  id: 'TC-CHANGE-CRS-REMOVED',
  title: 'Objects that are removed from a ClusterResourceSet must be deleted in the cluster by hand: the set deletes nothing.',
  source: RECONCILER,
  kinds: [CLUSTER_RESOURCE_SET],
  warning: true,
  example: {
    before: documents(delivering('acme-dns'), CONTENT_TEXT),
    failing: documents(SET_TEXT, CONTENT_TEXT),
    corrected: documents(delivering('acme-dns', 'acme-metrics'), CONTENT_TEXT),
  },
  check: (change) => {
    if (!isUpdate(change)) return [];
    const kept = new Set(objectsAt(change.after, 'spec', 'resources').map(([resource]) => keyOf(resource)));
    const gone = objectsAt(change.before, 'spec', 'resources').filter(([resource]) => isSet(resource, 'name') && !kept.has(keyOf(resource)));
    return gone.map(([resource]) => ({
      path: ['spec', 'resources'],
      message: `the ${packWords(resource)} is not delivered any more, and what it brought stays in the cluster`,
      fix: 'delete there what is not needed, and silence this',
    }));
  },
};

/** Rules for changes of ClusterResourceSets and of what they deliver. */
export const RESOURCE_SET_CHANGES: readonly TransitionRule[] = [IMMUTABLE, CONTENT, REMOVED];

function packOf({ after }: ManifestChange, resource: object, index: ManifestIndex): ManifestObject | undefined {
  const name = stringAt(resource, 'name');
  return after && name !== undefined ? index.find(`/${stringAt(resource, 'kind') ?? ''}`, namespaceOf(after), name) : undefined;
}

function contentOf(pack: ManifestObject): unknown {
  return { data: fieldAt(pack, 'data'), stringData: fieldAt(pack, 'stringData') };
}

function keyOf(resource: object): string {
  return JSON.stringify([stringAt(resource, 'kind'), stringAt(resource, 'name')]);
}

function packWords(resource: object): string {
  return `${stringAt(resource, 'kind') ?? 'resource'} ${JSON.stringify(stringAt(resource, 'name') ?? '')}`;
}
