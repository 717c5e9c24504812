import { Chart, Duration, Testing } from 'cdk8s';
import { autoscalerObjects, byKind, flagsOfContainer, ofVersion, podOf, templates } from './bound';
import { controllerErrors } from './built-in';
import { addClusterAutoscaler } from '../../../../src/constructs/addons/cluster-autoscaler/add-cluster-autoscaler';
import { AutoscalerExpander, ClusterAutoscaler, ClusterAutoscalerOptions, NodeArchitecture } from '../../../../src/constructs/addons/cluster-autoscaler/cluster-autoscaler';
import { Versions } from '../../../../src/constructs/contracts/versions';
import { checkArguments, ComponentArgument, parseArgument } from '../../../../src/manifests/values/component-arguments';
import { compareReleases } from '../../../../src/manifests/values/component-facts';
import { minorOf, SUPPORTED_MINORS } from '../../../../src/manifests/values/kubernetes-releases';
import { CLUSTER_AUTOSCALER, imageName } from '../../../../src/manifests/values/versions';
import { clusterContext } from '../../../support/contexts';

const EVERYTHING: Required<Omit<ClusterAutoscalerOptions, 'image' | 'resources' | 'extraArgs' | 'waitImage' | 'tolerations' | 'nodeSelector' | 'priorityClassName'
| 'podLabels' | 'podAnnotations' | 'imagePullSecrets'>> = {
  expanders: [AutoscalerExpander.PRIORITY, AutoscalerExpander.LEAST_NODES],
  scanInterval: Duration.seconds(25),
  kubeClientQps: 50,
  kubeClientBurst: 80,
  architecture: NodeArchitecture.ARM64,
  balanceSimilarNodeGroups: true,
  balancingIgnoredLabels: ['example.com/rack', 'example.com/row'],
  newPodScaleUpDelay: Duration.seconds(30),
  maxNodesTotal: 100,
  scaleDown: true,
  scaleDownUnneededTime: Duration.minutes(5),
  scaleDownUnreadyTime: Duration.minutes(30),
  scaleDownDelayAfterAdd: Duration.minutes(15),
  scaleDownDelayAfterDelete: Duration.seconds(1),
  scaleDownDelayAfterFailure: Duration.minutes(4),
  scaleDownUtilizationThreshold: 0.6,
  scaleDownGpuUtilizationThreshold: 0,
  maxScaleDownParallelism: 3,
  maxGracefulTermination: Duration.minutes(20),
  ignoreDaemonSetsUtilization: true,
  skipNodesWithLocalStorage: false,
  skipNodesWithSystemPods: false,
};

function containerOf(options: ClusterAutoscalerOptions = {}, context = clusterContext()) {
  return podOf(autoscalerObjects(ClusterAutoscaler.of(options), context)).spec.containers[0];
}

test('without options it manages the tenant from the management cluster', () => {
  const container = containerOf();

  expect(container.command).toEqual(['/cluster-autoscaler']);
  expect(container.args).toEqual([
    '--cloud-provider=clusterapi',
    '--kubeconfig=/etc/kubernetes/tenant/kubeconfig',
    '--clusterapi-cloud-config-authoritative=true',
    '--node-group-auto-discovery=clusterapi:namespace=tenant-acme,clusterName=acme',
    '--namespace=kube-system',
    '--enforce-node-group-min-size=true',
    '--leader-elect=true',
    '--kube-client-qps=20',
    '--kube-client-burst=40',
  ]);
  expect(container.env).toEqual([{ name: 'CAPI_SCALE_ZERO_DEFAULT_ARCH', value: 'amd64' }]);
});

test('it may do what it does, and nothing else', () => {
  const objects = autoscalerObjects();

  expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'Deployment']);
  expect(byKind(objects).Role.rules).toEqual([
    { apiGroups: ['cluster.x-k8s.io'], resources: ['machinedeployments', 'machinepools', 'machines', 'machinesets'], verbs: ['list', 'watch'] },
    { apiGroups: ['cluster.x-k8s.io'], resources: ['machines'], verbs: ['get', 'update'] },
    { apiGroups: ['cluster.x-k8s.io'], resources: ['machinedeployments/scale'], verbs: ['get', 'patch'] },
    { apiGroups: ['infrastructure.cluster.x-k8s.io'], resources: ['kubevirtmachinetemplates'], verbs: ['list', 'watch'] },
  ]);
});

test('machine templates of each kind may be read, one rule for each group', () => {
  const objects = autoscalerObjects(ClusterAutoscaler.of(), clusterContext(), [
    'infrastructure.example.com/v1/ZedMachineTemplate', 'infrastructure.cluster.x-k8s.io/v1/B', 'infrastructure.cluster.x-k8s.io/v1/A', 'infrastructure.cluster.x-k8s.io/v1/B',
  ]);

  expect(byKind(objects).Role.rules.slice(3)).toEqual([
    { apiGroups: ['infrastructure.cluster.x-k8s.io'], resources: ['as', 'bs'], verbs: ['list', 'watch'] },
    { apiGroups: ['infrastructure.example.com'], resources: ['zedmachinetemplates'], verbs: ['list', 'watch'] },
  ]);
});

test('templates of pools that are added later may be read too', () => {
  const chart = new Chart(Testing.app(), 'acme', { namespace: 'tenant-acme' });
  const kinds: string[] = [];
  const pools = () => ({ templates: templates(kinds), autoscaled: 2 * kinds.length });
  const deployment = addClusterAutoscaler(chart, clusterContext(), ClusterAutoscaler.of(), pools);
  kinds.push('infrastructure.example.com/v1/LateMachineTemplate');

  const objects = Testing.synth(chart);
  expect(flagsOfContainer(podOf(objects).spec.containers[0])).toMatchObject({ 'kube-client-qps': '30' });
  expect(byKind(objects).Role.rules.at(-1).resources).toEqual(['latemachinetemplates']);
  expect(deployment?.kind).toBe('Deployment');
});

test.each<[tenants: number | undefined, options: ClusterAutoscalerOptions, interval: string | undefined]>([
  [undefined, {}, undefined],
  [50, {}, undefined],
  [51, {}, '20s'],
  [101, {}, '30s'],
  [200, { scanInterval: Duration.seconds(10) }, '10s'],
])('beside %s tenants of the management cluster it scans less often', (tenants, options, interval) => {
  const flags = flagsOfContainer(containerOf(options, { ...clusterContext(), management: { tenants } }));

  expect(flags['scan-interval']).toBe(interval);
});

test('switched off it leaves nothing', () => {
  expect(autoscalerObjects(ClusterAutoscaler.none())).toEqual([]);
});

test.each(SUPPORTED_MINORS)('the autoscaler of Kubernetes %s knows every flag that the options can set', (minor) => {
  const { image, args } = containerOf({ ...EVERYTHING, extraArgs: [{ name: 'max-bulk-soft-taint-count', value: '5' }] }, ofVersion(`${minor}.0`));

  const release = minorOf(image.split(':')[1]);
  const newest = minorOf(CLUSTER_AUTOSCALER.at(-1)!.version);
  expect(release).toBe(compareReleases(minor, newest) > 0 ? newest : minor);
  expect(CLUSTER_AUTOSCALER.map((pinned) => imageName(pinned, Versions.newest()))).toContain(image);
  expect(checkArguments('cluster-autoscaler', release, args.map((arg: string): ComponentArgument => parseArgument(arg)!))).toEqual([]);
});

test('every option is a flag', () => {
  const { args, env } = containerOf({ ...EVERYTHING, extraArgs: [{ name: 'v', value: '4' }] });

  expect(args.slice(7)).toEqual([
    '--expander=priority,least-nodes',
    '--scan-interval=25s',
    '--kube-client-qps=50',
    '--kube-client-burst=80',
    '--balance-similar-node-groups=true',
    '--balancing-ignore-label=example.com/rack',
    '--balancing-ignore-label=example.com/row',
    '--new-pod-scale-up-delay=30s',
    '--max-nodes-total=100',
    '--scale-down-enabled=true',
    '--scale-down-unneeded-time=5m0s',
    '--scale-down-unready-time=30m0s',
    '--scale-down-delay-after-add=15m0s',
    '--scale-down-delay-after-delete=1s',
    '--scale-down-delay-after-failure=4m0s',
    '--scale-down-utilization-threshold=0.6',
    '--scale-down-gpu-utilization-threshold=0',
    '--max-scale-down-parallelism=3',
    '--max-graceful-termination-sec=1200',
    '--ignore-daemonsets-utilization=true',
    '--skip-nodes-with-local-storage=false',
    '--skip-nodes-with-system-pods=false',
    '--v=4',
  ]);
  // One flag is there twice, one more is the user's, and the architecture is in the environment.
  expect(args).toHaveLength(7 + Object.keys(EVERYTHING).length + 1 + 1 - 1);
  expect(env).toEqual([{ name: 'CAPI_SCALE_ZERO_DEFAULT_ARCH', value: 'arm64' }]);
});

test.each([
  [1, {}, '20', '40'],
  [9, {}, '100', '200'],
  [40, {}, '100', '200'],
  [2, { kubeClientQps: 7 }, '7', '14'],
  [2, { kubeClientBurst: 300 }, '30', '300'],
])('for %i autoscaled pools and %j, it sends %s requests a second and %s at once', (autoscaled, options, qps, burst) => {
  const flags = flagsOfContainer(podOf(autoscalerObjects(ClusterAutoscaler.of(options), clusterContext(), [], autoscaled)).spec.containers[0]);

  expect(flags).toMatchObject({ 'kube-client-qps': qps, 'kube-client-burst': burst });
});

test('image and resources are the user\'s where given', () => {
  const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '2Gi' } };

  expect(containerOf({ image: 'registry.example.com/autoscaler:v1.35.2', resources })).toMatchObject({ image: 'registry.example.com/autoscaler:v1.35.2', resources });
  expect(containerOf().resources).toEqual({ requests: { cpu: '100m', memory: '300Mi' }, limits: { memory: '600Mi' } });
});

test('it is asked whether it is well where it says so', () => {
  const { ports, livenessProbe, readinessProbe } = containerOf();

  expect(ports).toEqual([{ name: 'health', containerPort: 8085, protocol: 'TCP' }]);
  expect([livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual(Array(2).fill({ path: '/health-check', port: 'health', scheme: 'HTTP' }));
});

test('an API server takes the objects, and the pod is restricted', () => {
  for (const options of [{}, EVERYTHING]) expect(autoscalerObjects(ClusterAutoscaler.of(options)).flatMap(controllerErrors)).toEqual([]);
});

test('the flags of two clusters name their own', () => {
  const flags = flagsOfContainer(containerOf({}, clusterContext({ name: 'blue', namespace: 'tenant-blue' })));

  expect(flags['node-group-auto-discovery']).toBe('clusterapi:namespace=tenant-blue,clusterName=blue');
});
