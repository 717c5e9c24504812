import { CLUSTER, CORE_WEBHOOKS, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, lacksSpec } from './cluster-api-kinds';
import { classOf } from './cluster-classes';
import { CLUSTER_PARTS, clusterYaml } from './example-manifests';
import { clusterKinds, clusterNetwork, isCluster } from './whole-clusters';
import { knownKind, PlacedText } from '../../objects/known-kinds';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { checkCidr, checkCidrFamilies, checkRange, checkSameFamilies, checkServiceCidr, Cidr, isReadableCidr } from '../../values/cidr';
import { checkDnsSubdomain } from '../../values/dns';
import { FieldPath, isFilled, isSet, stringAt } from '../../values/fields';
import { SUPPORTED_MINORS } from '../../values/kubernetes-releases';
import { checkLabelValue, LABEL_MAX_LENGTH } from '../../values/labels';
import { nameFix } from '../../values/object-name';
import { parseSemanticVersion } from '../../values/semantic-version';
import { checkSystemNamespace } from '../../values/system-namespaces';
import { replaced } from '../example-text';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';
import { partOf, partReference, referencesOf } from '../references/object-references';

const PARTS = ['controlPlaneRef', 'infrastructureRef', 'topology'];

/** The name, which is a label of everything that belongs to the cluster. */
const NAME: ManifestRule = {
  id: 'TC-ADMIT-CLUSTER-NAME',
  title: 'The name of a Cluster must be a label value: at most 63 characters.',
  source: `${CORE_WEBHOOKS}/cluster.go`,
  kinds: [CLUSTER],
  example: {
    failing: clusterYaml(CLUSTER_PARTS).replace('name: acme\n', `name: ${'acme-'.repeat(13)}0\n`),
    corrected: clusterYaml(CLUSTER_PARTS),
  },
  check: (object) => {
    const name = stringAt(object, 'metadata', 'name') ?? '';
    const message = checkLabelValue(name);
    // A name that no object may have is reported as such.
    return message === undefined || checkDnsSubdomain(name) !== undefined ? [] : [{
      path: ['metadata', 'name'], message, fix: `${nameFix(name, checkLabelValue, LABEL_MAX_LENGTH)}; names of machines are made from it, and get longer`,
    }];
  },
};

/** A warning, because the Cluster of the management cluster itself may be there; synthesis refuses it for a tenant. */
const NAMESPACE: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-NAMESPACE',
  title: 'A Cluster, or a control plane that is one by itself, must not be in a namespace of Kubernetes or of a management component: the rights and policies of a tenant apply to the whole namespace.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/namespaces (prefix kube-); the manifests of the components',
  get kinds() { return clusterKinds(); },
  trap: true,
  warning: true,
  example: replaced(clusterYaml(CLUSTER_PARTS), 'namespace: tenant-acme', 'namespace: kube-system'),
  check: (object) => {
    const message = checkSystemNamespace(stringAt(object, 'metadata', 'namespace') ?? '');
    return message === undefined || !isCluster(object) ? [] : [{
      path: ['metadata', 'namespace'], message, fix: 'give each tenant a namespace of its own, before the cluster is created',
    }];
  },
};

const COMPOSITION: ManifestRule = {
  id: 'TC-ADMIT-CLUSTER-PARTS',
  title: 'A Cluster must have a control plane, an infrastructure or a topology.',
  source: `${CORE_WEBHOOKS}/cluster.go`,
  kinds: [CLUSTER],
  example: { failing: clusterYaml('clusterNetwork:\n  serviceDomain: cluster.local'), corrected: clusterYaml(CLUSTER_PARTS) },
  check: (object) => (!(isSet(object, 'spec') || lacksSpec(object)) || PARTS.some((part) => isFilled(object, 'spec', part)) ? [] : [{
    path: ['spec'], message: `it has none of ${PARTS.join(', ')}`, fix: 'refer to the control plane and the infrastructure of the cluster',
  }]),
};

const LISTS = ['pods', 'services'] as const;
const FIX_BLOCK = 'write the first address of a range and its prefix length';

/** A range, and the list that it is of. */
interface Block extends PlacedText {
  readonly list: typeof LISTS[number];
}

const READABLE: ManifestRule = {
  id: 'TC-ADMIT-CLUSTER-NETWORK',
  title: 'Pod and service CIDRs must be address blocks in CIDR notation.',
  source: `${CORE_WEBHOOKS}/cluster.go (validateCIDRBlocks)`,
  kinds: [CLUSTER],
  example: { failing: networked('10.243.0.0', '10.95.0.0/16'), corrected: networked('10.243.0.0/16', '10.95.0.0/16') },
  check: (object) => blocksOf(object).filter(({ text }) => !isReadableCidr(text)).map(({ path, text }) => ({
    path, message: checkCidr(text) ?? `${JSON.stringify(text)} is not a block of IP addresses`, fix: FIX_BLOCK,
  })),
};

/** Blocks that Go reads, and kube-apiserver does not, or not for long; and blocks that no node routes. */
const CANONICAL: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-NETWORK-BLOCK',
  title: 'A CIDR must start at its first address, be in the notation of Kubernetes, and have no loopback, link-local or multicast addresses: Cluster API accepts more.',
  source: 'kubernetes/apimachinery pkg/util/validation/ip.go; RFC 6890 and IANA\'s special-purpose address registries',
  trap: true,
  get kinds() { return clusterKinds(); },
  example: { failing: networked('10.243.0.1/16', '10.95.0.0/16'), corrected: networked('10.243.0.0/16', '10.95.0.0/16') },
  check: (object) => blocksOf(object).filter(({ text, isDefault }) => isReadableCidr(text) && !isDefault).flatMap(({ path, text }) => {
    const message = checkRange(text);
    return message === undefined ? [] : [{ path, message, fix: FIX_BLOCK }];
  }),
};

/** One range, or two. */
const FAMILIES: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-NETWORK-FAMILIES',
  title: 'Pods and Services must have one CIDR each, or one per address family, with the same families in the same order; with kubeadm, one of them may have a second family alone.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go, clastix/kamaji charts/kamaji/crds (TenantControlPlane)',
  trap: true,
  get kinds() { return clusterKinds(); },
  example: {
    failing: networked('10.243.0.0/16, 10.244.0.0/16, 10.245.0.0/16', '10.95.0.0/16'),
    corrected: networked('10.243.0.0/16', '10.95.0.0/16'),
  },
  check: (object, index) => {
    const lists = LISTS.map((list) => blocksIn(object, list)).filter((blocks) => blocks.length > 0)
      .map((blocks) => ({ path: listPath(blocks[0].path), texts: blocks.map(({ text }) => text), isDefault: blocks[0].isDefault }));
    const odd = lists.flatMap(({ path, texts }) => {
      const message = checkCidrFamilies(texts);
      return message === undefined ? [] : [{ path, message, fix: 'give one range, or one for each address family' }];
    });
    // A second family of pods or of Services alone is no fault for kubeadm (ValidateNetworking).
    const [first, second] = lists.map(({ texts }) => (mayBeOfKubeadm(object, index) ? texts.slice(0, 1) : texts));
    const message = odd.length > 0 || lists.length < 2 ? undefined : checkSameFamilies(first, second);
    const stated = lists.find(({ isDefault }, at) => !isDefault && (at > 0 || lists[1]?.isDefault)) ?? lists[0];
    return message === undefined ? odd : [{ path: stated.path, message, fix: 'give both lists the same families, the primary one first' }];
  },
};

/** True if kubeadm makes the control plane of a cluster, or may do so by a ClusterClass that is not among the manifests. */
function mayBeOfKubeadm(cluster: ManifestObject, index: ManifestIndex): boolean {
  if (!isSet(cluster, 'spec', 'topology')) return partReference(cluster, 'controlPlaneRef')?.kind === KUBEADM_CONTROL_PLANE;
  return !classOf(cluster, index) || isOfKubeadmClass(cluster, index);
}

/** True if the ClusterClass of a cluster is among the manifests, and has control planes of kubeadm. */
function isOfKubeadmClass(cluster: ManifestObject, index: ManifestIndex): boolean {
  const clusterClass = classOf(cluster, index);
  return clusterClass !== undefined && referencesOf(clusterClass).some(({ reference }) => reference.kind === KUBEADM_CONTROL_PLANE_TEMPLATE);
}

/** Addresses that are given away twice. */
const OVERLAP: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-NETWORK-OVERLAP',
  title: 'Pod and service CIDRs must not overlap.',
  source: 'kubernetes.io/docs/concepts/cluster-administration/networking',
  trap: true,
  get kinds() { return clusterKinds(); },
  example: { failing: networked('10.96.0.0/11', '10.96.0.0/16'), corrected: networked('10.243.0.0/16', '10.96.0.0/16') },
  check: (object) => {
    const blocks = blocksOf(object).flatMap((block) => {
      const cidr = Cidr.parse(block.text);
      return cidr ? [{ ...block, cidr }] : [];
    });
    return blocks.flatMap((block, index) => (
      blocks.slice(0, index).filter((other) => other.cidr.overlaps(block.cidr) && !(block.isDefault && other.isDefault)).map((other) => {
        const [stated, taken] = block.isDefault ? [other, block] : [block, other];
        return {
          path: stated.path,
          message: `${stated.cidr} overlaps with ${taken.cidr} of the ${taken.list}${taken.isDefault ? ', which is the default' : ''}`,
          accepted: 'ranges without a common address',
          fix: 'choose another range',
        };
      })));
  },
};

/** Room in the ranges. */
const SIZE: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-NETWORK-SIZE',
  title: 'The service CIDR must have room for the DNS Service, and must not be larger than the API server of its version or kubeadm accepts.',
  source: 'kubernetes/kubernetes cmd/kube-apiserver/app/options/validation.go, cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
  trap: true,
  get kinds() { return clusterKinds(); },
  example: { failing: networked('10.243.0.0/16', '10.95.0.0/30'), corrected: networked('10.243.0.0/16', '10.95.0.0/16') },
  check: (object, index) => {
    const kubeadm = isSet(object, 'spec', 'topology') ? isOfKubeadmClass(object, index) : partReference(object, 'controlPlaneRef')?.kind === KUBEADM_CONTROL_PLANE;
    const minor = minorOf(object, index);
    return blocksIn(object, 'services').filter(({ text, isDefault }) => !isDefault && checkCidr(text) === undefined).flatMap(({ path, text }) => {
      const message = checkServiceCidr(text, { kubeadm, minor });
      return message === undefined ? [] : [{ path, message, fix: 'choose a prefix length in these bounds' }];
    });
  },
};

/** The domain of Services. */
const DOMAIN: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-NETWORK-DOMAIN',
  title: 'The service domain must be a DNS name, with a dot if Kamaji runs the control plane; Cluster API accepts any string.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go, clastix/kamaji charts/kamaji/crds (TenantControlPlane)',
  trap: true,
  get kinds() { return clusterKinds(); },
  example: {
    failing: clusterYaml(`clusterNetwork:\n  serviceDomain: acme\n${CLUSTER_PARTS}`),
    corrected: clusterYaml(`clusterNetwork:\n  serviceDomain: acme.local\n${CLUSTER_PARTS}`),
  },
  check: (object) => {
    const { domain } = clusterNetwork(object);
    if (!domain) return [];
    const controlPlane = knownKind(partReference(object, 'controlPlaneRef')?.kind ?? '');
    const message = checkDnsSubdomain(domain.text) ?? controlPlane?.rejectServiceDomain?.(domain.text);
    return message === undefined ? [] : [{ path: domain.path, message, fix: 'use a domain such as "cluster.local"' }];
  },
};

function networked(pods: string, services: string): string {
  return clusterYaml(`clusterNetwork:\n  pods:\n    cidrBlocks: [${pods}]\n  services:\n    cidrBlocks: [${services}]\n${CLUSTER_PARTS}`);
}

/** The field of a list, by that of a block in it, or the field of a single block. */
function listPath(block: FieldPath): FieldPath {
  return typeof block.at(-1) === 'number' ? block.slice(0, -1) : block;
}

function blocksIn(object: ManifestObject, list: typeof LISTS[number]): Block[] {
  return isCluster(object) ? clusterNetwork(object)[list].map((block) => ({ ...block, list })) : [];
}

function blocksOf(object: ManifestObject): Block[] {
  return LISTS.flatMap((list) => blocksIn(object, list));
}

/** Minor version of the control plane; if unset, a version without limits. */
function minorOf(object: ManifestObject, index: ManifestIndex): string {
  const text = knownKind(groupKind(object))?.cluster?.(object).version
    ?? stringAt(partOf(object, 'controlPlaneRef', index), 'spec', 'version') ?? stringAt(object, 'spec', 'topology', 'version');
  const version = text === undefined ? undefined : parseSemanticVersion(text);
  return version ? `${version.major}.${version.minor}` : SUPPORTED_MINORS[SUPPORTED_MINORS.length - 1];
}

/** Rules for the name and the networks of a Cluster. */
export const CLUSTERS: readonly ManifestRule[] = [NAME, NAMESPACE, COMPOSITION, READABLE, CANONICAL, FAMILIES, OVERLAP, SIZE, DOMAIN];
