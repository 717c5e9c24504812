import { Chart } from 'cdk8s';
import { MANAGEMENT_RULES } from './rules';
import { checkLabelName, checkObjectName } from './workload-options';
import { DataStore, DataStoreSpec, DataStoreSpecDriver } from '../../../imports/kamaji.clastix.io';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { isDataKey } from '../../manifests/values/data-key';
import { checkHost } from '../../manifests/values/dns';
import { ADDRESS_BITS, parseIp } from '../../manifests/values/ip-address';
import { Problem, problemIf } from '../../manifests/values/problem';
import { SecretKeyRef } from '../../manifests/values/secret-ref';
import { IsolationPeer, IsolationPort } from '../contracts/capabilities/isolation-peer';

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

/** The backend of a DataStore that this app does not install. */
export interface ExternalStore {
  readonly driver: DataStoreSpecDriver;
  readonly endpoints: readonly string[];
  readonly username?: DataStoreSecretKey;
  readonly password?: DataStoreSecretKey;
  readonly authority?: DataStoreSecretKey;
  readonly authorityKey?: DataStoreSecretKey;
  readonly client?: DataStoreKeyPair;
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

/** Checks the backend of a DataStore. */
export function checkExternalStore(property: string, store: ExternalStore): Problem[] {
  const { endpoints, username, password, authority, client } = store;
  const rule = MANAGEMENT_RULES.dataStoreAccess;
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
export function externalPeers({ endpoints }: ExternalStore): IsolationPeer[] {
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
