import { CLUSTER_API_RULES } from '../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { clusterClassYaml, gateYaml } from '../../../../src/manifests/rules/cluster-api/example-manifests';
import { findings } from '../rules-under-test';

const REFS = 'controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}';

function cluster(spec: string, version = 'v1beta2', metadata = ''): string {
  return `apiVersion: cluster.x-k8s.io/${version}\nkind: Cluster\nmetadata: {name: acme, namespace: t, ${metadata}}\nspec: {${spec}}\n`;
}

function found(text: string): string[] {
  return findings(CLUSTER_API_RULES, text).map((line) => line.split(':')[0]);
}


test.each([
  ['kube-system', ['TC-TRAP-CLUSTER-NAMESPACE metadata.namespace: "kube-system" has the prefix "kube-", which Kubernetes reserves for itself']],
  ['default', ['TC-TRAP-CLUSTER-NAMESPACE metadata.namespace: "default" is no namespace for a tenant: objects without a namespace end up there']],
  ['flux-system', [expect.stringContaining('Flux runs there')]],
  ['tenant-acme', []],
  ['kube', []],
])('a cluster in the namespace %s', (namespace, expected) => {
  expect(findings(CLUSTER_API_RULES, cluster(REFS).replace('namespace: t,', `namespace: ${namespace},`))).toEqual(expected);
});

describe('networks', () => {
  const at = 'spec.clusterNetwork';

  test.each([
    ['pods: {cidrBlocks: [10.243.0.0/16]}, services: {cidrBlocks: [10.95.0.0/16]}', []],
    ['pods: {cidrBlocks: [10.243.0.0/16, "fd00:10::/48"]}, services: {cidrBlocks: [10.95.0.0/16, "fd00:11::/112"]}', []],
    ['pods: {cidrBlocks: [10.243.0.0/16]}', []],
    ['pods: {cidrBlocks: [10.243.0.0]}', [`TC-ADMIT-CLUSTER-NETWORK ${at}.pods.cidrBlocks.0`]],
    ['pods: {cidrBlocks: [10.243.0.0/33]}', [`TC-ADMIT-CLUSTER-NETWORK ${at}.pods.cidrBlocks.0`]],
    ['services: {cidrBlocks: ["fe80::1%eth0/64"]}', [`TC-ADMIT-CLUSTER-NETWORK ${at}.services.cidrBlocks.0`]],
    // Go reads these, and Kubernetes does not.
    ['pods: {cidrBlocks: ["::ffff:10.0.0.0/104"]}', [`TC-TRAP-CLUSTER-NETWORK-BLOCK ${at}.pods.cidrBlocks.0`]],
    ['pods: {cidrBlocks: [10.0.0.0/08]}', [`TC-TRAP-CLUSTER-NETWORK-BLOCK ${at}.pods.cidrBlocks.0`]],
    ['pods: {cidrBlocks: [10.243.0.1/16]}', [`TC-TRAP-CLUSTER-NETWORK-BLOCK ${at}.pods.cidrBlocks.0`]],
    // And these are not routed.
    ['services: {cidrBlocks: [169.254.0.0/16]}', [`TC-TRAP-CLUSTER-NETWORK-BLOCK ${at}.services.cidrBlocks.0`]],
    ['pods: {cidrBlocks: [10.243.0.0/16, 10.244.0.0/16]}', [`TC-TRAP-CLUSTER-NETWORK-FAMILIES ${at}.pods.cidrBlocks`]],
    ['pods: {cidrBlocks: [10.243.0.0/16]}, services: {cidrBlocks: ["fd00:11::/112"]}', [`TC-TRAP-CLUSTER-NETWORK-FAMILIES ${at}.services.cidrBlocks`]],
    ['pods: {cidrBlocks: [10.0.0.0/8]}, services: {cidrBlocks: [10.95.0.0/16]}', [`TC-TRAP-CLUSTER-NETWORK-OVERLAP ${at}.services.cidrBlocks.0`]],
    ['services: {cidrBlocks: [10.95.0.0/29]}', [`TC-TRAP-CLUSTER-NETWORK-SIZE ${at}.services.cidrBlocks.0`]],
    ['services: {cidrBlocks: [10.0.0.0/8]}', []],
    ['serviceDomain: cluster.local', []],
    ['serviceDomain: acme', [`TC-TRAP-CLUSTER-NETWORK-DOMAIN ${at}.serviceDomain`]],
    ['serviceDomain: Acme.local', [`TC-TRAP-CLUSTER-NETWORK-DOMAIN ${at}.serviceDomain`]],
  ])('%s', (network, expected) => {
    expect(found(cluster(`${REFS}, clusterNetwork: {${network}}`))).toEqual(expected);
  });

  test('kubeadm takes a domain without dots, and no large range of Services', () => {
    const kubeadm = REFS.replace('Kamaji', 'Kubeadm');

    expect(found(cluster(`${kubeadm}, clusterNetwork: {serviceDomain: acme}`))).toEqual([]);
    expect(found(cluster(`${kubeadm}, clusterNetwork: {services: {cidrBlocks: [10.0.0.0/8]}}`))).toEqual([`TC-TRAP-CLUSTER-NETWORK-SIZE ${at}.services.cidrBlocks.0`]);
  });

  test.each([['Kubeadm', '10.95.0.0/16, "fd00:11::/112"', 0], ['Kamaji', '10.95.0.0/16, "fd00:11::/112"', 1], ['Kubeadm', '"fd00:11::/112"', 1]])(
    'a second family of Services alone: %s, %s', (kind, services, count) => {
      const network = `clusterNetwork: {pods: {cidrBlocks: [10.243.0.0/16]}, services: {cidrBlocks: [${services}]}}`;
      expect(found(cluster(`${REFS.replace('Kamaji', kind)}, ${network}`)).filter((text) => text.includes('FAMILIES'))).toHaveLength(count);
    });

  test.each([['Kubeadm', 0], ['Kamaji', 1]])('a second family of Services alone in a topology: %s', (kind, count) => {
    const networks = 'pods: {cidrBlocks: [10.243.0.0/16]}, services: {cidrBlocks: [10.95.0.0/16, "fd00:11::/112"]}';
    const topology = cluster(`topology: {classRef: {name: small}, version: v1.35.4}, clusterNetwork: {${networks}}`).replace('namespace: t,', 'namespace: tenant-acme,');
    const clusterClass = clusterClassYaml('').replace('kind: KamajiControlPlaneTemplate', `kind: ${kind}ControlPlaneTemplate`);

    expect(found(`${topology}---\n${clusterClass}`).filter((text) => text.includes('FAMILIES'))).toHaveLength(count);
    expect(found(topology).filter((text) => text.includes('FAMILIES'))).toEqual([]);
  });

  test('the version of the control plane decides about large ranges', () => {
    const within = (version: string) => `${cluster(`${REFS}, clusterNetwork: {services: {cidrBlocks: [10.0.0.0/8]}}`)}---
apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: acme, namespace: t}
spec: {version: ${version}}
`;

    expect(found(within('1.33.7'))).toEqual([`TC-TRAP-CLUSTER-NETWORK-SIZE ${at}.services.cidrBlocks.0`]);
    expect(found(within('1.34.0'))).toEqual([]);
  });
});

test('a Cluster consists of something', () => {
  expect(found(cluster('paused: true'))).toEqual(['TC-ADMIT-CLUSTER-PARTS spec']);
  expect(found(cluster('controlPlaneRef: {}'))).toEqual(['TC-ADMIT-CLUSTER-PARTS spec']);
  expect(found(cluster('infrastructureRef: {kind: VultrCluster, name: acme}'))).toEqual([]);
});

const provider = (spec: string) => gateYaml().replace(/spec:[^]*/, `spec: {${spec}}\n`);

test.each([
  ['unknown', '', []],
  ['off', gateYaml('RuntimeSDK'), ['TC-ADMIT-TOPOLOGY-GATE spec.topology']],
  ['off by default', provider('version: v1.14.0'), ['TC-ADMIT-TOPOLOGY-GATE spec.topology']],
  ['off, since stated gates replace variables', provider('configSecret: {name: variables}, manager: {featureGates: {RuntimeSDK: true}}'), ['TC-ADMIT-TOPOLOGY-GATE spec.topology']],
  ['on', gateYaml('ClusterTopology'), []],
  ['on in one of two management clusters', gateYaml('ClusterTopology') + provider('version: v1.14.0'), []],
  ['a variable in a Secret', provider('configSecret: {name: variables}'), []],
  ['an argument', provider('manager: {featureGates: {RuntimeSDK: true}, additionalArgs: {--feature-gates: ClusterTopology=true}}'), []],
  ['an argument of the container', provider('deployment: {containers: [{name: manager, args: {--feature-gates: ClusterTopology=true}}]}'), []],
  ['in a patch', provider('manifestPatches: [a]'), []],
  ['off in a provider of machines alone', provider('version: v1.14.0').replace('CoreProvider', 'BootstrapProvider'), []],
])('a topology where the gate is %s', (_, providers, expected) => {
  expect(found(cluster('topology: {classRef: {name: small}, version: v1.35.4}') + providers)).toEqual(expected);
});

test('a class whose gate is off is refused once', () => {
  const off = provider('version: v1.14.0');
  const topology = cluster('topology: {classRef: {name: small}, version: v1.35.4}');
  const gates = (text: string) => found(text).filter((line) => line.startsWith('TC-ADMIT-TOPOLOGY-GATE'));

  expect(gates(clusterClassYaml('') + off)).toEqual(['TC-ADMIT-TOPOLOGY-GATE spec']);
  expect(gates(`${topology}---\n${clusterClassYaml('')}` + off)).toEqual(['TC-ADMIT-TOPOLOGY-GATE spec.topology']);
});

test('what the templates of upstream have on purpose is warned of', () => {
  const warned = CLUSTER_API_RULES.filter(({ id }) => ['TC-TRAP-CLUSTER-REFERENCE', 'TC-TRAP-CLUSTER-REFERENCE-GROUP'].includes(id));
  expect(warned.map(({ warning }) => warning)).toEqual([true, undefined]);
});

describe('v1beta1', () => {
  test('references have a namespace and a group', () => {
    const reference = (namespace: string, apiVersion = 'controlplane.cluster.x-k8s.io/v1alpha2') => (
      cluster(`controlPlaneRef: {apiVersion: ${apiVersion}, kind: KamajiControlPlane, name: acme${namespace}}`, 'v1beta1')
    );

    expect(found(reference(''))).toEqual(['TC-TRAP-CLUSTER-REFERENCE spec.controlPlaneRef']);
    expect(found(reference(', namespace: t'))).toEqual([]);
    expect(found(reference(', namespace: t', 'v1alpha2'))).toEqual(['TC-TRAP-CLUSTER-REFERENCE-GROUP spec.controlPlaneRef.apiVersion']);
    expect(found(reference(', namespace: t', '""'))).toEqual(['TC-TRAP-CLUSTER-REFERENCE-GROUP spec.controlPlaneRef.apiVersion']);
  });

  test('ports are ports, or none', () => {
    const reference = 'apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: DockerCluster, name: acme, namespace: t';
    const ports = (bound: number, endpoint: number) => found(
      cluster(`clusterNetwork: {apiServerPort: ${bound}}, controlPlaneEndpoint: {host: a, port: ${endpoint}}, infrastructureRef: {${reference}}`, 'v1beta1'),
    );
    expect([ports(6443, 443), ports(0, 0), ports(65535, 65536), ports(-1, 1)]).toEqual([
      [], [], ['TC-TRAP-CLUSTER-PORT spec.controlPlaneEndpoint.port'], ['TC-TRAP-CLUSTER-PORT spec.clusterNetwork.apiServerPort'],
    ]);
  });

  test('fields that are lost', () => {
    const topology = 'topology: {class: small, version: v1.35.4, rolloutAfter: "2026-01-01T00:00:00Z", variables: [{name: a}, {name: b, definitionFrom: c}]}';

    expect(found(cluster(topology, 'v1beta1'))).toEqual([
      'TC-TRAP-CLUSTER-REMOVED-FIELD spec.topology.rolloutAfter', 'TC-TRAP-CLUSTER-REMOVED-FIELD spec.topology.variables.1.definitionFrom',
    ]);
  });
});

describe('topology', () => {
  const CLASS = `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: small, namespace: t}
spec:
  controlPlane: {templateRef: {apiVersion: a/v1, kind: ATemplate, name: a}, MACHINES}
  workers: {machineDeployments: [{class: worker, metadata: {annotations: ANNOTATIONS}, healthCheck: CHECK}], machinePools: [{class: pool}]}
  kubernetesVersions: [v1.34.7, v1.35.4]
  variables: [{name: image, required: true, schema: {openAPIV3Schema: {type: string}}}, {name: size, required: true, schema: {openAPIV3Schema: {type: string, default: small}}}]
`;
  const classed = ({ machines = '', annotations = '{}', check = '{}' } = {}) => (
    CLASS.replace('MACHINES', machines).replace('ANNOTATIONS', annotations).replace('CHECK', check)
  );
  const VALUES = 'variables: [{name: image, value: a}]';
  const topology = (rest: string, version = 'v1.35.4', values = VALUES) => cluster(`topology: {classRef: {name: small}, version: ${version}, ${values}, ${rest}}`);
  const pools = (fields: string, list = 'machineDeployments') => `workers: {${list}: [{name: general, ${fields}}]}`;
  const at = 'spec.topology.workers.machineDeployments.0';
  const MIN = '{"cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "1"}';

  test.each([
    [pools('class: worker'), []],
    [pools('class: pool', 'machinePools'), []],
    [pools('class: pool'), [`TC-ADMIT-TOPOLOGY-CLASS ${at}.class`]],
    [pools(`class: worker, replicas: 1, metadata: {annotations: ${MIN}}`), [`TC-ADMIT-TOPOLOGY-REPLICAS ${at}.replicas`]],
    [pools(`class: worker, metadata: {annotations: ${MIN}}`), [`TC-TRAP-POOL-AUTOSCALER-BOUND ${at}.metadata.annotations.cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size`]],
    [pools('class: worker, metadata: {labels: {"a b": c}}'), [`TC-ADMIT-MACHINE-METADATA ${at}.metadata.labels.a b`]],
    [pools('class: worker, rollout: {strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}}'), [`TC-ADMIT-POOL-ROLLOUT ${at}.rollout.strategy.rollingUpdate`]],
    // Nothing is defaulted here.
    [pools('class: worker, rollout: {strategy: {rollingUpdate: {maxSurge: 0}}}'), []],
    [pools('class: worker, healthCheck: {enabled: true}'), [`TC-ADMIT-TOPOLOGY-HEALTH-CHECK-EMPTY ${at}.healthCheck.enabled`]],
    [pools('class: worker, healthCheck: {enabled: false}'), []],
    [pools('class: worker, healthCheck: {checks: {nodeStartupTimeoutSeconds: 10}}'), [`TC-ADMIT-HEALTH-CHECK-STARTUP ${at}.healthCheck.checks.nodeStartupTimeoutSeconds`]],
    [pools('class: worker, healthCheck: {remediation: {maxInFlight: "1"}}'), [`TC-ADMIT-POOL-COUNT ${at}.healthCheck.remediation.maxInFlight`]],
    [pools('class: worker, taints: [{key: node.cluster.x-k8s.io/uninitialized}]').replace('general', 'a'), [`TC-ADMIT-MACHINE-TAINT ${at}.taints.0.key`, `TC-ADMIT-MACHINE-TAINT-GATE ${at}.taints`]],
    [pools('class: worker, variables: {overrides: [{name: imgae, value: a}]}'), [`TC-ADMIT-TOPOLOGY-VARIABLE ${at}.variables.overrides.0.name`]],
    ['controlPlane: {healthCheck: {checks: {nodeStartupTimeoutSeconds: 600}}}', ['TC-ADMIT-TOPOLOGY-HEALTH-CHECK spec.topology.controlPlane.healthCheck']],
  ])('%s', (rest, expected) => {
    expect(found(topology(rest) + classed()).filter((line) => !line.includes(' spec.controlPlane'))).toEqual(expected);
  });

  test('what the class has counts', () => {
    expect(found(topology(pools('class: worker, replicas: 1')) + classed({ annotations: MIN }))).toEqual([`TC-ADMIT-TOPOLOGY-REPLICAS ${at}.replicas`]);
    expect(found(topology(pools('class: worker, healthCheck: {enabled: true}')) + classed({ check: '{checks: {}}' }))).toEqual([]);
    expect(found(topology('controlPlane: {healthCheck: {checks: {}}}') + classed({ machines: 'machineInfrastructure: {}' }))).toEqual([]);
  });

  test('versions and variables are those of the class', () => {
    expect(found(topology('', '1.34.7') + classed())).toEqual([]);
    expect(found(topology('', 'v1.35.5') + classed())).toEqual(['TC-ADMIT-TOPOLOGY-VERSION spec.topology.version']);
    expect(found(topology('', 'v1.35.4', 'variables: [{name: imgae}]') + classed())).toEqual([
      'TC-ADMIT-TOPOLOGY-VARIABLE spec.topology.variables.0.name', 'TC-ADMIT-TOPOLOGY-VARIABLE spec.topology.variables',
    ]);
  });

  test('without its class, a topology is judged by itself', () => {
    expect(found(topology(pools('class: other'), 'v1.99.0', 'variables: [{name: any}]'))).toEqual([]);
  });

  test.each([['2', true], ['0', false], ['-1', false], ['1.5', false], ['', false]])('%j upgrades at a time', (text, isTaken) => {
    const metadata = `annotations: {topology.cluster.x-k8s.io/upgrade-concurrency: "${text}"}`;

    expect(found(cluster('topology: {classRef: {name: small}, version: v1.35.4}', 'v1beta2', metadata))).toHaveLength(isTaken ? 0 : 1);
    expect(found(cluster(REFS, 'v1beta2', metadata))).toEqual([]);
  });
});
