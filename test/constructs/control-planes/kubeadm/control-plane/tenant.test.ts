import { Size, Testing } from 'cdk8s';
import { bound, machineContext, MACHINE } from './bound';
import { IsolationPeer } from '../../../../../src/constructs/contracts/capabilities/isolation-peer';
import { PoolSize } from '../../../../../src/constructs/contracts/node-pool/pool-size';
import { KubeadmControlPlane } from '../../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import {
  ControlPlaneServiceType, KubevirtInfrastructure,
} from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { NetworkIsolation } from '../../../../../src/constructs/tenant/isolation/network-isolation';
import { TenantAccess, TenantSubject } from '../../../../../src/constructs/tenant/isolation/tenant-access';
import { TenantIsolation } from '../../../../../src/constructs/tenant/isolation/tenant-isolation';
import { SchemaValidator } from '../../../../manifests/schema/validate';
import { addKubeadmTenant } from '../../../../scenarios/kubeadm-control-planes';
import { exampleCluster, Manifest, poolProps, problemsOfCluster } from '../../../../support/clusters';
import { knownManagementCluster } from '../../../../support/management';
import { problemsIn, problemsOf } from '../../../../support/problems';

const VM = { cpu: 4, memory: Size.gibibytes(8), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu:24.04' }) };

function manifests(): Manifest[] {
  return addKubeadmTenant(Testing.app()).toJson();
}

function named(all: readonly Manifest[], kind: string, name = 'acme'): Manifest {
  return all.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
}

describe('a tenant on virtual machines alone', () => {
  test('is accepted, and every object is what its schema says', () => {
    const validator = SchemaValidator.load();
    const app = Testing.app();
    const cluster = addKubeadmTenant(app);

    expect(problemsOf(app)).toEqual([]);
    expect(cluster.toJson().flatMap((manifest: Manifest) => [...validator.validate(manifest), ...validator.missingDefaults(manifest)])).toEqual([]);
  });

  test('has references that resolve, and the endpoint is the KubeVirt provider\'s', () => {
    const all = manifests();
    const { controlPlaneRef } = named(all, 'Cluster').spec;
    const controlPlane = named(all, controlPlaneRef.kind, controlPlaneRef.name);
    const { infrastructureRef } = controlPlane.spec.machineTemplate.spec;

    expect(controlPlaneRef).toEqual({ apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'acme' });
    expect(named(all, infrastructureRef.kind, infrastructureRef.name)).toBeDefined();
    expect(named(all, 'KubevirtCluster').metadata.annotations).not.toHaveProperty(['cluster.x-k8s.io/managed-by']);
    expect(named(all, 'KubevirtCluster').spec.controlPlaneServiceTemplate.spec.type).toBe('LoadBalancer');
  });

  test('tells its control plane machines by their role, which the provider\'s Service selects', () => {
    const template = addKubeadmTenant(Testing.app()).controlPlaneMachines!.machineTemplate.toJson();
    const { metadata, spec } = template.spec.template.spec.virtualMachineTemplate.spec.template;
    const labels = { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/role': 'control-plane' };

    expect(metadata.labels).toEqual(labels);
    expect(spec.topologySpreadConstraints[0].labelSelector.matchLabels).toEqual(labels);
  });

  test('lets Cilium, controllers and the certificate agree on the name of the API server', () => {
    const all = manifests();
    const host = 'acme-lb.tenant-acme.svc';
    const cilium = all.find(({ kind, metadata }) => kind === 'HelmRelease' && metadata.name.includes('cilium'))!;

    expect(cilium.spec.values).toMatchObject({ kubeProxyReplacement: true, k8sServiceHost: host, k8sServicePort: 6443 });
    expect(cilium.spec.kubeConfig.secretRef).toEqual({ name: 'acme-kubeconfig', key: 'value' });
    expect(named(all, 'KubeadmControlPlane').spec.kubeadmConfigSpec).toMatchObject({
      clusterConfiguration: { apiServer: { certSANs: [host] } },
      initConfiguration: { skipPhases: ['addon/kube-proxy'] },
    });
    for (const name of ['acme-cluster-autoscaler', 'acme-cloud-controller-manager']) {
      expect(named(all, 'Deployment', name).spec.template.spec.initContainers[0].args).toEqual(expect.arrayContaining([host, '6443']));
    }
  });

  test('gives its health checks machines of their own', () => {
    const checks = manifests().filter(({ kind }) => kind === 'MachineHealthCheck').map(({ spec }) => Object.keys(spec.selector.matchLabels));

    expect(checks).toHaveLength(2);
    expect(checks).toContainEqual(['cluster.x-k8s.io/cluster-name', 'cluster.x-k8s.io/control-plane']);
    expect(checks).toContainEqual(['cluster.x-k8s.io/cluster-name', 'cluster.x-k8s.io/deployment-name']);
  });
});

describe('isolation', () => {
  const quotaProblems = (quota: { [resource: string]: string }) => problemsIn((app) => { addKubeadmTenant(app, {}, quota); });

  test('counts the control plane\'s machines, one more during a rollout', () => {
    const found = quotaProblems({ pods: '1' });

    expect(found).toHaveLength(1);
    expect(found[0].text).toContain('(3 + 1 in a rollout) machines of the control plane × 1 = 4');
    expect(found[0].text).toContain('(5 + 1 in a rollout) machines of pool acme-general × 1 = 6');
  });

  test('finds room where there is room for all of them', () => {
    const needed = /may need (\d+) of pods/.exec(quotaProblems({ pods: '1' })[0].text)![1];

    expect(quotaProblems({ pods: needed })).toEqual([]);
    expect(quotaProblems({ pods: `${Number(needed) - 1}` })).toHaveLength(1);
  });

  test('counts the disks that every control plane machine has', () => {
    expect(quotaProblems({ 'requests.storage': '159Gi' })[0].text).toContain('machines of the control plane × 40Gi = 160Gi');
    expect(quotaProblems({ 'requests.storage': '199Gi' })[0].text).toContain('40Gi while one of them is imported');
    expect(quotaProblems({ 'requests.storage': '200Gi' })).toEqual([]);
  });

  const isolated = (machineSources?: IsolationPeer[]) => {
    const cluster = exampleCluster(Testing.app(), {
      controlPlane: new KubeadmControlPlane({ machine: new KubevirtMachine(VM) }),
      infrastructure: new KubevirtInfrastructure(),
      managementCluster: knownManagementCluster(),
      isolation: new TenantIsolation({
        network: NetworkIsolation.networkPolicies({ machineSources }), access: [TenantAccess.viewer(TenantSubject.group('acme'))],
      }),
    });
    return cluster.toJson() as Manifest[];
  };

  test('keeps the API server within reach where machines are closed', () => {
    const policy = named(isolated([IsolationPeer.cidr('192.0.2.0/24')]), 'NetworkPolicy', 'acme-control-plane-machines');

    expect(policy.spec.podSelector.matchLabels).toEqual({
      'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/role': 'control-plane', 'kubevirt.io': 'virt-launcher',
    });
    expect(policy.spec.ingress).toEqual([{ ports: [{ port: 6443, protocol: 'TCP' }] }]);
    expect(named(isolated(), 'NetworkPolicy', 'acme-control-plane-machines')).toBeUndefined();
  });

  test('lets viewers see the control plane', () => {
    const { rules } = named(isolated(), 'Role', 'acme-viewer');

    expect(rules).toContainEqual({ apiGroups: ['controlplane.cluster.x-k8s.io'], resources: ['kubeadmcontrolplanes'], verbs: ['get', 'list', 'watch'] });
  });
});

test('a mistake in a machine is reported where the machine was given', () => {
  const found = problemsOfCluster({
    controlPlane: new KubeadmControlPlane({ machine: new KubevirtMachine({ ...VM, nodeSelector: { 'not a label': '' } }) }), infrastructure: new KubevirtInfrastructure(),
  });

  expect(found).toEqual([expect.objectContaining({ path: 'acme', id: 'TC-KUBEVIRT-LABEL', text: expect.stringContaining('controlPlane.machine.nodeSelector["not a label"]') })]);
});

test('the names of machines and their disks are held to their length with six characters for the machine', () => {
  const disk = RootDisk.registry({ url: 'docker://registry.example.com/node:1', size: Size.gibibytes(20) });
  const problems = (length: number) => problemsOfCluster({
    controlPlane: new KubeadmControlPlane({ machine: new KubevirtMachine({ ...VM, rootDisk: disk }) }), infrastructure: new KubevirtInfrastructure(), name: 'a'.repeat(length),
  }).filter(({ id }) => id === 'TC-KUBEVIRT-NAME-LENGTH');

  // 63 characters less "-control-plane", "-xxxxx" and "-root".
  expect(problems(38)).toEqual([]);
  expect(problems(39)).toEqual([expect.objectContaining({ text: expect.stringContaining('shorten the name of the cluster by 1') })]);
});

test('TC-KUBEADM-CP-NAME-TAKEN: a pool and the machines of a control plane cannot have one name', () => {
  const found = problemsIn((app) => {
    exampleCluster(app, {}, 'acme').addNodePool('eu-control-plane', poolProps());
    exampleCluster(app, { controlPlane: new KubeadmControlPlane({ machine: MACHINE }), createNamespace: false }, 'acme-eu');
  });

  expect(found).toEqual([expect.objectContaining({ id: 'TC-KUBEADM-CP-NAME-TAKEN', path: 'acme-eu', text: expect.stringContaining('"acme-eu-control-plane"') })]);
});

test('a pool that comes after the control plane is refused its name', () => {
  const found = problemsIn((app) => {
    exampleCluster(app, { controlPlane: new KubeadmControlPlane({ machine: MACHINE }) }).addNodePool('control-plane', poolProps());
  });

  expect(found.map(({ id }) => id)).toEqual(['TC-POOL-NAME-TAKEN']);
});

test('control plane nodes need pod addresses too', () => {
  // A /22 has room for four nodes.
  const problems = (nodes: number) => problemsIn((app) => {
    exampleCluster(app, { controlPlane: new KubeadmControlPlane({ machine: MACHINE }), podCidrs: ['10.243.0.0/22'] }).addNodePool('general', poolProps({ size: PoolSize.fixed(nodes) }));
  });

  expect(problems(1)).toEqual([]);
  expect(problems(2)).toEqual([expect.objectContaining({ id: 'TC-NETWORK-POD-CAPACITY', text: expect.stringContaining('control plane and pools may grow to 5 nodes') })]);
});

test('machines in another cluster need a Service that leads out of it', () => {
  const problems = (type?: ControlPlaneServiceType) => problemsOfCluster({
    controlPlane: new KubeadmControlPlane({ machine: new KubevirtMachine(VM) }),
    infrastructure: new KubevirtInfrastructure({ infraClusterSecretRef: { name: 'infra' }, controlPlaneService: type && { type } }),
  });

  for (const type of [undefined, ControlPlaneServiceType.CLUSTER_IP]) {
    expect(problems(type)).toEqual([expect.objectContaining({ id: 'TC-TRAP-KUBEVIRT-SERVICE-TYPE', text: expect.stringContaining('infrastructure.controlPlaneService.type: ') })]);
  }
  expect(problems(ControlPlaneServiceType.LOAD_BALANCER)).toEqual([]);
});

test('no name of the API server is made up where machines run in another cluster', () => {
  const { spec } = bound({}, machineContext());
  const infrastructure = new KubevirtInfrastructure({ infraClusterSecretRef: { name: 'infra' } });

  expect(infrastructure.apiServerAddresses({ name: 'acme', namespace: 'tenant-acme' })).toEqual({});
  expect(spec.kubeadmConfigSpec.clusterConfiguration.apiServer).toBeUndefined();
});
