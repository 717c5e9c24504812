import { StructureFindings } from './structure-findings';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { brokenGoFormat } from '../../schema/go-formats';
import { shownValue } from '../../schema/value-words';
import { Fields, isFields, stringAt } from '../../values/fields';
import { checkQualifiedName } from '../../values/labels';

/** Finalizers without a domain, which servers know. */
const SERVERS_FINALIZERS: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

/**
 * Checks what server-side apply demands of the metadata of any kind: it says itself who wrote which field, and tells the entries of lists apart.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/endpoints/handlers/patch.go,
 * staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go (listType, listMapKey).
 */
export function checkAppliedMetadata(metadata: unknown, findings: StructureFindings): void {
  if (!isFields(metadata)) return;
  if (Array.isArray(metadata.managedFields)) {
    findings.at('managedFields', () => findings.add('metadata', {
      message: 'server-side apply takes no word on who wrote which field, not even an empty list', fix: 'leave it out, as kubectl get does unless it is asked',
    }));
  }
  repeated(metadata, 'finalizers', (entry) => (typeof entry === 'string' ? entry : undefined), findings);
  repeated(metadata, 'ownerReferences', (entry) => stringAt(entry, 'uid'), findings);
}

function repeated(metadata: Fields, field: string, keyOf: (entry: unknown) => string | undefined, findings: StructureFindings): void {
  const list = metadata[field];
  if (!Array.isArray(list)) return;
  const keys = list.map(keyOf);
  keys.forEach((key, index) => {
    const first = key === undefined ? index : keys.indexOf(key);
    if (first < index) findings.at(field, () => findings.at(index, () => findings.add('duplicate', { message: `it is entry ${first} once more`, accepted: 'each one once', fix: 'remove it' })));
  });
}

const TIMES: readonly string[] = ['creationTimestamp', 'deletionTimestamp'];

/**
 * Checks the times in metadata that are decoded into Go's types: by API servers in Kubernetes' own kinds, by webhooks in others.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/time.go.
 */
export function checkTimes(metadata: unknown, findings: StructureFindings): void {
  if (!isFields(metadata)) return;
  for (const name of TIMES) {
    const value = metadata[name];
    const words = typeof value === 'string' ? brokenGoFormat('go-time', value) : undefined;
    if (words !== undefined) findings.at(name, () => findings.add('metadata', { message: `${shownValue(value)} is not ${words}`, accepted: words, fix: 'leave it out: servers write it' }));
  }
}

/** Kinds whose metadata a server does not look at beyond what it asks of all. */
const NOT_LOOKED_AT: readonly string[] = ['policy/PodDisruptionBudget'];

/**
 * Checks the finalizers of Kubernetes' own kinds: those have a domain.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateFinalizerName).
 */
export function checkKubernetesFinalizers(object: ManifestObject, findings: StructureFindings): void {
  const { metadata } = object;
  if (!isFields(metadata) || !Array.isArray(metadata.finalizers) || NOT_LOOKED_AT.includes(groupKind(object))) return;
  metadata.finalizers.forEach((finalizer: unknown, index) => {
    if (typeof finalizer !== 'string' || finalizer.includes('/') || SERVERS_FINALIZERS.includes(finalizer) || checkQualifiedName(finalizer) !== undefined) return;
    findings.at('finalizers', () => findings.at(index, () => findings.add('metadata', {
      message: `${shownValue(finalizer)} has no domain`, accepted: `a name with a domain, such as example.com/cleanup, or ${SERVERS_FINALIZERS.join(', ')}`, fix: 'put the domain of the controller that removes it before it',
    })));
  });
}
