import { configTemplateYaml } from './example-kubeadm';
import { below, BOOTSTRAP_WEBHOOK, KUBEADM_KINDS, kubeadmSpec, KubeadmSpec } from './kubeadm-spec';
import { gateYaml } from '../../../rules/cluster-api/example-manifests';
import { isGateOn, turnOn } from '../../../rules/cluster-api/feature-gates';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, FieldPath, isFilled, isSet, objectsAt, stringAt } from '../../../values/fields';

const GATE = 'KubeadmBootstrapFormatIgnition';
const GATE_ON = gateYaml(GATE).replace('kind: CoreProvider', 'kind: BootstrapProvider').replace('name: cluster-api\n', 'name: kubeadm\n');
const SETTINGS = 'ignition:\n  containerLinuxConfig:\n    strict: true';
const SOURCE = `${BOOTSTRAP_WEBHOOK} (validateIgnition)`;

const GATED: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-IGNITION-GATE',
  title: `Ignition needs Cluster API's feature gate ${GATE}, which is off by default.`,
  source: `${SOURCE}, feature/feature.go`,
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
  source: SOURCE,
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
  source: SOURCE,
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

export const IGNITION: readonly ManifestRule[] = [GATED, FORMAT, UNSUPPORTED];

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
