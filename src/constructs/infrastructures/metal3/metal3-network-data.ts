import { Cidr } from '../../../manifests/values/cidr';
import { AddressPool, filled, setFields, unlessEmpty } from '../contract';
import { Metal3AddressPool } from '../metal3-ipam/metal3-address-pool';

const MTU = 1500;

/** Options of a link of any type. */
export interface Metal3LinkOptions {
  /** Name that networks, bonds and VLANs call the link by. */
  readonly id: string;

  /**
   * Name of the interface in the operating system: 1 to 15 characters, a letter first.
   *
   * @default - cloud-init finds the interface by its MAC address; bonds are named by cloud-init
   */
  readonly name?: string;

  /**
   * MTU in bytes, from 1280 to 9000.
   *
   * @default 1500
   */
  readonly mtu?: number;

  /**
   * Interface of the host, by the name that its inspection found, whose MAC address the link has (`TC-TRAP-METAL3-NETWORK-DATA`).
   *
   * @default - `id`; of a bond that of its first link, of a VLAN that of its link
   */
  readonly hostInterface?: string;
}

/** Options of a bond. */
export interface Metal3BondOptions extends Metal3LinkOptions {
  /** Mode: `balance-rr`, `active-backup`, `balance-xor`, `broadcast`, `balance-tlb`, `balance-alb` or `802.3ad`, which is LACP. */
  readonly mode: string;

  /** Ids of the links of the bond (`TC-TRAP-METAL3-NETWORK-DATA`). */
  readonly links: string[];

  /**
   * Hash that chooses the link in the modes `balance-xor` and `802.3ad`: `layer2`, `layer2+3` or `layer3+4`.
   *
   * @default - that of the kernel
   */
  readonly xmitHashPolicy?: string;
}

/** Options of a VLAN. */
export interface Metal3VlanOptions extends Metal3LinkOptions {
  /** Id of the VLAN, from 0 to 4096. */
  readonly vlanId: number;

  /** Id of the link that carries it (`TC-TRAP-METAL3-NETWORK-DATA`). */
  readonly link: string;
}

/**
 * An interface of machines.
 *
 * @example
 * const links = [metal3.Metal3Link.ethernet({ id: 'eno1' }), metal3.Metal3Link.vlan({ id: 'storage', vlanId: 20, link: 'eno1' })];
 */
export class Metal3Link {
  /** A network card. */
  public static ethernet(options: Metal3LinkOptions): Metal3Link {
    return new Metal3Link('ethernets', options, { type: 'phy' });
  }

  /**
   * Several links as one. The definition of Metal3 v1.13 requires a list of further parameters and refuses strings and numbers as their values, so
   * that they cannot be set: the list has one entry without a value, which cloud-init ignores.
   */
  public static bond(options: Metal3BondOptions): Metal3Link {
    const { mode, links, xmitHashPolicy } = options;
    const fields = { bondMode: mode, bondLinks: links, bondXmitHashPolicy: xmitHashPolicy, parameters: [{ name: 'none' }] };
    return new Metal3Link('bonds', options, fields, links[0]);
  }

  /** A VLAN of a link. */
  public static vlan(options: Metal3VlanOptions): Metal3Link {
    return new Metal3Link('vlans', options, { vlanID: options.vlanId, vlanLink: options.link }, options.link);
  }

  /** @internal */
  public static _render(links: readonly Metal3Link[]): { [list: string]: object[] } {
    const lists: { [list: string]: object[] } = {};
    for (const link of links) {
      const { id, name, mtu = MTU } = link.options;
      (lists[link.list] ??= []).push({ id, name, mtu, ...link.fields, macAddress: { fromHostInterface: hostInterfaceOf(link) } });
    }
    return lists;

    function hostInterfaceOf({ options: { id, hostInterface = id }, below }: Metal3Link, passed: readonly string[] = []): string {
      const lower = hostInterface === id && !passed.includes(id) && links.find((link) => link.options.id === below);
      return lower ? hostInterfaceOf(lower, [...passed, id]) : hostInterface;
    }
  }

  private constructor(
    private readonly list: string,
    private readonly options: Metal3LinkOptions,
    private readonly fields: object,
    /** The link that it has its MAC address from. */
    private readonly below?: string,
  ) {}
}

/** A route. */
export interface Metal3Route {
  /** Range of addresses that it leads to, e.g. `0.0.0.0/0` for the default route. */
  readonly destination: string;

  /**
   * Address of the router (`TC-TRAP-METAL3-NETWORK-DATA`).
   *
   * @default - the gateway of the network's pool
   */
  readonly gateway?: string;
}

/** Options of a network of any type. */
export interface Metal3NetworkOptions {
  /** Id of the link that has the network (`TC-TRAP-METAL3-NETWORK-DATA`). */
  readonly link: string;

  /**
   * Name of the network, for links with several of one type.
   *
   * @default - that of the link
   */
  readonly id?: string;

  /**
   * Routes through the network.
   *
   * @default - the default route through the gateway of the pool; with DHCP those that the server gives
   */
  readonly routes?: Metal3Route[];
}

/** Options of a network with addresses of a pool. */
export interface Metal3StaticNetworkOptions extends Metal3NetworkOptions {
  /** The pool: `Metal3AddressPool`, or one of another provider such as `AddressPool.inCluster()`. */
  readonly pool: AddressPool;
}

/**
 * A network of a link.
 *
 * @example
 * const networks = [metal3.Metal3Network.ipv4Dhcp({ link: 'eno1' })];
 */
export class Metal3Network {
  /** An IPv4 address of a pool. */
  public static ipv4(options: Metal3StaticNetworkOptions): Metal3Network {
    return new Metal3Network('ipv4', options, options.pool, [{ destination: '0.0.0.0/0' }]);
  }

  /** An IPv6 address of a pool. */
  public static ipv6(options: Metal3StaticNetworkOptions): Metal3Network {
    return new Metal3Network('ipv6', options, options.pool, [{ destination: '::/0' }]);
  }

  /** An IPv4 address by DHCP. */
  public static ipv4Dhcp(options: Metal3NetworkOptions): Metal3Network {
    return new Metal3Network('ipv4DHCP', options);
  }

  /** An IPv6 address by DHCP. */
  public static ipv6Dhcp(options: Metal3NetworkOptions): Metal3Network {
    return new Metal3Network('ipv6DHCP', options);
  }

  /** An IPv6 address that the machine makes from the prefix of its router. */
  public static ipv6Slaac(options: Metal3NetworkOptions): Metal3Network {
    return new Metal3Network('ipv6SLAAC', options);
  }

  /** @internal */
  public static _render(networks: readonly Metal3Network[]): { [list: string]: object[] } {
    const lists: { [list: string]: object[] } = {};
    for (const { list, options, _pool: pool, defaultRoutes } of networks) {
      const { link, id = link, routes = defaultRoutes } = options;
      (lists[list] ??= []).push({
        id,
        link,
        ...(pool && { fromPoolRef: pool.reference }),
        ...(routes.length > 0 && { routes: routes.map((route) => routeFields(route, pool)) }),
      });
    }
    return lists;
  }

  private constructor(
    private readonly list: string,
    private readonly options: Metal3NetworkOptions,
    /** @internal */
    public readonly _pool?: AddressPool,
    private readonly defaultRoutes: Metal3Route[] = [],
  ) {}
}

function routeFields({ destination, gateway }: Metal3Route, pool: AddressPool | undefined): object {
  const [network, prefix] = destination.split('/');
  return {
    network,
    ...(Cidr.parse(destination) && { prefix: Number(prefix) }),
    gateway: gateway !== undefined ? { string: gateway } : pool ? { fromPoolRef: pool.reference } : {},
  };
}

/** Network configuration of machines, which cloud-init applies when they start for the first time. */
export interface Metal3NetworkData {
  /** Interfaces. */
  readonly links: Metal3Link[];

  /** Networks of the interfaces. */
  readonly networks: Metal3Network[];

  /**
   * Addresses of DNS servers.
   *
   * @default - those of DHCP, or none
   */
  readonly dnsServers?: string[];

  /**
   * Pool whose DNS servers are used, beside `dnsServers`.
   *
   * @default - none
   */
  readonly dnsPool?: Metal3AddressPool;
}

/** The fields of network data. */
export function renderNetworkData({ links, networks, dnsServers = [], dnsPool }: Metal3NetworkData): object {
  const services = unlessEmpty(setFields({ dns: filled(dnsServers), dnsFromIPPool: dnsPool?.reference.name }));
  return setFields({ links: Metal3Link._render(links), networks: Metal3Network._render(networks), services });
}

/** The pools that the networks take addresses from, each once; the provider makes one claim for each pool. */
export function poolsOf({ networks, dnsPool }: Metal3NetworkData): AddressPool[] {
  return [...networks.flatMap(({ _pool }) => _pool ?? []), ...(dnsPool ? [dnsPool] : [])];
}
