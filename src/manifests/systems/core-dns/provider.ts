import { Provider } from '../../rules/provider';

/** CoreDNS, and the cache of DNS on nodes. */
export const CORE_DNS: Provider = {
  name: 'core-dns',
  title: 'CoreDNS',
  kinds: [],
  dnsServers: [
    {
      title: 'CoreDNS',
      chart: 'coredns',
      // Other instances, such as for one zone, are no service of the cluster.
      address: (values) => (values.text(['isClusterService'], 'true')?.value === 'true' ? values.text(['service', 'clusterIP'], '') : undefined),
    },
    { title: 'node-local-dns', chart: 'node-local-dns', address: (values) => values.text(['config', 'dnsServer'], '172.20.0.10') },
  ],
};
