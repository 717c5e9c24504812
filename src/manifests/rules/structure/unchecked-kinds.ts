import { knownKind } from '../../objects/known-kinds';
import { groupKind, groupOf, ManifestObject } from '../../objects/manifest-object';

/** Groups of files that programs read and no API server does. */
const FILE_GROUPS: ReadonlySet<string> = new Set([
  'apiserver.config.k8s.io', 'audit.k8s.io', 'client.authentication.k8s.io', 'clusterctl.cluster.x-k8s.io', 'eksctl.io', 'k3d.io', 'kind.x-k8s.io',
  'kubeadm.k8s.io', 'kubelet.config.k8s.io', 'kubeproxy.config.k8s.io', 'kubescheduler.config.k8s.io', 'pod-security.admission.config.k8s.io',
]);

/** Version of the transformers and generators that are part of kustomize. */
const BUILT_INTO_KUSTOMIZE = 'builtin';

/** Kinds whose controllers decrypt what they hold, so that no more than metadata is known of it. */
const SEALED_KINDS: ReadonlySet<string> = new Set(['bitnami.com/SealedSecret']);

/** True if an object is the configuration of a program, by its form alone: no API server gets it. */
export function isProgramFile(object: ManifestObject): boolean {
  return FILE_GROUPS.has(groupOf(object)) || knownKind(groupKind(object))?.isFile === true || object.apiVersion === BUILT_INTO_KUSTOMIZE;
}

/** True if the content of an object is encrypted. */
export function isSealed(object: ManifestObject): boolean {
  return SEALED_KINDS.has(groupKind(object));
}
