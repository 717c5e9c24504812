import { KindTable, ProviderTable } from './provider-table';
import { tableAddressUses } from './table-address-pools';
import { tableRules } from './table-changes';
import { credentialRules } from './table-credentials';
import { machinePoolFacts, tableEffects } from './table-effects';
import { failureDomainRules } from './table-failure-domains';
import { tableStoredForms } from './table-stored-forms';
import { subnetRules } from './table-subnets';
import { zoneRules } from './table-zones';
import { KnownKind, StatedCluster } from '../../objects/known-kinds';
import { ManifestObject } from '../../objects/manifest-object';
import { numberAt, stringAt } from '../../values/fields';
import { Provider } from '../provider';
import { storageParameters } from '../storage-parameters';

/** Fields that are the whole of a template, but for its metadata. */
const WHOLE: readonly string[] = ['spec', 'spec.template', 'spec.template.spec'];

/**
 * Makes a provider of a table.
 *
 * @param table what is known of it
 */
export function tableProvider(table: ProviderTable): Provider {
  const kinds = Object.entries(table.kinds);
  return {
    name: table.name,
    title: table.title,
    kinds: kinds.map(([kind, facts]) => knownKind(kind, facts)),
    namespaces: { [table.namespace]: `Cluster API's provider for ${table.title} runs there` },
    rules: [
      ...subnetRules(table), ...failureDomainRules(table), ...credentialRules(table), ...zoneRules(table),
      ...(table.storageDrivers ?? []).map(storageParameters),
    ],
    oneNodeDrivers: (table.storageDrivers ?? []).filter(({ isForOneNode }) => isForOneNode).map(({ provisioner }) => provisioner),
    changes: tableRules(table),
    // The effects of a template follow from the objects that use it.
    effects: Object.fromEntries(kinds.filter(([, { role, changes }]) => !role?.endsWith('Template') && (role !== undefined || changes))
      .map(([kind, facts]) => [kind, tableEffects(facts, table.defaults?.[kind])])),
    addressUses: Object.fromEntries(kinds.flatMap(([kind, { addressPools }]) => (addressPools ? [[kind, tableAddressUses(addressPools)]] : []))),
    storedForms: tableStoredForms(table),
    machinePools: Object.fromEntries(kinds.filter(([, { role }]) => role === 'machinePool').map(([kind, facts]) => [kind, machinePoolFacts(facts)])),
  };
}

function knownKind(
  kind: string, { role, clusterScoped, hosted, joinedBy, stated, defaulted, secretFields, providerId, changes = [] }: KindTable,
): KnownKind {
  const inPlace = role?.endsWith('Template') ? changes.filter(({ effect }) => effect === 'in place').flatMap(({ fields }) => fields) : [];
  return {
    kind,
    ...(role && { role }),
    ...(clusterScoped && { clusterScoped }),
    ...(hosted && { hosted: true }),
    ...(joinedBy && { joinedBy: joinedBy.map((name) => `bootstrap.cluster.x-k8s.io/${name}`) }),
    ...(stated && { managementOnly: true, holdsState: true, cluster: (object: ManifestObject) => statedCluster(object, stated) }),
    ...(role?.endsWith('Template') && changes.some(({ effect, fields }) => effect === 'refused' && fields.some((field) => WHOLE.includes(field))) && { immutable: true }),
    ...(defaulted && { defaulted }),
    ...(secretFields && { secretFields }),
    ...(providerId && { providerId }),
    ...(inPlace.length > 0 && { inPlace }),
  };
}

function statedCluster(object: ManifestObject, { version, replicas, port }: NonNullable<KindTable['stated']>): StatedCluster {
  const number = (path: string | undefined) => (path === undefined ? undefined : numberAt(object, ...path.split('.')));
  const [machines, address] = [number(replicas), number(port)];
  const release = stringAt(object, ...version.split('.'));
  return {
    versionPath: version.split('.'),
    ...(release !== undefined && { version: release }),
    ...(machines !== undefined && { replicas: machines }),
    ...(address !== undefined && { port: address }),
    pods: [],
    services: [],
  };
}
