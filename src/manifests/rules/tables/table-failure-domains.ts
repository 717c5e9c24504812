import { ProviderTable } from './provider-table';
import { valuesAt } from './table-address-pools';
import { namespaceOf } from '../../objects/manifest-object';
import { stringAt } from '../../values/fields';
import { nearestName } from '../../values/nearest-name';
import { MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from '../cluster-api/cluster-api-kinds';
import { clusterYaml, poolYaml } from '../cluster-api/example-manifests';
import { TEMPLATE_FIELDS } from '../cluster-api/machine-template-rules';
import { documents } from '../example-text';
import { ManifestRule } from '../manifest-rule';
import { clusterOfOwner, partOf, partReference } from '../references/object-references';

/** The rule over failure domains of pools, where a table knows those that an infrastructure offers. */
export function failureDomainRules({ name, title, kinds, examples: { failureDomain: example } }: ProviderTable): ManifestRule[] {
  const [kind, facts] = Object.entries(kinds).find(([, { failureDomains }]) => failureDomains) ?? [];
  if (!example || kind === undefined || !facts?.failureDomains) return [];
  const { fields, hosts, source } = facts.failureDomains;
  const object = (own: string, objectName: string, spec: object): string => (
    JSON.stringify({ apiVersion: example.apiVersion, kind: own, metadata: { name: objectName, namespace: 'tenant-acme' }, spec }));
  const { kind: templateKind, spec: machineSpec } = example.template;
  const pool = (machine: string): string => documents(
    clusterYaml(`infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ${example.kind}, name: acme}\n`),
    object(example.kind, 'acme', example.spec),
    object(templateKind, 'acme-general', { template: { spec: machineSpec } }),
    poolYaml({ template: templateKind, bootstrap: 'dataSecretName: acme-general', machine }),
    ...example.host ? [JSON.stringify(example.host)] : [],
  );
  return [{
    id: `TC-TRAP-${name.toUpperCase()}-FAILURE-DOMAIN`,
    title: `The failure domain of a pool must be one that its cluster of ${title} offers: the machines are placed as if it were not set otherwise.`,
    source,
    trap: true,
    kinds: [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL],
    example: { failing: pool('failureDomain: rack-9\n'), corrected: pool(fields.length === 0 ? '' : 'failureDomain: rack-1\n') },
    check: (owner, index) => {
      const path = [...TEMPLATE_FIELDS, 'failureDomain'];
      const stated = stringAt(owner, ...path);
      const cluster = stated === undefined ? undefined : clusterOfOwner(owner, index);
      if (stated === undefined || !cluster || partReference(cluster, 'infrastructureRef')?.kind !== kind) return [];
      const infrastructure = partOf(cluster, 'infrastructureRef', index);
      const named = fields.flatMap((field) => valuesAt(infrastructure, field.split('.'))).flatMap(({ value }) => (typeof value === 'string' ? value : []));
      const labels = hosts ? index.allIn(hosts.kind, namespaceOf(owner)).flatMap((host) => stringAt(host, 'metadata', 'labels', hosts.label) ?? []) : [];
      if (hosts && labels.length === 0) return [];
      const offered = [...new Set(hosts ? labels : named)];
      if ((fields.length > 0 && offered.length === 0) || offered.includes(stated)) return [];
      const near = nearestName(stated, offered);
      return [{
        path,
        message: offered.length === 0 ? `the provider has no failure domains, and does not read "${stated}"`
          : `${hosts ? 'no host' : `the ${example.kind}`} has ${hosts ? 'the' : 'no'} failure domain "${stated}"`,
        ...(offered.length > 0 && { accepted: offered.join(', ') }),
        fix: near === undefined ? 'remove it, or write one that exists' : `did you mean ${near}?`,
      }];
    },
  }];
}
