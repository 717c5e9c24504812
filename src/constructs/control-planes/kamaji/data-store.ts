import { contentHash } from '../../../manifests/values/content-hash';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';

/** Objects of one kind that are kept in another data store. */
export interface KamajiDataStoreOverride {
  /**
   * The kind of object as `--etcd-servers-overrides` of the API server names it: group and plural, e.g. `/events` for the core group's
   * events. Built-in kinds only.
   */
  readonly resource: string;

  /**
   * Name of the `DataStore` that keeps them. It must have the same certificate authority as the control plane's own.
   *
   * Rule: `TC-KAMAJI-DATA-STORE-UNKNOWN`.
   */
  readonly dataStore: string;
}

/** Options of the data store of a control plane. */
interface DataStoreProps {
  readonly dataStore?: string;
  readonly formerDataStore?: string;
  readonly dataStoreSchema?: string;
  readonly dataStoreUsername?: string;
  readonly dataStoreOverrides?: KamajiDataStoreOverride[];
}

const IDENTITY = /^[A-Za-z0-9_-]{1,63}$/;

// MySQL's longest user name is 32 characters: the head, an underscore and eight digits.
const HEAD_LENGTH = 23;

/**
 * The name of schema and user that a control plane has for ever. Kamaji's own default is the object's UID, with which a control plane
 * that is restored from Git or a backup would never find its data again.
 */
export function dataStoreIdentity(namespace: string, name: string): string {
  const head = `${namespace}_${name}`.toLowerCase().replaceAll(/[^a-z0-9]/g, '_').slice(0, HEAD_LENGTH);
  return `${head}_${contentHash(`${namespace}/${name}`)}`;
}

/**
 * Names of the data stores that the API servers of a control plane connect to: during a move, those that still run use the former one until
 * the others are ready. Undefined if Kamaji chooses the data store.
 */
export function connectedDataStores({ dataStore, formerDataStore, dataStoreOverrides = [] }: DataStoreProps): string[] | undefined {
  if (dataStore === undefined) return undefined;
  const overrides = dataStoreOverrides.map((override) => override.dataStore);
  return [...new Set([dataStore, ...(formerDataStore === undefined ? [] : [formerDataStore]), ...overrides])];
}

/** Checks names in and of the data store. */
export function checkDataStore(props: DataStoreProps): Problem[] {
  return [
    ...checkName('controlPlane.dataStore', props.dataStore),
    ...checkFormer(props),
    ...checkIdentity('controlPlane.dataStoreSchema', props.dataStoreSchema),
    ...checkIdentity('controlPlane.dataStoreUsername', props.dataStoreUsername),
    ...(props.dataStoreOverrides ?? []).flatMap(({ dataStore }, index) => checkName(`controlPlane.dataStoreOverrides[${index}].dataStore`, dataStore)),
  ];
}

const DATA_STORE_RULE: Rule = {
  id: 'TC-KAMAJI-DATA-STORE',
  title: 'A data store must be the name of a DataStore object.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

function checkName(property: string, name: string | undefined): Problem[] {
  return name === undefined ? [] : problemIf(DATA_STORE_RULE, property, checkDnsSubdomain(name), 'give the name of a DataStore, which belongs to no namespace');
}

const FORMER_DATA_STORE_RULE: Rule = {
  id: 'TC-KAMAJI-FORMER-DATA-STORE',
  title: 'The former data store of a control plane must be another one than its data store.',
};

function checkFormer({ dataStore, formerDataStore }: DataStoreProps): Problem[] {
  return [
    ...checkName('controlPlane.formerDataStore', formerDataStore),
    ...(formerDataStore === undefined || formerDataStore !== dataStore ? [] : [{
      rule: FORMER_DATA_STORE_RULE,
      property: 'controlPlane.formerDataStore',
      message: `the control plane uses the data store "${dataStore}" now`,
      fix: 'name the data store that it moves from, or remove formerDataStore',
    }]),
  ];
}

const DATA_STORE_IDENTITY_RULE: Rule = {
  id: 'TC-KAMAJI-DATA-STORE-IDENTITY',
  title: 'Schema and user in the data store must be names that every driver accepts.',
  source: 'clastix/kamaji internal/resources/datastore/datastore_setup.go',
};

function checkIdentity(property: string, text: string | undefined): Problem[] {
  return text === undefined || IDENTITY.test(text) ? [] : [{
    rule: DATA_STORE_IDENTITY_RULE,
    property,
    message: `"${text}" is not a name that databases accept`,
    accepted: '1 to 63 letters, digits, "_" and "-" (32 for a user in MySQL)',
    fix: 'leave it out for a new cluster, or give the name that an existing control plane has in its data store',
  }];
}
