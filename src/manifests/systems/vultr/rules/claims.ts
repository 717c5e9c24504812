import { CSI_DRIVER, vultrClass } from './services';
import { VOLUMES } from './vultr-kinds';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { CLAIM_KINDS, claimsOf } from '../../../rules/volume-claims';
import { stringAt, stringsAt } from '../../../values/fields';

/** What volumes of each storage can be. */
const ACCESS_MODES: Readonly<Record<string, string>> = { block: 'ReadWriteOnce', vfs: 'ReadWriteMany' };

const CLAIM_TEXT = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: shop
spec:
  accessModes: [ReadWriteMany]
  resources: {requests: {storage: 40Gi}}
  storageClassName: shared
`;

/** Volumes that are asked for. */
export const CLAIMS: ManifestRule = {
  id: 'TC-TRAP-VULTR-CLAIM',
  title: 'A volume at Vultr must be mounted by one node on the storage block, or by many on the storage vfs: the driver provisions no others.',
  source: VOLUMES,
  kinds: CLAIM_KINDS,
  trap: true,
  example: replaced(CLAIM_TEXT, '[ReadWriteMany]', '[ReadWriteOnce]', vultrClass('vfs', 'nvme')),
  check: (object, index) => claimsOf(CSI_DRIVER, object, index).flatMap(({ spec, path, storageClass }) => {
    const storage = stringAt(storageClass, 'parameters', 'storage_type') ?? '';
    const possible = Object.hasOwn(ACCESS_MODES, storage) ? ACCESS_MODES[storage] : undefined;
    return stringsAt(spec, 'accessModes').filter(([mode]) => possible !== undefined && mode !== possible).map(([mode, at]) => ({
      path: [...path, 'accessModes', at], message: `volumes of the storage ${storage} cannot be ${mode}`, accepted: possible, fix: `write ${possible}, or choose another StorageClass`,
    }));
  }),
};
