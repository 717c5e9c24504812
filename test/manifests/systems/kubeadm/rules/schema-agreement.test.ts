import * as fc from 'fast-check';
import { ManifestObject } from '../../../../../src/manifests/objects/manifest-object';
import { CLUSTER_API_RULES } from '../../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { KUBEADM_MANIFEST_RULES } from '../../../../../src/manifests/systems/kubeadm/provider';
import { amount } from '../../../../support/sample';
import { findingsIn } from '../../../rules/rules-under-test';
import { rulesOf } from '../../../schema/cel';
import { CrdSchemas } from '../../../schema/crd-schemas';
import { SchemaValidator } from '../../../schema/validate';

// Whatever a rule in CEL of these kinds refuses, one of ours refuses, and nothing else.

const RULES = [...CLUSTER_API_RULES, ...KUBEADM_MANIFEST_RULES].filter(({ source }) => source.includes('x-kubernetes-validations'));
const KUBEADM = ['bootstrap.cluster.x-k8s.io/v1beta2/KubeadmConfig', 'bootstrap.cluster.x-k8s.io/v1beta2/KubeadmConfigTemplate', 'controlplane.cluster.x-k8s.io/v1beta2/KubeadmControlPlane', 'controlplane.cluster.x-k8s.io/v1beta2/KubeadmControlPlaneTemplate'];
const WATCHING = ['cluster.x-k8s.io/v1beta2/Cluster', 'cluster.x-k8s.io/v1beta2/ClusterClass', 'cluster.x-k8s.io/v1beta2/MachineHealthCheck'];

const validator = SchemaValidator.load();
const schemas = CrdSchemas.load();

function expectAgreement(object: ManifestObject): void {
  const refused = validator.validate(object).length;
  expect([object, findingsIn(RULES, [object]).length > 0]).toEqual([object, refused > 0]);
}

const someArguments = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.constant('') }), { minLength: 1, maxLength: 3 });
const type = fc.constantFrom('Linux', 'LVM', 'linux', 'Fat32 ', '0FC63DAF-8483-4772-8E79-3D69D8477DE4', '0FC63DAF-8483-4772-8E79', undefined);
const share = fc.record({ percentage: fc.constant(10), partitionType: type })
  .map(({ percentage, partitionType }) => ({ percentage, ...(partitionType && { partitionType }) }));
const diskLayout = fc.array(share, { minLength: 1, maxLength: 2 });
const partition = fc.oneof<fc.Arbitrary<object>[]>(
  fc.constant({}), fc.record({ layout: fc.boolean() }), fc.record({ diskLayout }), fc.record({ layout: fc.boolean(), diskLayout }),
).map((fields) => ({ device: '/dev/vdb', ...fields }));
const extraArgs = fc.record({ extraArgs: someArguments });
const nodeRegistration = fc.record({ nodeRegistration: fc.record({ kubeletExtraArgs: someArguments }) });

/** Each with one place that may be wrong. */
const kubeadm = fc.oneof(
  ...['apiServer', 'controllerManager', 'scheduler'].map((component) => fc.record({ clusterConfiguration: fc.record({ [component]: extraArgs }) })),
  fc.record({ clusterConfiguration: fc.record({ etcd: fc.record({ local: extraArgs }) }) }),
  fc.record({ initConfiguration: nodeRegistration }),
  fc.record({ joinConfiguration: nodeRegistration }),
  fc.record({ diskSetup: fc.record({ partitions: fc.array(partition, { minLength: 1, maxLength: 1 }) }) }),
);

const MACHINES = { infrastructureRef: { apiGroup: 'a.example.com', kind: 'ATemplate', name: 'a' } };

test.each(KUBEADM)('%s', (name) => {
  const [group, version, kind] = name.split('/');
  const wrap = (spec: object): object => {
    switch (kind) {
      case 'KubeadmConfig': return spec;
      case 'KubeadmConfigTemplate': return { template: { spec } };
      case 'KubeadmControlPlane': return { version: 'v1.35.4', machineTemplate: { spec: MACHINES }, kubeadmConfigSpec: spec };
      default: return { template: { spec: { kubeadmConfigSpec: spec } } };
    }
  };
  fc.assert(fc.property(kubeadm, (spec) => {
    expectAgreement({ apiVersion: `${group}/${version}`, kind, metadata: { name: 'a', namespace: 't' }, spec: wrap(spec) });
  }), { numRuns: amount(300, 80) });
});

test.each(WATCHING)('%s', (name) => {
  const [group, version, kind] = name.split('/');
  const template = (of: string) => ({ templateRef: { apiVersion: 'a.example.com/v1', kind: of, name: 'a' } });
  const wrap = (checks: object): object => {
    const owner = { healthCheck: { checks } };
    switch (kind) {
      case 'Cluster': return { topology: { classRef: { name: 'a' }, version: 'v1.35.4', controlPlane: owner, workers: { machineDeployments: [{ name: 'a', class: 'b', ...owner }] } } };
      case 'ClusterClass': return {
        infrastructure: template('ATemplate'),
        controlPlane: { ...template('BTemplate'), ...owner },
        workers: { machineDeployments: [{ class: 'b', bootstrap: template('CTemplate'), infrastructure: template('DTemplate'), ...owner }] },
      };
      default: return { clusterName: 'a', selector: { matchLabels: { a: 'b' } }, checks };
    }
  };
  const condition = fc.constantFrom('Ready', 'Available', 'NodeHealthy', 'HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated', 'ready');
  fc.assert(fc.property(fc.uniqueArray(condition, { minLength: 1, maxLength: 3 }), (types) => {
    const unhealthyMachineConditions = types.map((one) => ({ type: one, status: 'False', timeoutSeconds: 60 }));
    expectAgreement({ apiVersion: `${group}/${version}`, kind, metadata: { name: 'a', namespace: 't' }, spec: wrap({ unhealthyMachineConditions }) });
  }));
});

test('these kinds have no other rules in CEL', () => {
  const known = [/^\[has\(self\.layout\),has\(self\.diskLayout\)\]/, /^self\.all\(x, self\.exists_one\(y, x\.name == y\.name\)\)$/, /^self\.matches\('\^\(Linux\|/, /^!\(self in \['Ready',/];
  const kinds = [...KUBEADM, ...WATCHING, ...['ClusterResourceSet', 'Machine', 'MachineDeployment', 'MachinePool', 'MachineSet'].map((kind) => `${kind === 'ClusterResourceSet' ? 'addons.' : ''}cluster.x-k8s.io/v1beta2/${kind}`)];
  const expressions = kinds.flatMap((name) => {
    const [group, version, kind] = name.split('/');
    return ['v1beta1', version].flatMap((one) => [...rulesOf(schemas.find(`${group}/${one}`, kind)!.schema)].map(([, { rule }]) => rule));
  });

  expect(expressions.length).toBeGreaterThan(30);
  expect(expressions.filter((expression) => !known.some((pattern) => pattern.test(expression)))).toEqual([]);
});
