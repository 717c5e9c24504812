import { HAPROXY_CONFIG, haproxyConfig } from './haproxy-config';
import { CHECK_SCRIPT, checkScript, KEEPALIVED_CONFIG, keepalivedConfig, VrrpGroup } from './keepalived-config';
import { apiServerOpening, ApiServers, endpointOpening, LoadBalancerDesign, LoadBalancerHost, Opening } from './load-balancer-design';
import { checkVirtualAddress, KubeadmVirtualAddress } from './virtual-address';
import { checkVrrp, rank } from './vrrp';
import { Problem } from '../../../manifests/values/problem';
import { HostSetup, ownFiles } from '../files/host-bundle';
import { checkHostFile, HostFile } from '../files/host-file';

/** A host that is a load balancer and nothing else. HAProxy, keepalived and curl are packages of its distribution. */
export interface KubeadmLoadBalancerHost {
  /** Name of the host, that of its folder (`TC-KUBEADM-CLUSTER-NODE-NAME`). */
  readonly name: string;

  /** Its address in the subnet of the virtual address (`TC-KUBEADM-CLUSTER-LB-VIP`). */
  readonly address: string;

  /**
   * Rank of the host: the host with the highest priority whose check succeeds carries the virtual address
   * (`TC-KUBEADM-CLUSTER-LB-PRIORITY`).
   *
   * @default - by the order of the list, the last host with 100
   */
  readonly priority?: number;

  /**
   * Location of the machine, for the overview of hosts.
   *
   * @default - none
   */
  readonly zone?: string;

  /**
   * Further files.
   *
   * @default - none
   */
  readonly files?: HostFile[];
}

/** Options of HAProxy on at least two dedicated hosts. */
export interface HaproxyHostsOptions extends KubeadmVirtualAddress {
  /**
   * The hosts, two or more. The first one carries the address where priorities are not given.
   *
   * Rule: `TC-KUBEADM-CLUSTER-LB-HOSTS`.
   */
  readonly hosts: KubeadmLoadBalancerHost[];

  /** VRRP router id of the hosts, 1 to 255, unique in the subnet (`TC-KUBEADM-CLUSTER-LB-ROUTER-ID`). */
  readonly virtualRouterId: number;
}

const PACKAGES = ['curl', 'haproxy', 'keepalived'];
const COMMANDS = ['systemctl enable haproxy keepalived', 'systemctl reload-or-restart haproxy keepalived'];

/** HAProxy and keepalived as services of dedicated hosts. */
export class HaproxyHosts implements LoadBalancerDesign {
  public readonly vip: string;
  public readonly claim: string;
  public readonly hosts: readonly LoadBalancerHost[];

  public constructor(private readonly options: HaproxyHostsOptions) {
    const { vip, subnet } = options;
    this.vip = vip;
    this.claim = `${subnet} ${options.virtualRouterId}`;
    this.hosts = options.hosts.map(({ name, address, zone, files = [] }, index) => ({
      name, address, zone, files: files.map((file, number) => ({ file, by: `loadBalancer.hosts[${index}].files[${number}]` })),
    }));
  }

  public check({ endpoint, nodes }: ApiServers): Problem[] {
    const { hosts, virtualRouterId } = this.options;
    return [
      ...checkVrrp(virtualRouterId, rank(hosts)),
      ...checkVirtualAddress(this.options, hosts, nodes, endpoint),
      ...this.hosts.flatMap(({ files }) => files.flatMap(({ file, by }) => checkHostFile(file, by))),
    ];
  }

  public openings(servers: ApiServers): Opening[] {
    return balancerOpenings('load balancers', servers);
  }

  public hostSetup(servers: ApiServers, name: string): HostSetup {
    const files = balancerFiles(servers, { ...this.options, hosts: rank(this.options.hosts) }, name, true);
    return { files: ownFiles('loadBalancer', files), packages: PACKAGES, commands: COMMANDS };
  }
}

/** The connections to HAProxy, and between the hosts of keepalived. */
export function balancerOpenings(hosts: string, servers: ApiServers): Opening[] {
  return [endpointOpening(hosts, servers), { to: hosts, what: 'IP protocol 112 (VRRP)', from: hosts }, apiServerOpening(servers)];
}

/** The files of HAProxy and keepalived on one host. */
export function balancerFiles(servers: ApiServers, group: VrrpGroup, name: string, service: boolean): HostFile[] {
  return [
    { path: HAPROXY_CONFIG, content: haproxyConfig(servers, group.vip.includes(':'), service) },
    { path: KEEPALIVED_CONFIG, content: keepalivedConfig(group, name) },
    { path: CHECK_SCRIPT, content: checkScript(group.vip, servers.endpoint.port), permissions: '0755' },
  ];
}
