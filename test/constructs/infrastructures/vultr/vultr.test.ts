import { Chart, Duration, Size, Testing } from 'cdk8s';
import { OTHER, SNAPSHOT, VPC, vultrCluster, vultrProblems } from './bound';
import { Calico } from '../../../../src/constructs/addons/cni/calico';
import { ImportedManagementCluster, ManagementCapabilities } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { ControlPlane } from '../../../../src/constructs/contracts/control-plane';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmBootstrap } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { VultrApiServerLoadBalancer } from '../../../../src/constructs/infrastructures/vultr/api-server-load-balancer';
import { VultrBalancingAlgorithm } from '../../../../src/constructs/infrastructures/vultr/load-balancing';
import { VultrInfrastructure, VultrInfrastructureProps } from '../../../../src/constructs/infrastructures/vultr/vultr-infrastructure';
import { VultrMachine } from '../../../../src/constructs/infrastructures/vultr/vultr-machine';
import { ClusterApiInstallation } from '../../../../src/constructs/management/cluster-api-installation';
import { ProviderKind } from '../../../../src/constructs/management/cluster-api-provider';
import { ManagementCluster } from '../../../../src/constructs/management/management-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { SchemaValidator } from '../../../manifests/schema/validate';
import { byKind, exampleCluster, Manifest } from '../../../support/clusters';
import { clusterContext, poolContext } from '../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../support/problems';
import { ExampleControlPlane } from '../../../support/strategies';

type Arguments = Parameters<typeof vultrProblems>;

function specs(...args: Arguments): { cluster: Manifest; machine: Manifest } {
  const objects = byKind(vultrCluster(Testing.app(), ...args));
  return { cluster: objects.VultrCluster.spec, machine: objects.VultrMachineTemplate.spec.template.spec };
}

test('cluster and machines are in one region, and the load balancer is on the port of the API server', () => {
  expect(specs()).toEqual({
    cluster: {
      region: 'ewr',
      network: {
        apiServerLoadbalancers: {
          health_check: { port: 6443, check_interval: 15, response_timeout: 5, unhealthy_threshold: 5, healthy_threshold: 5 },
          generic_info: { balancing_algorithm: 'roundrobin' },
        },
      },
    },
    machine: { region: 'ewr', planID: 'vc2-2c-4gb', snapshot_id: SNAPSHOT },
  });
});

test('everything else is written where it was given', () => {
  expect(specs({
    vpcId: VPC,
    apiServerLoadBalancer: {
      algorithm: VultrBalancingAlgorithm.LEAST_CONNECTIONS,
      healthCheck: { interval: Duration.seconds(30), responseTimeout: Duration.seconds(10), unhealthyThreshold: 3, healthyThreshold: 2 },
      allowedCidrs: ['203.0.113.0/24', '2001:db8::/48'],
    },
  }, { sshKeyIds: [OTHER], firewallGroupId: OTHER, vpcOnly: true }, { controlPlane: new ExampleControlPlane({ apiServerPort: 443 }) })).toEqual({
    cluster: {
      region: 'ewr',
      vpc_id: VPC,
      network: {
        apiServerLoadbalancers: {
          health_check: { port: 443, check_interval: 30, response_timeout: 10, unhealthy_threshold: 3, healthy_threshold: 2 },
          generic_info: { balancing_algorithm: 'leastconn' },
          firewall_rules: [{ ip_type: 'v4', port: 443, source: '203.0.113.0/24' }, { ip_type: 'v6', port: 443, source: '2001:db8::/48' }],
        },
      },
    },
    machine: {
      region: 'ewr', planID: 'vc2-2c-4gb', snapshot_id: SNAPSHOT, vpc_id: VPC, vpc_only: true, sshKey: [OTHER], firewall_group_id: OTHER,
    },
  });
});

test('the objects are what the provider\'s definitions accept, and stay when a tool prunes', () => {
  const validator = SchemaValidator.load();
  const objects = byKind(vultrCluster(Testing.app(), { vpcId: VPC, apiServerLoadBalancer: { allowedCidrs: ['203.0.113.0/24'] } }, { vpcOnly: true, sshKeyIds: [OTHER] }));

  for (const kind of ['VultrCluster', 'VultrMachineTemplate']) {
    expect(validator.validate(objects[kind])).toEqual([]);
    expect(objects[kind].metadata.annotations).toMatchObject({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled' });
  }
  expect(objects.VultrMachineTemplate.metadata.name).toMatch(/^acme-general-[0-9a-f]{8}$/);
});

test('what a machine is known to give does not replace it', () => {
  const nameWith = (cpu: number): string => {
    const cluster = vultrCluster(Testing.app(), {}, { capacity: { cpu, memory: Size.gibibytes(4) } });
    return byKind(cluster).VultrMachineTemplate.metadata.name;
  };

  expect(nameWith(2)).toBe(nameWith(1));
});

/** A VPC, and machines that have no public address. */
const PRIVATE = { vpcId: VPC };
const ALLOWED = { allowedCidrs: ['203.0.113.0/24'] };

function loadBalancer(apiServerLoadBalancer: VultrApiServerLoadBalancer): Arguments {
  return [{ ...PRIVATE, apiServerLoadBalancer }, { vpcOnly: true }];
}

function offered(infrastructureProviders: { [name: string]: string }): Partial<TenantClusterProps> {
  return { managementCluster: new ImportedManagementCluster({ infrastructureProviders }) };
}

const CASES: [id: string, args: Arguments, texts: string[]][] = [
  ['TC-TRAP-VULTR-CLUSTER', [{ region: '25' }], ['infrastructure.region: "25"', '"ewr"']],
  ['TC-TRAP-VULTR-CLUSTER', [{ region: '' }], ['infrastructure.region: ""']],
  ['TC-TRAP-VULTR-CLUSTER', [{ vpcId: '' }], ['infrastructure.vpcId: ""']],
  ['TC-TRAP-VULTR-MACHINE', [{}, { firewallGroupId: '' }], ['machine.firewallGroupId: ""']],
  ['TC-TRAP-VULTR-MACHINE', [{}, { plan: '203' }], ['machine.plan: "203"', 'vc2-2c-4gb']],
  ['TC-TRAP-VULTR-MACHINE', [{}, { plan: '' }], ['machine.plan: no plan is given']],
  ['TC-TRAP-VULTR-MACHINE', [{}, { plan: 'vbm-4c-32gb' }], ['machine.plan: "vbm-4c-32gb" is a plan of bare metal']],
  ['TC-VULTR-PLAN-CAPACITY', [{}, { capacity: { cpu: 4, memory: Size.gibibytes(4) } }], ['machine.capacity.cpu: 4 CPUs', '"vc2-2c-4gb"', 'at most 2']],
  ['TC-VULTR-PLAN-CAPACITY', [{}, { plan: 'vcg-a16-2c-8g-2vram', capacity: { cpu: 2, memory: Size.gibibytes(9) } }], ['machine.capacity.memory: 9216 MiB', 'at most 8192 MiB']],
  ['TC-VULTR-PLAN-CAPACITY', [{}, { plan: 'vc2-1c-0.5gb-v6', capacity: { cpu: 1, memory: Size.gibibytes(1) } }], ['at most 512 MiB']],
  ['TC-TRAP-VULTR-MACHINE', [{}, { snapshotId: '338' }], ['machine.snapshotId: "338"']],
  ['TC-TRAP-VULTR-MACHINE', [{}, { sshKeyIds: [OTHER, ''] }], ['machine.sshKeyIds[1]: ""']],
  ['TC-TRAP-VULTR-MACHINE', [{}, { firewallGroupId: 'web' }], ['machine.firewallGroupId: "web"']],
  ['TC-TRAP-VULTR-CLUSTER', [{ vpcId: 'private' }], ['infrastructure.vpcId: "private"']],
  ['TC-VULTR-PROVIDER', [{}, {}, offered({ kubevirt: 'v0.11.0' })], ['infrastructure: the management cluster has no provider "vultr-vultr"', 'furtherProviders', 'infrastructureProviders']],
  ['TC-VULTR-PROVIDER', [PRIVATE, {}, offered({})], ['no provider "vultr-vultr"', 'v0.4.0', 'ociArtifact']],
  ['TC-VULTR-PROVIDER', [PRIVATE, {}, offered({ 'vultr-vultr': 'v0.3.0' })], ['infrastructure.vpcId: the management cluster has v0.3.0', 'from v0.4', 'ociArtifact']],
  ['TC-VULTR-CONTROL-PLANE', [{}, {}, { controlPlane: new ExampleControlPlane({ endpointManager: 'hosting' }) }], ['managed by hosting', 'KubeadmControlPlane']],
  ['TC-VULTR-MACHINE-NAME', [{}, {}, {}, 'control-plane-like'], ['acme-control-plane-like', 'would send', 'name the pool otherwise']],
  ['TC-VULTR-MACHINE-NAME', [{}, {}, { name: 'acme-control' }, 'plane'], ['acme-control-plane', 'name the pool otherwise']],
  ['TC-VULTR-MACHINE-NAME', [{}, {}, { name: 'control-plane' }], ['infrastructure: "control-plane", the name of the cluster', 'name the cluster otherwise']],
  ['TC-VULTR-INFRASTRUCTURE', [{}, { infrastructure: new VultrInfrastructure({ region: 'ewr' }) }], ['machine.infrastructure']],
  ['TC-TRAP-VULTR-PLACE', [{}, { vpcOnly: true }], ['machine.vpcOnly: the machines have no public address']],
  ['TC-VULTR-HEALTH-CHECK-OVERLAP', loadBalancer({ healthCheck: { interval: Duration.seconds(5) } }), ['healthCheck.responseTimeout: an answer may take 5 seconds']],
  ['TC-VULTR-HEALTH-CHECK', loadBalancer({ healthCheck: { responseTimeout: Duration.millis(1500) } }), ['1.5 seconds are not a whole number']],
  ['TC-VULTR-HEALTH-CHECK', loadBalancer({ healthCheck: { healthyThreshold: 0 } }), ['healthyThreshold: 0']],
  ['TC-VULTR-FIREWALL-RULE', loadBalancer({ allowedCidrs: ['10.0.0.1/8'] }), ['allowedCidrs[0]']],
  ['TC-VULTR-FIREWALL-RULE', loadBalancer({ allowedCidrs: ['10.0.0.0/8', '10.0.0.0/8'] }), ['allowedCidrs[1]', 'twice']],
  ['TC-VULTR-FIREWALL-MACHINES', [{ apiServerLoadBalancer: ALLOWED }], ['machine.vpcOnly', 'not known beforehand', 'NAT gateway']],
  ['TC-VULTR-FIREWALL-MACHINES', [{ ...PRIVATE, apiServerLoadBalancer: ALLOWED }], ['machine.vpcOnly']],
];

test.each(CASES)('%s: %#', (id, args, texts) => {
  const found = vultrProblems(...args);

  expect(found.map((problem) => problem.id)).toEqual([id]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test.each<[what: string, args: Arguments]>([
  ['machines with public addresses, where everybody may reach the API server', [{ apiServerLoadBalancer: { allowedCidrs: ['203.0.113.0/24', '0.0.0.0/0'] } }]],
  ['a plan whose code names no size', [{}, { plan: 'vdc-custom', capacity: { cpu: 64, memory: Size.gibibytes(64) } }]],
  ['a plan with memory to spare', [{}, { plan: 'voc-c-4c-8gb-75s-amd', capacity: { cpu: 4, memory: Size.gibibytes(8) } }]],
  ['machines without, where some may', loadBalancer(ALLOWED)],
  ['a provider that knows VPCs', [PRIVATE, { vpcOnly: true }, offered({ 'vultr-vultr': 'v0.4.0' })]],
  ['an older provider, without VPC', [{}, {}, offered({ 'vultr-vultr': 'v0.3.0' })]],
  ['a management cluster of which nothing is known', [PRIVATE, {}, { managementCluster: new ImportedManagementCluster({}) }]],
])('accepted: %s', (_what, args) => {
  expect(vultrProblems(...args)).toEqual([]);
});

test('a management cluster that installs the provider offers it, and another one does not', () => {
  const found = (clusterApi: ClusterApiInstallation, capabilities: ManagementCapabilities = {}): string[] => {
    const managementCluster = new ManagementCluster(Testing.app(), 'hall-1', { namespace: 'flux-system', delivery: new FluxDelivery(), clusterApi, capabilities });
    return vultrProblems({}, {}, { managementCluster: new ImportedManagementCluster(managementCluster.capabilities) }).map(({ id }) => id);
  };
  const vultr = { kind: ProviderKind.INFRASTRUCTURE, name: 'vultr-vultr', version: 'v0.3.0' };

  expect(found(ClusterApiInstallation.operator({ furtherProviders: [vultr] }))).toEqual([]);
  expect(found(ClusterApiInstallation.operator())).toEqual(['TC-VULTR-PROVIDER']);
  expect(found(ClusterApiInstallation.operator({ furtherProviders: [{ ...vultr, kind: ProviderKind.ADDON }] }))).toEqual(['TC-VULTR-PROVIDER']);
  expect(found(ClusterApiInstallation.operator(), { infrastructureProviders: { 'vultr-vultr': 'v0.3.0' } })).toEqual([]);
  expect(found(ClusterApiInstallation.existing())).toEqual([]);
});

describe('in a VPC', () => {
  const ADDRESS = { name: 'node-ip', value: 'NODE_ADDRESS' };
  const endpoint = { localAPIEndpoint: { advertiseAddress: 'NODE_ADDRESS' } };

  function objects(infrastructure: Partial<VultrInfrastructureProps> = PRIVATE, cni = new Calico()) {
    const app = Testing.app();
    const vultr = new VultrInfrastructure({ region: 'ewr', ...infrastructure });
    const machine = new VultrMachine({ infrastructure: vultr, plan: 'vc2-2c-4gb', snapshotId: SNAPSHOT, capacity: { cpu: 2, memory: Size.gibibytes(4) } });
    const tenant = exampleCluster(app, {
      infrastructure: vultr, delivery: new FluxDelivery(), controlPlane: new KubeadmControlPlane({ machine }), bootstrap: new KubeadmBootstrap(), cni,
    });
    tenant.addNodePool('general', { machine, size: PoolSize.fixed(2) });
    const found = Testing.synth(tenant);
    const one = (kind: string, name = /./): Manifest => found.find((object) => object.kind === kind && name.test(object.metadata.name));
    return {
      controlPlane: one('KubeadmControlPlane').spec.kubeadmConfigSpec,
      worker: one('KubeadmConfigTemplate').spec.template.spec,
      calicoNetwork: one('HelmRelease', /calico$/).spec.values.installation?.calicoNetwork,
    };
  }

  test('API server, etcd and kubelets are at the address in it', () => {
    const { controlPlane, worker } = objects();

    expect(controlPlane.initConfiguration).toMatchObject(endpoint);
    expect(controlPlane.joinConfiguration).toMatchObject({ controlPlane: endpoint });
    expect(worker.joinConfiguration.controlPlane).toBeUndefined();
    for (const { nodeRegistration } of [controlPlane.initConfiguration, controlPlane.joinConfiguration, worker.joinConfiguration]) {
      expect(nodeRegistration.kubeletExtraArgs).toContainEqual(ADDRESS);
    }
    for (const { files, preKubeadmCommands } of [controlPlane, worker]) {
      expect(preKubeadmCommands).toEqual(['/usr/local/sbin/cdk8s-cluster-api-node-address || exit 1']);
      expect(files.find(({ path }: Manifest) => path.endsWith('node-address')).content)
        .toContain('{% for interface in ds.meta_data.interfaces if interface["network-type"] == "private" %}{{ interface.ipv4.address }}{% endfor %}');
    }
  });

  test('Calico goes by the InternalIP of nodes, unless the user chooses', () => {
    const chosen = { installation: { calicoNetwork: { nodeAddressAutodetectionV4: { interface: 'enp8s0' } } } };

    expect(objects().calicoNetwork.nodeAddressAutodetectionV4).toEqual({ firstFound: false, kubernetes: 'NodeInternalIP' });
    expect(objects(PRIVATE, new Calico({ values: chosen })).calicoNetwork.nodeAddressAutodetectionV4).toEqual({ interface: 'enp8s0' });
  });

  test('and without one nothing is written of it', () => {
    const { controlPlane, worker, calicoNetwork } = objects({});

    expect(JSON.stringify([controlPlane, worker])).not.toMatch(/NODE_ADDRESS|node-ip|localAPIEndpoint/);
    expect(calicoNetwork.nodeAddressAutodetectionV4).toBeUndefined();
  });
});

describe('control planes', () => {
  function refused(controlPlane: (machine: VultrMachine) => ControlPlane, cluster: Partial<TenantClusterProps> = {}): ReportedProblem[] {
    return problemsIn((app) => {
      const infrastructure = new VultrInfrastructure({ region: 'ewr' });
      const machine = new VultrMachine({ infrastructure, plan: 'vc2-2c-4gb', snapshotId: SNAPSHOT, capacity: { cpu: 2, memory: Size.gibibytes(4) } });
      const tenant = exampleCluster(app, {
        infrastructure, delivery: new FluxDelivery(), controlPlane: controlPlane(machine), bootstrap: new KubeadmBootstrap(), ...cluster,
      });
      tenant.addNodePool('general', { machine, size: PoolSize.fixed(2) });
    });
  }

  test('made by kubeadm run on machines of Vultr, whose names the provider recognizes', () => {
    expect(refused((machine) => new KubeadmControlPlane({ machine }))).toEqual([]);
  });

  test('that name their machines otherwise are refused', () => {
    const found = problemsIn((app) => {
      const infrastructure = new VultrInfrastructure({ region: 'ewr' });
      const cluster = clusterContext({ infrastructure: infrastructure.capabilities });
      new VultrMachine({ infrastructure, plan: 'vc2-2c-4gb', snapshotId: SNAPSHOT }).bind(new Chart(app, 'acme'), poolContext({ cluster, name: 'acme-masters', controlPlane: true }));
    });

    expect(found.map(({ id }) => id)).toEqual(['TC-VULTR-MACHINE-NAME']);
    expect(found[0].text).toContain('"acme-masters", and the Vultr provider would not send API requests to them');
  });

  test('hosted by Kamaji are refused once, whatever its provider was told', () => {
    expect(refused(() => new KamajiControlPlane({ additionalInfrastructureKinds: ['VultrCluster'] }))).toMatchObject([
      { id: 'TC-TRAP-VULTR-KAMAJI', path: 'acme', text: expect.stringMatching(/^controlPlane: a VultrCluster makes a load balancer of its own/) },
    ]);
  });

  test('neither they nor pools write a file at which the provider would tear user data apart', () => {
    const bootstrap = new KubeadmBootstrap({ files: [{ path: '/etc/notes', content: 'runcmd: none' }] });
    const found = refused((machine) => new KubeadmControlPlane({ machine }), { bootstrap });

    expect(found.map(({ id }) => id)).toEqual(['TC-KUBEADM-FORBIDDEN-TEXT']);
    expect(found[0].text).toContain('cloud/services/instance.go');
  });
});
