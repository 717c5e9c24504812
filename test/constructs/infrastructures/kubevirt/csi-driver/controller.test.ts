import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { bound, byKind, containersOf, EDGE, FAST, IMAGE, SNAPSHOTS } from './bound';
import { addCsiDriver } from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/add-csi-driver';
import {
  infraClusterLabels, storageClassEnforcement,
} from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/csi-controller';
import { KubevirtCsiDriver } from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtStorageClass } from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-storage-class';
import { KubevirtInfrastructure } from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { checkLabels } from '../../../../../src/manifests/values/labels';
import { Manifest } from '../../../../support/clusters';
import { clusterContext } from '../../../../support/contexts';
import { controllerErrors } from '../../../addons/controllers/built-in';

const RIGID = { ...FAST, allowVolumeExpansion: false };

function driverOf(...args: Parameters<typeof bound>): Manifest {
  return containersOf(byKind(bound(...args).management).Deployment)['csi-driver'];
}

describe('by default', () => {
  test('there is no driver where there are no storage classes', () => {
    const chart = new Chart(Testing.app(), 'acme', { namespace: 'tenant-acme' });
    const { addons } = new KubevirtInfrastructure().bind(chart, clusterContext());

    expect(addons).toEqual([]);
    expect(Testing.synth(chart).map(({ metadata }) => metadata.name).filter((name: string) => name.includes('csi'))).toEqual([]);
  });

  test('it runs beside the control plane, with a Role of its own', () => {
    expect(bound().management.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'ClusterRole tenant-acme.acme.csi-driver',
      'ClusterRoleBinding tenant-acme.acme.csi-driver',
      'ConfigMap acme-csi-driver',
      'Deployment acme-csi-driver',
      'Role acme-csi-driver',
      'RoleBinding acme-csi-driver',
      'ServiceAccount acme-csi-driver',
    ]);
  });

  test('one pod works, and a new one starts when the old one is gone', () => {
    const { spec } = byKind(bound().management).Deployment;

    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(Object.keys(containersOf({ spec }))).toEqual(['csi-driver', 'csi-provisioner', 'csi-attacher', 'csi-resizer', 'liveness-probe']);
  });

  test('the driver is told the tenant, the namespace of the machines, and the labels of this cluster', () => {
    const driver = driverOf();

    expect(driver.image).toBe(IMAGE);
    expect(driver).not.toHaveProperty('command');
    expect(driver).not.toHaveProperty('workingDir');
    expect(driver.args).toEqual([
      '--endpoint=unix:///csi/csi.sock',
      '--run-controller-service=true',
      '--run-node-service=false',
      '--infra-cluster-namespace=tenant-acme',
      '--infra-cluster-labels=cluster.x-k8s.io/cluster-name=acme,cluster.x-k8s.io/cluster-namespace=tenant-acme',
      '--tenant-cluster-kubeconfig=/etc/kubernetes/tenant/kubeconfig',
      '--volume-prefix=pvc',
    ]);
    expect(driver.env).toEqual([{
      name: 'INFRA_STORAGE_CLASS_ENFORCEMENT', valueFrom: { configMapKeyRef: { name: 'acme-csi-driver', key: 'infraStorageClassEnforcement' } },
    }]);
  });

  test('the companions call the tenant, wait longer than the driver does, and elect a leader where its namespace exists', () => {
    const containers = containersOf(byKind(bound([SNAPSHOTS]).management).Deployment);
    const common = [
      '--csi-address=/csi/csi.sock', '--kubeconfig=/etc/kubernetes/tenant/kubeconfig', '--timeout=3m', '--leader-election=true', '--leader-election-namespace=kube-system',
    ];

    expect(Object.fromEntries(Object.entries(containers).filter(([name]) => name !== 'csi-driver').map(([name, { image, args }]) => [name, [image, ...args]]))).toEqual({
      'csi-provisioner': [
        'registry.k8s.io/sig-storage/csi-provisioner:v6.4.0', ...common, '--retry-interval-max=1m', '--default-fstype=ext4', '--volume-name-prefix=pvc',
        '--feature-gates=Topology=false,VolumeAttributesClass=false',
      ],
      'csi-attacher': ['registry.k8s.io/sig-storage/csi-attacher:v4.13.0', ...common, '--retry-interval-max=1m'],
      'csi-resizer': ['registry.k8s.io/sig-storage/csi-resizer:v2.3.0', ...common, '--handle-volume-inuse-error=false', '--feature-gates=VolumeAttributesClass=false'],
      'csi-snapshotter': ['registry.k8s.io/sig-storage/csi-snapshotter:v8.7.0', ...common],
      'liveness-probe': ['registry.k8s.io/sig-storage/livenessprobe:v2.19.0', '--csi-address=/csi/csi.sock', '--probe-timeout=3s', '--http-endpoint=:10301'],
    });
  });

  test('the kubelet asks for the driver where the liveness probe answers', () => {
    const driver = driverOf();

    expect(driver.ports).toEqual([{ name: 'health', containerPort: 10301, protocol: 'TCP' }]);
    expect(driver.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'health', scheme: 'HTTP' });
  });

  test('all containers share the socket, as one user who may write to it', () => {
    const { securityContext, volumes, containers } = byKind(bound([SNAPSHOTS]).management).Deployment.spec.template.spec;

    expect(volumes).toContainEqual({ name: 'socket', emptyDir: {} });
    expect(securityContext).toMatchObject({ runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, runAsNonRoot: true });
    for (const container of containers) {
      expect(container.volumeMounts).toContainEqual({ name: 'socket', mountPath: '/csi' });
      expect(container.securityContext).not.toHaveProperty('runAsUser');
    }
  });
});

test('an API server takes the objects, and the pod is restricted', () => {
  for (const { management } of [bound([FAST]), bound([SNAPSHOTS]), bound([RIGID]), bound([SNAPSHOTS], { infraNamespace: 'vms' }, EDGE)]) {
    expect(management.flatMap(controllerErrors)).toEqual([]);
  }
});

const BASE = [
  { apiGroups: ['cdi.kubevirt.io'], resources: ['datavolumes'], verbs: ['create', 'delete', 'get'] },
  { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances'], verbs: ['get', 'list'] },
  { apiGroups: ['kubevirt.io'], resources: ['virtualmachines'], verbs: ['get'] },
  {
    apiGroups: ['subresources.kubevirt.io'],
    resources: ['virtualmachineinstances/removevolume', 'virtualmachines/addvolume', 'virtualmachines/removevolume'],
    verbs: ['update'],
  },
];
const CLAIMS = (...verbs: string[]) => ({ apiGroups: [''], resources: ['persistentvolumeclaims'], verbs });
const SNAPSHOT_RIGHTS = { apiGroups: ['snapshot.storage.k8s.io'], resources: ['volumesnapshots'], verbs: ['create', 'delete', 'get'] };

test.each<[string, KubevirtStorageClass[], object[], boolean, string[]]>([
  ['volumes only', [RIGID], [...BASE, CLAIMS('get')], false, []],
  ['volumes that grow', [RIGID, { name: 'slow', infraClass: 'hdd' }], [...BASE, CLAIMS('get', 'patch')], true, ['csi-resizer']],
  ['snapshots', [{ ...SNAPSHOTS, allowVolumeExpansion: false }], [...BASE, CLAIMS('get'), SNAPSHOT_RIGHTS], false, ['csi-snapshotter']],
  ['both', [SNAPSHOTS], [...BASE, CLAIMS('get', 'patch'), SNAPSHOT_RIGHTS], true, ['csi-resizer', 'csi-snapshotter']],
])('for %s, rights and containers are those that are used', (_, classes, rules, wide, containers) => {
  const { Role, ClusterRole, Deployment } = byKind(bound(classes).management);

  expect(Role.rules).toEqual(rules);
  expect(ClusterRole?.rules).toEqual(wide ? [{ apiGroups: [''], resources: ['persistentvolumes'], verbs: ['get'] }] : undefined);
  expect(Object.keys(containersOf(Deployment)).filter((name) => ['csi-resizer', 'csi-snapshotter'].includes(name))).toEqual(containers);
});

describe('in another cluster', () => {
  const { management } = bound([SNAPSHOTS], { infraNamespace: 'vms' }, EDGE);
  const objects = byKind(management);

  test('the kubeconfig has the rights, and the token that the driver asks for has none', () => {
    expect(management.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Deployment', 'ServiceAccount']);
    expect(objects.Deployment.spec.template.spec.automountServiceAccountToken).toBe(true);
  });

  test('the driver has that kubeconfig and its namespace, and nobody else has', () => {
    const { spec } = objects.Deployment.spec.template;
    const { 'csi-driver': driver, ...others } = containersOf(objects.Deployment);

    expect(driver.args).toEqual(expect.arrayContaining(['--infra-cluster-namespace=vms', '--infra-cluster-kubeconfig=/etc/kubernetes/infra/kubeconfig']));
    expect(spec.volumes).toContainEqual({ name: 'infra-kubeconfig', secret: { secretName: 'edge', items: [{ key: 'kubeconfig', path: 'kubeconfig' }], defaultMode: 0o440 } });
    expect(driver.volumeMounts).toContainEqual({ name: 'infra-kubeconfig', mountPath: '/etc/kubernetes/infra', readOnly: true });
    expect(JSON.stringify(others)).not.toContain('infra');
  });

  test('the kubeconfig can be its own', () => {
    const { Deployment } = byKind(bound([FAST], { infraNamespace: 'vms', infraKubeconfig: { name: 'csi', key: 'value' } }, EDGE).management);

    expect(Deployment.spec.template.spec.volumes).toContainEqual(
      { name: 'infra-kubeconfig', secret: { secretName: 'csi', items: [{ key: 'value', path: 'kubeconfig' }], defaultMode: 0o440 } });
  });

  test('the namespace is that of the cloud controller manager unless something else is said', () => {
    const scope = new Chart(Testing.app(), 'acme', { namespace: 'tenant-acme' });
    addCsiDriver(scope, clusterContext(), KubevirtCsiDriver.of({ image: IMAGE }), [FAST], { infraCluster: { name: 'edge' }, infraNamespace: 'vms' });

    expect(JSON.stringify(Testing.synth(scope))).toContain('--infra-cluster-namespace=vms');
  });
});

test('options reach their container', () => {
  const resources = { requests: { cpu: '1' } };
  const options = { image: 'registry.example.com/x:v6.3.1', resources, extraArgs: [{ name: 'v', value: '5' }] };
  const containers = containersOf(byKind(bound([SNAPSHOTS], {
    resources, extraArgs: [{ name: 'v', value: '4' }], provisioner: options, attacher: options, resizer: options, snapshotter: options, livenessProbe: options,
  }).management).Deployment);

  expect(containers['csi-driver']).toMatchObject({ image: IMAGE, resources });
  expect(containers['csi-driver'].args.at(-1)).toBe('--v=4');
  for (const name of ['csi-provisioner', 'csi-attacher', 'csi-resizer', 'csi-snapshotter', 'liveness-probe']) {
    expect(containers[name]).toMatchObject({ image: options.image, resources });
    expect(containers[name].args.at(-1)).toBe('--v=5');
  }
});

describe('the configuration', () => {
  const enforcement = (classes: KubevirtStorageClass[]) => parse(byKind(bound(classes).management).ConfigMap.data.infraStorageClassEnforcement);

  test('lets the tenant have what is listed, and nothing else', () => {
    expect(enforcement([FAST, { name: 'slow', infraClass: 'hdd' }])).toEqual({ allowAll: false, allowDefault: false, allowList: ['hdd', 'replicated'] });
  });

  test('lets it have the default storage where a class says so', () => {
    expect(enforcement([{ name: 'any', isDefault: true }])).toEqual({ allowAll: false, allowDefault: true, allowList: [] });
  });

  test('joins the snapshot classes of all that is of one storage, in the spelling of the driver', () => {
    const classes = [
      { ...FAST, snapshotClasses: [{ name: 'b', infraClass: 'snap-b' }] },
      { name: 'slow', infraClass: 'hdd' },
      { name: 'fast-xfs', infraClass: 'replicated', snapshotClasses: [{ name: 'a', infraClass: 'snap-a' }, { name: 'b2', infraClass: 'snap-b' }] },
    ];
    expect(enforcement(classes)).toEqual({
      allowAll: false,
      allowDefault: false,
      allowList: ['hdd', 'replicated'],
      storageSnapshotMapping: [{ storageClasses: ['replicated'], volumeSnapshotClasses: ['snap-a', 'snap-b'] }],
    });
  });

  test('replaces the pod when it changes, patches among it', () => {
    const hashOf = (patch?: (config: ApiObject) => void, classes = [FAST]): string => {
      const chart = new Chart(new App(), 'acme', { namespace: 'tenant-acme' });
      addCsiDriver(chart, clusterContext(), KubevirtCsiDriver.of({ image: IMAGE }), classes, {});
      patch?.(chart.node.findAll().find((construct): construct is ApiObject => ApiObject.isApiObject(construct) && construct.kind === 'ConfigMap')!);
      return byKind(Testing.synth(chart)).Deployment.spec.template.metadata.annotations['checksum/driver-config'];
    };
    const other = (config: ApiObject) => config.addJsonPatch(JsonPatch.replace('/data/infraStorageClassEnforcement', 'allowAll: true'));

    expect(new Set([hashOf(), hashOf(other), hashOf(undefined, [{ ...FAST, infraClass: 'hdd' }])]).size).toBe(3);
    expect(hashOf(undefined, [{ ...FAST, name: 'renamed' }])).toBe(hashOf());
  });
});

describe('properties', () => {
  const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);

  test('labels are a list that the driver can read, and no two clusters have the same', () => {
    fc.assert(fc.property(fc.record({ namespace: label, name: label }), fc.record({ namespace: label, name: label }), (one, other) => {
      const pairs = infraClusterLabels(one).split(',').map((pair) => pair.split('='));
      expect(pairs.every((pair) => pair.length === 2)).toBe(true);
      expect(Object.fromEntries(pairs)).toEqual({ 'cluster.x-k8s.io/cluster-name': one.name, 'cluster.x-k8s.io/cluster-namespace': one.namespace });
      expect(checkLabels(Object.fromEntries(pairs))).toEqual([]);
      expect(infraClusterLabels(one) === infraClusterLabels(other)).toBe(one.namespace === other.namespace && one.name === other.name);
    }));
    // Names that meet when they are joined.
    expect(infraClusterLabels({ namespace: 'a-b', name: 'c' })).not.toBe(infraClusterLabels({ namespace: 'a', name: 'b-c' }));
  });

  const infraClass = fc.constantFrom('hdd', 'ssd', 'nvme', 'on', '1e3');
  const classes = fc.array(fc.record({
    name: label,
    infraClass: fc.option(infraClass, { nil: undefined }),
    snapshotClasses: fc.array(fc.record({ name: label, infraClass: fc.option(infraClass, { nil: undefined }) }, { requiredKeys: ['name'] }), { maxLength: 3 }),
  }), { minLength: 1, maxLength: 6 });

  test('what is allowed is the set of what is named, and each storage is mapped once, to all its snapshots', () => {
    fc.assert(fc.property(classes, (list) => {
      const text = storageClassEnforcement(list);
      const { allowAll, allowDefault, allowList, storageSnapshotMapping = [] } = parse(text);
      const named = new Set(list.flatMap((one) => one.infraClass ?? []));
      expect(allowAll).toBe(false);
      expect(allowDefault).toBe(list.some((one) => one.infraClass === undefined));
      expect(allowList).toEqual([...named].sort());

      const groups: { storageClasses: string[]; volumeSnapshotClasses: string[] }[] = storageSnapshotMapping;
      const mapped = groups.flatMap(({ storageClasses }) => storageClasses);
      expect(new Set(mapped).size).toBe(mapped.length);
      for (const storage of named) {
        const own = list.filter((one) => one.infraClass === storage).flatMap((one) => one.snapshotClasses);
        const snapshots = new Set(own.flatMap((snapshot) => snapshot.infraClass ?? []));
        expect(groups.find(({ storageClasses }) => storageClasses.includes(storage))?.volumeSnapshotClasses ?? []).toEqual([...snapshots].sort());
      }
      expect(storageClassEnforcement([...list].reverse())).toBe(text);
    }));
  });
});

test('two clusters of one namespace share nothing', () => {
  const names = ['blue', 'green'].map((name) => bound([SNAPSHOTS], {}, {}, clusterContext({ name, namespace: 'shared' })).management.map(({ kind, metadata }) => `${kind}/${metadata.name}`));

  expect(names[0].filter((name) => names[1].includes(name))).toEqual([]);
});

test('an instance keeps nothing of the clusters that it was given to', () => {
  const make = () => new KubevirtInfrastructure({ storageClasses: [SNAPSHOTS], csiDriver: KubevirtCsiDriver.of({ image: IMAGE }) });
  const write = (infrastructure: KubevirtInfrastructure, name: string) => {
    const chart = new Chart(Testing.app(), name, { namespace: `tenant-${name}` });
    infrastructure.bind(chart, clusterContext({ name, namespace: `tenant-${name}` }));
    return JSON.stringify(Testing.synth(chart));
  };
  const shared = make();

  expect(write(shared, 'one') === write(make(), 'one')).toBe(true);
  expect(write(shared, 'two') === write(make(), 'two')).toBe(true);
  expect(write(shared, 'one') === write(make(), 'one')).toBe(true);
});
