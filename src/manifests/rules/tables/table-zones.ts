import { ProviderTable, TableZones } from './provider-table';
import { valuesAt } from './table-address-pools';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { isFields, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from '../cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';
import { clusterOf, clusterOfOwner, partOf, partReference, referrersOf } from '../references/object-references';

const OWNERS: Readonly<Record<string, readonly string[]>> = {
  [MACHINE_DEPLOYMENT]: ['spec.template.spec.failureDomain'],
  [MACHINE_SET]: ['spec.template.spec.failureDomain'],
  [MACHINE_POOL]: ['spec.template.spec.failureDomain', 'spec.failureDomains.*'],
};

/** The rule over zones of a cloud, where a table knows its fields. */
export function zoneRules({ name, title, zones, examples }: ProviderTable): ManifestRule[] {
  if (!zones) return [];
  const { region, regions, fields, example: [own, zone], source } = zones;
  const isRegion = new RegExp(`^(?:${region})$`);
  const places = { ...fields, ...OWNERS };
  const text = (place: string) => exampleText(zones, own, place, examples.field?.apiVersion);
  return [{
    id: `TC-TRAP-${name.toUpperCase()}-ZONE`,
    title: `A zone of ${title} must be a zone and no region, and one in the region of the cluster: no machine starts there otherwise.`,
    source,
    trap: true,
    kinds: Object.keys(places),
    example: { failing: text(own), corrected: text(zone) },
    check: (object, index) => {
      const stated = regionOf(object, index, regions);
      // The failure domains of other infrastructures have names of their own.
      if (stated === undefined && groupKind(object) in OWNERS) return [];
      return places[groupKind(object)].flatMap((field) => valuesAt(object, field.split('.'))).flatMap(({ value, path }): Finding[] => {
        if (typeof value !== 'string' || value.includes('$')) return [];
        if (isRegion.test(value)) return [{ path, message: `${JSON.stringify(value)} is a region`, fix: `write a zone, e.g. ${zone.replace(own, value)}` }];
        if (stated === undefined || stated.includes('$') || value.startsWith(stated) || !isRegion.test(stated)) return [];
        return [{ path, message: `${JSON.stringify(value)} is no zone of the region ${stated}`, fix: `write a zone of ${stated}` }];
      });
    },
  }];
}

/** The region of a cluster that an object is a part of. */
function regionOf(object: ManifestObject, index: ManifestIndex, kinds: readonly string[]): string | undefined {
  if (kinds.includes(groupKind(object))) return stringAt(object, 'spec', 'region');
  const owner = groupKind(object) in OWNERS ? object : referrersOf(object, index, ...Object.keys(OWNERS))[0]?.object;
  const cluster = (owner && clusterOfOwner(owner, index)) ?? clusterOf(object, index);
  if (!cluster || groupKind(cluster) !== CLUSTER) return undefined;
  const part = (['infrastructureRef', 'controlPlaneRef'] as const).find((one) => kinds.includes(partReference(cluster, one)?.kind ?? ''));
  return part && stringAt(partOf(cluster, part, index), 'spec', 'region');
}

function exampleText({ fields, example: [, , spec] }: TableZones, region: string, zone: string, version: string | undefined): string {
  const [[kind, [field]]] = Object.entries(fields);
  const [group, short] = kind.split('/');
  const element = (inner: unknown) => (isFields(inner) ? { id: 'acme-1', ...inner } : inner);
  const value = field.split('.').slice(1).reduceRight<unknown>((inner, step) => (step === '*' ? [element(inner)] : { [step]: inner }), zone) as object;
  return `${JSON.stringify({ apiVersion: version ?? `${group}/v1beta2`, kind: short, metadata: { name: 'acme', namespace: 'tenant-acme' }, spec: { region, ...spec, ...value } })}\n`;
}
