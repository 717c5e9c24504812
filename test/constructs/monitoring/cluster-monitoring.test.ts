import { App, Duration, JsonPatch, Size, Testing } from 'cdk8s';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { Hibernation } from '../../../src/constructs/contracts/cluster-context';
import { HealthCheck } from '../../../src/constructs/contracts/node-pool/health-check';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { HelmChartProxyDelivery } from '../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { ClusterMonitoring, ClusterMonitoringProps } from '../../../src/constructs/monitoring/cluster-monitoring';
import { NetworkIsolation } from '../../../src/constructs/tenant/isolation/network-isolation';
import { TenantIsolation } from '../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { ClusterTopology } from '../../../src/constructs/tenant/topology/cluster-topology';
import { exampleCluster, Manifest, problemsOfCluster } from '../../support/clusters';
import { rulesOfTopic } from '../../support/topic-rules';

const machine = new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes:1.35.4' }) });

function tenant(props: Partial<TenantClusterProps> = {}, monitoring: ClusterMonitoringProps = {}): TenantCluster {
  return new TenantCluster(Testing.app(), 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ replicas: 2 }),
    infrastructure: new KubevirtInfrastructure(),
    cni: new Cilium(),
    delivery: new FluxDelivery(),
    monitoring: new ClusterMonitoring(monitoring),
    ...props,
  });
}

interface WrittenAlert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

function objectOf(cluster: TenantCluster, kind: string, name: string): Manifest | undefined {
  return cluster.toJson().find((object: Manifest) => object.kind === kind && object.metadata.name === name);
}

function alertsOf(cluster: TenantCluster): readonly WrittenAlert[] {
  const rule = objectOf(cluster, 'PrometheusRule', 'acme');
  return rule.spec.groups.flatMap(({ rules }: { readonly rules: readonly WrittenAlert[] }) => rules);
}

function namesOf(cluster: TenantCluster): string[] {
  return [...new Set(alertsOf(cluster).map(({ alert }) => alert))];
}

function find(cluster: TenantCluster, name: string, of = ''): WrittenAlert | undefined {
  return alertsOf(cluster).find(({ alert, expr }) => alert === name && expr.includes(of));
}

test('a cluster has no alerts unless it is given monitoring', () => {
  const cluster = tenant({ monitoring: undefined });

  expect(cluster.monitoring).toBeUndefined();
  expect(cluster.toJson().map(({ kind }: Manifest) => kind)).not.toContain('PrometheusRule');
});

describe('limits are those of the page', () => {
  test('the size of a fixed pool, and the time that its machines may take to start', () => {
    const cluster = tenant();
    cluster.addNodePool('general', { machine, size: PoolSize.fixed(3) });
    cluster.addNodePool('slow', { machine, size: PoolSize.fixed(2), healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.minutes(50) }) });

    expect(find(cluster, 'PoolBelowSize', 'acme-general')).toMatchObject({ expr: expect.stringContaining('}) < 3 unless') as unknown, for: '25m' });
    expect(find(cluster, 'PoolBelowSize', 'acme-slow')).toMatchObject({ expr: expect.stringContaining('}) < 2 unless') as unknown, for: '55m' });
    expect(find(cluster, 'MachineWithoutNode', 'acme-slow')!.for).toBe('50m');
  });

  test('a rollout is stuck if nothing changes for as long as a machine may take to start and another to go', () => {
    const cluster = tenant();
    cluster.addNodePool('single', { machine, size: PoolSize.fixed(1) });

    const alert = find(cluster, 'RolloutStuck')!;
    // With one machine, the count may be the same before and at the start of a rollout.
    expect(alert.expr).toMatch(/changes\(\S+\[5m\]\)\) == 0$/);
    expect(alert.for).toBe('40m');
  });

  test('the minimum of an autoscaled pool, unless it is 0', () => {
    const cluster = tenant();
    cluster.addNodePool('batch', { machine, size: PoolSize.between(2, 9) });
    cluster.addNodePool('rare', { machine, size: PoolSize.between(0, 9) });

    expect(find(cluster, 'PoolBelowSize', 'acme-batch')!.expr).toContain('< 2 unless');
    expect(find(cluster, 'PoolBelowSize', 'acme-rare')).toBeUndefined();
    expect(find(cluster, 'PoolWithoutNodes', 'acme-rare')).toBeUndefined();
    expect(find(cluster, 'MachineWithoutNode', 'acme-rare')).toBeDefined();
  });

  test('what a patch has made of them', () => {
    const cluster = tenant();
    const pool = cluster.addNodePool('general', { machine, size: PoolSize.fixed(3) });
    pool.machineDeployment.addJsonPatch(JsonPatch.replace('/spec/replicas', 5), JsonPatch.replace('/spec/template/spec/deletion/nodeDrainTimeoutSeconds', 3000));

    expect(find(cluster, 'PoolBelowSize')!.expr).toContain('< 5 unless');
    expect(find(cluster, 'MachineNotDeleted')!.for).toBe('65m');
  });

  test('the replicas of the control plane', () => {
    expect(find(tenant(), 'ControlPlaneBelowSize')!.expr).toMatch(/deployment="acme"\}\) < 2$/);
  });

  test('the entries of a quota, whatever they are', () => {
    expect(namesOf(tenant())).not.toContain('QuotaNearLimit');
    expect(find(tenant({ isolation: new TenantIsolation({ network: NetworkIsolation.none(), quota: { 'requests.memory': '400Gi' } }) }), 'QuotaNearLimit')!.expr).toContain('resourcequota="acme"');
  });
});

describe('what sleeps, is held or goes is silent', () => {
  const POOL_ALERTS = ['MachineWithoutNode', 'PoolBelowSize', 'PoolWithoutNodes', 'RemediationBlocked', 'RolloutStuck'];

  function withPool(props: Partial<TenantClusterProps>): TenantCluster {
    const cluster = tenant(props);
    cluster.addNodePool('general', { machine, size: PoolSize.fixed(3) });
    cluster.addNodePool('batch', { machine, size: PoolSize.between(1, 3) });
    return cluster;
  }

  test('an awake cluster is not', () => {
    expect(namesOf(withPool({}))).toEqual(expect.arrayContaining([...POOL_ALERTS, 'ControlPlaneDown', 'MachineNotDeleted', 'ReleaseFailing']));
  });

  test('pools without machines: those that should be gone are watched', () => {
    const names = namesOf(withPool({ hibernation: Hibernation.POOLS }));

    expect(names).toEqual(expect.arrayContaining(['ControlPlaneDown', 'MachineNotDeleted']));
    expect(names.filter((name) => POOL_ALERTS.includes(name) || name === 'ReleaseFailing')).toEqual([]);
  });

  test.each([['asleep', { hibernation: Hibernation.FULL }], ['decommissioned', { decommission: true }]] as const)('a cluster that is %s', (_state, props) => {
    const cluster = withPool(props);

    expect(cluster.monitoring).toBeUndefined();
    expect(objectOf(cluster, 'PrometheusRule', 'acme')).toBeUndefined();
    expect(objectOf(cluster, 'ConfigMap', 'acme-dashboard')).toBeUndefined();
  });

  test('machines of a paused cluster, whose status is not written any more', () => {
    const names = namesOf(withPool({ paused: true }));

    expect(names).toContain('ControlPlaneDown');
    expect(names.filter((name) => name.startsWith('Pool') || name.startsWith('Machine') || name === 'RemediationBlocked')).toEqual([]);
  });

  test('warnings of a frozen cluster', () => {
    const alerts = alertsOf(withPool({ freeze: 'sales season' }));

    expect([...new Set(alerts.map(({ labels }) => labels.severity))]).toEqual(['critical']);
    expect(alerts.map(({ alert }) => alert)).toEqual(expect.arrayContaining(['ControlPlaneDown', 'PoolWithoutNodes', 'CertificateNearEnd']));
  });

  test('a control plane that a patch has stopped', () => {
    const cluster = withPool({});
    cluster.controlPlane.addJsonPatch(JsonPatch.replace('/spec/replicas', 0));

    expect(objectOf(cluster, 'PrometheusRule', 'acme').spec).toEqual({ groups: [] });
  });
});

test.each([
  ['Flux', new FluxDelivery(), 'gotk_resource_info{exported_namespace="tenant-acme"'],
  ['Argo CD', new ArgoCdDelivery(), 'argocd_app_info{name="tenant-acme-acme-cilium"'],
  ['HelmChartProxies', new HelmChartProxyDelivery(), 'caaph_helmchartproxy_status_condition{namespace="tenant-acme",name="acme-cilium"'],
])('charts that %s delivers', (_name, delivery, expr) => {
  expect(alertsOf(tenant({ delivery })).filter(({ alert }) => alert === 'ReleaseFailing').map((alert) => alert.expr).join('\n')).toContain(expr);
});

test('each alert says how urgent it is, which cluster it is about, and what to do', () => {
  const [alert] = alertsOf(tenant({}, { alertLabels: { team: 'platform' }, runbooks: 'https://wiki.example.com/alerts' }));

  expect(alert.labels).toEqual({ cluster_name: 'acme', cluster_namespace: 'tenant-acme', object: 'KamajiControlPlane/acme', severity: 'critical', team: 'platform' });
  expect(alert.annotations.runbook_url).toBe('https://wiki.example.com/alerts#certificatenearend');
});

test('Prometheus and Grafana find the objects by labels', () => {
  const cluster = tenant({}, { ruleLabels: { release: 'prometheus' }, dashboardLabels: { dashboards: 'tenants' } });

  expect(objectOf(cluster, 'PrometheusRule', 'acme').metadata.labels).toMatchObject({ release: 'prometheus' });
  expect(objectOf(cluster, 'ConfigMap', 'acme-dashboard').metadata.labels).toMatchObject({ dashboards: 'tenants' });
});

test('alerts and the dashboard can be left out', () => {
  const cluster = tenant({}, { without: ['ServiceWithoutAddress'], dashboard: false });

  expect(namesOf(cluster)).not.toContain('ServiceWithoutAddress');
  expect(cluster.monitoring!.dashboard).toBeUndefined();
});

test('the dashboard has the firing alerts, and the values that they watch with their limits', () => {
  const cluster = tenant();
  cluster.addNodePool('general', { machine, size: PoolSize.fixed(3) });
  const { panels } = JSON.parse(objectOf(cluster, 'ConfigMap', 'acme-dashboard').data['tenant-acme-acme.json']) as { panels: readonly Manifest[] };
  const pool = panels.find(({ title }) => title === 'Nodes of acme-general');

  expect(panels[0].targets[0].expr).toBe('ALERTS{alertstate="firing",cluster_name="acme",cluster_namespace="tenant-acme"}');
  expect(pool.fieldConfig.defaults.thresholds.steps[1]).toEqual({ color: 'red', value: 3 });
  expect(pool.targets.map(({ legendFormat }: Manifest) => legendFormat)).toEqual(['available', 'desired']);
});

test('the dashboard stays the same one in Grafana when the cluster changes', () => {
  const uidOf = (cluster: TenantCluster) => JSON.parse(Object.values<string>(objectOf(cluster, 'ConfigMap', 'acme-dashboard').data)[0]).uid;
  const uid = uidOf(tenant());

  expect(uidOf(tenant({ kubernetesVersion: '1.34.2', podCidrs: ['10.96.0.0/16'] }))).toBe(uid);
  expect(uidOf(tenant({ namespace: 'tenant-other' }))).not.toBe(uid);
});

test.each([
  ['a class of its own', ClusterTopology.of()], ['a shared class', ClusterTopology.of({ className: 'hosted' })],
])('what Cluster API makes of a topology with %s', (_name, topology) => {
  const alerts = ({ asTopology }: { asTopology: boolean }) => {
    const cluster = tenant(asTopology ? { topology } : {});
    cluster.addNodePool('general', { machine, size: PoolSize.fixed(3) });
    return alertsOf(cluster);
  };

  expect(alerts({ asTopology: true })).toEqual(alerts({ asTopology: false }));
});

test('an alert can be patched', () => {
  const cluster = tenant();
  cluster.monitoring!.prometheusRule.addJsonPatch(JsonPatch.replace('/spec/groups/0/rules/0/for', '1d'));

  expect(alertsOf(cluster)[0].for).toBe('1d');
});

test('a third party\'s control plane and machines have the alerts of Cluster API', () => {
  const cluster = exampleCluster(new App(), { monitoring: new ClusterMonitoring() });

  expect(namesOf(cluster)).toEqual(['ClusterNotInitialized', 'ClusterNotObserved', 'ControlPlaneDown', 'ServiceWithoutAddress']);
});

const REFUSED: readonly (readonly [rule: string, props: ClusterMonitoringProps, text: string])[] = [
  ['TC-MONITORING-ALERT', { without: ['QuotaNear'] }, 'monitoring.without: "QuotaNear" is no alert.'],
  ['TC-MONITORING-LABEL', { alertLabels: { severity: 'page' } }, 'monitoring.alertLabels: the label "severity" is set already.'],
  ['TC-MONITORING-LABEL', { alertLabels: { name: 'acme' } }, 'monitoring.alertLabels: the label "name" tells the alerts of several objects apart.'],
  ['TC-MONITORING-LABEL', { alertLabels: { 'on-call': 'a' } }, 'monitoring.alertLabels: "on-call" is not the name of a label.'],
  ['TC-MONITORING-LABEL', { ruleLabels: { release: 'a b' } }, 'monitoring.ruleLabels'],
  ['TC-MONITORING-RUNBOOKS', { runbooks: 'wiki' }, 'monitoring.runbooks'],
  ['TC-MONITORING-RUNBOOKS', { runbooks: 'https://wiki.example.com/alerts#top' }, 'has a query, a fragment'],
];

test.each(REFUSED)('%s refuses %j', (rule, props, text) => {
  expect(problemsOfCluster({ monitoring: new ClusterMonitoring(props) })).toEqual([
    expect.objectContaining({ id: rule, path: 'acme', text: expect.stringContaining(text) }),
  ]);
});

test('each rule of the topic has a case', () => {
  expect([...new Set(REFUSED.map(([rule]) => rule))].sort()).toEqual(rulesOfTopic('Monitoring'));
});
