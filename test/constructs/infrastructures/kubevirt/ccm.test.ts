import { ApiObject, App, Chart, Duration, JsonPatch, Testing } from 'cdk8s';
import { parse } from 'yaml';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { KubeadmBootstrap } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import {
  KubevirtCloudControllerManager, KubevirtCloudControllerManagerOptions, KubevirtLoadBalancers,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import {
  KubevirtInfrastructure, KubevirtInfrastructureProps,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { checkArguments, ComponentArgument, parseArgument } from '../../../../src/manifests/values/component-arguments';
import { changesBetween } from '../../../manifests/rules/changes/changes';
import { Manifest } from '../../../support/clusters';
import { clusterContext, poolContext } from '../../../support/contexts';
import { controllerErrors } from '../../addons/controllers/built-in';

const INFRA = { infraClusterSecretRef: { name: 'edge' } };
const EVERYTHING: KubevirtCloudControllerManagerOptions = {
  zones: true, loadBalancers: KubevirtLoadBalancers.localTraffic(), infraLabels: { team: 'a' }, extraArgs: [{ name: 'concurrent-service-syncs', value: '5' }],
};

function chartOf(props: KubevirtInfrastructureProps, context: ClusterContext): Chart {
  const chart = new Chart(Testing.app(), context.name, { namespace: context.namespace });
  new KubevirtInfrastructure(props).bind(chart, context);
  return chart;
}

/** The objects beside the KubevirtCluster. */
function objectsOf(
  options: KubevirtCloudControllerManagerOptions = {}, props: KubevirtInfrastructureProps = {}, context = clusterContext(),
): Manifest[] {
  const cloudControllerManager = KubevirtCloudControllerManager.of(options);
  return Testing.synth(chartOf({ cloudControllerManager, ...props }, context)).filter(({ kind }) => kind !== 'KubevirtCluster');
}

function byKind(objects: readonly Manifest[]): { [kind: string]: Manifest } {
  expect(new Set(objects.map(({ kind }) => kind)).size).toBe(objects.length);
  return Object.fromEntries(objects.map((object) => [object.kind, object]));
}

function configOf(objects: readonly Manifest[]): Manifest {
  return parse(byKind(objects).ConfigMap.data['cloud-config']);
}

function podOf(objects: readonly Manifest[]): Manifest {
  return byKind(objects).Deployment.spec.template;
}

describe('by default', () => {
  test('it runs, with a Role of its own', () => {
    const objects = Testing.synth(chartOf({}, clusterContext()));

    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'ConfigMap acme-cloud-controller-manager',
      'Deployment acme-cloud-controller-manager',
      'KubevirtCluster acme',
      'Role acme-cloud-controller-manager',
      'RoleBinding acme-cloud-controller-manager',
      'ServiceAccount acme-cloud-controller-manager',
    ]);
  });

  test('the configuration says everything, zones off', () => {
    expect(configOf(objectsOf())).toEqual({
      namespace: 'tenant-acme',
      instancesV2: { enabled: true, zoneAndRegionEnabled: false },
      loadBalancer: { enabled: true, creationPollInterval: 5, creationPollTimeout: 60 },
    });
  });

  test('the command line names tenant, configuration and cluster', () => {
    const [container] = podOf(objectsOf()).spec.containers;

    expect(container.image).toBe('quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0');
    expect(container).not.toHaveProperty('command');
    expect(container.args).toEqual([
      '--cloud-provider=kubevirt',
      '--cloud-config=/etc/cloud/cloud-config',
      '--kubeconfig=/etc/kubernetes/tenant/kubeconfig',
      '--cluster-name=acme',
      '--authentication-skip-lookup=true',
      '--configure-cloud-routes=false',
      '--leader-elect=true',
    ]);
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'health', scheme: 'HTTPS' });
    expect(container.ports).toEqual([{ name: 'health', containerPort: 10258, protocol: 'TCP' }]);
  });
});

test.each<[string, KubevirtCloudControllerManagerOptions, object[]]>([
  ['nodes and load balancers', {}, [
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get'] },
    { apiGroups: [''], resources: ['services'], verbs: ['create', 'delete', 'get', 'update'] },
  ]],
  ['local traffic', { loadBalancers: KubevirtLoadBalancers.localTraffic() }, [
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get'] },
    { apiGroups: [''], resources: ['services'], verbs: ['create', 'delete', 'get', 'list', 'update', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['create', 'delete', 'list', 'update', 'watch'] },
  ]],
  ['local traffic without nodes', { initializeNodes: false, loadBalancers: KubevirtLoadBalancers.localTraffic() }, [
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get'] },
    { apiGroups: [''], resources: ['services'], verbs: ['create', 'delete', 'get', 'list', 'update', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['create', 'delete', 'list', 'update', 'watch'] },
  ]],
  ['nodes only', { loadBalancers: KubevirtLoadBalancers.none() }, [
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get'] },
  ]],
  ['load balancers only', { initializeNodes: false, loadBalancers: KubevirtLoadBalancers.selectorless() }, [
    { apiGroups: [''], resources: ['services'], verbs: ['create', 'delete', 'get', 'update'] },
  ]],
])('rights for %s are those that are used', (_name, options, rules) => {
  const objects = byKind(objectsOf(options));

  expect(objects.Role.rules).toEqual(rules);
  expect(objects).not.toHaveProperty('ClusterRole');
});

test('zones are read from the hosts, under a name that no other cluster has', () => {
  const { ClusterRole, ClusterRoleBinding } = byKind(objectsOf({ zones: true }));

  expect(configOf(objectsOf({ zones: true })).instancesV2.zoneAndRegionEnabled).toBe(true);
  expect(ClusterRole).toMatchObject({ metadata: { name: 'tenant-acme.acme.cloud-controller-manager' }, rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }] });
  expect(ClusterRoleBinding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'acme-cloud-controller-manager', namespace: 'tenant-acme' }]);
});

test.each<[string, KubevirtLoadBalancers, object]>([
  ['allNodes', KubevirtLoadBalancers.allNodes({ creationPollInterval: Duration.seconds(2), creationPollTimeout: Duration.minutes(5) }), { enabled: true, creationPollInterval: 2, creationPollTimeout: 300 }],
  ['localTraffic', KubevirtLoadBalancers.localTraffic(), { enabled: true, creationPollInterval: 5, creationPollTimeout: 60, enableEPSController: true }],
  ['selectorless', KubevirtLoadBalancers.selectorless(), { enabled: true, creationPollInterval: 5, creationPollTimeout: 60, selectorless: true }],
  ['none', KubevirtLoadBalancers.none(), { enabled: false }],
])('load balancers: %s', (_name, loadBalancers, expected) => {
  expect(configOf(objectsOf({ loadBalancers })).loadBalancer).toEqual(expected);
});

test('labels of the Services are text, in an order of their own', () => {
  const text = (infraLabels: { [key: string]: string }) => byKind(objectsOf({ infraLabels })).ConfigMap.data['cloud-config'];

  expect(parse(text({ b: 'yes', a: '12' }), { version: '1.1' }).infraLabels).toEqual({ a: '12', b: 'yes' });
  expect(text({ b: 'yes', a: '12' })).toBe(text({ a: '12', b: 'yes' }));
});

describe('a change of the configuration', () => {
  const checksum = (objects: Manifest[]) => podOf(objects).metadata.annotations['checksum/cloud-config'];

  test('replaces the pod', () => {
    expect(checksum(objectsOf())).toMatch(/^[0-9a-f]{8}$/);
    expect(checksum(objectsOf({ infraLabels: { a: 'b' } }))).not.toBe(checksum(objectsOf()));
    expect(checksum(objectsOf({ podLabels: { a: 'b' } }))).toBe(checksum(objectsOf()));
  });

  test('by a patch does so too', () => {
    const chart = chartOf({}, clusterContext());
    const config = chart.node.findChild('CloudControllerManager').node.findChild('CloudConfig') as ApiObject;
    config.addJsonPatch(JsonPatch.replace('/data/cloud-config', 'namespace: other\n'));
    const objects = Testing.synth(chart).filter(({ kind }) => kind !== 'KubevirtCluster');

    expect(configOf(objects)).toEqual({ namespace: 'other' });
    expect(checksum(objects)).not.toBe(checksum(objectsOf()));
  });
});

describe('for another cluster that runs the machines', () => {
  test('it reaches that with the infrastructure\'s kubeconfig, and the management cluster not at all', () => {
    const objects = objectsOf({ zones: true }, INFRA);
    const { spec } = podOf(objects);

    expect(objects.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Deployment', 'ServiceAccount']);
    expect(configOf(objects)).toMatchObject({ kubeconfig: '/etc/kubernetes/infra/kubeconfig' });
    expect(configOf(objects)).not.toHaveProperty('namespace');
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.volumes).toContainEqual({ name: 'infra-kubeconfig', secret: { secretName: 'edge', items: [{ key: 'kubeconfig', path: 'kubeconfig' }], defaultMode: 0o440 } });
    expect(spec.containers[0].volumeMounts).toContainEqual({ name: 'infra-kubeconfig', mountPath: '/etc/kubernetes/infra', readOnly: true });
  });

  test('a kubeconfig of its own and a namespace are taken', () => {
    const objects = objectsOf({ infraKubeconfig: { name: 'less', key: 'config' }, infraNamespace: 'vms' }, { infraClusterSecretRef: { name: 'edge', namespace: 'infra' } });

    expect(configOf(objects)).toMatchObject({ kubeconfig: '/etc/kubernetes/infra/kubeconfig', namespace: 'vms' });
    expect(podOf(objects).spec.volumes).toContainEqual(expect.objectContaining({ secret: expect.objectContaining({ secretName: 'less', items: [{ key: 'config', path: 'kubeconfig' }] }) }));
  });
});

test('an API server takes the objects, the pod is restricted, and the program knows its flags', () => {
  for (const [options, props] of [[{}, {}], [EVERYTHING, {}], [{}, INFRA]] as const) {
    const objects = objectsOf(options, props);
    const args: ComponentArgument[] = podOf(objects).spec.containers[0].args.map((arg: string) => parseArgument(arg));

    expect(objects.flatMap(controllerErrors)).toEqual([]);
    expect(checkArguments('kubevirt-cloud-controller-manager', '0.6', args)).toEqual([]);
  }
});

test('two clusters share no name', () => {
  const names = ['blue', 'green'].map((name) => objectsOf({ zones: true }, {}, clusterContext({ name, namespace: 'shared' })).map(({ kind, metadata }) => `${kind}/${metadata.name}`));

  expect(names[0]).toHaveLength(7);
  expect(names[0].filter((name) => names[1].includes(name))).toEqual([]);
});

describe('kubelets', () => {
  const argumentsFor = (props: KubevirtInfrastructureProps) => {
    const cluster = clusterContext({ infrastructure: new KubevirtInfrastructure(props).capabilities });
    const { template } = new KubeadmBootstrap().bind(new Chart(new App(), 'pool'), poolContext({ cluster, nodeLabels: { a: 'b' } }));
    return template.toJson().spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs;
  };

  test('wait for it where it initializes the nodes', () => {
    expect(argumentsFor({})).toEqual([{ name: 'cloud-provider', value: 'external' }, { name: 'node-labels', value: 'a=b' }]);
  });

  test('wait for it where it runs elsewhere', () => {
    expect(argumentsFor({ cloudControllerManager: KubevirtCloudControllerManager.external() })[0]).toEqual({ name: 'cloud-provider', value: 'external' });
  });

  test.each([
    ['is switched off', KubevirtCloudControllerManager.none()],
    ['leaves the nodes alone', KubevirtCloudControllerManager.of({ initializeNodes: false })],
  ])('do not wait where it %s', (_name, cloudControllerManager) => {
    expect(argumentsFor({ cloudControllerManager })).toEqual([{ name: 'node-labels', value: 'a=b' }]);
  });
});

test.each(['none', 'external'] as const)('as %s, it has no objects', (name) => {
  const objects = Testing.synth(chartOf({ cloudControllerManager: KubevirtCloudControllerManager[name]() }, clusterContext()));

  expect(objects.map(({ kind }) => kind)).toEqual(['KubevirtCluster']);
});

test('local traffic for load balancers that exist is warned of as a change', () => {
  const [selector, local] = [undefined, KubevirtLoadBalancers.localTraffic()]
    .map((loadBalancers) => objectsOf({ loadBalancers }) as ManifestObject[]);

  expect(changesBetween(selector, local).map(({ rule }) => rule.id)).toEqual(['TC-CHANGE-KUBEVIRT-LOCAL-TRAFFIC']);
  expect(changesBetween(local, selector)).toEqual([]);
});
