import { NamedCluster, namesText } from './cluster-names';
import { FLEET_RULES } from './rules';
import { Cidr } from '../../../manifests/values/cidr';
import { formatHostPort } from '../../../manifests/values/dns';
import { formatIp, parseIp } from '../../../manifests/values/ip-address';
import { Problem } from '../../../manifests/values/problem';
import { ApiServerAddress } from '../../contracts/api-server-address';

/** Addresses that are unique within one network only: RFC 1918, RFC 6598, RFC 4193. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'].map((text) => Cidr.parse(text)!);

/** Placeholders for an unknown address: several API servers may have them. */
const UNSPECIFIED = ['0.0.0.0', '::'];

/** A cluster and the published address of its API server. */
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
    fix: 'give each API server its own address',
  }));
}

function isPrivate(host: string): boolean {
  return PRIVATE.some((range) => range.contains(host));
}

/** Normalizes a host: names in any case, IPv6 addresses with or without zeros. */
function canonical(host: string): string {
  const address = parseIp(host);
  return address ? formatIp(address) : host.toLowerCase();
}
