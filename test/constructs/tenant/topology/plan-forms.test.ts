import { Size, Testing } from 'cdk8s';
import { Infrastructure } from '../../../../src/constructs/contracts/infrastructure';
import { Machine } from '../../../../src/constructs/contracts/machine';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { ControlPlaneEndpoint } from '../../../../src/constructs/control-planes/kubeadm/control-plane/endpoint';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import * as metal3 from '../../../../src/constructs/infrastructures/metal3';
import * as openstack from '../../../../src/constructs/infrastructures/openstack';
import * as proxmox from '../../../../src/constructs/infrastructures/proxmox';
import * as vsphere from '../../../../src/constructs/infrastructures/vsphere';
import { ClusterTopology } from '../../../../src/constructs/tenant/topology/cluster-topology';
import { PartKind, PlannedPart } from '../../../../src/manifests/plan/plan-model';
import { Effect } from '../../../../src/manifests/rules/changes/effects';
import { planned } from '../../../manifests/plan/tenant-pages';
import { addCluster } from '../../../support/many-clusters';

/** The infrastructure and machines of each provider; a large machine is another template. */
const PROVIDERS: readonly [provider: string, infrastructure: Infrastructure, machine: (large: boolean) => Machine][] = [
  ['vSphere', new vsphere.VSphereInfrastructure({ server: 'vcenter.example.com', datacenter: 'dc1' }), (large) => new vsphere.VSphereMachine({
    template: 'ubuntu-2404-kube', cpu: large ? 8 : 4, memory: Size.gibibytes(16), networkDevices: [{ network: 'nodes' }],
  })],
  ['Proxmox VE', new proxmox.ProxmoxInfrastructure({
    ipv4: { addresses: ['192.0.2.100-192.0.2.150'], prefix: 24, gateway: '192.0.2.254' }, dnsServers: ['192.0.2.2'],
  }), (large) => new proxmox.ProxmoxMachine({
    template: proxmox.ProxmoxTemplate.id(110, 'pve1'), cores: large ? 8 : 4, memory: Size.gibibytes(16), networkDevices: [{ bridge: 'vmbr0' }],
  })],
  ['Metal3', new metal3.Metal3Infrastructure(), (large) => new metal3.Metal3Machine({
    image: { url: 'https://images.example.com/node.raw', checksum: 'https://images.example.com/node.raw.sha256' },
    hostSelector: { 'example.com/type': large ? 'r750' : 'r640' },
  })],
  ['OpenStack', new openstack.OpenStackInfrastructure({
    identity: openstack.OpenStackIdentity.clusterIdentity({ name: 'tenants', cloudName: 'openstack' }),
    network: openstack.OpenStackNetwork.managed({ cidr: '10.6.0.0/24', dnsNameservers: ['198.51.100.53'] }),
  }), (large) => new openstack.OpenStackMachine({
    flavor: large ? 'm1.xlarge' : 'm1.large', image: openstack.OpenStackResource.named('ubuntu-2404-kube'), ports: [{ allowedAddresses: ['192.0.2.10'] }],
  })],
];

/** What differs from the first state of a page. */
interface Change {
  readonly kubernetesVersion?: string;
  readonly replicas?: number;
  readonly largeWorkers?: boolean;
  readonly largeControlPlane?: boolean;

  /** Number of machines of each pool. */
  readonly pools?: { readonly [name: string]: number };
}

const CHANGES: readonly [change: string, change: Change, moves: boolean][] = [
  ['another minor of Kubernetes', { kubernetesVersion: '1.36.2' }, true],
  ['another patch of Kubernetes', { kubernetesVersion: '1.35.6' }, true],
  ['more machines in a pool', { pools: { general: 3, spare: 2 } }, false],
  ['fewer machines in a pool', { pools: { general: 1, spare: 2 } }, false],
  ['a larger control plane', { replicas: 5 }, false],
  ['larger machines of workers', { largeWorkers: true }, true],
  ['larger machines of the control plane', { largeControlPlane: true }, true],
  ['another pool', { pools: { general: 2, spare: 2, gpu: 1 } }, false],
  ['a pool less', { pools: { general: 2 } }, false],
];

describe.each(PROVIDERS)('pages with machines of %s', (_, infrastructure, machine) => {
  function objects(change: Change, topology?: ClusterTopology): unknown[] {
    const { kubernetesVersion = '1.35.4', replicas = 3, largeWorkers = false, largeControlPlane = false, pools = { general: 2, spare: 2 } } = change;
    const app = Testing.app();
    const controlPlane = new KubeadmControlPlane({
      replicas, machine: machine(largeControlPlane), endpoint: ControlPlaneEndpoint.kubeVip({ address: '192.0.2.10', image: 'ghcr.io/kube-vip/kube-vip:v1.0.1' }),
    });
    const acme = addCluster(app, 'acme', { infrastructure, controlPlane, kubernetesVersion, ...topology && { topology } }, []);
    for (const [name, size] of Object.entries(pools)) acme.addNodePool(name, { machine: machine(largeWorkers), size: PoolSize.fixed(size) });
    return app.charts.flatMap((chart) => Testing.synth(chart));
  }

  const former = { plain: objects({}), form: objects({}, ClusterTopology.of()) };

  /** Effects on machines of control plane and pools, and the order of these. */
  function plan(before: unknown[], after: unknown[]): { readonly order: unknown; readonly parts: object[] } {
    const { clusters: [cluster] } = planned(before, after);
    const parts = cluster.parts.filter(({ part }) => part === PartKind.CONTROL_PLANE || part === PartKind.POOL);
    return { order: cluster.order?.map((step) => step.map(plainName)), parts: parts.map(summary) };
  }

  test.each(CHANGES)('plan %s alike as plain objects and as topology', (__, change, moves) => {
    const [plain, form] = [plan(former.plain, objects(change)), plan(former.form, objects(change, ClusterTopology.of()))];

    expect(form.parts).toEqual(plain.parts);
    // In an upgrade of a topology, pools wait for each other, too: a note says so in place of the order.
    expect(form.order).toEqual(change.kubernetesVersion === undefined ? plain.order : undefined);
    expect(JSON.stringify(plain).includes('"atATime":1')).toBe(moves);
  });
});

/** The name of a part without that of the cluster, which pools of a topology do not have. */
function plainName(name: string): string {
  return name.replace('acme-', '');
}

function summary({ part, name, change, waits, refusals = [], effects }: PlannedPart): object {
  return {
    part: `${part} ${plainName(name)}`,
    change,
    waits,
    refused: refusals.map(({ rule }) => rule),
    // Of a topology, the health check of the control plane is a part of it, and objects name their templates.
    effects: effects.filter(({ effect }) => effect !== Effect.IN_PLACE).map(({ effect, count, atATime, waitsFor, reasons }) => (
      { effect, count, atATime, waitsFor, ...effect === Effect.MACHINES && { reasons } })),
  };
}
