import { etcdChart, EtcdDataStoreOptions, etcdPeer } from './etcd-data-store';
import { ExternalDatabaseOptions, ExternalEtcdOptions, externalPeers, ExternalStore } from './external-data-store';
import { DataStoreSpecDriver } from '../../imports/kamaji.clastix.io';
import { HelmChart } from '../addons/helm-chart';
import { IsolationPeer } from '../isolation/isolation-peer';

/** An etcd that this app installs. */
export interface InstalledEtcd {
  readonly chart: HelmChart;
  readonly options: EtcdDataStoreOptions;
}

/**
 * A `DataStore` of Kamaji: where control planes keep their data. Tenants share one, unless a control plane names one of its own
 * (`dataStore`); an etcd can be backed up, restored and upgraded as a whole only, so tenants that need this alone get one alone.
 *
 * Source: clastix/kamaji api/v1alpha1/datastore_types.go.
 */
export class KamajiDataStore {
  /**
   * An etcd in the management cluster, which is installed by the chart kamaji-etcd together with its DataStore. Its certificates come from
   * cert-manager. The volumes stay when the release is removed. The chart makes no backup: give it a `backup`.
   *
   * A Job of its own enables authentication, and Kamaji waits for that of the default DataStore: `etcdctl auth status` has to confirm it.
   * As long as it does not, the Kustomization or Application `<name>-etcd-<DataStore>-guard` is not ready.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options how the etcd runs
   */
  public static etcd(name: string, options: EtcdDataStoreOptions = {}): KamajiDataStore {
    return new KamajiDataStore(name, { chart: etcdChart(name, options), options }, undefined);
  }

  /**
   * An etcd that somebody else runs, with authentication on.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options where it is, and how Kamaji gets in
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
   * A MySQL or MariaDB that somebody else runs.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options where it is, and how Kamaji gets in
   */
  public static mySql(name: string, options: ExternalDatabaseOptions): KamajiDataStore {
    return KamajiDataStore.database(name, DataStoreSpecDriver.MY_SQL, options);
  }

  /**
   * A PostgreSQL that somebody else runs.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options where it is, and how Kamaji gets in
   */
  public static postgreSql(name: string, options: ExternalDatabaseOptions): KamajiDataStore {
    return KamajiDataStore.database(name, DataStoreSpecDriver.POSTGRE_SQL, options);
  }

  /**
   * A NATS that somebody else runs. It holds one tenant only: Kamaji refuses a second one.
   *
   * @param name name of the DataStore (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-TAKEN`)
   * @param options where it is, and how Kamaji gets in
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
   * @param _etcd what this app installs for it
   * @param _external what somebody else runs for it
   */
  private constructor(
    public readonly name: string,
    /** @internal */
    public readonly _etcd: InstalledEtcd | undefined,
    /** @internal */
    public readonly _external: ExternalStore | undefined,
  ) {}

  /**
   * Where it is reached.
   *
   * @internal
   */
  public get _peers(): IsolationPeer[] {
    return this._etcd ? [etcdPeer(this._etcd.chart)] : externalPeers(this._external!);
  }
}
