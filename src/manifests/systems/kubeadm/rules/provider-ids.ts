import { infrastructureOf } from './instance-data';
import { argumentsAt, below, configTemplateYaml, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { knownKind } from '../../../objects/known-kinds';
import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { poolYaml } from '../../../rules/cluster-api/example-manifests';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { ObjectReference } from '../../../rules/references/object-references';
import { flagName } from '../../../values/component-arguments';
import { stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

/** A provider ID as an argument of the kubelet: the scheme, and what follows it up to a slash, or to a placeholder. */
const PROVIDER_ID = /^([a-z][a-z0-9]*):\/\/([^/'"{$<%]*)(\/)?/;

const PROVIDER_IDS: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-PROVIDER-ID',
  title: 'The provider ID that a kubelet states must have the form that the provider gives its machines: no machine finds its node otherwise.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller_noderef.go (getNode)',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: stating('openstack'), corrected: stating('vultr') },
  check: (object, index) => {
    const spec = kubeadmSpec(object);
    const stated = ['initConfiguration', 'joinConfiguration'].flatMap((part) => argumentsAt(spec.value, [part, 'nodeRegistration', 'kubeletExtraArgs']))
      .filter((flag) => flagName(flag) === 'provider-id');
    if (stated.length === 0) return [];
    const templates = infrastructureOf(object, index);
    return stated.flatMap(({ value, path }) => {
      // Of several templates with one name, e.g. in files of several providers, one may be that of the machines.
      const found = templates.map((reference) => difference(value, reference, object, index));
      return found[0] && found.every((one) => one !== undefined) ? [{ path: below(spec, ...path), ...found[0] }] : [];
    });
  },
};

/** The difference of a provider ID from those of the machines of a template. */
function difference(value: string, { kind, name }: ObjectReference, object: ManifestObject, index: ManifestIndex): Omit<Finding, 'path'> | undefined {
  const form = knownKind(kind)?.providerId;
  const [, scheme, place, slash] = PROVIDER_ID.exec(value) ?? [];
  if (scheme === undefined || !form) return undefined;
  if (scheme !== form.scheme) {
    const short = kind.slice(kind.indexOf('/') + 1);
    return { message: `machines of ${short} have provider IDs that begin with ${form.scheme}://, and this begins with ${scheme}://`, fix: `write ${form.scheme}://` };
  }
  if (form.alone && place === '' && slash !== undefined) {
    return { message: `the machines have provider IDs that begin with ${scheme}:// and their ID, and this has a slash before it`, fix: `write ${scheme}:// with two slashes` };
  }
  if (form.place !== undefined && !value.slice(scheme.length + 3).includes('/')) {
    return { message: `the machines have provider IDs such as ${scheme}:///ID, and this has no slash before the ID`, fix: `write ${scheme}:/// with three slashes` };
  }
  const template = index.find(kind, namespaceOf(object), name);
  if (form.place === undefined || !template || slash === undefined) return undefined;
  const expected = stringAt(template, ...form.place.split('.')) ?? '';
  return expected === place || expected.includes('$') ? undefined : {
    message: `the machines have provider IDs that begin with ${scheme}://${expected}/, by ${form.place} of their template, and this begins with ${scheme}://${place}/`,
    fix: `write ${scheme}://${expected}/`,
  };
}

function stating(scheme: string): string {
  return `${configTemplateYaml(`joinConfiguration:
  nodeRegistration:
    kubeletExtraArgs:
      - name: provider-id
        value: ${scheme}://'{{ ds.meta_data.instance_id }}'`)}---
${poolYaml({ template: 'VultrMachineTemplate' })}`;
}

/** Rules over provider IDs that kubelets state. */
export const PROVIDER_ID_RULES: readonly ManifestRule[] = [PROVIDER_IDS];
