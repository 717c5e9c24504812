import { machineFields, MACHINE_KINDS, VIRTUAL_MACHINE } from './kubevirt-objects';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, isFields, objectsAt } from '../../../values/fields';

/** Fields of metadata (kubernetes/apimachinery pkg/apis/meta/v1/types.go, ObjectMeta). */
const METADATA: ReadonlySet<string> = new Set(`annotations creationTimestamp deletionGracePeriodSeconds deletionTimestamp finalizers generateName generation labels
managedFields name namespace ownerReferences resourceVersion selfLink uid`.split(/\s+/));

const TEXT = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: jump-host, namespace: tenant-acme}
spec:
  runStrategy: Always
  template:
    metadata:
      labels: {app: jump-host}
    spec:
      domain:
        memory: {guest: 2Gi}
        devices: {disks: [{name: root, disk: {bus: virtio}}]}
      volumes: [{name: root, persistentVolumeClaim: {claimName: jump-host}}]
`;

const metadata: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-TEMPLATE-METADATA',
  title: 'The metadata of the templates of a machine must have fields of metadata only. Others are accepted by the definition, refused by KubeVirt in a VirtualMachine, and dropped by the provider of Cluster API.',
  source: 'kubevirt/kubevirt pkg/util/openapi/openapi.go, pkg/virt-api/webhooks/validating-webhook/admitters/vms-admitter.go; kubernetes/apimachinery pkg/apis/meta/v1/types.go (ObjectMeta)',
  kinds: [VIRTUAL_MACHINE, ...MACHINE_KINDS],
  trap: true,
  example: replaced(TEXT, '      labels: {app: jump-host}\n', '      labels: {app: jump-host}\n      evictionStrategy: LiveMigrate\n'),
  check: (object) => {
    const places = templatesIn(object);
    return places.flatMap((path) => {
      const fields = fieldAt(object, ...path.map(String));
      return Object.keys(isFields(fields) ? fields : {}).filter((field) => !METADATA.has(field)).map((field) => ({
        path: [...path, field], message: `metadata has no field "${field}"`, fix: field === 'spec' ? 'move it beside metadata' : 'move it into the spec beside metadata',
      }));
    });
  },
};

/** Places of metadata in a machine. */
function templatesIn(object: ManifestObject): FieldPath[] {
  const isMachine = groupKind(object) !== VIRTUAL_MACHINE;
  const template: FieldPath = isMachine ? [...machineFields(object).path, 'virtualMachineTemplate'] : [];
  const spec = [...template, 'spec'];
  return [
    ...isMachine ? [[...template, 'metadata']] : [],
    [...spec, 'template', 'metadata'],
    ...objectsAt(object, ...spec.map(String), 'dataVolumeTemplates').map(([, index]) => [...spec, 'dataVolumeTemplates', index, 'metadata']),
  ];
}

/** Rules over the metadata of templates. */
export const METADATA_FIELDS: readonly ManifestRule[] = [metadata];
