import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import { byKind, controllerObjects, IDLE, named, podOf } from './bound';
import { controllerErrors } from './built-in';
import { clusterScopedName, controllerName } from '../../../../src/constructs/addons/controllers/controller-names';
import { addTenantController } from '../../../../src/constructs/addons/controllers/tenant-controller';
import { TaintEffect, TolerationOperator } from '../../../../src/manifests/values/taints';
import { clusterContext } from '../../../support/contexts';
import { problemsIn } from '../../../support/problems';

const PERMISSIONS = [{ apiGroups: [''], resources: ['services'], verbs: ['get'] }];

test('a controller without rights has neither Role nor token', () => {
  const objects = controllerObjects({});

  expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Deployment']);
  expect(podOf(objects).spec.automountServiceAccountToken).toBe(false);
  expect(byKind(objects).ServiceAccount.automountServiceAccountToken).toBe(false);
});

test('rights in the namespace are a Role of exactly these rules, bound to the ServiceAccount of the pod', () => {
  const objects = controllerObjects({ permissions: PERMISSIONS });
  const { Role, RoleBinding, ServiceAccount } = byKind(objects);

  expect(Role).toMatchObject({ metadata: { name: 'acme-idler', namespace: 'tenant-acme' }, rules: PERMISSIONS });
  expect(RoleBinding.roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'acme-idler' });
  expect(RoleBinding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'acme-idler', namespace: 'tenant-acme' }]);
  expect(ServiceAccount.metadata.name).toBe('acme-idler');
  expect(podOf(objects).spec).toMatchObject({ serviceAccountName: 'acme-idler', automountServiceAccountToken: true });
});

test('rights beyond the namespace are bound under a name that says whose they are', () => {
  const objects = controllerObjects({ clusterPermissions: PERMISSIONS });
  const { ClusterRole, ClusterRoleBinding } = byKind(objects);

  expect(ClusterRole.metadata.name).toBe('tenant-acme.acme.idler');
  expect(ClusterRole.metadata).not.toHaveProperty('namespace');
  expect(ClusterRoleBinding.metadata).toMatchObject({ name: 'tenant-acme.acme.idler' });
  expect(ClusterRoleBinding.metadata).not.toHaveProperty('namespace');
  expect(ClusterRoleBinding.roleRef.name).toBe('tenant-acme.acme.idler');
  expect(podOf(objects).spec.automountServiceAccountToken).toBe(true);
});

test('an API server takes the objects, and the pod is restricted', () => {
  const options = {
    tolerations: [{ key: 'a', operator: TolerationOperator.EXISTS, effect: TaintEffect.NO_SCHEDULE }],
    nodeSelector: { zone: 'a' },
    priorityClassName: 'high',
    podLabels: { team: 'a' },
    podAnnotations: { 'example.com/a': 'b' },
    imagePullSecrets: ['registry'],
    waitImage: 'registry.example.com/busybox:1.37.0',
  };
  const health = { path: '/healthz', port: 8080, scheme: 'HTTP' } as const;
  const containers = [{ ...IDLE.containers[0], command: ['/idler'], health, env: [{ name: 'A', value: 'b' }] }];
  for (const controller of [{}, { options, containers, permissions: PERMISSIONS, clusterPermissions: PERMISSIONS, leaderElection: false }]) {
    expect(controllerObjects(controller).flatMap(controllerErrors)).toEqual([]);
  }
});

test('the options reach the pod', () => {
  const { metadata, spec } = podOf(controllerObjects({
    podAnnotations: { 'checksum/config': '1' },
    options: {
      tolerations: [{ key: 'a' }],
      nodeSelector: { zone: 'a' },
      priorityClassName: 'high',
      podLabels: { team: 'a' },
      podAnnotations: { 'example.com/a': 'b' },
      imagePullSecrets: ['registry'],
      waitImage: 'registry.example.com/busybox:1.36.1',
    },
  }));

  expect(metadata.labels).toEqual({
    'app.kubernetes.io/component': 'tenant-controller',
    'app.kubernetes.io/instance': 'acme',
    'app.kubernetes.io/name': 'idler',
    'cluster.x-k8s.io/cluster-name': 'acme',
    'team': 'a',
  });
  expect(metadata.annotations).toEqual({ 'checksum/config': '1', 'example.com/a': 'b' });
  expect(spec).toMatchObject({
    tolerations: [{ key: 'a' }], nodeSelector: { zone: 'a' }, priorityClassName: 'high', imagePullSecrets: [{ name: 'registry' }],
  });
  expect(spec.initContainers[0].image).toBe('registry.example.com/busybox:1.36.1');
});

test('options that are not used leave no trace', () => {
  const { metadata, spec } = podOf(controllerObjects({ options: { tolerations: [], nodeSelector: {}, imagePullSecrets: [], podAnnotations: {} } }));

  expect(Object.keys(metadata)).toEqual(['labels']);
  expect(Object.keys(spec).sort()).toEqual([
    'automountServiceAccountToken', 'containers', 'enableServiceLinks', 'initContainers', 'securityContext', 'serviceAccountName', 'volumes',
  ]);
});

test('the pod sees one key of the Secret, and starts before that is there', () => {
  const { spec } = podOf(controllerObjects({}));

  expect(spec.volumes).toEqual([{
    name: 'tenant-kubeconfig',
    secret: { secretName: 'acme-admin-kubeconfig', items: [{ key: 'super-admin.svc', path: 'kubeconfig' }], optional: true, defaultMode: 0o440 },
  }]);
  expect(spec.securityContext.fsGroup).toBe(spec.securityContext.runAsUser);
  const [{ command, args }] = spec.initContainers;
  expect(command.slice(0, 2)).toEqual(['sh', '-c']);
  expect(args).toEqual(['wait', '600', '/etc/kubernetes/tenant/kubeconfig', 'acme.tenant-acme.svc', '6443']);
});

test('an API server without a name in the management cluster is not waited for', () => {
  const { spec } = podOf(controllerObjects({}, clusterContext({ apiServer: { published: { host: 'a.example.com', port: 443 } } })));

  expect(spec.initContainers[0].args.slice(3)).toEqual(['', '']);
});

test('instances that elect a leader overlap in an update, others do not', () => {
  const strategyOf = (leaderElection: boolean) => byKind(controllerObjects({ leaderElection })).Deployment.spec.strategy;

  expect(strategyOf(true)).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } });
  expect(strategyOf(false)).toEqual({ type: 'Recreate' });
});

test('Flux leaves the shell text alone', () => {
  expect(byKind(controllerObjects({})).Deployment.metadata.annotations).toEqual({ 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' });
});

describe('names', () => {
  test('two clusters of one namespace have nothing in common', () => {
    const names = ['blue', 'green'].map((name) => controllerObjects({ permissions: PERMISSIONS, clusterPermissions: PERMISSIONS }, named(name, 'shared'))
      .map(({ kind, metadata }) => `${kind}/${metadata.name}`));

    expect(names[0].filter((name) => names[1].includes(name))).toEqual([]);
    expect(names[0]).toHaveLength(6);
  });

  test('a name that two clusters come to is refused', () => {
    const found = problemsIn((app: App) => {
      for (const [cluster, name] of [['a', 'b-idler'], ['a-b', 'idler']]) {
        const context = named(cluster, 'shared');
        addTenantController(new Chart(app, cluster, { namespace: 'shared' }), context, { ...IDLE, name });
      }
    });

    expect(found).toEqual([expect.objectContaining({ path: 'a-b', id: 'TC-CONTROLLER-NAME-TAKEN', text: expect.stringContaining('the Deployment "a-b-idler" in namespace "shared" is already created by a') })]);
  });

  const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);

  test('without a namespace are never those of another cluster', () => {
    fc.assert(fc.property(fc.tuple(label, label), fc.tuple(label, label), ([namespace, name], [otherNamespace, otherName]) => {
      fc.pre(namespace !== otherNamespace || name !== otherName);
      expect(clusterScopedName({ namespace, name }, 'idler')).not.toBe(clusterScopedName({ namespace: otherNamespace, name: otherName }, 'idler'));
    }));
    expect(clusterScopedName({ namespace: 'a-b', name: 'c' }, 'idler')).not.toBe(clusterScopedName({ namespace: 'a', name: 'b-c' }, 'idler'));
  });

  test('fit where they go, however long the cluster\'s', () => {
    const [namespace, name] = ['n'.repeat(63), 'c'.repeat(63)];

    expect(clusterScopedName({ namespace, name }, 'cloud-controller-manager').length).toBeLessThanOrEqual(253);
    expect(controllerName({ namespace, name }, 'cloud-controller-manager').length).toBeLessThanOrEqual(63);
    expect(controllerName({ namespace, name: `${name.slice(1)}d` }, 'idler')).not.toBe(controllerName({ namespace, name }, 'idler'));
    const objects = controllerObjects({ permissions: PERMISSIONS, clusterPermissions: PERMISSIONS }, named(name, namespace));
    expect(objects.flatMap(controllerErrors)).toEqual([]);
  });
});
