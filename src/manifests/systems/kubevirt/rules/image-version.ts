import { bootVolume } from './disks';
import { INSTANCE, machineDeployment, machineTemplate } from './examples';
import { instance, KUBEVIRT_MACHINE_TEMPLATE, virtualMachine } from './kubevirt-objects';
import { ManifestObject, nameOf } from '../../../objects/manifest-object';
import { versionPath } from '../../../rules/cluster-api/machines';
import { ManifestRule } from '../../../rules/manifest-rule';
import { machineOwners } from '../../../rules/references/object-references';
import { FieldPath, objectsAt, stringAt } from '../../../values/fields';
import { parseImageReference } from '../../../values/image-reference';
import { KubernetesVersion } from '../../../values/kubernetes-version';

/** The end of a version: no further number, except for a date. */
const END = '(?!\\d|\\.\\d{1,5}(?!\\d))';

/** A version that is named as one of Kubernetes, e.g. `kubernetes-1.35`, `k8s-1-35-4`, `kube-v1.35.4`. */
const NAMED = new RegExp(`(?:^|[^a-z0-9])(?:kubernetes|kubelet|kubeadm|kube|k8s)[-_./]?v?1([.-])([2-9]\\d)(?:\\1(\\d{1,2}))?${END}`, 'i');

/** A version behind a `v`, also without a patch. The `v` follows a word in `k3sv1.35.4`. */
const PREFIXED = new RegExp(`(?:^|[^.\\da-z]|k3s)v1([.-])([2-9]\\d)(?:\\1(\\d{1,2}))?${END}`, 'i');

/** The bare numbers. They are not part of another version, such as 24.04 or 9.1.30. */
const BARE = new RegExp(`(?:^|[^.\\da-z])1(\\.)([2-9]\\d)(?:\\1(\\d{1,2}))?${END}`, 'i');

/** Versions that are named as those of another program that numbers its releases alike. */
const OTHER_PROGRAM = /(?:kubevirt|containerd|cri-?o|crictl|cilium|capi|capk|cdi|cluster-api|runc|go)[-_.]?v?1[.-]\d+(?:[.-]\d+)?/gi;

/** Fields of a DataVolume's source that name an image. */
const SOURCES: readonly FieldPath[] = [['registry', 'url'], ['http', 'url'], ['pvc', 'name'], ['snapshot', 'name']];

const SCHEME = /^[a-z]+:\/\//;

/** Minors by which bare numbers may differ. Larger distances are most likely other versions. */
const NEAR = 5;

/** The release of Kubernetes that a name suggests. */
interface SuggestedVersion {
  readonly minor: number;
  readonly patch?: number;
}

/** A warning: only names tell what is in an image. */
export const IMAGE_VERSION: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-IMAGE-VERSION',
  title: 'A disk image whose name or tag looks like a Kubernetes release should have the version of its machines: its kubelet and kubeadm are those that it was built with.',
  source: 'kubernetes.io/releases/version-skew-policy, kubernetes-sigs/image-builder',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  trap: true,
  warning: true,
  example: {
    failing: machineOf('registry.example.com/nodes/ubuntu-24.04:1.34.4'),
    corrected: machineOf('registry.example.com/nodes/ubuntu-24.04:1.35.4'),
  },
  check: (object, index) => {
    const machines = machineOwners(object, index).flatMap((owner) => {
      const version = stringAt(owner, ...versionPath(owner)) ?? '';
      return KubernetesVersion.isValid(version) ? [{ owner, version: KubernetesVersion.of(version) }] : [];
    });
    return imagesOf(object).flatMap(({ path, text }) => {
      const wrong = machines.find(({ version }) => differs(suggestedVersion(text, version.minor), version));
      return wrong ? [{
        path,
        message: `"${text}" looks like an image of Kubernetes ${versionText(suggestedVersion(text, wrong.version.minor)!)}, and the machines of `
          + `${nameOf(wrong.owner)} must run ${wrong.version}: their kubelet and kubeadm are those of the image`,
        fix: `name an image that is built for ${wrong.version}, or set the version of the machines to that of the image`,
      }] : [];
    });
  },
};

/**
 * The release of Kubernetes that the name of an image suggests: one that is named as such, then one in the tag, then one in the last part of
 * the path. Other parts of the path count only with the name: they may be versions of a folder or of another program.
 *
 * @param text the name of an image, a URL, or the name of a volume
 * @param near the minor that is expected
 */
function suggestedVersion(text: string, near: number): SuggestedVersion | undefined {
  const [name] = text.split(/[@?#]/);
  const tag = parseImageReference(name)?.tag;
  const path = tag === undefined ? name : name.slice(0, -tag.length - 1);
  const last = path.slice(path.lastIndexOf('/') + 1);
  const named = suggestion(NAMED.exec(tag === undefined ? last : `${last}:${tag}`)) ?? suggestion(NAMED.exec(name));
  if (named) return named;
  for (const part of tag === undefined ? [last] : [tag, last]) {
    const own = part.replace(OTHER_PROGRAM, '');
    const prefixed = suggestion(PREFIXED.exec(own));
    if (prefixed) return prefixed;
    const bare = suggestion(BARE.exec(own));
    if (bare && Math.abs(bare.minor - near) <= NEAR) return bare;
  }
  return undefined;
}

function suggestion(match: RegExpExecArray | null): SuggestedVersion | undefined {
  if (!match) return undefined;
  const [, , minor, patch] = match;
  return { minor: Number(minor), patch: patch === undefined ? undefined : Number(patch) };
}

function versionText({ minor, patch }: SuggestedVersion): string {
  return `1.${minor}${patch === undefined ? '' : `.${patch}`}`;
}

function differs(suggested: SuggestedVersion | undefined, { minor, patch }: KubernetesVersion): boolean {
  return suggested !== undefined && (suggested.minor !== minor || (suggested.patch ?? patch) !== patch);
}

/** The name of the image that the machine's first disk is filled from, in the fields that may hold one. */
function imagesOf(template: ManifestObject): { readonly path: FieldPath; readonly text: string }[] {
  const [guest, machine] = [instance(template), virtualMachine(template)];
  const boot = bootVolume(guest);
  const volumes = objectsAt(guest.fields, 'volumes').filter(([volume]) => volume === boot);
  const dataVolumes = objectsAt(machine.fields, 'dataVolumeTemplates')
    .filter(([volume]) => stringAt(volume, 'metadata', 'name') === (stringAt(boot, 'dataVolume', 'name') ?? ''));
  const places: FieldPath[] = [
    ...volumes.map(([, index]): FieldPath => [...guest.path, 'volumes', index, 'containerDisk', 'image']),
    ...dataVolumes.flatMap(([, index]) => SOURCES.map((source): FieldPath => (
      [...machine.path, 'dataVolumeTemplates', index, 'spec', 'source', ...source]
    ))),
  ];
  return places.flatMap((path) => {
    const text = stringAt(template, ...path);
    return text === undefined ? [] : [{ path, text: text.replace(SCHEME, '') }];
  });
}

function machineOf(image: string): string {
  const volumes = INSTANCE.replace('dataVolume: {name: root}', `containerDisk: {image: "${image}"}`);
  return machineTemplate({ machine: '          runStrategy: RerunOnFailure\n', instance: volumes }) + machineDeployment('acme-general');
}
