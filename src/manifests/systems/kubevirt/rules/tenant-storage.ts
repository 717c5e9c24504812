import { CSI_DRIVER, storageClass } from './clusters';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { CLAIM_KINDS, claimsOf } from '../../../rules/volume-claims';
import { stringAt, stringsAt } from '../../../values/fields';

/** Modes in which several nodes mount a volume. */
const SHARED: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany'];

const CLAIM_TEXT = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: shop
spec:
  accessModes: [ReadWriteMany]
  resources: {requests: {storage: 10Gi}}
  storageClassName: fast
  volumeMode: Block
`;

/** Volumes that are asked for. */
export const TENANT_STORAGE: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CLAIM',
  title: 'A volume of KubeVirt\'s CSI driver that several nodes mount must be a raw block device: the driver has no shared file system.',
  source: 'kubevirt/csi-driver pkg/service/controller.go',
  kinds: CLAIM_KINDS,
  trap: true,
  example: replaced(CLAIM_TEXT, '  volumeMode: Block\n', '', storageClass('scsi')),
  check: (object, index) => claimsOf(CSI_DRIVER, object, index).filter(({ spec }) => stringAt(spec, 'volumeMode') !== 'Block').flatMap(({ spec, path }) => (
    stringsAt(spec, 'accessModes').filter(([mode]) => SHARED.includes(mode)).map(([mode, at]) => ({
      path: [...path, 'accessModes', at],
      message: `the driver refuses a file system that is ${mode}`,
      accepted: 'ReadWriteOnce, or volumeMode Block',
      fix: 'write ReadWriteOnce, or volumeMode: Block where the program can use a raw device',
    }))
  )),
};
