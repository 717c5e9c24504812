import { Construct } from 'constructs';
import { byKey, madeOf, unstatedDifferences } from './made-objects';
import { sortFiles } from '../../../../scripts/golden/sort-files';
import { ManifestValidation } from '../../../../src/constructs/app/validation/manifest-validation';
import * as management from '../../../../src/constructs/management';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { ClusterTopology } from '../../../../src/constructs/tenant/topology/cluster-topology';
import { Manifest } from '../../../support/clusters';
import { readFiles, withExample } from '../../../support/examples';
import { parse } from '../../../support/outputs';

/** A cluster of an example, as a topology. */
class TopologyCluster extends TenantCluster {
  public constructor(scope: Construct, id: string, props: TenantClusterProps) {
    super(scope, id, { ...props, topology: ClusterTopology.of() });
  }
}

/** The namespace of management clusters, with the feature gate of topologies on: examples leave it off. */
const GATE_ON = {
  management: {
    ...management,
    ClusterApiInstallation: {
      operator: (options: management.ClusterApiInstallationOptions) => (
        management.ClusterApiInstallation.operator({ ...options, featureGates: { clusterTopology: true } })),
    },
  },
};

/** The kinds of infrastructure of the examples, and their clusters. */
const EXAMPLES: readonly [example: string, infrastructure: string, clusters: number][] = [
  ['dev', 'DevCluster', 1], ['metal3', 'Metal3Cluster', 2], ['openstack', 'OpenStackCluster', 2], ['proxmox', 'ProxmoxCluster', 2], ['vsphere', 'VSphereCluster', 2],
  ['vultr', 'VultrCluster', 2],
];

function manifestsOf(example: string, replaced: object = {}): Manifest[] {
  return parse(sortFiles(withExample(example, readFiles, replaced)).management);
}

function rulesOf(objects: readonly Manifest[]): string[] {
  return [...new Set(ManifestValidation.check([...objects]).findings.map(({ rule }) => rule))];
}

describe.each(EXAMPLES)('the clusters of the example %s as topologies', (example, infrastructure, clusters) => {
  const plain = manifestsOf(example, GATE_ON);
  const form = manifestsOf(example, { ...GATE_ON, TenantCluster: TopologyCluster });

  test('have a ClusterClass and templates in place of their objects', () => {
    const kinds = form.map(({ kind }) => kind as string);
    const count = (kind: string) => kinds.filter((other) => other === kind).length;

    expect(['ClusterClass', `${infrastructure}Template`, infrastructure, 'MachineDeployment'].map(count)).toEqual([clusters, clusters, 0, 0]);
  });

  test('are valid by the definitions of the provider', () => {
    const isNew = (id: string) => !rulesOf(plain).includes(id);

    expect(rulesOf(form).filter(isNew)).toEqual([]);
  });

  test('get the same objects, but for the stated fields', () => {
    expect(unstatedDifferences(byKey(plain), byKey(form), madeOf(form))).toEqual([]);
  });
});
