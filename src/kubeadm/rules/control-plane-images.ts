import { clusterConfigurationYaml } from './example-kubeadm';
import { below, CONTROL_PLANE_KINDS, CONTROL_PLANE_WEBHOOK, kubeadmSpec } from './kubeadm-spec';
import { ManifestFinding, ManifestRule } from '../../rules/manifest-rule';
import { FieldPath, stringAt } from '../../values/fields';
import { isCoreDnsVersion } from '../control-plane/images';

const DNS_TAG = ['clusterConfiguration', 'dns', 'imageTag'];
const ETCD_TAG = ['clusterConfiguration', 'etcd', 'local', 'imageTag'];
const NO_TAG = /[^-\w.]/;

/** Tags of the images that kubeadm runs. */
export const CONTROL_PLANE_IMAGES: ManifestRule = {
  id: 'TC-ADMIT-KCP-IMAGE-TAG',
  title: 'Tags of etcd\'s and CoreDNS\'s images are tags, and the one of CoreDNS is a version.',
  source: CONTROL_PLANE_WEBHOOK,
  kinds: CONTROL_PLANE_KINDS,
  example: { failing: clusterConfigurationYaml('dns:\n  imageTag: latest'), corrected: clusterConfigurationYaml('dns:\n  imageTag: v1.12.1') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    const dns = stringAt(spec.value, ...DNS_TAG);
    return [
      ...[DNS_TAG, ETCD_TAG].flatMap((path) => {
        const tag = stringAt(spec.value, ...path);
        return tag !== undefined && NO_TAG.test(tag) ? [tagFault(below(spec, ...path), tag, 'the tag of an image', '"3.5.21-0"')] : [];
      }),
      ...(dns === undefined || NO_TAG.test(dns) || isCoreDnsVersion(dns) ? [] : [tagFault(below(spec, ...DNS_TAG), dns, 'a version of CoreDNS', '"v1.12.1"')]),
    ];
  },
};

function tagFault(path: FieldPath, tag: string, what: string, example: string): ManifestFinding {
  return { path, message: `${JSON.stringify(tag)} is not ${what}`, accepted: `tags such as ${example}`, fix: 'write the tag as the registry has it' };
}
