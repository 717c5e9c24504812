import { App, Duration, Size } from 'cdk8s';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KubeadmBootstrap } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubeadmBootstrapProps } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap-props';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { DevClusterBackend } from '../../../../src/constructs/infrastructures/dev/dev-cluster-backend';
import { DevInfrastructure } from '../../../../src/constructs/infrastructures/dev/dev-infrastructure';
import { DevMachine } from '../../../../src/constructs/infrastructures/dev/dev-machine';
import { DevMachineBackend, DevStartup } from '../../../../src/constructs/infrastructures/dev/dev-machine-backend';
import { exampleCluster, Manifest } from '../../../support/clusters';
import { problemsIn } from '../../../support/problems';

/** Cluster `acme` with a pool `general`, whose machines have one backend. */
function devCluster(app: App, backend: DevClusterBackend, machine: DevMachineBackend, bootstrap: KubeadmBootstrapProps = {}) {
  const node = new DevMachine({ backend: machine });
  const tenant = exampleCluster(app, {
    controlPlane: new KubeadmControlPlane({ replicas: 1, machine: node }),
    infrastructure: new DevInfrastructure({ backend }),
    bootstrap: new KubeadmBootstrap(bootstrap),
  });
  tenant.addNodePool('general', { machine: node, size: PoolSize.fixed(2) });
  return tenant;
}

/** Machines in memory that take a time to come up. */
function started(vm: DevStartup): DevMachineBackend {
  return DevMachineBackend.inMemory({ vm });
}

function manifests(backend: DevClusterBackend, machine: DevMachineBackend): Manifest[] {
  return devCluster(new App(), backend, machine).toJson();
}

function specOf(objects: readonly Manifest[], kind: string): any {
  return objects.find((object) => object.kind === kind).spec;
}

test('a cluster of containers has the port and failure domains in the order of their names', () => {
  const objects = manifests(
    DevClusterBackend.docker({ failureDomains: [{ name: 'b' }, { name: 'a', controlPlane: false }], loadBalancer: { repository: 'registry.example.com/kind' } }),
    DevMachineBackend.docker({
      image: 'registry.example.com/kind/node:v1.35.4',
      preloadedImages: ['registry.example.com/app:1'],
      bootstrapTimeout: Duration.minutes(10),
      mounts: [{ hostPath: '/var/run/docker.sock', containerPath: '/var/run/docker.sock', readOnly: true }],
    }),
  );

  expect(specOf(objects, 'DevCluster')).toEqual({
    controlPlaneEndpoint: { port: 6443 },
    backend: {
      docker: {
        failureDomains: [{ name: 'a', controlPlane: false }, { name: 'b', controlPlane: true }],
        loadBalancer: { imageRepository: 'registry.example.com/kind' },
      },
    },
  });
  expect(specOf(objects, 'DevMachineTemplate')).toEqual({
    template: {
      spec: {
        backend: {
          docker: {
            customImage: 'registry.example.com/kind/node:v1.35.4',
            preLoadImages: ['registry.example.com/app:1'],
            extraMounts: [{ hostPath: '/var/run/docker.sock', containerPath: '/var/run/docker.sock', readOnly: true }],
            bootstrapTimeout: '10m0s',
          },
        },
      },
    },
  });
});

test('a cluster in memory gets a port of the provider, and its machines the times of their parts', () => {
  const objects = manifests(DevClusterBackend.inMemory(), DevMachineBackend.inMemory({
    vm: { duration: Duration.seconds(10), jitter: 0.2 }, etcd: { duration: Duration.seconds(2) },
  }));

  expect(specOf(objects, 'DevCluster')).toEqual({ backend: { inMemory: {} } });
  expect(specOf(objects, 'DevMachineTemplate')).toEqual({
    template: {
      spec: {
        backend: { inMemory: { vm: { provisioning: { startupDuration: '10s', startupJitter: '0.2' } }, etcd: { provisioning: { startupDuration: '2s' } } } },
      },
    },
  });
  // The controller writes into the annotations without a check that there are some.
  expect(objects.find(({ kind }) => kind === 'DevCluster').metadata.annotations).not.toEqual({});
});

test('containers are the default', () => {
  const controlPlane = new KubeadmControlPlane({ machine: new DevMachine() });
  const tenant = exampleCluster(new App(), { controlPlane, infrastructure: new DevInfrastructure() });
  expect(specOf(tenant.toJson(), 'DevCluster').backend).toEqual({ docker: { loadBalancer: {} } });
  expect(specOf(tenant.toJson(), 'DevMachineTemplate')).toEqual({ template: { spec: { backend: { docker: {} } } } });
});

test('pools name failure domains of the cluster', () => {
  const backend = DevClusterBackend.docker({ failureDomains: [{ name: 'a' }] });
  const found = (failureDomain: string) => problemsIn((app) => {
    const machine = new DevMachine();
    const cluster = exampleCluster(app, { controlPlane: new KubeadmControlPlane({ machine }), infrastructure: new DevInfrastructure({ backend }) });
    cluster.addNodePool('general', { machine, size: PoolSize.fixed(1), failureDomain });
  }).map(({ id }) => id);

  expect(found('a')).toEqual([]);
  expect(found('b')).toEqual(['TC-POOL-FAILURE-DOMAIN']);
});

test('the capacity is only for the autoscaler', () => {
  expect(new DevMachine({ capacity: { cpu: 4, memory: Size.gibibytes(8) } }).capacity).toEqual({ cpu: 4, memory: Size.gibibytes(8) });
  expect(new DevMachine().capacity).toBeUndefined();
});

test.each<[what: string, backend: DevClusterBackend, machine: DevMachineBackend, bootstrap: KubeadmBootstrapProps, ids: string[]]>([
  ['containers', DevClusterBackend.docker(), DevMachineBackend.docker(), {}, []],
  ['memory', DevClusterBackend.inMemory(), DevMachineBackend.inMemory(), { users: [{ name: 'admin' }] }, []],
  ['machines of another backend', DevClusterBackend.docker(), DevMachineBackend.inMemory(), {}, ['TC-TRAP-DEV-BACKEND']],
  ['a cluster of another backend', DevClusterBackend.inMemory(), DevMachineBackend.docker(), {}, ['TC-TRAP-DEV-BACKEND']],
  ['users in containers', DevClusterBackend.docker(), DevMachineBackend.docker(), { users: [{ name: 'admin' }] }, ['TC-TRAP-DEV-CLOUD-INIT']],
  ['boot commands in containers', DevClusterBackend.docker(), DevMachineBackend.docker(), { bootCommands: ['true'] }, ['TC-TRAP-DEV-CLOUD-INIT']],
  ['a jitter that is no number', DevClusterBackend.inMemory(), started({ duration: Duration.seconds(1), jitter: Number.NaN }), {}, ['TC-TRAP-DEV-JITTER']],
  ['half a millisecond', DevClusterBackend.inMemory(), started({ duration: Duration.millis(0.5) }), {}, ['TC-POOL-TIMEOUT']],
])('synthesis judges %s', (_, backend, machine, bootstrap, ids) => {
  const found = problemsIn((app) => devCluster(app, backend, machine, bootstrap));
  expect([...new Set(found.map(({ id }) => id))]).toEqual(ids);
});
