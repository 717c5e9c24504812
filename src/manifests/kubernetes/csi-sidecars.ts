import { ManifestObject } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { missingRightsFindings, Rights } from '../rules/granted-rights';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS } from '../rules/pod-objects';
import { argumentOf, Program, runningPrograms } from '../rules/programs';

/** Flags with which a sidecar reaches a cluster by other rights than those of its ServiceAccount. */
const ELSEWHERE: readonly string[] = ['kubeconfig', 'master'];

const STORAGE = 'storage.k8s.io';
const VOLUMES = 'to make volumes';
const ATTACHMENTS = 'to attach volumes';
const LARGER = 'to make volumes larger';
const SNAPSHOTS = 'to make snapshots';
const SNAPSHOT_GROUP = 'snapshot.storage.k8s.io';

/** Rights that the sidecars of CSI drivers need in any release: they wait for their caches first. */
const NEEDED: Readonly<Record<string, readonly Rights[]>> = {
  'csi-provisioner': [
    { group: '', resource: 'persistentvolumeclaims', verbs: ['list', 'watch'], purpose: VOLUMES },
    { group: '', resource: 'persistentvolumes', verbs: ['list', 'watch', 'create'], purpose: VOLUMES },
    { group: STORAGE, resource: 'storageclasses', verbs: ['list', 'watch'], purpose: VOLUMES },
  ],
  'csi-attacher': [
    { group: '', resource: 'persistentvolumes', verbs: ['list', 'watch'], purpose: ATTACHMENTS },
    { group: STORAGE, resource: 'volumeattachments', verbs: ['list', 'watch'], purpose: ATTACHMENTS },
  ],
  'csi-resizer': [
    { group: '', resource: 'persistentvolumes', verbs: ['list', 'watch', 'patch'], purpose: LARGER },
    { group: '', resource: 'persistentvolumeclaims', verbs: ['list', 'watch'], purpose: LARGER },
    { group: '', resource: 'persistentvolumeclaims/status', verbs: ['patch'], purpose: LARGER },
  ],
  'csi-snapshotter': [
    { group: SNAPSHOT_GROUP, resource: 'volumesnapshotcontents', verbs: ['list', 'watch'], purpose: SNAPSHOTS },
    { group: SNAPSHOT_GROUP, resource: 'volumesnapshotclasses', verbs: ['list', 'watch'], purpose: SNAPSHOTS },
  ],
};

const RIGHTS_TEXT = documents(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: csi-controller
rules:
  - apiGroups: [""]
    resources: [persistentvolumes]
    verbs: [get, list, watch, create, delete, patch]
  - apiGroups: [""]
    resources: [persistentvolumeclaims]
    verbs: [get, list, watch, update]
  - apiGroups: [storage.k8s.io]
    resources: [storageclasses, csinodes]
    verbs: [get, list, watch]
`, `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: csi-controller
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: csi-controller}
subjects:
  - {kind: ServiceAccount, name: csi-controller, namespace: kube-system}
`, `apiVersion: apps/v1
kind: Deployment
metadata:
  name: csi-controller
  namespace: kube-system
spec:
  selector:
    matchLabels: {app: csi-controller}
  template:
    metadata:
      labels: {app: csi-controller}
    spec:
      serviceAccountName: csi-controller
      containers:
        - name: csi-provisioner
          image: registry.k8s.io/sig-storage/csi-provisioner:v6.1.0
          args: [--csi-address=/csi/csi.sock]
`);

/** The sidecars that work in the cluster that they run in. */
function sidecarsOf(object: ManifestObject): readonly Program[] {
  return runningPrograms(object).filter((program) => Object.hasOwn(NEEDED, program.name) && program.isComplete
    && !ELSEWHERE.some((flag) => argumentOf(program, flag) !== undefined));
}

const rights: ManifestRule = {
  id: 'TC-TRAP-CSI-SIDECAR-RIGHTS',
  title: 'The sidecars of a CSI driver must be allowed to watch claims, volumes, classes, attachments and snapshots: what they do for them does not happen otherwise.',
  source: 'kubernetes-csi/external-provisioner deploy/kubernetes/rbac.yaml; kubernetes-csi/external-attacher deploy/kubernetes/rbac.yaml; '
    + 'kubernetes-csi/external-resizer deploy/kubernetes/rbac.yaml; kubernetes-csi/external-snapshotter deploy/kubernetes/csi-snapshotter/rbac-csi-snapshotter.yaml',
  kinds: POD_KINDS,
  trap: true,
  example: replaced(RIGHTS_TEXT, '[storageclasses, csinodes]', '[csinodes]'),
  check: (object, index) => {
    const needed = sidecarsOf(object).flatMap(({ name }) => NEEDED[name]);
    return missingRightsFindings(object, needed, index);
  },
};

/** Rules over the rights of the sidecars of CSI drivers. */
export const CSI_SIDECARS: readonly ManifestRule[] = [rights];
