import { Chart } from 'cdk8s';
import { MANAGEMENT_RULES } from './rules';
import { checkLabelName, checkObjectName } from './workload-options';
import { DataStore, DataStoreSpec, DataStoreSpecDriver } from '../../imports/kamaji.clastix.io';
import { keepOnPrune } from '../delivery/marks';
import { IsolationPeer, IsolationPort } from '../isolation/isolation-peer';
import { isDataKey } from '../kubernetes/data-key';
import { checkHost } from '../network/dns';
import { ADDRESS_BITS, parseIp } from '../network/ip-address';
import { Problem, problemIf } from '../validation/problem';

/** A value in a Secret of the management cluster. */
export interface DataStoreSecretKey {
  /** Name of the Secret (`TC-MANAGEMENT-NAME`). */
  readonly name: string;

  /** Namespace of the Secret (`TC-MANAGEMENT-NAME`). */
  readonly namespace: string;

  /** Key of the Secret's data (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly key: string;
}

/** A certificate with its private key. */
export interface DataStoreKeyPair {
  /** The certificate. */
  readonly certificate: DataStoreSecretKey;

  /** The private key. */
  readonly privateKey: DataStoreSecretKey;
}

/** An etcd that somebody else runs. */
export interface ExternalEtcdOptions {
  /** Its members as `host:port`, without scheme: Kamaji speaks TLS to them (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly endpoints: string[];

  /** Its certificate authority, with which Kamaji makes a client certificate for each tenant. */
  readonly certificateAuthority: DataStoreKeyPair;

  /** The client certificate that Kamaji administers it with: its user is `root`. */
  readonly clientCertificate: DataStoreKeyPair;
}

/** A database that somebody else runs. */
export interface ExternalDatabaseOptions {
  /** Its servers as `host:port` (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly endpoints: string[];

  /** Name of the user who may make databases and users; goes with `password` (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly username?: DataStoreSecretKey;

  /** Password of that user; goes with `username` (`TC-MANAGEMENT-DATA-STORE-ACCESS`). */
  readonly password?: DataStoreSecretKey;

  /**
   * Certificate of the authority that signed the servers' certificates.
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

/** What is behind a DataStore that this app does not install. */
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

/** Checks what is behind a DataStore. */
export function checkExternalStore(property: string, store: ExternalStore): Problem[] {
  const { endpoints, username, password, authority, client } = store;
  const rule = MANAGEMENT_RULES.dataStoreAccess;
  const fix = 'correct the entry';
  return [
    ...problemIf(rule, `${property}.endpoints`, endpoints.length > 0 ? undefined : 'there is no endpoint', 'name at least one server'),
    ...endpoints.flatMap((endpoint, index) => problemIf(rule, `${property}.endpoints[${index}]`, checkEndpoint(endpoint), fix)),
    ...problemIf(rule, property, (username === undefined) === (password === undefined) ? undefined : 'of user name and password one is missing', 'name both'),
    ...problemIf(rule, property, username || authority ? undefined : 'there are no credentials', 'give username and password, or certificateAuthority'),
    ...problemIf(rule, `${property}.clientCertificate`, client && !authority ? 'there is no certificate authority beside it' : undefined, 'name certificateAuthority'),
    ...secretKeys(store).flatMap(([at, { name, namespace, key }]) => [
      ...checkObjectName(`${property}.${at}.name`, name),
      ...checkLabelName(`${property}.${at}.namespace`, namespace),
      ...problemIf(rule, `${property}.${at}.key`, isDataKey(key) ? undefined : `${JSON.stringify(key)} is no key of a Secret`, fix),
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
 * Where a DataStore is reached: at the addresses among its endpoints, and in the namespaces of the Services among them. Other host names
 * are taken to lead out of the management cluster.
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
