import { CLUSTER_API_RULES } from '../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { detailsIn, findings } from '../rules-under-test';

const CONTROL_PLANE = `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: t}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: acme}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: t}
spec: {replicas: 3}
`;

function check(spec: string, version = 'v1beta2', selector = '{matchLabels: {pool: a}}', name = 'a'): string {
  return `apiVersion: cluster.x-k8s.io/${version}\nkind: MachineHealthCheck\nmetadata: {name: ${name}, namespace: t}\nspec: {clusterName: acme, selector: ${selector}, ${spec}}\n`;
}

function pool(fields: string, metadata = '', name = 'a'): string {
  return `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: ${name}, namespace: t, ${metadata}}
spec: {clusterName: acme, ${fields}, template: {metadata: {labels: {pool: ${name}}}, spec: {clusterName: acme, bootstrap: {dataSecretName: a}}}}
`;
}

function ids(text: string): string[] {
  return findings(CLUSTER_API_RULES, text).map((line) => line.split(' ')[0]);
}

test.each([
  [0, []], [1, ['TC-ADMIT-HEALTH-CHECK-STARTUP']], [29, ['TC-ADMIT-HEALTH-CHECK-STARTUP']], [30, ['TC-TRAP-HEALTH-CHECK-SHORT']],
  [119, ['TC-TRAP-HEALTH-CHECK-SHORT']], [120, ['TC-TRAP-HEALTH-CHECK-TIGHT']], [299, ['TC-TRAP-HEALTH-CHECK-TIGHT']], [300, []], [1200, []],
])('%d seconds to start', (seconds, expected) => {
  expect(ids(check(`checks: {nodeStartupTimeoutSeconds: ${seconds}}`))).toEqual(expected);
  expect(ids(check(`nodeStartupTimeout: ${seconds}s`, 'v1beta1'))).toEqual(expected);
});

test.each([['2', []], ['0', ['TC-TRAP-HEALTH-CHECK-NONE']], ['"0%"', ['TC-TRAP-HEALTH-CHECK-NONE']], ['"40%"', []], ['"2"', ['TC-ADMIT-HEALTH-CHECK-LIMIT']], ['"40 %"', ['TC-ADMIT-HEALTH-CHECK-LIMIT']]])('up to %s unhealthy', (limit, expected) => {
  expect(ids(check(`remediation: {triggerIf: {unhealthyLessThanOrEqualTo: ${limit}}}`))).toEqual(expected);
  expect(ids(check(`maxUnhealthy: ${limit}`, 'v1beta1'))).toEqual(expected);
});

test.each([['[2-5]', []], ['[3-3]', []], ['[5-2]', ['TC-TRAP-HEALTH-CHECK-RANGE']], ['[2-5000000000]', ['TC-TRAP-HEALTH-CHECK-RANGE']], ['2-5', []]])('in the range %s', (range, expected) => {
  expect(ids(check(`remediation: {triggerIf: {unhealthyInRange: "${range}"}}`))).toEqual(expected);
  expect(ids(check(`unhealthyRange: "${range}"`, 'v1beta1'))).toEqual(expected);
});

test('conditions of machines, in both versions', () => {
  const conditions = (type: string) => `unhealthyMachineConditions: [{type: ${type}, status: "False", timeoutSeconds: 600}]`;

  expect(ids(check(`checks: {${conditions('OwnerRemediated')}}`))).toEqual(['TC-ADMIT-HEALTH-CHECK-CONDITION']);
  expect(ids(check(conditions('Available'), 'v1beta1'))).toEqual(['TC-ADMIT-HEALTH-CHECK-CONDITION']);
  expect(ids(check(`checks: {${conditions('NodeHealthy')}}`))).toEqual([]);
});

const HEALTHY = 'TC-TRAP-HEALTH-CHECK-HEALTHY status';
const NEVER_TYPE = 'TC-TRAP-HEALTH-CHECK-NEVER type';
const NEVER_STATUS = 'TC-TRAP-HEALTH-CHECK-NEVER status';
const NO_TIME = 'TC-TRAP-HEALTH-CHECK-TIMEOUT timeout';
const SHORT = 'TC-TRAP-HEALTH-CHECK-SHORT timeout';
const TIGHT = 'TC-TRAP-HEALTH-CHECK-TIGHT timeout';

test.each<[type: string, status: string, seconds: number, ofNode: string | undefined, ofMachine: string | undefined]>([
  ['Ready', 'True', 300, HEALTHY, undefined],
  ['Ready', 'False', 600, undefined, undefined],
  ['Ready', 'Unknown', 300, undefined, undefined],
  ['Ready', 'Unknown', 100, undefined, undefined],
  ['Ready', 'Unknown', 99, TIGHT, undefined],
  ['Ready', 'Unknown', 50, TIGHT, undefined],
  ['Ready', 'Unknown', 49, SHORT, undefined],
  ['Ready', 'False', 30, SHORT, undefined],
  ['Ready', 'Unknown', 0, NO_TIME, NO_TIME],
  ['Ready', 'false', 300, NEVER_STATUS, undefined],
  ['Ready', 'true', 300, NEVER_STATUS, undefined],
  ['Ready', 'Down', 300, NEVER_STATUS, undefined],
  ['ready', 'False', 300, NEVER_TYPE, undefined],
  ['Raedy', 'False', 300, NEVER_TYPE, undefined],
  ['NotReady', 'True', 300, NEVER_TYPE, NEVER_TYPE],
  ['Not Ready', 'True', 300, NEVER_TYPE, undefined],
  ['MemoryPressure', 'False', 300, HEALTHY, NEVER_TYPE],
  ['MemoryPressure', 'True', 30, TIGHT, NEVER_TYPE],
  ['DiskPressure', 'True', 300, undefined, NEVER_TYPE],
  // A silent node has it.
  ['DiskPressure', 'Unknown', 300, undefined, NEVER_TYPE],
  ['PIDPressure', 'Unknown', 10, SHORT, NEVER_TYPE],
  ['DiskPressure', 'False', 300, HEALTHY, NEVER_TYPE],
  ['PIDPressure', 'False', 300, HEALTHY, NEVER_TYPE],
  ['PidPressures', 'True', 300, NEVER_TYPE, undefined],
  ['NetworkUnavailable', 'False', 300, HEALTHY, NEVER_TYPE],
  ['NetworkUnavailable', 'Unknown', 300, NEVER_STATUS, NEVER_TYPE],
  ['KernelDeadlock', 'False', 300, HEALTHY, NEVER_TYPE],
  ['InfrastructureReady', 'True', 900, NEVER_TYPE, HEALTHY],
  ['InfrastructureReady', 'False', 900, NEVER_TYPE, undefined],
  ['InfrastructureReady', 'False', 299, NEVER_TYPE, TIGHT],
  ['InfrastructureReady', 'False', 119, NEVER_TYPE, SHORT],
  ['InfrastructurReady', 'False', 900, undefined, NEVER_TYPE],
  ['NodeHealthy', 'True', 900, NEVER_TYPE, HEALTHY],
  ['NodeHealthy', 'Unknown', 60, NEVER_TYPE, SHORT],
  ...['APIServerPodHealthy', 'ControllerManagerPodHealthy', 'SchedulerPodHealthy', 'EtcdPodHealthy', 'EtcdMemberHealthy', 'NodeKubeadmLabelsAndTaintsSet']
    .flatMap((type): [string, string, number, string | undefined, string | undefined][] => [
      [type, 'True', 900, NEVER_TYPE, HEALTHY], [type, 'False', 900, NEVER_TYPE, undefined], [type, 'Unknown', 60, NEVER_TYPE, SHORT],
    ]),
  ['EtcdMemberHealth', 'False', 900, undefined, NEVER_TYPE],
  ['UpToDate', 'False', 900, NEVER_TYPE, HEALTHY],
  ['Deleting', 'False', 900, NEVER_TYPE, HEALTHY],
  // Of controllers of others, nothing is known.
  ['example.com/GPUHealthy', 'True', 10, undefined, undefined],
  ['IOPressure', 'False', 300, undefined, undefined],
])('a condition %s %s for %d s', (type, status, seconds, ofNode, ofMachine) => {
  const condition = (timeout: string) => `[{type: ${type}, status: "${status}", ${timeout}}]`;
  const found = (text: string) => findings(CLUSTER_API_RULES, text).map((line) => line.split(':')[0].replace(/ \S*\.(type|status|timeout)\w*$/, ' $1'))
    .filter((line) => !line.startsWith('TC-ADMIT'));
  const list = (finding: string | undefined) => (finding === undefined ? [] : [finding]);

  expect(found(check(`checks: {unhealthyNodeConditions: ${condition(`timeoutSeconds: ${seconds}`)}}`))).toEqual(list(ofNode));
  expect(found(check(`unhealthyConditions: ${condition(`timeout: ${seconds}s`)}`, 'v1beta1'))).toEqual(list(ofNode));
  expect(found(check(`checks: {unhealthyMachineConditions: ${condition(`timeoutSeconds: ${seconds}`)}}`))).toEqual(list(ofMachine));
  expect(found(check(`unhealthyMachineConditions: ${condition(`timeout: ${seconds}s`)}`, 'v1beta1'))).toEqual(list(ofMachine));
});

test.each<[type: string, status: string, list: 'unhealthyNodeConditions' | 'unhealthyMachineConditions', fix: string]>([
  ['Ready', 'false', 'unhealthyNodeConditions', 'write "False"'],
  ['Ready', 'true', 'unhealthyNodeConditions', 'write "False"'],
  ['Ready', 'unknown', 'unhealthyNodeConditions', 'write "Unknown"'],
  ['MemoryPressure', 'false', 'unhealthyNodeConditions', 'write "True"'],
  ['MemoryPressure', 'high', 'unhealthyNodeConditions', 'write "True"'],
  ['example.com/GPU', 'false', 'unhealthyNodeConditions', 'write "False"'],
  ['example.com/GPU', 'broken', 'unhealthyNodeConditions', 'write the status of nodes that are broken'],
  ['NotReady', 'True', 'unhealthyNodeConditions', 'watch Ready with the status "False" in unhealthyNodeConditions'],
  ['NotReady', 'True', 'unhealthyMachineConditions', 'watch NodeHealthy with the status "False" in unhealthyMachineConditions'],
  ['DiskPressur', 'False', 'unhealthyNodeConditions', 'watch DiskPressure with the status "True" in unhealthyNodeConditions'],
  ['DiskPressure', 'False', 'unhealthyMachineConditions', 'watch DiskPressure with the status "True" in unhealthyNodeConditions'],
  ['EtcdMemberHealthy', 'True', 'unhealthyNodeConditions', 'watch EtcdMemberHealthy with the status "False" in unhealthyMachineConditions'],
  ['UpToDate', 'True', 'unhealthyNodeConditions', 'remove the condition'],
])('the fix of a condition %s %s in %s names no status of healthy nodes', (type, status, list, fix) => {
  const text = check(`checks: {${list}: [{type: ${type}, status: "${status}", timeoutSeconds: 600}]}`);

  expect(detailsIn(CLUSTER_API_RULES, text).map((finding) => finding.fix)).toEqual([fix]);
});

test.each([[600, true], [1199, true], [1200, false]])('a machine whose node is unknown for %d of the 1200 seconds that it has to start', (seconds, isFound) => {
  const text = check(`checks: {nodeStartupTimeoutSeconds: 1200, unhealthyMachineConditions: [{type: NodeReady, status: Unknown, timeoutSeconds: ${seconds}}]}`);

  expect(ids(text)).toEqual(isFound ? ['TC-TRAP-HEALTH-CHECK-TIGHT'] : []);
});

test.each([['15m', 1200, true], ['20m0s', 1200, false], ['20m', 0, false], ['soon', 1200, false]])('an autoscaler that waits %s, with %d seconds to start', (time, startup, isFound) => {
  const annotations = (more: string) => autoscaled(1, 10).replace('}', `, ${more}}`);
  const text = check(`checks: {nodeStartupTimeoutSeconds: ${startup}}`)
    + pool('paused: false', annotations(`cluster.x-k8s.io/autoscaling-options-maxnodeprovisiontime: "${time}"`));

  expect(ids(text)).toEqual(isFound ? ['TC-TRAP-POOL-PROVISION-TIME'] : []);
});

test('health checks in topologies and classes are checked, too', () => {
  const text = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: t}
spec:
  topology:
    classRef: {name: small}
    version: v1.35.4
    controlPlane: {healthCheck: {checks: {unhealthyNodeConditions: [{type: Ready, status: "True", timeoutSeconds: 300}]}}}
    workers: {machineDeployments: [{class: a, name: a, healthCheck: {checks: {nodeStartupTimeoutSeconds: 60}}}]}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: ClusterClass
metadata: {name: small, namespace: t}
spec: {workers: {machineDeployments: [{class: a, machineHealthCheck: {unhealthyConditions: [{type: Ready, status: "True", timeout: 5m}]}}]}}
`;

  expect(findings(CLUSTER_API_RULES, text).map((line) => line.split(':')[0]).filter((line) => line.startsWith('TC-TRAP-HEALTH'))).toEqual([
    'TC-TRAP-HEALTH-CHECK-HEALTHY spec.topology.controlPlane.healthCheck.checks.unhealthyNodeConditions.0.status',
    'TC-TRAP-HEALTH-CHECK-SHORT spec.topology.workers.machineDeployments.0.healthCheck.checks.nodeStartupTimeoutSeconds',
    'TC-TRAP-HEALTH-CHECK-HEALTHY spec.workers.machineDeployments.0.machineHealthCheck.unhealthyConditions.0.status',
  ]);
});

test.each([
  ['replicas: 2', '', '40%', true],
  ['replicas: 3', '', '40%', false],
  ['replicas: 2', '', '50%', false],
  // No machine, nothing to replace; none said, one machine.
  ['replicas: 0', '', '40%', false],
  ['paused: false', '', '99%', true],
  ['paused: false', autoscaled(1, 10), '40%', true],
  ['paused: false', autoscaled(0, 10), '40%', true],
  ['paused: false', autoscaled(3, 10), '40%', false],
])('a pool with %s%s and %s', (fields, metadata, limit, isFound) => {
  const text = check(`remediation: {triggerIf: {unhealthyLessThanOrEqualTo: "${limit}"}}`) + pool(fields, metadata);

  expect(ids(text)).toEqual(isFound ? ['TC-TRAP-HEALTH-CHECK-LIMIT'] : []);
});

test.each([['40%', 2, true], ['50%', 2, false], ['30%', 3, true]])('a limit of %s of %d machines in a topology', (limit, replicas, isFound) => {
  const text = (version: string, healthCheck: string) => `apiVersion: cluster.x-k8s.io/${version}
kind: Cluster
metadata: {name: acme, namespace: t}
spec: {topology: {workers: {machineDeployments: [{class: a, name: a, replicas: ${replicas}, ${healthCheck}}]}}}
`;

  expect(ids(text('v1beta2', `healthCheck: {remediation: {triggerIf: {unhealthyLessThanOrEqualTo: "${limit}"}}}`)).filter((id) => id.includes('TRAP'))).toEqual(isFound ? ['TC-TRAP-HEALTH-CHECK-LIMIT'] : []);
  expect(ids(text('v1beta1', `machineHealthCheck: {maxUnhealthy: "${limit}"}`)).filter((id) => id.includes('TRAP'))).toEqual(isFound ? ['TC-TRAP-HEALTH-CHECK-LIMIT'] : []);
});

test('a limit of several pools is one of all their machines, and a range replaces it', () => {
  const limited = (more = '') => check(`remediation: {triggerIf: {unhealthyLessThanOrEqualTo: "40%"${more}}}`, 'v1beta2', '{matchExpressions: [{key: pool, operator: Exists}]}');

  expect(ids(limited() + pool('replicas: 2'))).toEqual(['TC-TRAP-HEALTH-CHECK-LIMIT']);
  expect(ids(limited() + pool('replicas: 2') + pool('replicas: 2', '', 'b'))).toEqual([]);
  expect(ids(limited(', unhealthyInRange: "[1-2]"') + pool('replicas: 2'))).toEqual([]);
});

test('machines of a control plane are watched too', () => {
  const watching = (limit: string, name = 'a') => check(`remediation: {triggerIf: {unhealthyLessThanOrEqualTo: "${limit}"}}`, 'v1beta2', '{matchLabels: {"cluster.x-k8s.io/control-plane": ""}}', name);

  expect(ids(watching('30%') + CONTROL_PLANE)).toEqual(['TC-TRAP-HEALTH-CHECK-LIMIT']);
  expect(ids(watching('40%') + CONTROL_PLANE)).toEqual([]);
  expect(ids(`${watching('40%')}---\n${watching('40%', 'b')}${CONTROL_PLANE}`)).toEqual(['TC-TRAP-HEALTH-CHECK-OVERLAP']);
});

test('two that watch different pools do not overlap', () => {
  const first = check('checks: {}');
  const second = (selector: string) => `---\n${check('checks: {}', 'v1beta2', selector, 'b')}`;
  const pools = pool('replicas: 3') + pool('replicas: 3', '', 'b');

  expect(ids(first + second('{matchLabels: {pool: b}}') + pools)).toEqual([]);
  expect(ids(first + second('{matchLabels: {"cluster.x-k8s.io/deployment-name": a}}') + pools)).toEqual(['TC-TRAP-HEALTH-CHECK-OVERLAP']);
  // Nothing is known of the machines that they select.
  expect(ids(first + second('{matchLabels: {pool: a}}'))).toEqual([]);
});

test('of many that overlap, each is compared with the first twenty, and twenty pools are named', () => {
  const all = '{matchExpressions: [{key: pool, operator: Exists}]}';
  const numbers = Array.from({ length: 30 }, (_, index) => `n${index}`);
  const checks = numbers.map((name) => check('checks: {}', 'v1beta2', all, name)).join('---\n');
  const found = detailsIn(CLUSTER_API_RULES, checks + numbers.map((name) => pool('replicas: 3', '', name)).join(''));

  // Twenty overlap with those before them, and ten with twenty.
  expect(found.length).toBe((20 * 19) / 2 + 10 * 20);
  expect(found.every(({ message }) => message.includes('"n19" and 10 more are watched by'))).toBe(true);
});

function autoscaled(least: number, most: number): string {
  const bound = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group';
  return `annotations: {"${bound}-min-size": "${least}", "${bound}-max-size": "${most}"}`;
}

test.each([['Metal3RemediationTemplate', false], ['Metal3MachineTemplate', true], ['KubeadmConfigTemplate', true]])('remediation by a %s', (kind, isFound) => {
  const expected = isFound ? ['TC-TRAP-HEALTH-CHECK-REMEDIATION'] : [];

  expect(ids(check(`remediation: {templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: ${kind}, name: a}}`))).toEqual(expected);
  expect(ids(check(`remediationTemplate: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: ${kind}, name: a}`, 'v1beta1'))).toEqual(expected);
});
