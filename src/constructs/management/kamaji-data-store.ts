import { etcdChart, EtcdDataStoreOptions, etcdPeer } from './etcd-data-store';
import { ExternalDatabaseOptions, ExternalEtcdOptions, externalPeers, ExternalStore } from './external-data-store';
import { DataStoreSpecDriver } from '../../../imports/kamaji.clastix.io';
import { IsolationPeer } from '../contracts/capabilities/isolation-peer';
import { HelmChart } from '../contracts/helm-chart';

/** An etcd that this app installs. */
export interface InstalledEtcd {
  readonly chart: HelmChart;
  readonly options: EtcdDataStoreOptions;
}

/**
 * A `DataStore` of Kamaji, in which control planes store their data. Tenants share a DataStore unless a control plane names its own
 * (`dataStore`). An etcd can only be backed up, restored and upgraded as a whole: give a tenant that needs this separately its own etcd.
 *
 * Source: clastix/kamaji api/v1alpha1/datastore_types.go.
 *
 * @example
 * const gold = management.KamajiDataStore.etcd('gold');
 */
export class KamajiDataStore {
  /**
   * An etcd in the management cluster, which the chart kamaji-etcd installs together with its DataStore. cert-manager issues its
   * certificates. The volumes stay when the release is removed. The chart makes no backups: set `backup`.
   *
   * A Job enables authentication, and `etcdctl auth status` must confirm it. Kamaji waits for the Job of the default DataStore. Until the
   * Job is complete, the Kustomization or Application `<name>-etcd-<DataStore>-guard` is not ready.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options options of the etcd
   */
  public static etcd(name: string, options: EtcdDataStoreOptions = {}): KamajiDataStore {
    return new KamajiDataStore(name, { chart: etcdChart(name, options), options }, undefined);
  }

  /**
   * An etcd that this app does not install, with authentication enabled.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options its endpoints and credentials
   */
  public static externalEtcd(name: string, options: ExternalEtcdOptions): KamajiDataStore {
    const { certificateAuthority, clientCertificate, endpoints } = options;
    return new KamajiDataStore(name, undefined, {
      driver: DataStoreSpecDriver.ETCD,
      endpoints,
      authority: certificateAuthority.certificate,
      authorityKey: certificateAuthority.privateKey,
      client: clientCertificate,
    });
  }

  /**
   * A MySQL or MariaDB that this app does not install.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options its endpoints and credentials
   */
  public static mySql(name: string, options: ExternalDatabaseOptions): KamajiDataStore {
    return KamajiDataStore.database(name, DataStoreSpecDriver.MY_SQL, options);
  }

  /**
   * A PostgreSQL that this app does not install.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options its endpoints and credentials
   */
  public static postgreSql(name: string, options: ExternalDatabaseOptions): KamajiDataStore {
    return KamajiDataStore.database(name, DataStoreSpecDriver.POSTGRE_SQL, options);
  }

  /**
   * A NATS that this app does not install. Only one tenant can use it: Kamaji rejects a second tenant.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options its endpoints and credentials
   */
  public static nats(name: string, options: ExternalDatabaseOptions): KamajiDataStore {
    return KamajiDataStore.database(name, DataStoreSpecDriver.NATS, options);
  }

  private static database(name: string, driver: DataStoreSpecDriver, options: ExternalDatabaseOptions): KamajiDataStore {
    const { endpoints, username, password, certificateAuthority, clientCertificate } = options;
    const access = { username, password, authority: certificateAuthority, client: clientCertificate };
    return new KamajiDataStore(name, undefined, { driver, endpoints, ...access });
  }

  /**
   * @param name name of the DataStore
   * @param _etcd the etcd that this app installs
   * @param _external the backend that this app does not install
   */
  private constructor(
    public readonly name: string,
    /** @internal */
    public readonly _etcd: InstalledEtcd | undefined,
    /** @internal */
    public readonly _external: ExternalStore | undefined,
  ) {}

  /**
   * Its network peers.
   *
   * @internal
   */
  public get _peers(): IsolationPeer[] {
    return this._etcd ? [etcdPeer(this._etcd.chart)] : externalPeers(this._external!);
  }
}
