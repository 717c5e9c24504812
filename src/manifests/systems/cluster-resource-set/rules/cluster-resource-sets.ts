import { listedObjects } from '../../../objects/manifest-list';
import { groupKind, isManifestObject, ManifestObject, nameOf, namespaceOf, objectName } from '../../../objects/manifest-object';
import { readText } from '../../../objects/manifest-text';
import { packedManifests } from '../../../objects/packed-manifests';
import { CLUSTER_RESOURCE_SET, CORE_WEBHOOKS, lacksSpec } from '../../../rules/cluster-api/cluster-api-kinds';
import { indented } from '../../../rules/example-text';
import { checkLabelSelector, isEmptySelector } from '../../../rules/label-selectors';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isSet, objectsAt, stringAt } from '../../../values/fields';
import { Finding, findingsAt } from '../../../values/finding';

const SECRET_TYPE = 'addons.cluster.x-k8s.io/resource-set';

const SELECTOR: ManifestRule = {
  id: 'TC-ADMIT-CRS-SELECTOR',
  title: 'The selector of a ClusterResourceSet must be valid and not empty.',
  source: `${CORE_WEBHOOKS}/clusterresourceset.go`,
  kinds: [CLUSTER_RESOURCE_SET],
  example: { failing: resourceSet('matchLabels: {}', 'ConfigMap'), corrected: resourceSet('matchLabels:\n  example.com/cluster: acme', 'ConfigMap') },
  check: (object) => {
    const selector = lacksSpec(object) ? {} : fieldAt(object, 'spec', 'clusterSelector');
    return [
      ...findingsAt(['spec', 'clusterSelector'], checkLabelSelector(selector)),
      ...(isEmptySelector(selector) ? [{
        path: ['spec', 'clusterSelector'], message: 'it is empty', fix: 'select the cluster by a label of its own',
      }] : []),
    ];
  },
};

const TYPE: ManifestRule = {
  id: 'TC-TRAP-CRS-SECRET-TYPE',
  title: `A Secret of a ClusterResourceSet must have the type ${SECRET_TYPE}; others are not delivered.`,
  source: 'kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_controller.go',
  trap: true,
  kinds: [CLUSTER_RESOURCE_SET],
  example: { failing: delivered('Opaque'), corrected: delivered(SECRET_TYPE) },
  check: (object, index) => objectsAt(object, 'spec', 'resources').flatMap(([resource, at]) => {
    const name = stringAt(resource, 'name');
    const secret = resource.kind === 'Secret' ? index.find('/Secret', namespaceOf(object), name) : undefined;
    const type = secret && (stringAt(secret, 'type') ?? 'Opaque');
    return type === undefined || type === SECRET_TYPE ? [] : [{
      path: ['spec', 'resources', at], message: `the Secret ${JSON.stringify(name)} is of the type ${JSON.stringify(type)}`, fix: `write type: ${SECRET_TYPE} into the Secret`,
    }];
  }),
};

function resourceSet(selector: string, kind: string): string {
  return `apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata:
  name: acme
  namespace: tenant-acme
spec:
  strategy: Reconcile
  clusterSelector:
${indented(selector, 4)}  resources:
    - kind: ${kind}
      name: acme-network
`;
}

function delivered(type: string): string {
  return `${resourceSet('matchLabels:\n  example.com/cluster: acme', 'Secret')}---
apiVersion: v1
kind: Secret
metadata:
  name: acme-network
  namespace: tenant-acme
type: ${type}
`;
}

const SCOPE = 'kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_scope.go, v1.14.2 (reconcileStrategyScope.applyObj)';
const FIX = 'deliver it by a Kustomization of Flux or an Application of Argo CD, or in another set whose strategy is ApplyOnce';

const PERSISTENT_VOLUME_CLAIM = '/PersistentVolumeClaim';
const AUTOSCALER = 'autoscaling/HorizontalPodAutoscaler';
const KINDS = /\bkind["']?\s*:\s*["']?(?:Job|Pod|PersistentVolumeClaim|HorizontalPodAutoscaler)\b/;

/** An object that a set applies, and the position of what it is packed in. */
interface AppliedObject {
  readonly object: ManifestObject;
  readonly at: number;
}

const IMMUTABLE: ManifestRule = {
  id: 'TC-TRAP-CRS-IMMUTABLE',
  title: 'A ClusterResourceSet with the strategy Reconcile must not apply PersistentVolumeClaims, Jobs or Pods: its next patch sets fields to null that cannot change.',
  source: `${SCOPE}; kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidatePersistentVolumeClaimUpdate, ValidatePodUpdate), `
    + 'pkg/apis/batch/validation/validation.go (ValidateJobSpecUpdate), v1.36.3',
  trap: true,
  kinds: [CLUSTER_RESOURCE_SET],
  example: { failing: applied('Reconcile', claim()), corrected: applied('ApplyOnce', claim()) },
  check: (set, index) => appliedObjects(set, index).flatMap(({ object, at }) => {
    const fields = lostFields(object);
    return fields.length === 0 ? [] : [{
      path: ['spec', 'resources', at],
      message: `${objectName(object)} cannot be applied again after its first change: the patch sets ${fields.join(', ')} to null, which cannot change`,
      fix: FIX,
    }];
  }),
};

const REPLICAS: ManifestRule = {
  id: 'TC-TRAP-CRS-REPLICAS',
  title: 'A ClusterResourceSet with the strategy Reconcile must not apply a workload without replicas that a HorizontalPodAutoscaler scales: each patch resets it to one replica.',
  source: `${SCOPE}; kubernetes/kubernetes pkg/apis/apps/v1/defaults.go, v1.36.3`,
  trap: true,
  kinds: [CLUSTER_RESOURCE_SET],
  example: { failing: applied('Reconcile', scaled()), corrected: applied('ApplyOnce', scaled()) },
  check: (set, index) => {
    const objects = appliedObjects(set, index);
    const scales = new Set(objects.filter(({ object }) => groupKind(object) === AUTOSCALER).map(({ object }) => scaleKey(
      namespaceOf(object), stringAt(object, 'spec', 'scaleTargetRef', 'kind'), stringAt(object, 'spec', 'scaleTargetRef', 'name'),
    )));
    if (scales.size === 0) return [];
    return objects.flatMap(({ object, at }): Finding[] => (
      isSet(object, 'spec', 'replicas') || !scales.has(scaleKey(namespaceOf(object), stringAt(object, 'kind'), nameOf(object))) ? [] : [{
        path: ['spec', 'resources', at],
        message: `${objectName(object)} is scaled by a HorizontalPodAutoscaler, and falls to one replica whenever an object of the set changes: `
          + 'the patch sets spec.replicas to null',
        fix: FIX,
      }]));
  },
};

/** Objects that a set applies again and again; none if no rule here asks for them. */
function appliedObjects(set: ManifestObject, index: ManifestIndex): AppliedObject[] {
  if (stringAt(set, 'spec', 'strategy') !== 'Reconcile') return [];
  const packs = new Map<ManifestObject, number>();
  for (const [resource, at] of objectsAt(set, 'spec', 'resources')) {
    const pack = index.find(`/${stringAt(resource, 'kind') ?? ''}`, namespaceOf(set), stringAt(resource, 'name'));
    if (pack && !packs.has(pack)) packs.set(pack, at);
  }
  const { texts } = packedManifests([set, ...packs.keys()]);
  // Reading YAML takes long, and few sets have anything in them that is asked for.
  if (!texts.some(({ text }) => KINDS.test(text))) return [];
  return texts.flatMap(({ object: pack, text }) => readText(text).documents.flatMap(({ value }) => listedObjects(value))
    .flatMap(({ object }) => (isManifestObject(object) ? [{ object, at: packs.get(pack)! }] : [])));
}

/** Fields that the server has filled in, that the manifest lacks and that cannot change. */
function lostFields(object: ManifestObject): string[] {
  const missing = (...fields: string[]) => fields.filter((field) => !isSet(object, 'spec', field)).map((field) => `spec.${field}`);
  switch (groupKind(object)) {
    case PERSISTENT_VOLUME_CLAIM: return missing('storageClassName', 'volumeName');
    case 'batch/Job': return missing('selector');
    case '/Pod': return missing('nodeName');
    default: return [];
  }
}

function scaleKey(namespace: string | undefined, kind = '', name = ''): string {
  return JSON.stringify([namespace, kind, name]);
}

function claim(): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: shop
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 10Gi
`;
}

function scaled(): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: registry.example.com/shop/web:1.0.0
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
  namespace: shop
spec:
  maxReplicas: 5
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
`;
}

function applied(strategy: string, manifests: string): string {
  return `apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata:
  name: acme-shop
  namespace: tenant-acme
spec:
  strategy: ${strategy}
  clusterSelector:
    matchLabels:
      cluster.x-k8s.io/cluster-name: acme
  resources:
    - kind: ConfigMap
      name: acme-shop
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: acme-shop
  namespace: tenant-acme
data:
  manifests.yaml: |
${indented(manifests, 4)}`;
}

/** Rules for ClusterResourceSets. */
export const CLUSTER_RESOURCE_SETS: readonly ManifestRule[] = [SELECTOR, TYPE, IMMUTABLE, REPLICAS];
