import { Fields } from './foreign-objects';
import { effectsIn, planned } from './tenant-pages';
import { clusterClass, FOR, object, patch, pool, template, TEMPLATES, topology, TopologyOptions, variable, withTemplates } from './topology-objects';
import { planTotals } from '../../../src/manifests/plan/plan-totals';

const CLASS = withTemplates();

interface Outcome {
  readonly effects: { [part: string]: string[] };
  readonly notes: { [part: string]: readonly string[] };
}

/** Effects by part, and notes by part, of the only cluster that differs. */
function outcome(before: readonly Fields[], after: readonly Fields[]): Outcome {
  const { clusters: [cluster] } = planned(before, after);
  const notes = cluster.parts.filter((part) => part.notes.length > 0).map((part) => [part.name === '' ? part.part : `${part.part} ${part.name}`, part.notes]);
  return { effects: effectsIn(cluster), notes: Object.fromEntries(notes) as { [part: string]: readonly string[] } };
}

/** Effects of a changed topology of one class. */
function changed(before: TopologyOptions, after: TopologyOptions, classObjects: readonly Fields[] = CLASS): { [part: string]: string[] } {
  const { cluster: _, ...effects } = outcome([...classObjects, topology(before)], [...classObjects, topology(after)]).effects;
  return effects;
}

const NEWER = { version: 'v1.35.0' };

describe('a topology', () => {
  test('is upgraded: control plane first, pools one after the other', () => {
    const pools = [pool('md-0'), pool('md-1')];
    expect(outcome([...CLASS, topology({ pools })], [...CLASS, topology({ pools, topology: NEWER })])).toEqual({
      effects: {
        'cluster': ['in place (topology.version v1.34.1 -> v1.35.0)'],
        'control plane': ['machines replaced 3 by 1 (version v1.34.1 -> v1.35.0)'],
        'pool md-0': ['machines replaced 2 by 1 (version v1.34.1 -> v1.35.0)'],
        'pool md-1': ['machines replaced 2 by 1 (version v1.34.1 -> v1.35.0)'],
      },
      notes: { 'pool md-0': ['upgraded after the control plane'], 'pool md-1': ['upgraded after the control plane and pool md-0'] },
    });
  });

  test('upgrades several pools at a time if its annotation says so', () => {
    const options = { pools: ['a', 'b', 'c'].map((name) => pool(name)), annotations: { 'topology.cluster.x-k8s.io/upgrade-concurrency': '2' } };
    const { notes } = outcome([...CLASS, topology(options)], [...CLASS, topology({ ...options, topology: NEWER })]);
    expect(notes['pool c']).toEqual(['upgraded after the control plane', 'at most 2 pools are upgraded at a time']);
  });

  test.each<[what: string, before: TopologyOptions, after: TopologyOptions, effects: { [part: string]: string[] }]>([
    ['a new pool', {}, { pools: [pool('md-0'), pool('md-1')] }, { 'pool md-1': ['scaled 2 (the pool is new)'] }],
    ['a pool that is removed', { pools: [pool('md-0'), pool('md-1')] }, {}, { 'pool md-1': ['deleted 2 (it is no longer in the topology)'] }],
    ['fewer machines of a pool', {}, { pools: [pool('md-0', { replicas: 1 })] }, { 'pool md-0': ['deleted 1 (replicas 2 -> 1)'] }],
    ['a smaller control plane', {}, { controlPlane: { replicas: 1 } }, { 'control plane': ['deleted 2 (replicas 3 -> 1)'] }],
    ['a failure domain', {}, { pools: [pool('md-0', { failureDomain: 'a' })] }, { 'pool md-0': ['machines replaced 2 by 1 (failureDomain a added)'] }],
    ['a label', {}, { pools: [pool('md-0', { metadata: { labels: { tier: 'a' } } })] }, {
      'pool md-0': ['in place (metadata.labels.tier a added; labels.tier a added)'],
    }],
    ['a timeout of the control plane', {}, { controlPlane: { deletion: { nodeDrainTimeoutSeconds: 60 } } }, {
      'control plane': ['in place (machine.spec.deletion.nodeDrainTimeoutSeconds 60 added)'],
    }],
    ['a health check', {}, { pools: [pool('md-0', { healthCheck: { checks: { nodeStartupTimeoutSeconds: 900 } } })] }, { 'pool md-0': [] }],
  ])('%s', (_, before, after, effects) => {
    expect(changed(before, after)).toEqual(effects);
  });

  test('pauses as a whole by the annotation of its Cluster', () => {
    const [before, after] = [[...CLASS, topology()], [...CLASS, topology({ topology: NEWER, annotations: { 'cluster.x-k8s.io/paused': '' } })]];
    const plan = planned(before, after);
    expect(planTotals(plan)).toMatchObject({ machinesReplaced: { maximum: 0 }, pausedParts: 3 });
  });

  test('moves to an equal class without other machines', () => {
    const other = clusterClass({ name: 'other' });
    const { effects } = outcome([...CLASS, other, topology()], [...CLASS, other, topology({ topology: { classRef: { name: 'other' } } })]);
    expect(effects).toEqual({ cluster: ['in place (topology.classRef.name tenants -> other)'] });
  });

  test('keeps a pool whose upgrade is deferred, with all that is changed of it', () => {
    const annotation = 'topology.cluster.x-k8s.io/hold-upgrade-sequence';
    const pools = [pool('md-0', { metadata: { annotations: { [annotation]: '' } } }), pool('md-1')];
    const { effects, notes } = outcome([...CLASS, topology({ pools })], [...CLASS, topology({ pools: [pools[0], pool('md-1', { failureDomain: 'a' })], topology: NEWER })]);
    expect(Object.keys(effects)).toEqual(['cluster', 'control plane']);
    expect(notes.cluster).toEqual([
      `pool md-0 stays as it is, with version v1.34.1, because of ${annotation}`, `pool md-1 stays as it is, with version v1.34.1, because of ${annotation} of pool md-0`,
    ]);
  });

  test('says that the version of a pool is not known after its upgrades were deferred', () => {
    const deferred = pool('md-0', { metadata: { annotations: { 'topology.cluster.x-k8s.io/defer-upgrade': '' } } });
    const { effects } = outcome([...CLASS, topology({ pools: [deferred] })], [...CLASS, topology()]);
    expect(effects.cluster).toContain('unknown (the version of pool md-0, whose upgrades were deferred, is not among the manifests)');
  });

  test('upgrades over several minor versions replace control plane machines several times', () => {
    const classObjects = withTemplates({ spec: { kubernetesVersions: ['v1.34.1', 'v1.35.0', 'v1.36.0'] } });
    const { notes } = outcome([...classObjects, topology()], [...classObjects, topology({ topology: { version: 'v1.36.0' } })]);
    expect(notes['control plane']).toEqual(['upgraded one minor version after the other: machines are replaced 2 times']);
  });
});

describe('patches and variables', () => {
  const variables = [variable('audit', { type: 'object', properties: { level: { type: 'string', default: 'low' } } }), variable('registry', { type: 'string', default: '' })];
  const patches = [
    patch('audit', FOR.controlPlane, { path: '/spec/template/spec/kubeadmConfigSpec/files', valueFrom: { template: '- path: /a\n  content: level {{ .audit.level }}\n' } }, { enabledIf: '{{ not (empty .audit) }}' }),
    patch('registry', FOR.controlPlane, { path: '/spec/template/spec/kubeadmConfigSpec/clusterConfiguration/imageRepository', valueFrom: { variable: 'registry' } }, { enabledIf: '{{ ne .registry "" }}' }),
    patch('image', FOR.workers, { path: '/spec/template/spec/customImage', valueFrom: { template: 'node:{{ .builtin.machineDeployment.version | trimPrefix "v" }}-{{ .audit.level }}' } }, { enabledIf: '{{ hasKey .audit "level" }}' }),
  ];
  const classObjects = withTemplates({ patches, variables });
  const none = { variables: { audit: {} } };

  test.each<[what: string, before: TopologyOptions, after: TopologyOptions, effects: { [part: string]: string[] }]>([
    ['a variable that a patch writes', none, { variables: { audit: {}, registry: 'r.example.com' } }, {
      'control plane': ['machines replaced 3 by 1 (clusterConfiguration.imageRepository r.example.com added)'],
    }],
    ['a variable that is set to its default', none, { variables: { audit: { level: 'low' }, registry: '' } }, {}],
    ['a variable of all templates', none, { variables: { audit: { level: 'high' } } }, {
      'control plane': ['machines replaced 3 by 1 (files["/a"].content changed)'],
      'pool md-0': ['machines replaced 2 by 1 (image node:1.34.1-low -> node:1.34.1-high)'],
    }],
    ['a variable of one pool', { ...none, pools: [pool('md-0'), pool('md-1')] }, {
      ...none, pools: [pool('md-0'), pool('md-1', { variables: { overrides: [{ name: 'audit', value: { level: 'high' } }] } })],
    }, { 'pool md-1': ['machines replaced 2 by 1 (image node:1.34.1-low -> node:1.34.1-high)'] }],
  ])('%s', (_, before, after, effects) => {
    expect(changed(before, after, classObjects)).toEqual(effects);
  });

  test('a default that changes reaches no Cluster that exists, because the server has written it', () => {
    const other = (level: string) => withTemplates({ patches, variables: [variable('audit', { type: 'object', properties: { level: { type: 'string', default: level } } }), variables[1]] });
    expect(Object.keys(outcome([...other('low'), topology(none)], [...other('high'), topology(none)]).effects)).toEqual(['other objects ClusterClass']);
    expect(outcome([...other('low'), topology({ variables: { audit: { level: 'low' } } })], [...other('high'), topology(none)]).effects['pool md-0']).toEqual([
      'machines replaced 2 by 1 (image node:1.34.1-low -> node:1.34.1-high)',
    ]);
  });

  test('a class without a variable whose default the server has written stops the controller', () => {
    const { notes } = outcome([...withTemplates({ variables: [variables[1]] }), topology()], [...CLASS, topology()]);
    expect(notes.cluster).toEqual(['the topology controller stops: variable registry is not defined in the ClusterClass; control plane and pools stay as they are']);
  });

  test('a class that changes concerns each Cluster that uses it', () => {
    const clusters = [topology(none), topology({ ...none, name: 'beta' }), topology({ ...none, name: 'gamma', topology: { classRef: { name: 'other' } } })];
    const other = clusterClass({ name: 'other', variables });
    const after = clusterClass({ patches: [...patches, patch('size', FOR.workers, { op: 'replace', path: '/spec/template/spec/size', value: 'large' })], variables });
    const plan = planned([...classObjects, other, ...clusters], [after, ...TEMPLATES, other, ...clusters]);
    expect(plan.clusters.map(({ name }) => name)).toEqual(['acme', 'beta']);
    expect(effectsIn(plan.clusters[1])).toEqual({ 'pool md-0': ['machines replaced 2 by 1 (machine.size small -> large)'] });
    expect(plan.shared.flatMap(({ name, effects }) => effects.map(({ effect }) => [name, effect]))).toEqual([['ClusterClass', 'in place']]);
  });

  test('a template of a class that changes is copied anew', () => {
    const spec = { joinConfiguration: { nodeRegistration: {} }, ntp: { enabled: true } };
    const later = CLASS.map((one) => (one === TEMPLATES[4] ? template('bootstrap', 'KubeadmConfigTemplate', 'worker', spec) : one));
    expect(outcome([...CLASS, topology()], [...later, topology()])).toEqual({
      effects: { 'pool md-0': ['machines replaced 2 by 1 (bootstrap.ntp added)'], 'other objects KubeadmConfigTemplate': ['in place (bootstrap.ntp added)'] },
      notes: { 'pool md-0': ['seen when the topology controller looks at the Cluster again, within 10 minutes'] },
    });
  });

  test('a class that no Cluster uses changes nothing that exists', () => {
    const plan = planned([clusterClass()], [clusterClass({ pool: { naming: { template: '{{ .cluster.name }}-{{ .random }}' } } })]);
    expect(plan.shared.flatMap(({ effects }) => effects.map(({ effect }) => effect))).toEqual(['new ones only']);
  });

  test('a runtime extension may change everything that it is given', () => {
    const external = withTemplates({ patches: [{ name: 'cloud', external: { generatePatchesExtension: 'generate.cloud', discoverVariablesExtension: 'variables.cloud' } }] });
    const [before, after] = ['a', 'b'].map((zone) => [...external, topology({ variables: { zone } })]);
    expect(outcome(before, after).effects.cluster).toEqual([
      'in place (topology.variables.zone.value a -> b)', 'unknown (the runtime extension generate.cloud of patch cloud decides)',
    ]);
    expect(changed({}, { pools: [pool('md-0', { replicas: 1 })] }, external)).toEqual({ 'pool md-0': ['deleted 1 (replicas 2 -> 1)'] });
  });

  test('a function whose result is not known makes the patch unknown', () => {
    const random = withTemplates({ patches: [patch('key', FOR.workers, { path: '/spec/template/spec/key', valueFrom: { template: '{{ genPrivateKey "rsa" | quote }}' } })] });
    const { effects } = outcome([...random, topology()], [...random, topology({ topology: NEWER })]);
    expect(effects.cluster).toContain('unknown (patch key: the result of its function genPrivateKey is not known here)');
    expect(effects['pool md-0']).toEqual(['machines replaced 2 by 1 (version v1.34.1 -> v1.35.0)']);
  });
});

describe('a topology that the controller does not reconcile', () => {
  const stops = (options: Parameters<typeof withTemplates>[0], after: TopologyOptions = {}): readonly string[] => {
    const { effects, notes } = outcome([...CLASS, topology()], [...withTemplates(options), topology(after)]);
    expect(Object.keys(effects).filter((part) => /control plane|pool/.test(part))).toEqual([]);
    return notes.cluster;
  };
  const add = (operation: Fields, more: Fields = {}) => [patch('one', FOR.workers, { path: '/spec/template/spec/a', ...operation }, more)];

  test.each<[what: string, options: Parameters<typeof withTemplates>[0], after: TopologyOptions, reason: string]>([
    ['a required variable without value', { variables: [variable('zone', { type: 'string' }, true)] }, {}, 'variable zone of the ClusterClass is required, and has no value'],
    ['a variable that is not defined', {}, { variables: { zone: 'a' } }, 'variable zone is not defined in the ClusterClass'],
    ['a patch of a path that does not exist', { patches: add({ op: 'replace', value: 'b' }) }, {}, 'patch one: replace operation does not apply: doc is missing path: /spec/template/spec/a'],
    ['a patch below a path that does not exist', { patches: add({ path: '/spec/template/spec/a/b/c', value: 1 }) }, {}, 'patch one: add operation does not apply: doc is missing path: /spec/template/spec/a/b/c'],
    ['a variable that a patch needs', { patches: add({ valueFrom: { variable: 'zone' } }) }, {}, 'patch one: variable "zone" does not exist'],
    ['a template that cannot be read', { patches: add({ valueFrom: { template: '{{ if }}' } }) }, {}, 'patch one: a command is missing'],
    ['a template that fails', { patches: add({ value: 1 }, { enabledIf: '{{ fail "no" }}' }) }, {}, 'patch one: no'],
    ['a class of pools that does not exist', {}, { pools: [pool('md-0', { class: 'gpu' })] }, 'MachineDeployment class gpu not found in ClusterClass tenants'],
    ['a template of names with a missing field', { pool: { naming: { template: '{{ .pool }}' } } }, { pools: [pool('md-0')], topology: NEWER }, 'the template of names "{{ .pool }}": map has no entry for key "pool"'],
  ])('%s', (_, options, after, reason) => {
    expect(stops(options, after)).toEqual([`the topology controller stops: ${reason}; control plane and pools stay as they are`]);
  });

  test('a value that another program replaces is the default that stands in it, or not known', () => {
    const classObjects = withTemplates({ variables: [variable('port', { type: 'integer' })], patches: add({ op: 'add', valueFrom: { variable: 'port' } }) });
    const effects = (before: string, after: string) => changed({ variables: { port: before } }, { variables: { port: after } }, classObjects);
    expect(effects('${PORT:=6443}', '${PORT:-7443}')).toEqual({ 'pool md-0': [expect.stringContaining('a 6443 -> 7443')] });
    const { cluster } = outcome([...classObjects, topology({ variables: { port: '${PORT:=1}' } })], [...classObjects, topology({ variables: { port: '${PORT}' } })]).effects;
    expect(cluster).toEqual([expect.stringContaining('unknown (variable port: "${PORT}" is not a whole number before another program replaces it')]);
  });

  test('of two classes of one name, neither is taken for it', () => {
    const [other] = withTemplates({ variables: [variable('zone', { type: 'string' })] });
    const { effects, notes } = outcome([...CLASS, other, topology()], [...CLASS, other, topology({ variables: { zone: 'a' } })]);
    expect(effects.cluster).toEqual([expect.stringContaining('unknown (there are several ClusterClasses tenants')]);
    expect(notes).toEqual({});
  });

  test('a control plane that the server refuses', () => {
    const after = topology({ controlPlane: { replicas: 2 }, pools: [pool('md-0', { replicas: 5 })] });
    const { effects, notes } = outcome([...CLASS, topology()], [...CLASS, after]);
    expect(effects['control plane']).toEqual(['refused (spec.replicas: 2 members of etcd survive no more failures than 1 would (TC-ADMIT-KCP-REPLICAS))']);
    expect(Object.keys(effects)).toEqual(['cluster', 'control plane']);
    expect(notes.cluster).toEqual(['the topology controller stops at its KubeadmControlPlane, which the server refuses: control plane and pools stay as they are']);
  });

  test.each<[what: string, version: string, refused: number, held: number, replaced: number]>([
    ['refuses', 'v1.33.0', 1, 3, 0],
    ['accepts', 'v1.34.2', 0, 0, 5],
  ])('a Cluster that the server %s, with copies of templates that go, and a pool less', (_, version, refused, held, replaced) => {
    const image = patch('image', FOR.controlPlaneMachines, { path: '/spec/template/spec/image', valueFrom: { template: '{{ .builtin.controlPlane.version }}' } });
    const state = (options: TopologyOptions) => [...withTemplates({ patches: [image] }), topology(options)];
    const totals = planTotals(planned(state({ pools: [pool('md-0'), pool('md-1')] }), state({ topology: { version } })));
    expect(totals).toMatchObject({ refused, heldParts: held, machinesReplaced: { minimum: replaced, maximum: replaced } });
    expect(totals.machinesDeleted.maximum).toBe(refused ? 0 : 2);
  });

  test('a Cluster that the server refuses follows its class as it was', () => {
    const zone = (failureDomain: string) => withTemplates({ pool: { failureDomain } });
    const after = [...zone('b'), topology({ topology: { version: 'v1.33.0' }, pools: [pool('md-0'), pool('md-1')] })];
    const { effects } = outcome([...zone('a'), topology()], after);
    expect([effects['control plane'], effects['pool md-0'], effects['pool md-1']]).toEqual([undefined, ['machines replaced 2 by 1 (failureDomain a -> b)'], undefined]);
    expect(planTotals(planned([...zone('a'), topology()], after))).toMatchObject({ refused: 1, heldParts: 0, machinesReplaced: { minimum: 2, maximum: 2 } });

    const otherType = outcome([...CLASS, topology()], [...withTemplates({ variables: [variable('zone', { type: 'string' })] }), topology({ variables: { zone: 3 } })]);
    expect([otherType.effects.cluster, otherType.notes]).toEqual([['refused (spec.topology.variables[0].value: the variable "zone": 3 is not a string (TC-ADMIT-TOPOLOGY-VALUE))'], {}]);
  });

  test('what it makes after it stopped is not known', () => {
    const broken = withTemplates({ patches: add({ valueFrom: { variable: 'zone' } }) });
    expect(outcome([...broken, topology()], [...CLASS, topology()]).effects.cluster).toEqual(['unknown (the topology controller stopped in the earlier state: patch one: variable "zone" does not exist)']);
  });
});

describe('a class that is not among the manifests', () => {
  test('does not hide what its Cluster says', () => {
    const after = topology({ variables: { a: 2 }, topology: NEWER, pools: [pool('md-0'), pool('md-1')] });
    const { effects } = outcome([topology({ variables: { a: 1 } })], [after]);
    expect(effects).toEqual({
      'cluster': ['in place (topology.version v1.34.1 -> v1.35.0; topology.workers.machineDeployments.md-1 added; topology.variables.a.value 1 -> 2)', 'unknown (ClusterClass tenants is not among the manifests)'],
      'control plane': ['unknown (spec.version v1.34.1 -> v1.35.0)'],
      'pool md-0': ['machines replaced 2 by 1 (version v1.34.1 -> v1.35.0)'],
      'pool md-1': ['scaled 2 (the pool is new)'],
    });
  });

  test('decides nothing where a size alone changes', () => {
    expect(outcome([topology()], [topology({ pools: [pool('md-0', { replicas: 4 })] })]).effects).toEqual({
      'cluster': ['in place (topology.workers.machineDeployments.md-0.replicas 2 -> 4)'], 'pool md-0': ['scaled (replicas 2 -> 4)'],
    });
  });

  test('makes the change to it unknown', () => {
    expect(outcome([...CLASS, topology()], [...CLASS, topology({ topology: { classRef: { name: 'other' } } })]).effects.cluster).toEqual([
      'unknown (ClusterClass other is not among the manifests; topology.classRef.name tenants -> other)',
    ]);
  });

  test('is found in another namespace', () => {
    const move = (one: Fields) => ({ ...one, metadata: { ...one.metadata as Fields, namespace: 'classes' } });
    const classObjects = CLASS.map(move);
    const classRef = { name: 'tenants', namespace: 'classes' };
    const [before, after] = [{}, NEWER].map((version) => [...classObjects, topology({ topology: { classRef, ...version } })]);
    const { effects } = outcome(before, after);
    expect(effects['control plane']).toEqual(['machines replaced 3 by 1 (version v1.34.1 -> v1.35.0)']);
  });
});

describe('v1beta1', () => {
  const V1BETA1 = 'cluster.x-k8s.io/v1beta1';
  const reference = ({ apiVersion, kind, metadata }: Fields) => ({ ref: { apiVersion, kind, name: (metadata as Fields).name, namespace: 'default' } });
  const [infrastructure, control, worker, , bootstrap, controlPlane] = TEMPLATES;
  const oldClass = object(V1BETA1, 'ClusterClass', 'tenants', {
    infrastructure: reference(infrastructure),
    controlPlane: { ...reference(controlPlane), machineInfrastructure: reference(control), nodeDrainTimeout: '1m' },
    workers: { machineDeployments: [{ class: 'worker', template: { bootstrap: reference(bootstrap), infrastructure: reference(worker) }, strategy: { rollingUpdate: { maxSurge: 2 } } }] },
  });
  const oldTopology = (more: Fields = {}) => object(V1BETA1, 'Cluster', 'acme', {
    topology: { class: 'tenants', version: '1.34.1', controlPlane: { replicas: 3 }, workers: { machineDeployments: [pool('md-0', { strategy: { rollingUpdate: { maxSurge: 1 } } })] }, ...more },
  });

  test('is read like v1beta2', () => {
    expect(outcome([oldClass, ...TEMPLATES, oldTopology()], [oldClass, ...TEMPLATES, oldTopology(NEWER)]).effects).toEqual({
      'cluster': ['in place (topology.version v1.34.1 -> v1.35.0)'],
      'control plane': ['machines replaced 3 by 1 (version v1.34.1 -> v1.35.0)'],
      'pool md-0': ['machines replaced 2 by 1 (version v1.34.1 -> v1.35.0)'],
    });
  });

  test('of a class that is written in v1beta2 from now on makes the same objects', () => {
    const rollout = { strategy: { rollingUpdate: { maxSurge: 2 } } };
    const newClass = clusterClass({ controlPlane: { deletion: { nodeDrainTimeoutSeconds: 60 } }, pool: { rollout } });
    const { clusters } = planned([oldClass, ...TEMPLATES, oldTopology()], [newClass, ...TEMPLATES, oldTopology()]);
    expect(clusters.flatMap(({ parts }) => parts.map(({ part }) => part)).filter((part) => part !== 'other objects')).toEqual([]);
  });
});

test('a MachinePool of a topology is changed in place: its provider replaces machines', () => {
  const [before, after] = [2, 3].map((replicas) => [...CLASS, topology({ pools: [], machinePools: [pool('mp-0', { replicas })] })]);
  expect(outcome(before, after).effects).toMatchObject({ 'pool mp-0': ['scaled (replicas 2 -> 3)'] });
  const { effects, notes } = outcome(before, [...CLASS, topology({ pools: [], machinePools: [pool('mp-0')], topology: NEWER })]);
  expect(effects['pool mp-0']).toEqual(['machines replaced 2 (version v1.34.1 -> v1.35.0)']);
  expect(notes['pool mp-0']).toEqual(['upgraded after the control plane']);
});

test('a health check of a class comes with its pools', () => {
  const healthCheck = { checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }] } };
  const { clusters: [cluster] } = planned([...CLASS, topology()], [...withTemplates({ pool: { healthCheck } }), topology()]);
  expect(cluster.parts.map(({ part, name, objects }) => [part, name, objects.map(({ kind, change, made }) => `${kind} ${change} ${String(made)}`)])).toEqual([
    ['pool', 'md-0', ['MachineHealthCheck created true']], ['other objects', 'ClusterClass', ['ClusterClass changed undefined']],
  ]);
});
