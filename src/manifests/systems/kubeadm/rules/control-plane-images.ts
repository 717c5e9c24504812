import { clusterConfigurationYaml } from './example-kubeadm';
import { below, CONTROL_PLANE_KINDS, CONTROL_PLANE_WEBHOOK, kubeadmSpec } from './kubeadm-spec';
import { ManifestRule } from '../../../rules/manifest-rule';
import { FieldPath, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const DNS_TAG = ['clusterConfiguration', 'dns', 'imageTag'];
const ETCD_TAG = ['clusterConfiguration', 'etcd', 'local', 'imageTag'];
const NO_TAG = /[^-\w.]/;

// How Cluster API reads a tag of CoreDNS: as a version, with "_" in place of "+".
const CORE_DNS_VERSION = /^v?(?:\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:_[0-9A-Za-z.-]+)?|\d+(?:\.\d+)?)$/;

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
        return tag !== undefined && NO_TAG.test(tag) ? [tagFault(below(spec, ...path), tag, 'the tag of an image', '"3.5.21-0"', 'write the tag as the registry has it')] : [];
      }),
      ...(dns === undefined || NO_TAG.test(dns) || CORE_DNS_VERSION.test(dns) ? [] : [
        tagFault(below(spec, ...DNS_TAG), dns, 'a version of CoreDNS', '"v1.12.1" and "v1.12.1_build.1"', 'give the image a tag that starts with the version of CoreDNS in it'),
      ]),
    ];
  },
};

function tagFault(path: FieldPath, tag: string, what: string, examples: string, fix: string): Finding {
  return { path, message: `${JSON.stringify(tag)} is not ${what}`, accepted: `tags such as ${examples}`, fix };
}
