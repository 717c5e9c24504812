import { nameOf } from '../objects/manifest-object';
import { documents, edited } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS } from '../rules/pod-objects';
import { argumentOf, runningPrograms } from '../rules/programs';
import { STORAGE_CLASS } from '../rules/storage-parameters';
import { stringAt } from '../values/fields';
import { nearestName } from '../values/nearest-name';

const CSI_DRIVER = 'storage.k8s.io/CSIDriver';

/** The flag with the name of a driver, in drivers whose name can be chosen. */
const NAME_FLAG = 'drivername';

/** So many characters differ in a name that is meant. */
const SLIP = 2;

/** Words up to this length, such as ebs and efs, tell drivers apart by each of their letters. */
const SHORT_WORD = 4;

const TEXT = documents(`apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: nfs.csi.k8s.io}
spec: {attachRequired: false}
`, `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: nfs}
provisioner: nfs.csi.k8s.io
`);

const NAMES: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-STORAGE-DRIVER',
  title: 'The provisioner of a StorageClass should be a driver of the manifests where one of them has nearly its name: no volume is made otherwise.',
  source: 'kubernetes-csi/external-provisioner pkg/controller/controller.go (Provision); kubernetes-csi/csi-driver-nfs issue 682, cmd/nfsplugin/main.go (drivername)',
  kinds: [STORAGE_CLASS],
  trap: true,
  warning: true,
  example: { failing: edited(TEXT, { 'metadata: {name: nfs.csi.k8s.io}': 'metadata: {name: nfs2.csi.k8s.io}' }), corrected: TEXT },
  check: (object, index) => {
    const [provisioner, known] = [stringAt(object, 'provisioner'), driversIn(index)];
    if (provisioner === undefined || known.has(provisioner)) return [];
    const near = nearestName(provisioner, [...known].filter((name) => !isOther(provisioner, name)), SLIP);
    return near === undefined ? [] : [{
      path: ['provisioner'], message: `no driver of the manifests has the name ${JSON.stringify(provisioner)}, and one has ${JSON.stringify(near)}`, fix: `write ${near}, unless another driver is installed`,
    }];
  },
};

/** True if two names have short words in one place that differ in their letters. */
function isOther(one: string, other: string): boolean {
  const [words, others] = [one, other].map((name) => name.replaceAll(/\d/g, '').split(/[.-]/));
  return words.length === others.length && words.some((word, at) => word !== others[at] && Math.max(word.length, others[at].length) <= SHORT_WORD);
}

/** Names of the CSI drivers among the manifests. */
function driversIn(index: ManifestIndex): ReadonlySet<string> {
  const programs = POD_KINDS.flatMap((kind) => index.all(kind)).flatMap(runningPrograms);
  const stated = programs.flatMap((program) => argumentOf(program, NAME_FLAG)?.value ?? []);
  return new Set([...index.all(CSI_DRIVER).flatMap((driver) => nameOf(driver) ?? []), ...stated]);
}

/** Rules over names of drivers of volumes. */
export const STORAGE_DRIVERS: readonly ManifestRule[] = [NAMES];
