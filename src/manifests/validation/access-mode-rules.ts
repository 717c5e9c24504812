import { clusterObjectText, objectText } from '../kubernetes/examples';
import { groupKind, ManifestObject, nameOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { STORAGE_CLASS } from '../rules/storage-parameters';
import { ofProviders } from '../systems/providers';
import { fieldAt, FieldPath, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';

/** Places of claims in objects of a kind. */
type Claims = Readonly<Record<string, (object: ManifestObject) => readonly FieldPath[]>>;

/** Claims of Kubernetes itself. */
const CLAIMS: Claims = {
  '/PersistentVolumeClaim': () => [['spec']],
  'apps/StatefulSet': (object) => objectsAt(object, 'spec', 'volumeClaimTemplates').map(([, at]) => ['spec', 'volumeClaimTemplates', at, 'spec']),
};

const allClaims = ofProviders((all): Claims => Object.assign({}, CLAIMS, ...all.map(({ volumeClaims = {} }) => volumeClaims)) as Claims);

/** Drivers whose volumes of files one node alone may have. */
const oneNodeDrivers = ofProviders((all): readonly string[] => all.flatMap(({ oneNodeDrivers: drivers = [] }) => drivers));

const TEXT = documents(
  objectText('v1', 'PersistentVolumeClaim', 'spec:\n  accessModes: [ReadWriteOnce]\n  storageClassName: fast\n  resources: {requests: {storage: 10Gi}}\n', 'data'),
  clusterObjectText('storage.k8s.io/v1', 'StorageClass', 'provisioner: ebs.csi.aws.com\nparameters: {type: gp3}\n', 'fast'),
);

const modes: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-ACCESS-MODE',
  title: 'A volume of files for several nodes must be of a class whose driver makes such volumes: those of block devices refuse the claim.',
  source: 'kubernetes-sigs/aws-ebs-csi-driver pkg/driver/controller.go (isValidCapability); ceph/ceph-csi internal/rbd/controllerserver.go (parseVolCreateRequest); '
    + 'kubernetes-sigs/azuredisk-csi-driver pkg/azuredisk/azuredisk.go (AddVolumeCapabilityAccessModes), kubevirt/containerized-data-importer issue 1418',
  get kinds() { return Object.keys(allClaims()); },
  trap: true,
  example: replaced(TEXT, '[ReadWriteOnce]', '[ReadWriteMany]'),
  check: (object, index) => allClaims()[groupKind(object)](object)
    .flatMap((path) => claimFindings(fieldAt(object, ...path.map(String)), path, index)),
};

const CLASSES = new Lookup([STORAGE_CLASS], (storage) => [nameOf(storage)]);

function claimFindings(claim: unknown, path: FieldPath, index: ManifestIndex): Finding[] {
  // Virtual machines move with a shared block device.
  if (stringAt(claim, 'volumeMode') === 'Block' || stringAt(claim, 'volumeName') !== undefined) return [];
  // Clusters in several folders may have classes of one name.
  const classes = CLASSES.find(index, stringAt(claim, 'storageClassName'));
  const storage = classes.length === 1 ? classes[0] : undefined;
  const driver = stringAt(storage, 'provisioner');
  // A disk that may be shared takes several nodes.
  if (driver === undefined || !oneNodeDrivers().some((one) => driver === one || driver.endsWith(`.${one}`)) || stringAt(storage, 'parameters', 'maxShares') !== undefined) return [];
  return stringsAt(claim, 'accessModes').filter(([mode]) => mode === 'ReadWriteMany').map(([mode, at]) => ({
    path: [...path, 'accessModes', at],
    message: `the class "${nameOf(storage!)}" is of ${driver}, which makes no volume of files with ${mode}`,
    fix: 'write ReadWriteOnce, volumeMode: Block where the program takes a device, or a class of a shared file system',
  }));
}

/** Rules over the access modes that drivers make. */
export const ACCESS_MODE_RULES: readonly ManifestRule[] = [modes];
