import { below, kubeadmSpec } from './rules/kubeadm-spec';
import { ManifestObject } from '../../objects/manifest-object';
import { readText } from '../../objects/manifest-text';
import { Setting } from '../../rules/tenant-charts';
import { fieldAt, FieldPath, isFields, objectsAt, stringAt, stringsAt } from '../../values/fields';

const CONFIGURATIONS = ['clusterConfiguration', 'initConfiguration', 'joinConfiguration'];
const FLAG = 'cluster-dns';

/** Addresses of the DNS server in files with a configuration of the kubelet, or a patch of one, and in flags of the kubelet. */
export function nodeDns(object: ManifestObject): readonly Setting<string>[] {
  const spec = kubeadmSpec(object);
  const files = objectsAt(spec.value, 'files').flatMap(([file, at]) => {
    const content = stringAt(file, 'content') ?? '';
    if (!content.includes('clusterDNS') || stringAt(file, 'encoding') !== undefined) return [];
    const path = below(spec, 'files', at, 'content');
    return readText(content).documents.flatMap(({ value }) => stringsAt(value, 'clusterDNS').map(([address]) => ({ path, value: address })));
  });
  return [...files, ...CONFIGURATIONS.flatMap((part) => flagged(fieldAt(spec.value, part, 'nodeRegistration', 'kubeletExtraArgs'), below(spec, part, 'nodeRegistration', 'kubeletExtraArgs')))];
}

/** Arguments are a list in v1beta2, and a map before. */
function flagged(given: unknown, path: FieldPath): Setting<string>[] {
  const entries = isFields(given) ? [[given[FLAG], [...path, FLAG]] as const]
    : objectsAt({ given }, 'given').filter(([{ name }]) => name === FLAG).map(([{ value }, at]) => [value, [...path, at, 'value']] as const);
  return entries.flatMap(([value, at]) => (typeof value === 'string' ? value.split(',').map((address) => ({ path: at, value: address.trim() })) : []));
}
