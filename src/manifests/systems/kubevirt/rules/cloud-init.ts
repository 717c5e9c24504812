import { VIRTUAL_MACHINE, VIRTUAL_MACHINE_INSTANCE } from './kubevirt-objects';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const KINDS = [VIRTUAL_MACHINE, VIRTUAL_MACHINE_INSTANCE];
const SOURCES = ['cloudInitNoCloud', 'cloudInitConfigDrive'];

/** Most bytes of data that stands in the object. */
const MOST = 2048;

const TEXT = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: bastion
  namespace: shop
spec:
  runStrategy: Always
  template:
    spec:
      domain:
        memory: {guest: 1Gi}
        devices:
          disks:
            - {name: root, disk: {bus: virtio}}
            - {name: setup, disk: {bus: virtio}}
          interfaces:
            - {name: default, masquerade: {}}
      networks:
        - {name: default, pod: {}}
      volumes:
        - {name: root, containerDisk: {image: "registry.example.com/images/bastion:v1"}}
        - name: setup
          cloudInitNoCloud:
            userData: |
              #cloud-config
              packages: [tmux]
`;

const size: ManifestRule = {
  id: 'TC-ADMIT-VM-CLOUD-INIT',
  title: 'Data for cloud-init in a virtual machine must have 2,048 bytes at most; longer data stands in a Secret. There must be one source of each.',
  source: 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go (validateVolumes, cloudInitUserMaxLen)',
  kinds: KINDS,
  example: replaced(TEXT, 'packages: [tmux]', `packages: [${Array.from({ length: 200 }, (_, index) => `package-${index}`).join(', ')}]`),
  check: (object) => cloudInits(object).flatMap(({ path, value }) => ['userData', 'networkData'].flatMap((field): Finding[] => {
    const reference = field === 'userData' ? 'secretRef' : 'networkDataSecretRef';
    const given = [field, `${field}Base64`].filter((name) => (stringAt(value, name) ?? '') !== '');
    const count = given.length + ((stringAt(value, reference, 'name') ?? '') === '' ? 0 : 1);
    if (count > 1) return [{ path, message: `there are ${count} sources of ${field}`, accepted: 'one', fix: 'keep one of them' }];
    const [name] = given;
    const length = name === undefined ? 0 : Buffer.from(stringAt(value, name)!, name === field ? 'utf8' : 'base64').length;
    return length <= MOST ? [] : [{
      path: [...path, name], message: `it has ${length} bytes`, accepted: `up to ${MOST}`, fix: `write it into a Secret, and name that in ${reference}`,
    }];
  })),
};

/** Beginnings by which cloud-init knows the form of user data. Source: canonical/cloud-init cloudinit/handlers/__init__.py (INCLUSION_TYPES_MAP). */
const FORMS: readonly string[] = [
  '#!', '#include', '#include-once', '#cloud-config', '#cloud-config-archive', '#cloud-config-jsonp', '#part-handler', '## template: jinja', '#cloud-boothook',
  '#upstart-job',
];

/** A field of configurations that an operating system without cloud-init reads as they are: docs.siderolabs.com, nocloud. */
const OTHER_SYSTEM = /^machine:/m;

/** First lines of YAML, which cloud-init reads only after its first line. */
const YAML_LINE = /^(?:---|[a-z_]+:(?:\s|$))/;

const form: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-USER-DATA',
  title: 'User data of a virtual machine must begin with #cloud-config, #! or another line by which cloud-init knows its form: it is ignored otherwise.',
  source: 'canonical/cloud-init cloudinit/handlers/__init__.py (INCLUSION_TYPES_MAP), cloudinit/user_data.py; kubevirt/user-guide pull request 578',
  kinds: KINDS,
  trap: true,
  example: replaced(TEXT, '              #cloud-config\n', ''),
  check: (object) => cloudInits(object).flatMap(({ path, value }) => {
    const text = stringAt(value, 'userData')?.trimStart() ?? '';
    const [first] = text.split('\n', 1);
    return !YAML_LINE.test(first) || OTHER_SYSTEM.test(text) || FORMS.some((start) => text.startsWith(start)) ? [] : [{
      path: [...path, 'userData'], message: 'cloud-init does not know the form of this data, and ignores it', fix: 'write #cloud-config into the first line',
    }];
  }),
};

function cloudInits(object: ManifestObject): { readonly path: FieldPath; readonly value: unknown }[] {
  const list = groupKind(object) === VIRTUAL_MACHINE ? ['spec', 'template', 'spec', 'volumes'] : ['spec', 'volumes'];
  return objectsAt(object, ...list).flatMap(([volume, index]) => SOURCES.filter((source) => volume[source] !== undefined)
    .map((source) => ({ path: [...list, index, source], value: fieldAt(volume, source) })));
}

/** Rules over data for cloud-init. */
export const CLOUD_INIT: readonly ManifestRule[] = [size, form];
