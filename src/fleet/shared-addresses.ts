import { NamedCluster, namesText } from './cluster-names';
import { FLEET_RULES } from './rules';
import { ApiServerAddress } from '../control-plane/control-plane';
import { Cidr } from '../network/cidr';
import { formatHostPort } from '../network/dns';
import { formatIp, parseIp } from '../network/ip-address';
import { Problem } from '../validation/problem';

/** Addresses that are unique within one network only: RFC 1918, RFC 6598, RFC 4193. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map((text) => Cidr.parse(text)!);

/** What an API server has as its address if nothing is known of it: every one may. */
const UNSPECIFIED = ['0.0.0.0', '::'];

/** A cluster and where its API server is published. */
export interface PublishedCluster extends NamedCluster {
  readonly network?: string;
}

/** Checks that no two API servers are published at one address. */
export function checkAddresses(clusters: readonly { readonly cluster: PublishedCluster; readonly published?: ApiServerAddress }[]): Problem[] {
  const owners = new Map<string, { readonly address: string; readonly clusters: PublishedCluster[] }>();
  for (const { cluster, published } of clusters) {
    if (published === undefined || UNSPECIFIED.includes(published.host)) continue;
    const address = formatHostPort(canonical(published.host), published.port);
    const key = `${isPrivate(published.host) ? cluster.network ?? '' : ''} ${address}`;
    const owner = owners.get(key);
    if (owner) owner.clusters.push(cluster);
    else owners.set(key, { address, clusters: [cluster] });
  }
  return [...owners.values()].filter(({ clusters: { length } }) => length > 1).map(({ address, clusters: all }) => ({
    rule: FLEET_RULES.address,
    property: all[1]._place(),
    message: `${address} is the address of the API servers of ${namesText(all)}`,
    fix: 'give each an address of its own',
  }));
}

function isPrivate(host: string): boolean {
  return PRIVATE.some((range) => range.contains(host));
}

/** However it is written: names in any case, addresses of IPv6 with or without their zeros. */
function canonical(host: string): string {
  const address = parseIp(host);
  return address ? formatIp(address) : host.toLowerCase();
}
