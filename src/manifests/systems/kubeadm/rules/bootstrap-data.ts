import { below, BOOTSTRAP_SCHEMA, BOOTSTRAP_WEBHOOK, configTemplateYaml, KUBEADM_KINDS, kubeadmSpec, KubeadmSpec } from './kubeadm-spec';
import { ManifestObject } from '../../../objects/manifest-object';
import { isV1beta1 } from '../../../rules/cluster-api/cluster-api-kinds';
import { gateYaml } from '../../../rules/cluster-api/example-manifests';
import { isGateOn, turnOn } from '../../../rules/cluster-api/feature-gates';
import { indented } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, Fields, isFilled, isSet, numberAt, objectsAt, stringAt } from '../../../values/fields';
import { findingsOf } from '../../../values/finding';

const GUID = /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;
const NAMES: readonly string[] = ['Linux', 'LinuxSwap', 'LinuxRAID', 'LVM', 'Fat32', 'NTFS', 'LinuxExtended'];

/** True if a type of a partition is a GUID, for disks with a GPT. */
function isPartitionGuid(type: string): boolean {
  return GUID.test(type);
}

/** True if Cluster API knows a type of a partition (bootstrap/kubeadm/config/crd/bases/bootstrap.cluster.x-k8s.io_kubeadmconfigtemplates.yaml). */
function isPartitionType(type: string): boolean {
  return isPartitionGuid(type) || NAMES.includes(type);
}

const LINUX_GUID = 'diskLayout:\n  - percentage: 100\n    partitionType: 0FC63DAF-8483-4772-8E79-3D69D8477DE4';

const LAYOUT: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-DISK-LAYOUT',
  title: 'A disk must have either one partition (layout) or shares (diskLayout).',
  source: BOOTSTRAP_SCHEMA,
  kinds: KUBEADM_KINDS,
  example: { failing: partitioned('layout: true\ndiskLayout:\n  - percentage: 100'), corrected: partitioned('diskLayout:\n  - percentage: 100') },
  check: (object) => (isV1beta1(object) ? [] : partitionsOf(object)
    .filter(({ disk }) => isSet(disk, 'layout') === isSet(disk, 'diskLayout')).map(({ disk, path }) => ({
      path, message: `it has ${isSet(disk, 'layout') ? 'both layout and shares (diskLayout)' : 'neither layout nor shares (diskLayout)'}`, fix: 'write layout: true for one partition, or shares for several',
    }))),
};

const SHARES: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-DISK-SHARES',
  title: 'The shares of a disk must sum up to at most 100 percent.',
  source: `${BOOTSTRAP_WEBHOOK} (validateDiskSetup)`,
  kinds: KUBEADM_KINDS,
  example: {
    failing: partitioned('diskLayout:\n  - percentage: 60\n  - percentage: 60'), corrected: partitioned('diskLayout:\n  - percentage: 60\n  - percentage: 40'),
  },
  check: (object) => partitionsOf(object).flatMap(({ disk, path }) => {
    const shares = objectsAt(disk, 'diskLayout').map(([share]) => numberAt(share, 'percentage') ?? 0);
    const sum = shares.reduce((total, share) => total + share, 0);
    // The schema has a bound for one share.
    return sum <= 100 || shares.some((share) => share < 1 || share > 100) ? [] : [{ path: [...path, 'diskLayout'], message: `the shares are ${sum}% together`, accepted: 'up to 100%', fix: 'make them smaller' }];
  }),
};

const TYPE: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-PARTITION-TYPE',
  title: 'The type of a partition must be a known name or a GUID.',
  source: BOOTSTRAP_SCHEMA,
  kinds: KUBEADM_KINDS,
  example: {
    failing: partitioned('diskLayout:\n  - percentage: 100\n    partitionType: ext4'), corrected: partitioned('diskLayout:\n  - percentage: 100\n    partitionType: Linux'),
  },
  check: (object) => partitionsOf(object).flatMap(({ disk, path }) => objectsAt(disk, 'diskLayout').flatMap(([share, index]) => {
    const type = stringAt(share, 'partitionType');
    return type === undefined || isPartitionType(type) ? [] : [{
      path: [...path, 'diskLayout', index, 'partitionType'],
      message: `${JSON.stringify(type)} is not a type of a partition`,
      accepted: 'Linux, LinuxSwap, LinuxRAID, LVM, Fat32, NTFS, LinuxExtended, or a GUID',
      fix: 'write one of these; the file system is named in filesystems',
    }];
  })),
};

const GUID_TABLE: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-PARTITION-TYPE',
  title: 'The type of a partition may only be a GUID on a disk with a GPT: cloud-init makes a master boot record unless tableType is gpt.',
  source: 'canonical/cloud-init cloudinit/config/cc_disk_setup.py',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: partitioned(LINUX_GUID), corrected: partitioned(`tableType: gpt\n${LINUX_GUID}`) },
  check: (object) => {
    const spec = kubeadmSpec(object);
    // Ignition makes a GPT.
    if (stringAt(spec.value, 'format') === 'ignition') return [];
    return partitionsOf(object).filter(({ disk }) => stringAt(disk, 'tableType') !== 'gpt').flatMap(({ disk, path }) => objectsAt(disk, 'diskLayout').flatMap(([share, index]) => {
      const type = stringAt(share, 'partitionType') ?? '';
      return findingsOf([...path, 'diskLayout', index, 'partitionType'], [isPartitionGuid(type) ? `the type ${type} is a GUID, which only a GPT has` : undefined], 'make the partition table of the disk a GPT');
    }));
  },
};

function partitioned(fields: string): string {
  return configTemplateYaml(`diskSetup:\n  partitions:\n    - device: /dev/vdb\n${indented(fields, 6)}`);
}

function partitionsOf(object: ManifestObject): { readonly disk: Fields; readonly path: FieldPath }[] {
  const spec = kubeadmSpec(object);
  return objectsAt(spec.value, 'diskSetup', 'partitions').map(([disk, index]) => ({ disk, path: below(spec, 'diskSetup', 'partitions', index) }));
}

const SOURCE: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-FILE-SOURCE',
  title: 'A file must have one source of its content: content or contentFrom.',
  source: `${BOOTSTRAP_WEBHOOK} (validateFiles)`,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml('files:\n  - path: /etc/motd\n    content: acme\n    contentFrom:\n      secret:\n        name: motd\n        key: text'),
    corrected: configTemplateYaml('files:\n  - path: /etc/motd\n    contentFrom:\n      secret:\n        name: motd\n        key: text'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return objectsAt(spec.value, 'files').filter(([file]) => stringAt(file, 'content') !== undefined && isFilled(file, 'contentFrom')).map(([, index]) => ({
      path: below(spec, 'files', index), message: 'the file has both a content and a Secret (contentFrom) that it comes from', fix: 'keep one of them',
    }));
  },
};

const PATH: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-FILE-PATH',
  title: 'The paths of a machine\'s files must be unique.',
  source: `${BOOTSTRAP_WEBHOOK} (validateFiles)`,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml('files:\n  - path: /etc/motd\n    content: acme\n  - path: /etc/motd\n    content: general'),
    corrected: configTemplateYaml('files:\n  - path: /etc/motd\n    content: acme\n  - path: /etc/issue\n    content: general'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const known = new Set<string>();
    return objectsAt(spec.value, 'files').flatMap(([file, index]) => {
      const path = stringAt(file, 'path');
      if (path === undefined || !known.has(path)) {
        if (path !== undefined) known.add(path);
        return [];
      }
      return [{ path: below(spec, 'files', index, 'path'), message: `${JSON.stringify(path)} is already the path of another file`, fix: 'join the two, or give one another path' }];
    });
  },
};

const PASSWORD: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-USER-PASSWORD',
  title: 'A user must have one source of its password: passwd or passwdFrom.',
  source: `${BOOTSTRAP_WEBHOOK} (validateUsers)`,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml('users:\n  - name: ops\n    passwd: "*"\n    passwdFrom:\n      secret:\n        name: ops\n        key: hash'),
    corrected: configTemplateYaml('users:\n  - name: ops\n    passwdFrom:\n      secret:\n        name: ops\n        key: hash'),
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return objectsAt(spec.value, 'users').filter(([user]) => stringAt(user, 'passwd') !== undefined && isFilled(user, 'passwdFrom')).map(([, index]) => ({
      path: below(spec, 'users', index), message: 'the user has both passwd and passwdFrom', fix: 'keep passwdFrom: every reader of the manifest can read the hash in passwd',
    }));
  },
};

const DISCOVERY: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-DISCOVERY-USER',
  title: 'A kubeconfig for discovery must authenticate with either authProvider or exec.',
  source: BOOTSTRAP_WEBHOOK,
  kinds: KUBEADM_KINDS,
  example: { failing: discovering('authProvider:\n  name: oidc\nexec:\n  command: get-token'), corrected: discovering('exec:\n  command: get-token') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const path = ['joinConfiguration', 'discovery', 'file', 'kubeConfig', 'user'];
    return ['authProvider', 'exec'].every((field) => isFilled(spec.value, ...path, field)) ? [{
      path: below(spec, ...path), message: 'it has both authProvider and exec', fix: 'keep one of them',
    }] : [];
  },
};

const BOOTSTRAP_TOKEN = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;

const TOKEN: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-TOKEN',
  title: 'A bootstrap token must be an id of 6 characters, a dot and a secret of 16.',
  source: 'kubernetes-sigs/cluster-api api/bootstrap/kubeadm/v1beta2/kubeadm_types.go (BootstrapTokenString)',
  kinds: KUBEADM_KINDS,
  example: { failing: withToken('acme.1'), corrected: withToken('abcdef.0123456789abcdef') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return objectsAt(spec.value, 'initConfiguration', 'bootstrapTokens').filter(([{ token }]) => typeof token === 'string' && !BOOTSTRAP_TOKEN.test(token)).map(([, index]) => ({
      path: below(spec, 'initConfiguration', 'bootstrapTokens', index, 'token'),
      message: 'it is not a bootstrap token',
      accepted: '6 lower-case letters and digits, a dot, and 16 of them',
      fix: 'leave it out, so that kubeadm makes one, or write the output of "kubeadm token generate"',
    }));
  },
};

function withToken(token: string): string {
  return configTemplateYaml(`initConfiguration:\n  bootstrapTokens:\n    - token: ${token}`);
}

function discovering(user: string): string {
  return configTemplateYaml(`joinConfiguration:\n  discovery:\n    file:\n      kubeConfigPath: /etc/kubernetes/discovery.conf\n      kubeConfig:\n        user:\n${indented(user, 10)}`);
}

const GATE = 'KubeadmBootstrapFormatIgnition';
const GATE_ON = gateYaml(GATE).replace('kind: CoreProvider', 'kind: BootstrapProvider').replace('name: cluster-api\n', 'name: kubeadm\n');
const SETTINGS = 'ignition:\n  containerLinuxConfig:\n    strict: true';
const IGNITION_SOURCE = `${BOOTSTRAP_WEBHOOK} (validateIgnition)`;

const GATED: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-IGNITION-GATE',
  title: `Ignition needs Cluster API's feature gate ${GATE}, which is off by default.`,
  source: `${IGNITION_SOURCE}, feature/feature.go`,
  warning: true,
  kinds: KUBEADM_KINDS,
  example: { failing: configTemplateYaml('format: ignition'), corrected: configTemplateYaml('format: ignition') + GATE_ON },
  check: (object, index) => {
    const spec = kubeadmSpec(object);
    const field = isIgnition(spec) ? 'format' : 'ignition';
    return (!isIgnition(spec) && !hasSettings(spec)) || isGateOn(GATE, index) ? [] : [{
      path: below(spec, field), message: `providers without the feature gate ${GATE} refuse it`, fix: `${turnOn(GATE)}; or use an image with cloud-init`,
    }];
  },
};

const FORMAT: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-IGNITION-FORMAT',
  title: 'Settings of Ignition require the format ignition.',
  source: IGNITION_SOURCE,
  kinds: KUBEADM_KINDS,
  example: { failing: configTemplateYaml(`format: cloud-config\n${SETTINGS}`) + GATE_ON, corrected: configTemplateYaml(`format: ignition\n${SETTINGS}`) + GATE_ON },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return !hasSettings(spec) || isIgnition(spec) ? [] : [{
      path: below(spec, 'format'), message: `the format is ${JSON.stringify(fieldAt(spec.value, 'format') ?? 'cloud-config')}, and there are settings of Ignition`, accepted: 'ignition', fix: 'write format: ignition, or remove the settings',
    }];
  },
};

const UNSUPPORTED: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-IGNITION-FIELD',
  title: 'A configuration for Ignition must only use fields that Ignition supports.',
  source: IGNITION_SOURCE,
  kinds: KUBEADM_KINDS,
  example: {
    failing: configTemplateYaml('format: ignition\nbootCommands: [modprobe br_netfilter]') + GATE_ON,
    corrected: configTemplateYaml('format: ignition\npreKubeadmCommands: [modprobe br_netfilter]') + GATE_ON,
  },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return isIgnition(spec) ? unsupported(spec.value).map((path) => ({
      path: below(spec, ...path), message: 'Ignition does not support it', fix: 'remove it, or use the format cloud-config and an image with cloud-init',
    })) : [];
  },
};

function isIgnition({ value }: KubeadmSpec): boolean {
  return fieldAt(value, 'format') === 'ignition';
}

function hasSettings({ value }: KubeadmSpec): boolean {
  return isFilled(value, 'ignition');
}

function unsupported(value: unknown): FieldPath[] {
  const filesystems = objectsAt(value, 'diskSetup', 'filesystems').flatMap(([filesystem, index]) => (
    ['replaceFS', 'partition'].filter((field) => stringAt(filesystem, field) !== undefined).map((field) => ['diskSetup', 'filesystems', index, field])
  ));
  return [
    ...objectsAt(value, 'users').filter(([user]) => user.inactive === true).map(([, index]) => ['users', index, 'inactive']),
    ...objectsAt(value, 'files').filter(([file]) => file.encoding === 'gzip' || file.encoding === 'gzip+base64').map(([, index]) => ['files', index, 'encoding']),
    ...(isSet(value, 'bootCommands') ? [['bootCommands']] : []),
    ...objectsAt(value, 'diskSetup', 'partitions').filter(([disk]) => (stringAt(disk, 'tableType') ?? 'gpt') !== 'gpt')
      .map(([, index]) => ['diskSetup', 'partitions', index, 'tableType']),
    ...filesystems,
  ];
}

/** Rules for the files, users, disks and the Ignition format of machines. */
export const BOOTSTRAP_DATA: readonly ManifestRule[] = [
  SOURCE, PATH, PASSWORD, DISCOVERY, TOKEN, LAYOUT, SHARES, TYPE, GUID_TABLE, GATED, FORMAT, UNSUPPORTED,
];
