import { Metal3AddressPool } from '../metal3-ipam/metal3-address-pool';

/** Objects that a machine's data may come from. */
export enum Metal3Object {
  /** The `Machine` of Cluster API. */
  MACHINE = 'machine',

  /** The `Metal3Machine`. */
  METAL3_MACHINE = 'metal3machine',

  /** The `BareMetalHost` that the machine is deployed on. */
  HOST = 'baremetalhost',
}

/**
 * A value in the metadata of machines, which files, commands and names of nodes reach as `{{ ds.meta_data.<key> }}`.
 *
 * Source: metal3-io/cluster-api-provider-metal3 api/v1beta2/metal3datatemplate_types.go (MetaData).
 *
 * @example
 * const metadata = {
 *   rack: metal3.Metal3Value.label(metal3.Metal3Object.HOST, 'example.com/rack'),
 *   number: metal3.Metal3Value.index(1),
 * };
 */
export class Metal3Value {
  /** A string, the same for all machines of a group: 1 to 512 characters. */
  public static text(value: string): Metal3Value {
    return new Metal3Value('strings', { value });
  }

  /**
   * A number that each machine of a group has alone: the lowest one that is free.
   *
   * @param offset number of the first machine, from 0
   * @param step distance to the next one, from 1
   */
  public static index(offset: number = 0, step: number = 1): Metal3Value {
    return new Metal3Value('indexes', { offset, step });
  }

  /** The namespace of the cluster. */
  public static namespace(): Metal3Value {
    return new Metal3Value('namespaces', {});
  }

  /** The name of an object. */
  public static objectName(object: Metal3Object): Metal3Value {
    return new Metal3Value('objectNames', { object });
  }

  /** The value of a label of an object; empty if it does not have the label. */
  public static label(object: Metal3Object, key: string): Metal3Value {
    return new Metal3Value('fromLabels', { object, label: key });
  }

  /** The value of an annotation of an object. Machines without it are not deployed. */
  public static annotation(object: Metal3Object, key: string): Metal3Value {
    return new Metal3Value('fromAnnotations', { object, annotation: key });
  }

  /** The MAC address of an interface of the host, by the name that its inspection found, e.g. `eno1`. */
  public static interfaceMac(name: string): Metal3Value {
    return new Metal3Value('fromHostInterfaces', { interface: name });
  }

  /** The MAC address that the host boots from: `bootMACAddress` of the `BareMetalHost`. */
  public static bootMac(): Metal3Value {
    return new Metal3Value('fromHostInterfaces', { fromBootMAC: true });
  }

  /** The address that the machine gets of a pool: the same as in its network, if that has the pool, too. */
  public static poolAddress(pool: Metal3AddressPool): Metal3Value {
    return new Metal3Value('ipAddressesFromPool', pool.reference, pool);
  }

  /** The prefix length of a pool's subnet. */
  public static poolPrefix(pool: Metal3AddressPool): Metal3Value {
    return new Metal3Value('prefixesFromPool', pool.reference, pool);
  }

  /** The gateway of a pool. */
  public static poolGateway(pool: Metal3AddressPool): Metal3Value {
    return new Metal3Value('gatewaysFromPool', pool.reference, pool);
  }

  /** The DNS servers of a pool. */
  public static poolDnsServers(pool: Metal3AddressPool): Metal3Value {
    return new Metal3Value('dnsServersFromPool', pool.reference, pool);
  }

  /**
   * The values as the API has them: a list for each source, in the order of the keys, so that the order in a page does not matter.
   *
   * @internal
   */
  public static _render(values: { readonly [key: string]: Metal3Value }): { [list: string]: object[] } {
    const lists: { [list: string]: object[] } = {};
    for (const key of Object.keys(values).sort()) {
      const { list, fields } = values[key];
      (lists[list] ??= []).push({ key, ...fields });
    }
    return lists;
  }

  /**
   * The pool that the value comes from.
   *
   * @internal
   */
  public readonly _pool?: Metal3AddressPool;

  private constructor(private readonly list: string, private readonly fields: object, pool?: Metal3AddressPool) {
    this._pool = pool;
  }
}
