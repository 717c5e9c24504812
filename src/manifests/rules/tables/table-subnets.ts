import { ProviderTable } from './provider-table';
import { valuesAt } from './table-address-pools';
import { Cidr } from '../../values/cidr';
import { stringsAt } from '../../values/fields';
import { CLUSTER } from '../cluster-api/cluster-api-kinds';
import { partsYaml } from '../cluster-api/example-manifests';
import { documents, replaced } from '../example-text';
import { ManifestRule } from '../manifest-rule';
import { partOf, partReference } from '../references/object-references';

/** The rules over the ranges that machines have addresses of, where a table knows their fields. */
export function subnetRules({ name, title, kinds, examples: { subnet } }: ProviderTable): ManifestRule[] {
  if (!subnet) return [];
  const { apiVersion, kind, spec } = subnet;
  const ranges = `clusterNetwork:
  pods: {cidrBlocks: [10.8.0.0/16]}
  services: {cidrBlocks: [10.7.0.0/16]}
`;
  const object = JSON.stringify({ apiVersion, kind, metadata: { name: 'acme', namespace: 'tenant-acme' }, spec });
  return [{
    id: `TC-TRAP-${name.toUpperCase()}-SUBNET-RANGE`,
    title: `The subnet of machines of ${title} must have no address in common with the pods or Services of the cluster: packets for one of them reach the other.`,
    source: 'kubernetes-sigs/cluster-api issue 3296; kubernetes.io/docs/concepts/cluster-administration/networking',
    trap: true,
    kinds: [CLUSTER],
    example: replaced(documents(partsYaml('KamajiControlPlane', kind, ranges), object), '10.8.0.0/16', '10.6.0.0/16'),
    check: (cluster, index) => {
      const infrastructure = partReference(cluster, 'infrastructureRef')?.kind;
      const fields = infrastructure === undefined ? undefined : kinds[infrastructure]?.machineSubnets;
      const part = fields && partOf(cluster, 'infrastructureRef', index);
      if (!fields || !part) return [];
      const subnets = fields.flatMap((field) => valuesAt(part, field.split('.'))).flatMap(({ value }) => (typeof value === 'string' ? Cidr.parse(value) ?? [] : []));
      return ['pods', 'services'].flatMap((what) => {
        const path = ['spec', 'clusterNetwork', what, 'cidrBlocks'];
        return stringsAt(cluster, ...path).flatMap(([text, at]) => {
          const range = Cidr.parse(text.trim());
          const other = range && subnets.find((one) => one.overlaps(range));
          return other ? [{
            path: [...path, at], message: `${range} has addresses of the machines, whose subnet is ${other}`, accepted: 'ranges without a common address', fix: 'choose another range',
          }] : [];
        });
      });
    },
  }];
}
