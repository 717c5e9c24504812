import { CLUSTER_TEXT, CONTROL_PLANE_TEXT, OUTER_TEXT, RELEASE_TEXT, VALUES } from './pod-network-examples';
import { InstalledPodNetwork, managementNetworks, podNetworkKinds, podNetworksIn, releaseKinds } from './pod-networks';
import { Tenant, tenantOf } from './tenants';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { documents, replaced } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule, RuleExample } from '../rules/manifest-rule';
import { clusterOf } from '../rules/references/object-references';
import { PoolOrder } from '../rules/tenant-charts';
import { providers } from '../systems/providers';
import { Cidr } from '../values/cidr';
import { sameValue } from '../values/fields';
import { distinctFindings, Finding } from '../values/finding';

const KUBE_PROXY_FREE = 'docs.cilium.io, "Kubernetes Without kube-proxy"; docs.tigera.io/calico, "Enable the eBPF data plane"';

function example(right: string, wrong: string): RuleExample {
  return replaced(RELEASE_TEXT, right, wrong, CLUSTER_TEXT, CONTROL_PLANE_TEXT);
}

/** A pod network of a tenant. */
export type TenantNetwork = InstalledPodNetwork & { readonly tenant: Tenant };

/** A rule over the pod networks of tenants; findings that are the same for several tenants are made once. */
export function networkRule({ faultsOf, ...rule }: Omit<ManifestRule, 'kinds' | 'check'> & { readonly faultsOf: (network: TenantNetwork) => readonly Finding[] }): ManifestRule {
  return {
    ...rule,
    get kinds() { return podNetworkKinds(); },
    check: (object, index) => {
      const networks = podNetworksIn(object, index).filter((network): network is TenantNetwork => network.tenant !== undefined);
      return distinctFindings(networks.flatMap(faultsOf));
    },
  };
}

const PROXIES = new WeakMap<ManifestIndex, boolean>();

/** True if something else of the tenant may forward Services. */
function hasOwnProxy({ management }: Tenant): boolean {
  const known = PROXIES.get(management) ?? (management.find('apps/DaemonSet', 'kube-system', 'kube-proxy') !== undefined
    || releaseKinds().flatMap((kind) => management.all(kind)).some((object) => /kube-(?:proxy|router)/.test(JSON.stringify(object))));
  PROXIES.set(management, known);
  return known;
}

const NO_PROXY: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-NO-SERVICE-PROXY',
  title: 'Kube-proxy or the pod network must forward Services to their pods: no Service works otherwise.',
  source: KUBE_PROXY_FREE,
  trap: true,
  example: example('kubeProxyReplacement: true', 'kubeProxyReplacement: false'),
  faultsOf: ({ facts: { title }, settings: { replacesKubeProxy }, tenant }) => (
    replacesKubeProxy?.value !== false || tenant.facts.network?.kubeProxy !== false || hasOwnProxy(tenant) ? [] : [{
      path: replacesKubeProxy.path,
      message: `the control plane of "${tenant.name}" leaves kube-proxy out, and ${title} does not replace it: no pod and no node reaches a Service`,
      fix: 'let one of them forward Services: install kube-proxy by the control plane, or have the pod network replace it, with the address of the API server',
    }]),
});

const TWO_PROXIES: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-TWO-SERVICE-PROXIES',
  title: 'Only one of kube-proxy and the pod network should forward Services: each has its own table of connections, and does not know those of the other.',
  source: KUBE_PROXY_FREE,
  trap: true,
  warning: true,
  example: {
    failing: documents(RELEASE_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT.replace('addons:\n', 'addons:\n    kubeProxy: {}\n')),
    corrected: documents(RELEASE_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT),
  },
  faultsOf: ({ facts: { title }, settings: { replacesKubeProxy }, tenant: { name, facts } }) => (
    replacesKubeProxy?.value !== true || facts.network?.kubeProxy !== true ? [] : [{
      path: replacesKubeProxy.path,
      message: `the control plane of "${name}" installs kube-proxy, and ${title} replaces it`,
      fix: 'leave kube-proxy out of the control plane: addons.kubeProxy of Kamaji, or skipPhases: [addon/kube-proxy] of kubeadm',
    }]),
});

const API_SERVER: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-API-SERVER',
  title: 'A pod network that replaces kube-proxy must have the address of the API server of its own cluster: the Service of the API server works only once the pod network runs.',
  source: KUBE_PROXY_FREE,
  trap: true,
  example: example('    k8sServiceHost: acme.tenant-acme.svc\n', ''),
  faultsOf: ({ facts: { title }, settings: { replacesKubeProxy, apiServer }, tenant }) => {
    if (replacesKubeProxy?.value !== true || !apiServer) return [];
    const { path, value: { host, port } } = apiServer;
    if (host === '') {
      return tenant.facts.network?.kubeProxy !== false ? [] : [{
        path,
        message: `${title} has no address of the API server of "${tenant.name}", and there is no kube-proxy that would lead it there: no node gets ready`,
        fix: 'write the host and port of the API server, such as controlPlaneEndpoint of the Cluster',
      }];
    }
    const address = Cidr.parse(`${host}/${host.includes(':') ? 128 : 32}`);
    if (address && tenant.facts.network?.kubeProxy === false && tenant.serviceCidrs.some((services) => services.covers(address))) {
      return [{
        path,
        message: `${host} is an address of a Service, which ${title} itself makes work, and there is no kube-proxy: no node gets ready`,
        fix: 'write the host and port of the API server, such as controlPlaneEndpoint of the Cluster',
      }];
    }
    const other = otherClusterAt(host, port, tenant);
    return other === undefined ? portFault(title, apiServer.path, { host, port }, tenant) : [{
      path,
      message: `${host} is the API server of "${other}", and ${title} is installed in "${tenant.name}"`,
      fix: `write the address of the API server of "${tenant.name}"`,
    }];
  },
});

/** Name of another cluster whose API server has an address. */
function otherClusterAt(host: string, port: string, tenant: Tenant): string | undefined {
  if (isOwnHost(host, tenant)) return undefined;
  const others = tenant.management.all(CLUSTER).filter((cluster) => cluster !== tenant.object).map((cluster) => tenantOf(cluster, tenant.management));
  return others.find((other) => isOwnHost(host, other) && (other.endpoint.port === undefined || String(other.endpoint.port) === port))?.name;
}

/** A Service has the name and namespace of the control plane (Kamaji), or the end "-lb" (KubeVirt's provider). */
function isOwnHost(host: string, { name, namespace, endpoint }: Tenant): boolean {
  const [service, place, svc] = host.split('.');
  return host === endpoint.host || (svc === 'svc' && place === namespace && [name, `${name}-lb`].includes(service));
}

function portFault(title: string, path: Finding['path'], { host, port }: { readonly host: string; readonly port: string }, tenant: Tenant): Finding[] {
  const stated = tenant.endpoint.port;
  return host !== tenant.endpoint.host || stated === undefined || port === '' || String(stated) === port ? [] : [{
    path, message: `${title} asks for the API server at port ${port} of ${host}, and it is at port ${stated}`, fix: `write port ${stated}`,
  }];
}

/** As many addresses of a pool as nodes get ranges of, if these are given out in order. */
const FIRST_ADDRESSES = 2n ** 16n;

function usedPart(pool: Cidr, order: PoolOrder): { readonly first: bigint; readonly last: bigint } {
  const end = pool.first + FIRST_ADDRESSES - 1n;
  return { first: pool.first, last: order === 'any' || pool.last < end ? pool.last : end };
}

function collides(pool: Cidr, order: PoolOrder, other: Cidr): boolean {
  const { first, last } = usedPart(pool, order);
  return pool.family === other.family && first <= other.last && other.first <= last;
}

const COLLISION: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-RANGE-TAKEN',
  title: 'Addresses of pods must not be addresses of Services: packets for one of them reach the other.',
  source: 'kubernetes.io/docs/concepts/cluster-administration/networking; cilium issue 20204',
  trap: true,
  example: example('ipam: {mode: kubernetes}', 'ipam: {mode: cluster-pool, operator: {clusterPoolIPv4PodCIDRList: [10.95.0.0/16]}}'),
  faultsOf: ({ facts: { title, order }, settings: { pools }, tenant }) => ranges(pools?.value).flatMap((pool) => (
    tenant.serviceCidrs.filter((services) => collides(pool, order, services)).map((services): Finding => ({
      path: pools!.path,
      message: `${title} gives pods addresses of ${pool}, and Services of "${tenant.name}" have addresses of ${services}`,
      fix: podRangeFix(tenant),
    })))),
});

const OUTSIDE: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-POD-RANGE',
  title: 'Pods should get addresses of the range of pods of their Cluster: kube-proxy, policies, firewalls and other clusters go by that range.',
  source: 'docs.cilium.io, "IP Address Management"; cilium issue 42383, pull request 31543; docs.tigera.io/calico, "Installation reference" (ipPools)',
  trap: true,
  warning: true,
  example: example('ipam: {mode: kubernetes}', 'ipam: {mode: cluster-pool}'),
  faultsOf: ({ facts: { title, order, outside }, settings: { pools }, tenant }) => {
    if (outside !== undefined) return [];
    return ranges(pools?.value).filter((pool) => isOutside(pool, tenant) && !tenant.serviceCidrs.some((services) => collides(pool, order, services)))
      .map((pool) => outsideFinding(title, pool, pools!.path, tenant));
  },
});

const OUTSIDE_FAILS: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-POD-RANGE-OTHER',
  title: 'A pod network that takes the ranges of pods from nodes must be told a range that holds them: it fails on each node otherwise.',
  source: 'flannel-io/flannel pkg/subnet/kube/kube.go (podCIDR of the node against the network)',
  trap: true,
  example: replaced(RELEASE_TEXT.replaceAll('cilium', 'flannel').replace('1.20.0', 'v0.28.9').replace(VALUES, '    podCidr: 10.243.0.0/16\n'), '10.243.0.0/16', '10.244.0.0/16', CLUSTER_TEXT,
    CONTROL_PLANE_TEXT.replace('addons:\n', 'addons:\n    kubeProxy: {}\n')),
  faultsOf: ({ facts: { title, outside }, settings: { pools }, tenant }) => {
    if (outside === undefined) return [];
    return ranges(pools?.value).filter((pool) => {
      const own = tenant.podCidrs.filter(({ family }) => family === pool.family);
      return own.length > 0 && !own.some((range) => pool.covers(range));
    }).map((pool) => ({ ...outsideFinding(title, pool, pools!.path, tenant), message: `${title} has the range ${pool}, and nodes of "${tenant.name}" get ranges of ${tenant.podCidrs.join(', ')}: ${outside}` }));
  },
});

function ranges(texts: readonly string[] = []): Cidr[] {
  return texts.flatMap((text) => Cidr.parse(text.trim()) ?? []);
}

/** A tenant that states no range of pods of the family says nothing of it. */
function isOutside(pool: Cidr, { podCidrs }: Tenant): boolean {
  const own = podCidrs.filter(({ family }) => family === pool.family);
  return own.length > 0 && !own.some((range) => range.covers(pool));
}

function outsideFinding(title: string, pool: Cidr, path: Finding['path'], tenant: Tenant): Finding {
  const reserved = tenant.serviceCidrs.find((services) => services.overlaps(pool));
  return {
    path,
    message: `${title} gives pods addresses of ${pool}, and the range of pods of "${tenant.name}" is ${tenant.podCidrs.join(', ')}`
      + `${reserved ? `; Services have addresses of it, too: ${reserved}` : ''}`,
    fix: podRangeFix(tenant),
  };
}

function podRangeFix({ podCidrs }: Tenant): string {
  return podCidrs.length > 0 ? `give the pod network ${podCidrs.join(' and ')}, or have it use the ranges that Kubernetes gives nodes` : 'choose another range';
}

const NODE_RANGES: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-FAMILIES',
  title: 'A pod network must have the address families of the range of pods: it waits for an address of a family that nodes do not get.',
  source: 'cilium/cilium pkg/ipam/node_manager, daemon/cmd/ipam.go (required IPv4 or IPv6 PodCIDR); docs.cilium.io, "Kubernetes Host Scope"',
  trap: true,
  example: example('ipam: {mode: kubernetes}', 'ipam: {mode: kubernetes}\n    ipv6: {enabled: true}'),
  faultsOf: ({ facts: { title }, settings: { families = {}, usesNodeRanges }, tenant }) => {
    const stated = new Set<string>(tenant.podCidrs.map(({ family }) => family));
    if (stated.size === 0) return [];
    const entries = Object.entries(families);
    const waiting = usesNodeRanges ? entries.filter(([family, { value }]) => value && !stated.has(family)) : [];
    const off = entries.filter(([family, { value }]) => !value && stated.has(family));
    return [
      ...waiting.map(([family, { path }]) => ({
        path,
        message: `${title} waits for a range of ${family} of each node, and the range of pods of "${tenant.name}" is ${tenant.podCidrs.join(', ')}`,
        fix: `switch ${family} off, or give the Cluster a range of it`,
      })),
      ...off.length < stated.size ? [] : off.map(([family, { path }]) => ({
        path, message: `${family} is off, and the range of pods of "${tenant.name}" is ${tenant.podCidrs.join(', ')}`, fix: `switch ${family} on`,
      })),
    ];
  },
});

const CAPACITY: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-NODE-RANGE',
  title: 'A pool of addresses must have room for the ranges of nodes.',
  source: 'cilium/cilium pkg/ipam/allocator/clusterpool (cidrset)',
  trap: true,
  example: example('ipam: {mode: kubernetes}', 'ipam: {mode: cluster-pool, operator: {clusterPoolIPv4PodCIDRList: [10.243.0.0/25]}}'),
  faultsOf: ({ facts: { title }, settings: { pools, nodePrefixLengths = {} } }) => ranges(pools?.value).flatMap((pool) => {
    const length = nodePrefixLengths[pool.family];
    return !length || length.value >= pool.prefixLength ? [] : [{
      path: pools!.path, message: `${title} gives each node a range of /${length.value}, and ${pool} is smaller`, fix: 'give it a larger pool, or nodes smaller ranges',
    }];
  }),
});

/** Ports of tunnels that a network takes for its own: by the protocol of the tunnel. */
const TUNNEL: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-NESTED-TUNNEL',
  title: 'Tunnels of a tenant whose machines are pods must have another port than those of the management cluster, which takes their packets for its own.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md',
  trap: true,
  example: {
    failing: nested('8472'),
    corrected: nested('8473'),
  },
  faultsOf: ({ facts: { title }, settings: { tunnel }, tenant }) => {
    if (!tunnel || !tenant.isNested) return [];
    const outer = managementNetworks(tenant.management).find(({ settings }) => sameValue(settings.tunnel?.value, tunnel.value));
    return outer ? [{
      path: tunnel.path,
      message: `${title} sends packets of ${tunnel.value.protocol} to port ${tunnel.value.port}, as ${outer.facts.title} of the management cluster does, in whose pods the machines of "${tenant.name}" run`,
      fix: 'choose another port, such as 8473',
    }] : [];
  },
});

const MTU: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-NESTED-MTU',
  title: 'The MTU of a tenant whose machines are pods must not be larger than that of the management cluster: large packets are lost otherwise.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt docs/faq.md; cozystack pull request 2147',
  trap: true,
  example: { failing: nested('8473', 1500, 1400), corrected: nested('8473', 1350, 1400) },
  faultsOf: ({ settings: { mtu }, tenant }) => {
    if (!mtu || !tenant.isNested) return [];
    const outer = managementNetworks(tenant.management).find(({ settings }) => settings.mtu !== undefined && settings.mtu.value < mtu.value);
    return outer ? [{
      path: mtu.path,
      message: `the MTU is ${mtu.value}, and that of the management cluster, in whose pods the machines of "${tenant.name}" run, is ${outer.settings.mtu!.value}`,
      fix: `write ${outer.settings.mtu!.value - 50} at most, or leave it out`,
    }] : [];
  },
});

/** A tenant on virtual machines, with a port of tunnels beside the one of the management cluster. */
function nested(port: string, mtu?: number, outerMtu?: number): string {
  const outer = RELEASE_TEXT.replace('name: acme-cilium\n  namespace: tenant-acme', 'name: cilium\n  namespace: kube-system')
    .replace('  kubeConfig:\n    secretRef: {name: acme-admin-kubeconfig, key: super-admin.svc}\n', '').replace(VALUES, `    ipam: {mode: kubernetes}\n${outerMtu === undefined ? '' : `    MTU: ${outerMtu}\n`}`);
  return documents(`${RELEASE_TEXT}    tunnelPort: ${port}\n${mtu === undefined ? '' : `    MTU: ${mtu}\n`}`, CLUSTER_TEXT, CONTROL_PLANE_TEXT, outer);
}

/** A warning, since nodes may have another way to their API server. */
const SOURCE_RANGES: ManifestRule = {
  id: 'TC-TRAP-CNI-SOURCE-RANGES',
  title: 'The load balancer of an API server should accept the tenant\'s own nodes, which are pods of the management cluster where machines run there.',
  source: 'kubernetes.io/docs/concepts/services-networking/service (loadBalancerSourceRanges); kubernetes/kubernetes pkg/proxy/iptables/proxier.go (firewall chain)',
  get kinds() { return providers().flatMap(({ controlPlanes = {} }) => Object.keys(controlPlanes)); },
  trap: true,
  warning: true,
  example: {
    failing: documents(`${CONTROL_PLANE_TEXT}  network:\n    loadBalancerConfig: {loadBalancerSourceRanges: [203.0.113.0/24]}\n`, CLUSTER_TEXT, OUTER_TEXT),
    corrected: documents(`${CONTROL_PLANE_TEXT}  network:\n    loadBalancerConfig: {loadBalancerSourceRanges: [203.0.113.0/24, 10.244.0.0/16]}\n`, CLUSTER_TEXT, OUTER_TEXT),
  },
  check: (object, index) => {
    const cluster = clusterOf(object, index);
    const tenant = cluster && tenantOf(cluster, index);
    const sources = tenant?.facts.network?.sourceRanges;
    if (!sources || !tenant.isNested) return [];
    const pools = managementNetworks(index).flatMap(({ settings }) => ranges(settings.pools?.value));
    const isLetIn = ranges(sources.value).some((range) => pools.some((pool) => pool.overlaps(range)));
    return pools.length === 0 || isLetIn ? [] : [{
      path: sources.path,
      message: `none of them has an address of the nodes of "${tenant.name}", which are pods of the management cluster, ${pools.join(', ')}: kubelets do not reach their API server`,
      fix: `add ${pools.join(' and ')}`,
    }];
  },
};

/** Rules for pod networks, against the cluster that they are installed in. */
export const POD_NETWORK_RULES: readonly ManifestRule[] = [
  NO_PROXY, TWO_PROXIES, API_SERVER, COLLISION, OUTSIDE, OUTSIDE_FAILS, NODE_RANGES, CAPACITY, TUNNEL, MTU, SOURCE_RANGES,
];
