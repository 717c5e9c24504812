import { Chart } from 'cdk8s';
import { checkLabelName, checkObjectName } from './component-options';
import { EtcdClient } from './etcd-client';
import { etcdChart, EtcdDataStoreOptions, etcdPeer } from './etcd-data-store';
import { DataStore, DataStoreSpec, DataStoreSpecDriver } from '../../../imports/kamaji.clastix.io';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { checkHost } from '../../manifests/values/dns';
import { ADDRESS_BITS, parseIp } from '../../manifests/values/ip-address';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';
import { isDataKey, SecretKeyRef } from '../../manifests/values/secret-ref';
import { IsolationPeer, IsolationPort } from '../contracts/capabilities/isolation-peer';
import { HelmChart } from '../contracts/helm-chart';

/** A value in a Secret of the management cluster (`TC-MANAGEMENT-NAME`, `TC-MANAGEMENT-DATA-STORE-ACCESS`). */
export interface DataStoreSecretKey extends SecretKeyRef {
  /** Namespace of the Secret (`TC-MANAGEMENT-NAME`). */
  readonly namespace: string;
}

/** A certificate with its private key. */
export interface DataStoreKeyPair {
  /** The certificate. */
  readonly certificate: DataStoreSecretKey;

  /** The private key. */
  readonly privateKey: DataStoreSecretKey;
}

/** An etcd that this app does not install. */
export interface ExternalEtcdOptions {
  /** Its members as `host:port`, without scheme: Kamaji speaks TLS to them (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly endpoints: string[];

  /** Its certificate authority. Kamaji signs a client certificate for each tenant with it. */
  readonly certificateAuthority: DataStoreKeyPair;

  /** The client certificate of Kamaji, for the user `root`. */
  readonly clientCertificate: DataStoreKeyPair;
}

/** A database that this app does not install. */
export interface ExternalDatabaseOptions {
  /** Its servers as `host:port`, at least one (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly endpoints: string[];

  /** Name of the user, who must be allowed to create databases and users. Required with `password` (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly username?: DataStoreSecretKey;

  /** Password of that user. Required with `username` (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly password?: DataStoreSecretKey;

  /**
   * Certificate of the authority that signed the servers' certificates. Required without `username` (`TC-ADMIT-KAMAJI-DATA-STORE-CREDENTIALS`).
   *
   * @default - the connection is not encrypted
   */
  readonly certificateAuthority?: DataStoreSecretKey;

  /**
   * Client certificate; only with `certificateAuthority` (`TC-MANAGEMENT-DATA-STORE-ACCESS`).
   *
   * @default - none
   */
  readonly clientCertificate?: DataStoreKeyPair;
}

/** The backend of a DataStore, as Kamaji connects to it. */
interface ExternalStore {
  readonly driver: DataStoreSpecDriver;
  readonly endpoints: readonly string[];
  readonly username?: DataStoreSecretKey;
  readonly password?: DataStoreSecretKey;
  readonly authority?: DataStoreSecretKey;
  readonly authorityKey?: DataStoreSecretKey;
  readonly client?: DataStoreKeyPair;
}

/** An etcd that this app installs. */
interface InstalledEtcd {
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
   * An etcd in the management cluster, which the chart kamaji-etcd installs. cert-manager issues its certificates. The volumes stay when
   * the release is removed. The chart makes no backups: set `backup`.
   *
   * A Job enables authentication, and `etcdctl auth status` must confirm it. The DataStore is made when the Job is complete: until then no
   * control plane can use the etcd, and the Kustomization or Application `<name>-etcd-<DataStore>-guard` is not ready.
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

/**
 * The backend of an etcd that this app installs, as the chart would write it.
 *
 * Source: clastix/kamaji-etcd tag v0.17.0, charts/kamaji-etcd/templates/etcd_datastore.yaml.
 */
export function installedStore({ namespace, members, endpoint, signer, clientSecret }: EtcdClient, headless: boolean): ExternalStore {
  const key = (name: string, of: string) => ({ name, namespace, key: of });
  return {
    driver: DataStoreSpecDriver.ETCD,
    endpoints: (headless ? members : [endpoint]).map((url) => url.replace('https://', '')),
    authority: key(signer.secret, signer.certificate),
    authorityKey: key(signer.secret, signer.privateKey),
    client: { certificate: key(clientSecret, 'tls.crt'), privateKey: key(clientSecret, 'tls.key') },
  };
}

/** Makes a DataStore. */
export function addDataStore(manifests: Chart, name: string, store: ExternalStore): DataStore {
  return new DataStore(manifests, `DataStore ${name}`, { metadata: { name, annotations: keepOnPrune() }, spec: specOf(store) });
}

function specOf({ driver, endpoints, username, password, authority, authorityKey, client }: ExternalStore): DataStoreSpec {
  return {
    driver,
    endpoints: [...endpoints],
    ...(username && password && { basicAuth: { username: reference(username), password: reference(password) } }),
    ...(authority && {
      tlsConfig: {
        certificateAuthority: { certificate: reference(authority), ...(authorityKey && { privateKey: reference(authorityKey) }) },
        ...(client && { clientCertificate: { certificate: reference(client.certificate), privateKey: reference(client.privateKey) } }),
      },
    }),
  };
}

function reference({ name, namespace, key }: DataStoreSecretKey) {
  return { secretReference: { name, namespace, keyPath: key } };
}

const DATA_STORE_ACCESS_RULE: Rule = {
  id: 'TC-MANAGEMENT-DATA-STORE-ACCESS',
  title: 'A DataStore must have endpoints of host and port, and the credentials of its driver.',
  source: 'clastix/kamaji charts/kamaji/crds/kamaji.clastix.io_datastores.yaml',
};

/** Checks the backend of a DataStore. */
export function checkExternalStore(property: string, store: ExternalStore): Problem[] {
  const { endpoints, username, password, authority, client } = store;
  const rule = DATA_STORE_ACCESS_RULE;
  const fix = 'correct the entry';
  return [
    ...endpoints.flatMap((endpoint, index) => problemIf(rule, `${property}.endpoints[${index}]`, checkEndpoint(endpoint), fix)),
    ...problemIf(rule, property, (username === undefined) === (password === undefined) ? undefined : 'username and password must be set together', 'set both'),
    ...problemIf(rule, `${property}.clientCertificate`, client && !authority ? 'it requires certificateAuthority' : undefined, 'set certificateAuthority'),
    ...secretKeys(store).flatMap(([at, { name, namespace, key }]) => [
      ...checkObjectName(`${property}.${at}.name`, name),
      ...checkLabelName(`${property}.${at}.namespace`, namespace),
      ...problemIf(rule, `${property}.${at}.key`, isDataKey(key) ? undefined : `${JSON.stringify(key)} is not a key of a Secret`, fix),
    ]),
  ];
}

function secretKeys({ username, password, authority, authorityKey, client }: ExternalStore): [at: string, secret: DataStoreSecretKey][] {
  const all: [string, DataStoreSecretKey | undefined][] = [
    ['username', username],
    ['password', password],
    [authorityKey ? 'certificateAuthority.certificate' : 'certificateAuthority', authority],
    ['certificateAuthority.privateKey', authorityKey],
    ['clientCertificate.certificate', client?.certificate],
    ['clientCertificate.privateKey', client?.privateKey],
  ];
  return all.flatMap(([at, secret]): [string, DataStoreSecretKey][] => (secret ? [[at, secret]] : []));
}

/**
 * Network peers of a DataStore: IP addresses of its endpoints, and namespaces of Services among them. Other host names count as outside of
 * the management cluster.
 */
function externalPeers({ endpoints }: ExternalStore): IsolationPeer[] {
  return endpoints.flatMap((endpoint) => {
    const { host, port } = hostAndPort(endpoint);
    const address = parseIp(host);
    if (address) return [IsolationPeer.cidr(`${host}/${ADDRESS_BITS[address.family]}`, { ports: [IsolationPort.tcp(Number(port))] })];
    const [, namespace] = /^(?:[^.]+\.)+([^.]+)\.svc(?:\.|$)/.exec(host) ?? [];
    // The pods behind a Service may listen on another port.
    return namespace === undefined ? [] : [IsolationPeer.pods({ namespace })];
  });
}

function hostAndPort(endpoint: string): { readonly host: string; readonly port: string } {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(endpoint) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
}

function checkEndpoint(text: string): string | undefined {
  const { host, port } = hostAndPort(text);
  if (host !== '' && checkHost(host) === undefined && Number(port) >= 1 && Number(port) <= 65535) return undefined;
  return `${JSON.stringify(text)} is not a host and a port, such as "etcd-0.example.com:2379"`;
}
