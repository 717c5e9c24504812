import { CLUSTER_API_RULES } from '../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { findings } from '../rules-under-test';

/** Findings in a MachineDeployment with these lines in its metadata, its spec and its machines. */
function inPool({ metadata = '', spec = '', machine = '', kind = 'MachineDeployment', version = 'v1beta2', name = 'acme-general' }): string[] {
  return found(pool({ metadata, spec, machine, kind, version, name }));
}

function pool({ metadata = '', spec = '', machine = '', kind = 'MachineDeployment', version = 'v1beta2', name = 'acme-general' }): string {
  return `apiVersion: cluster.x-k8s.io/${version}
kind: ${kind}
metadata: {name: ${name}, namespace: tenant-acme, ${metadata}}
spec:
  clusterName: acme
  ${spec}
  template:
    metadata: {labels: {role: worker}}
    spec:
      clusterName: acme
      bootstrap: {dataSecretName: ""}
      infrastructureRef: {kind: VultrMachineTemplate, name: general}
      ${machine}
`;
}

function found(text: string): string[] {
  return findings(CLUSTER_API_RULES, text).map((line) => line.split(':')[0]);
}

const MIN = '"cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size"';
const MAX = '"cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"';
const bounds = (least: string, most: string) => `annotations: {${MIN}: "${least}", ${MAX}: "${most}"}`;

test.each(['MachineDeployment', 'MachineSet', 'MachinePool'])('a %s that is right has no findings, in both versions', (kind) => {
  expect(inPool({ kind })).toEqual([]);
  expect(inPool({ kind, version: 'v1beta1' })).toEqual([]);
});

describe('rollout', () => {
  const at = 'spec.rollout.strategy.rollingUpdate';

  test.each([
    ['{type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}', [`TC-ADMIT-POOL-ROLLOUT ${at}`]],
    // maxUnavailable is 0 where nothing is said, and maxSurge 1.
    ['{type: RollingUpdate, rollingUpdate: {maxSurge: 0}}', [`TC-ADMIT-POOL-ROLLOUT ${at}`]],
    ['{rollingUpdate: {maxSurge: 0}}', [`TC-ADMIT-POOL-ROLLOUT ${at}`]],
    ['{rollingUpdate: {maxUnavailable: 0}}', []],
    ['{type: OnDelete, rollingUpdate: {maxSurge: 0}}', []],
    ['{rollingUpdate: {maxSurge: "0%"}}', [`TC-TRAP-POOL-ROLLOUT ${at}`]],
    ['{rollingUpdate: {maxSurge: "0%", maxUnavailable: "0%"}}', [`TC-TRAP-POOL-ROLLOUT ${at}`]],
    ['{rollingUpdate: {maxSurge: "10%", maxUnavailable: "0%"}}', []],
    ['{rollingUpdate: {maxSurge: -1, maxUnavailable: "110%"}}', [`TC-TRAP-POOL-COUNT ${at}.maxSurge`, `TC-TRAP-POOL-COUNT ${at}.maxUnavailable`]],
    ['{rollingUpdate: {maxSurge: "200%", maxUnavailable: "100%"}}', []],
    ['{rollingUpdate: {maxSurge: "1", maxUnavailable: "x"}}', [`TC-ADMIT-POOL-COUNT ${at}.maxSurge`, `TC-ADMIT-POOL-COUNT ${at}.maxUnavailable`]],
  ])('%s', (strategy, expected) => {
    expect(inPool({ spec: `rollout: {strategy: ${strategy}}` })).toEqual(expected);
    expect(inPool({ version: 'v1beta1', spec: `strategy: ${strategy}` })).toEqual(expected.map((line) => line.replace('rollout.', '')));
  });

  test('machines in replacement are a number or a percentage above 0', () => {
    expect(inPool({ spec: 'remediation: {maxInFlight: 0}' })).toEqual(['TC-TRAP-POOL-COUNT spec.remediation.maxInFlight']);
    expect(inPool({ spec: 'remediation: {maxInFlight: "20%"}' })).toEqual([]);
    expect(inPool({ spec: 'remediation: {maxInFlight: "3"}' })).toEqual(['TC-ADMIT-POOL-COUNT spec.remediation.maxInFlight']);
    expect(inPool({ version: 'v1beta1', spec: 'strategy: {remediation: {maxInFlight: "3"}}' })).toEqual(['TC-ADMIT-POOL-COUNT spec.strategy.remediation.maxInFlight']);
  });
});

describe('size', () => {
  test.each([
    [bounds('1', '10'), '', []],
    [bounds('1.5', '10'), '', ['TC-ADMIT-POOL-AUTOSCALER']],
    [bounds('1', '3000000000'), '', ['TC-ADMIT-POOL-AUTOSCALER']],
    // With replicas, nobody reads the bounds but the autoscaler.
    [bounds('1.5', '10'), 'replicas: 1', ['TC-TRAP-POOL-AUTOSCALER-BOUND', 'TC-TRAP-POOL-AUTOSCALER-REPLICAS']],
    [bounds('-1', '10'), '', ['TC-TRAP-POOL-AUTOSCALER-BOUND']],
    [bounds('10', '1'), '', ['TC-TRAP-POOL-AUTOSCALER-ORDER']],
    [bounds('0', '0'), '', ['TC-TRAP-POOL-AUTOSCALER-ORDER']],
    [`annotations: {${MAX}: "10"}`, '', ['TC-TRAP-POOL-AUTOSCALER-BOUND']],
    [`annotations: {${MAX}: "10"}`, 'replicas: 2', ['TC-TRAP-POOL-AUTOSCALER-BOUND']],
    ['', 'replicas: 0', []],
  ])('%s %s', (metadata, spec, ids) => {
    for (const kind of ['MachineDeployment', 'MachineSet', 'MachinePool']) {
      expect(inPool({ kind, metadata, spec }).map((line) => line.split(' ')[0])).toEqual(ids);
    }
  });
});

describe('selector', () => {
  test.each([
    ['{matchLabels: {role: worker}}', []],
    ['{matchLabels: {role: gpu}}', ['TC-ADMIT-POOL-SELECTOR-MATCH spec.template.metadata.labels']],
    // The webhook writes the cluster's name into both.
    ['{matchLabels: {cluster.x-k8s.io/cluster-name: other}}', []],
    ['{matchExpressions: [{key: role, operator: NotIn, values: [worker]}]}', ['TC-ADMIT-POOL-SELECTOR-MATCH spec.template.metadata.labels']],
    ['{matchExpressions: [{key: role, operator: Is}]}', ['TC-ADMIT-POOL-SELECTOR spec.selector.matchExpressions.0.operator']],
    ['{}', []],
  ])('%s', (selector, expected) => {
    expect(inPool({ spec: `selector: ${selector}` })).toEqual(expected);
  });

  test('a MachineSet has the cluster\'s name only where it is written', () => {
    expect(inPool({ kind: 'MachineSet', spec: 'selector: {matchLabels: {cluster.x-k8s.io/cluster-name: acme}}' }))
      .toEqual(['TC-ADMIT-POOL-SELECTOR-MATCH spec.template.metadata.labels']);
  });

  const labelled = (kind: string, name: string, labels: string, metadata = '') => found(
    pool({ kind, name, metadata, spec: `selector: {matchLabels: {${labels}}}` }).replace('{labels: {role: worker}}', `{labels: {${labels}}}`));

  test.each([
    // A copy whose labels still name the original.
    ['MachineDeployment', 'acme-other', 'cluster.x-k8s.io/deployment-name: acme-general', '', 'deployment-name'],
    ['MachineDeployment', 'acme-general', 'cluster.x-k8s.io/deployment-name: acme-general', '', undefined],
    // The names of MachineSets are generated.
    ['MachineDeployment', 'acme-general', 'cluster.x-k8s.io/set-name: acme-general', '', 'set-name'],
    ['MachineSet', 'acme-general', 'cluster.x-k8s.io/set-name: acme-other', '', 'set-name'],
    ['MachineSet', 'acme-general', 'cluster.x-k8s.io/set-name: acme-general', '', undefined],
    ['MachineSet', 'a'.repeat(64), 'cluster.x-k8s.io/set-name: hash_1_z', '', undefined],
    ['MachineSet', 'acme-general', 'cluster.x-k8s.io/deployment-name: acme-other', '', undefined],
    ['MachineSet', 'acme-general', 'cluster.x-k8s.io/deployment-name: acme-other', 'labels: {cluster.x-k8s.io/deployment-name: acme-general}', 'deployment-name'],
    // The controller replaces it in the selector too.
    ['MachineDeployment', 'acme-general', 'machine-template-hash: "1"', '', undefined],
  ])('a %s "%s" that selects by %s%s', (kind, name, labels, metadata, overwritten) => {
    expect(labelled(kind, name, labels, metadata)).toEqual(overwritten === undefined ? [] : [
      `TC-TRAP-POOL-SELECTOR-OVERWRITTEN spec.selector.matchLabels.cluster.x-k8s.io/${overwritten}`,
    ]);
  });

  test.each([
    ['{key: cluster.x-k8s.io/deployment-name, operator: In, values: [acme-other]}', true],
    ['{key: cluster.x-k8s.io/deployment-name, operator: In, values: [acme-other, acme-general]}', false],
    ['{key: machine-template-hash, operator: In, values: [acme-other]}', true],
    ['{key: cluster.x-k8s.io/deployment-name, operator: Exists}', false],
  ])('a pool that selects by %s', (expression, overwritten) => {
    const text = pool({ spec: `selector: {matchExpressions: [${expression}]}` })
      .replace('{role: worker}', '{cluster.x-k8s.io/deployment-name: acme-other, machine-template-hash: acme-other}');

    expect(found(text)).toEqual(overwritten ? ['TC-TRAP-POOL-SELECTOR-OVERWRITTEN spec.selector.matchExpressions.0'] : []);
  });

  test('a copy beside its original is told what happens, and not that the two overlap', () => {
    const own = (name: string) => pool({ name, spec: 'selector: {matchLabels: {cluster.x-k8s.io/deployment-name: acme-general}}' })
      .replace('{role: worker}', '{cluster.x-k8s.io/deployment-name: acme-general}');

    expect(findings(CLUSTER_API_RULES, `${own('acme-general')}---\n${own('acme-other')}`)).toEqual([
      'TC-TRAP-POOL-SELECTOR-OVERWRITTEN spec.selector.matchLabels.cluster.x-k8s.io/deployment-name: Cluster API gives each machine "acme-other" as '
      + 'cluster.x-k8s.io/deployment-name, so that the pool does not find the machines that it has created, and creates machines without end',
    ]);
  });

  test('pools without a selector, or of other clusters, do not overlap', () => {
    const shared = 'selector: {matchLabels: {role: worker}}';

    expect(found(`${pool({ spec: shared })}---\n${pool({ name: 'acme-gpu', spec: shared })}`)).toHaveLength(2);
    expect(found(`${pool({ spec: shared })}---\n${pool({ name: 'beta-gpu', spec: shared }).replaceAll('clusterName: acme', 'clusterName: beta')}`)).toEqual([]);
    expect(found(`${pool({ spec: shared })}---\n${pool({ name: 'acme-gpu', spec: shared }).replace('namespace: tenant-acme', 'namespace: other')}`)).toEqual([]);
    expect(found(`${pool({ spec: 'selector: {}' })}---\n${pool({ name: 'acme-gpu', spec: 'selector: {}' })}`)).toEqual([]);
    // One selects by its name, and the other one everything that it can.
    expect(found(`${pool({ spec: 'selector: {}' })}---\n${pool({ name: 'acme-gpu', spec: shared })}`)).toEqual(['TC-TRAP-POOL-SELECTOR-OVERLAP spec.selector']);
  });
});

describe('machines', () => {
  test.each([
    ['version: v1.35.4', []],
    ['version: 1.35.4', []],
    ['version: v1.36.0-rc.1+build', []],
    ['version: v1.35', ['TC-ADMIT-MACHINE-VERSION']],
    ['version: v01.35.4', ['TC-ADMIT-MACHINE-VERSION']],
    ['version: vv1.35.4', ['TC-ADMIT-MACHINE-VERSION']],
    ['version: ""', []],
    ['taints: [{key: example.com/a, effect: NoSchedule, propagation: Always}]', ['TC-ADMIT-MACHINE-TAINT-GATE']],
    ['taints: [{key: node.kubernetes.io/out-of-service, effect: NoSchedule, propagation: Always}]', ['TC-ADMIT-MACHINE-TAINT-GATE']],
    ['taints: [{key: node.kubernetes.io/a, effect: NoSchedule, propagation: Always}]', ['TC-ADMIT-MACHINE-TAINT', 'TC-ADMIT-MACHINE-TAINT-GATE']],
    ['taints: [{key: node-role.kubernetes.io/control-plane, effect: NoSchedule, propagation: Always}]', ['TC-ADMIT-MACHINE-TAINT', 'TC-ADMIT-MACHINE-TAINT-GATE']],
    ['taints: []', []],
  ])('%s', (machine, ids) => {
    expect(inPool({ machine }).map((line) => line.split(' ')[0])).toEqual(ids);
    expect(inPool({ machine, version: 'v1beta1' }).map((line) => line.split(' ')[0])).toEqual(ids);
  });

  test('machines of a control plane may have its taint', () => {
    const machine = (labels: string) => `apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata: {name: a, namespace: b, labels: {${labels}}}
spec: {clusterName: acme, bootstrap: {dataSecretName: a}, taints: [{key: node-role.kubernetes.io/control-plane, effect: NoSchedule, propagation: Always}]}
`;

    expect(found(machine('"cluster.x-k8s.io/control-plane": ""'))).toEqual(['TC-ADMIT-MACHINE-TAINT-GATE spec.taints']);
    expect(found(machine(''))).toEqual(['TC-ADMIT-MACHINE-TAINT spec.taints.0.key', 'TC-ADMIT-MACHINE-TAINT-GATE spec.taints']);
  });

  test('machines of a MachinePool are set up by the pool', () => {
    const machine = (metadata: string) => `apiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\nmetadata: {name: a, ${metadata}}\nspec: {clusterName: acme, bootstrap: {}}\n`;

    expect(found(machine(''))).toEqual(['TC-ADMIT-MACHINE-BOOTSTRAP spec.bootstrap']);
    expect(found(machine('labels: {"cluster.x-k8s.io/pool-name": general}'))).toEqual([]);
    expect(found(machine('ownerReferences: [{kind: MachinePool, name: general}]'))).toEqual([]);
  });

  test('names of machines, in both versions', () => {
    expect(inPool({ spec: 'machineNaming: {template: "{{ .machineSet.name }}-{{ .random }}"}' })).toEqual([]);
    expect(inPool({ spec: 'machineNaming: {template: "{{.random}}"}' })).toEqual(['TC-ADMIT-MACHINE-NAMING spec.machineNaming.template']);
    expect(inPool({ spec: 'machineNaming: {template: "{{ .kubeadmControlPlane.name }}-{{ .random }}"}' })).toEqual(['TC-ADMIT-MACHINE-NAMING spec.machineNaming.template']);
    expect(inPool({ version: 'v1beta1', spec: 'machineNamingStrategy: {template: "Worker-{{ .random }}"}' })).toEqual(['TC-ADMIT-MACHINE-NAMING spec.machineNamingStrategy.template']);
  });

  test('several preflight checks, with spaces', () => {
    const skip = (names: string) => inPool({ metadata: `annotations: {"machineset.cluster.x-k8s.io/skip-preflight-checks": "${names}"}` });

    expect(skip('KubeadmVersionSkew, ControlPlaneIsStable')).toEqual([]);
    expect(skip('All,')).toEqual(['TC-ADMIT-POOL-PREFLIGHT metadata.annotations.machineset.cluster.x-k8s.io/skip-preflight-checks']);
    expect(skip('')).toEqual([]);
  });
});

test('the cluster\'s name in selector and labels is written by webhooks, whatever stands there', () => {
  const own = pool({ spec: 'selector: {matchLabels: {role: worker, cluster.x-k8s.io/cluster-name: a/b}}' })
    .replace('labels: {role: worker}', 'labels: {role: worker, cluster.x-k8s.io/cluster-name: a/b}');
  expect(found(own)).toEqual([]);
  expect(found(own.replaceAll('cluster.x-k8s.io/cluster-name', 'team')).map((line) => line.split(' ')[0])).toEqual(['TC-ADMIT-MACHINE-METADATA', 'TC-ADMIT-POOL-SELECTOR']);
});
