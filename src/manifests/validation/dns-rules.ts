import { CLUSTER_TEXT, CONTROL_PLANE_TEXT, RELEASE_TEXT, VALUES } from './pod-network-examples';
import { releaseKinds } from './pod-networks';
import { releasesOf, tenantOf } from './tenants';
import { groupKind, namespaceOf } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { kubeadmPlaneYaml } from '../rules/cluster-api/example-manifests';
import { replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { clusterOf, referrersOf } from '../rules/references/object-references';
import { providers } from '../systems/providers';
import { Cidr } from '../values/cidr';
import { stringAt } from '../values/fields';
import { distinctFindings, Finding } from '../values/finding';
import { isSameIp, parseIp } from '../values/ip-address';

const DNS_ADDRESS: ManifestRule = {
  id: 'TC-TRAP-CNI-DNS-ADDRESS',
  title: 'A DNS server that a chart installs must be at the address that kubelets give pods, and a cache on nodes must ask there.',
  source: 'kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1 (clusterDNS); coredns/helm charts/coredns/values.yaml; deliveryhero/helm-charts stable/node-local-dns/values.yaml',
  get kinds() { return releaseKinds(); },
  trap: true,
  example: replaced(RELEASE_TEXT.replaceAll('cilium', 'coredns').replace('1.20.0', '1.46.2').replace(VALUES, '    service: {clusterIP: 10.95.0.10}\n'), '10.95.0.10', '10.95.0.53', CLUSTER_TEXT,
    CONTROL_PLANE_TEXT.replace('  addons:\n    coreDNS:\n      dnsServiceIPs: [10.95.0.10]\n', '  network:\n    dnsServiceIPs: [10.95.0.10]\n')),
  check: (object, index) => {
    const known = providers().flatMap(({ dnsServers = [] }) => dnsServers);
    const releases = releasesOf(object, index, known.map(({ chart }) => chart));
    const pairs = releases.flatMap((release) => known.filter(({ chart }) => chart === release.chart).map((facts) => ({ ...release, ...facts })));
    return distinctFindings(pairs.flatMap(({ values, tenant, title, address }) => {
      const given = address(values);
      if (!given || !tenant || tenant.dnsAddresses.length === 0 || tenant.dnsAddresses.some((ip) => isSameIp(ip, given.value))) return [];
      // Beside a DNS server of the control plane it may be another one, for what the user knows.
      if (given.value === '' ? tenant.facts.network?.dns !== false : !parseIp(given.value)) return [];
      return [{
        path: given.path,
        message: `${title} ${given.value === '' ? 'gets any address' : `has the address ${given.value}`}, and nodes of "${tenant.name}" look for the DNS service at ${tenant.dnsAddresses.join(', ')}`,
        fix: `write ${tenant.dnsAddresses[0]}`,
      }];
    }));
  },
};

const NODE_CONFIG_TEXT = kubeadmPlaneYaml(`initConfiguration:
  patches: {directory: /etc/kubernetes/patches}
files:
  - path: /etc/kubernetes/patches/kubeletconfiguration0+strategic.yaml
    content: |
      apiVersion: kubelet.config.k8s.io/v1beta1
      kind: KubeletConfiguration
      clusterDNS: [10.95.0.10]
`);

/** A cache on the node itself has such an address. */
const LINK_LOCAL = Cidr.parse('169.254.0.0/16')!;

const NODE_DNS: ManifestRule = {
  id: 'TC-TRAP-CNI-NODE-DNS',
  title: 'The address of the DNS server that a configuration of the kubelet states must be that of the cluster, or of a cache on the node.',
  source: 'kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1 (clusterDNS)',
  get kinds() { return providers().flatMap(({ nodeDns = {} }) => Object.keys(nodeDns)); },
  trap: true,
  example: replaced(NODE_CONFIG_TEXT, '10.95.0.10', '10.96.0.10', CLUSTER_TEXT.replace(/kind: \w+ControlPlane/, 'kind: KubeadmControlPlane')),
  check: (object, index) => {
    const given = providers().flatMap(({ nodeDns = {} }) => nodeDns[groupKind(object)]?.(object) ?? []);
    const owners = given.length === 0 ? [] : [object, ...referrersOf(object, index).map((referrer) => referrer.object)];
    const clusters = owners.flatMap((owner) => {
      const cluster = clusterOf(owner, index) ?? index.find(CLUSTER, namespaceOf(owner), stringAt(owner, 'spec', 'clusterName'));
      return cluster ? [cluster] : [];
    });
    const isElsewhere = (address: string, services: readonly Cidr[]): boolean => {
      const ofFamily = services.filter(({ family }) => family === parseIp(address)?.family);
      return ofFamily.length > 0 && !LINK_LOCAL.contains(address) && !ofFamily.some((range) => range.contains(address));
    };
    return distinctFindings(clusters.map((cluster) => tenantOf(cluster, index)).flatMap(({ name, serviceCidrs }) => given
      .filter(({ value }) => isElsewhere(value, serviceCidrs))
      .map(({ path, value }): Finding => ({
        path,
        message: `pods of these nodes look for the DNS server at ${value}, and Services of "${name}" have addresses of ${serviceCidrs.join(', ')}`,
        fix: 'remove it, so that kubelets have the address of their cluster, or write that',
      }))));
  },
};

/** Rules for DNS servers, against the cluster whose pods ask them. */
export const DNS_RULES: readonly ManifestRule[] = [DNS_ADDRESS, NODE_DNS];
