import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { OF_ALL_NODES, refusedPage, strangerCluster, StrangerInfrastructure, StrangerMachine } from './stranger';
import { ClusterContext } from '../../../src/constructs/contracts/cluster-context';
import { ControlPlaneConfig } from '../../../src/constructs/contracts/control-plane';
import { NodeName } from '../../../src/constructs/contracts/node-name';
import { MachineCount } from '../../../src/constructs/contracts/node-pool/machine-count';
import { PoolContext } from '../../../src/constructs/contracts/node-pool/pool-context';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../src/constructs/contracts/node-pool/rollout-strategy';
import { NodeSetup } from '../../../src/constructs/contracts/node-setup';
import { KubeadmBootstrap } from '../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { ManifestBootstrap } from '../../../src/constructs/control-planes/manifest-bootstrap';
import { ManifestControlPlane } from '../../../src/constructs/control-planes/manifest-control-plane';
import { inventory } from '../../../src/manifests/landscape/read-landscape';
import { statedSize } from '../../../src/manifests/rules/stated-size';
import { registerProvider } from '../../../src/manifests/systems/providers';
import { ExampleBootstrap, ExampleControlPlane } from '../../support/strategies';

const LABEL = 'stranger.example.com/uuid={{ ds.meta_data.uuid }}';

/** The configurations of control plane and pool. */
function configurations(page: Parameters<typeof strangerCluster>[0] = {}): { readonly server: any; readonly worker: any } {
  const { find } = strangerCluster(page);
  return { server: find('KubeadmControlPlane').spec.kubeadmConfigSpec, worker: find('KubeadmConfigTemplate').spec.template.spec };
}

describe('what an infrastructure and its machines need on each node', () => {
  test('is on the nodes of pools and control plane, and no page says it', () => {
    const { server, worker } = configurations();
    const argumentsWith = (labels: string) => [
      { name: 'cloud-provider', value: 'external' },
      { name: 'provider-id', value: 'stranger:///{{ ds.meta_data.uuid }}' },
      { name: 'node-ip', value: 'NODE_ADDRESS' },
      { name: 'node-labels', value: labels },
    ];

    expect(strangerCluster().problems()).toEqual([]);
    expect(worker.joinConfiguration.nodeRegistration).toMatchObject({ name: '{{ v1.local_hostname }}', kubeletExtraArgs: argumentsWith(LABEL) });
    for (const part of ['initConfiguration', 'joinConfiguration']) {
      expect(server[part].nodeRegistration).toMatchObject({ name: '{{ v1.local_hostname }}', kubeletExtraArgs: argumentsWith(`stranger.example.com/role=server,${LABEL}`) });
    }
    expect(server.initConfiguration.localAPIEndpoint).toEqual({ advertiseAddress: 'NODE_ADDRESS' });
    for (const { files, preKubeadmCommands, postKubeadmCommands, users } of [server, worker]) {
      expect(files).toContainEqual({ path: '/etc/stranger.conf', content: 'id={{ ds.meta_data.uuid }}\n', permissions: '0644' });
      expect(preKubeadmCommands).toEqual([expect.stringContaining('node-address'), ...OF_ALL_NODES.preKubeadmCommands!]);
      expect(postKubeadmCommands).toEqual(OF_ALL_NODES.postKubeadmCommands);
      expect(users).toEqual(OF_ALL_NODES.users);
    }
  });

  test('comes before what the user adds, and the name of the user takes precedence', () => {
    const bootstrap = new KubeadmBootstrap({
      nodeName: NodeName.INSTANCE_ID,
      kubeletExtraArgs: [{ name: 'v', value: '2' }],
      files: [{ path: '/etc/motd', content: 'welcome\n' }],
      preKubeadmCommands: ['echo before'],
      postKubeadmCommands: ['echo after'],
      users: [{ name: 'ops' }],
    });
    const { worker } = configurations({ pool: { bootstrap, labels: { 'example.com/zone': 'a' } } });
    const { name, kubeletExtraArgs } = worker.joinConfiguration.nodeRegistration;

    expect(name).toBe('{{ v1.instance_id }}');
    expect(kubeletExtraArgs.slice(-2)).toEqual([{ name: 'node-labels', value: `example.com/zone=a,${LABEL}` }, { name: 'v', value: '2' }]);
    expect(worker.files.map(({ path }: any) => path).slice(-2)).toEqual(['/etc/stranger.conf', '/etc/motd']);
    expect(worker.preKubeadmCommands.slice(-2)).toEqual([...OF_ALL_NODES.preKubeadmCommands!, 'echo before']);
    expect(worker.postKubeadmCommands).toEqual([...OF_ALL_NODES.postKubeadmCommands!, 'echo after']);
    expect(worker.users.map((user: any) => user.name)).toEqual(['stranger', 'ops']);
  });

  test('is that of the machine where both set an argument', () => {
    const { worker } = configurations({ machine: new StrangerMachine({ kubeletArguments: { 'provider-id': 'metal://{{ ds.meta_data.uuid }}' } }) });

    expect(worker.joinConfiguration.nodeRegistration.kubeletExtraArgs).toContainEqual({ name: 'provider-id', value: 'metal://{{ ds.meta_data.uuid }}' });
  });

  test('is refused where it cannot be', () => {
    const refused = (setup: ConstructorParameters<typeof StrangerMachine>[0]) => refusedPage({ machine: new StrangerMachine(setup) });
    const AT = 'machine.nodeSetup';

    expect(refused({ kubeletArguments: { '--provider-id': 'x' } })).toContainEqual(
      expect.stringMatching(/^TC-KUBEADM-NODE-SETUP machine\.nodeSetup\.kubeletArguments\["--provider-id"\]: "--provider-id" is not the name of a flag without dashes/),
    );
    expect(refused({ kubeletArguments: { 'node-labels': 'a=b' } })).toContainEqual(expect.stringContaining(`TC-KUBEADM-NODE-SETUP controlPlane.${AT}.kubeletArguments["node-labels"]`));
    expect(refused({ kubeletArguments: { 'node-ip': '192.0.2.1' } })).toContainEqual(expect.stringContaining('address sets it'));
    expect(refused({ kubeletArguments: { 'provider-id': 'a b' } })).toContainEqual(expect.stringContaining(`TC-KUBEADM-KUBELET-ARGUMENT-TEXT ${AT}.kubeletArguments["provider-id"]`));
    expect(refused({ kubeletArguments: { 'provider-id': 'x:///{{ ds.meta_data.uuid' } })).toEqual([
      expect.stringContaining(`TC-KUBEADM-JINJA controlPlane.${AT}.kubeletArguments["provider-id"]: the text has "{{" without the end of this Jinja tag`),
      expect.stringContaining(`TC-KUBEADM-JINJA ${AT}.kubeletArguments["provider-id"]: the text has "{{" without the end of this Jinja tag`),
    ]);
    expect(refused({ nodeLabels: { 'example.com/id': '{{ ds.meta_data.uuid' } })).toContainEqual(expect.stringContaining(`TC-KUBEADM-JINJA ${AT}.nodeLabels: the text has "{{"`));
    expect(refused({ nodeLabels: { 'node-role.kubernetes.io/storage': '' } })).toContainEqual(expect.stringContaining(`TC-KUBEADM-NODE-SETUP ${AT}.nodeLabels["node-role.kubernetes.io/storage"]`));
    expect(refused({ nodeLabels: { 'example.com/id': 'not a value' } })).toContainEqual(expect.stringContaining(`TC-KUBEADM-NODE-SETUP ${AT}.nodeLabels["example.com/id"]`));
    expect(refused({ nodeName: NodeName.fromInstanceData('v1.region') })).toContainEqual(expect.stringContaining(`TC-KUBEADM-NODE-NAME ${AT}.nodeName`));
    expect(refused({ address: '{{ ds.meta_data[\'local-ipv4\'] }}' })).toContainEqual(expect.stringContaining(`TC-KUBEADM-NODE-SETUP ${AT}.address`));
    expect(refused({ files: [{ path: 'etc/relative', content: 'x' }] })).toContainEqual(expect.stringContaining(`TC-KUBEADM-FILE-PATH ${AT}.files[1].path`));
    expect(refused({ files: [{ path: '/var/lib/kubelet/config.yaml', content: 'x' }] })).toContainEqual(expect.stringContaining(`TC-KUBEADM-FILE-PATH-TAKEN ${AT}.files[1].path`));
    expect(refused({ preKubeadmCommands: ['echo {#'] })).toContainEqual(expect.stringContaining(`TC-KUBEADM-JINJA ${AT}.preKubeadmCommands[1]`));
    expect(refused({ users: [{ name: 'Not A Name' }] })).toContainEqual(expect.stringContaining(`TC-KUBEADM-USER-NAME ${AT}.users[1].name`));
  });

  test('is refused where the user sets it again', () => {
    const kubeletExtraArgs = [{ name: 'provider-id', value: 'mine' }];

    expect(refusedPage({ pool: { bootstrap: new KubeadmBootstrap({ kubeletExtraArgs }) } })).toEqual([
      expect.stringContaining('TC-KUBEADM-KUBELET-ARGUMENT bootstrap.kubeletExtraArgs[0]: kubelet cannot be given --provider-id, because the infrastructure or its machines set it'),
    ]);
    expect(refusedPage({ controlPlane: { kubeletExtraArgs } })).toEqual([expect.stringContaining('TC-KUBEADM-KUBELET-ARGUMENT controlPlane.kubeletExtraArgs[0]')]);
    expect(refusedPage({ pool: { labels: { 'stranger.example.com/uuid': 'x' } } })).toEqual([
      expect.stringContaining('TC-KUBEADM-NODE-SETUP labels["stranger.example.com/uuid"]: the infrastructure or its machines set the label'),
    ]);
  });

  test('is refused where bootstrap or control plane do not state that they apply it', () => {
    const bootstrap = new ExampleBootstrap([]);
    const asked = 'kubelet arguments --cloud-provider, --provider-id; node labels stranger.example.com/uuid; node name {{ v1.local_hostname }}; '
      + 'node address {{ ds.meta_data.local_ipv4 }}; files /etc/stranger.conf; commands before kubeadm (1); commands after kubeadm (1); users stranger';

    expect(refusedPage({ pool: { bootstrap } })).toEqual([expect.stringContaining(
      `TC-NODE-SETUP-APPLIED bootstrap: ExampleBootstrap does not apply what StrangerCluster or its machines ask of each node: ${asked}. `
      + 'Accepted: a bootstrap whose appliedNodeSetup has kubeletArguments, nodeLabels, nodeName, address, files, preKubeadmCommands, postKubeadmCommands, users, such as KubeadmBootstrap.',
    )]);
    const infrastructure = new StrangerInfrastructure({ nodeSetup: undefined, externalCloudProvider: undefined });
    expect(refusedPage({ pool: { bootstrap }, infrastructure, machine: new StrangerMachine({}) })).toEqual([]);
  });

  test('is in the manifest of a page that states it, and refused otherwise', () => {
    const parts = (appliesNodeSetup?: boolean) => refusedPage({
      cluster: { controlPlane: new ManifestControlPlane({ apiVersion: 'controlplane.example.com/v1', kind: 'ExampleControlPlane', machine: new StrangerMachine(), appliesNodeSetup }) },
      pool: { bootstrap: new ManifestBootstrap({ apiVersion: 'bootstrap.example.com/v1', kind: 'ExampleConfigTemplate', appliesNodeSetup }) },
    });

    expect(parts()).toEqual([
      expect.stringMatching(/^TC-NODE-SETUP-APPLIED controlPlane: ManifestControlPlane does not .*stranger\.example\.com\/role.* put them into spec and set appliesNodeSetup/),
      expect.stringMatching(/^TC-NODE-SETUP-APPLIED bootstrap: ManifestBootstrap does not .* of ManifestBootstrap, put them into spec and set appliesNodeSetup/),
    ]);
    expect(parts(true)).toEqual([]);
  });

  test('is refused of a control plane that makes its machines itself and does not return what they need', () => {
    class OwnMachines extends ExampleControlPlane {
      public override bind(scope: Construct, context: ClusterContext): ControlPlaneConfig {
        const { resource } = super.bind(scope, context);
        return { resource, machines: { machineTemplate: new ApiObject(scope, 'Template', { apiVersion: 'example.com/v1', kind: 'ExampleMachineTemplate', metadata: { name: 'any' } }) } };
      }
    }

    expect(refusedPage({ cluster: { controlPlane: new OwnMachines() } })).toEqual([expect.stringMatching(/^TC-NODE-SETUP-APPLIED controlPlane: OwnMachines does not/)]);
  });

  test('is absent where nothing is needed', () => {
    const infrastructure = new StrangerInfrastructure({ nodeSetup: undefined, externalCloudProvider: undefined });
    const { worker } = configurations({ infrastructure, machine: new StrangerMachine({}) });

    expect(worker.joinConfiguration.nodeRegistration).toEqual({ criSocket: 'unix:///var/run/containerd/containerd.sock' });
    expect(Object.keys(worker).sort()).toEqual(['files', 'joinConfiguration']);
  });
});

describe('machines without spare hosts', () => {
  test('are removed before others are added, unless the user decides otherwise', () => {
    const { find } = strangerCluster();
    const rollout = RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(2) });
    const chosen = strangerCluster({ pool: { rollout }, controlPlane: { rollout: { maxSurge: 1 } } });

    expect(find('MachineDeployment').spec.rollout.strategy.rollingUpdate).toEqual({ maxSurge: 0, maxUnavailable: 1 });
    expect(find('KubeadmControlPlane').spec.rollout.strategy.rollingUpdate).toEqual({ maxSurge: 0 });
    expect(chosen.find('MachineDeployment').spec.rollout.strategy.rollingUpdate).toEqual({ maxSurge: 2, maxUnavailable: 0 });
    expect(chosen.find('KubeadmControlPlane').spec.rollout.strategy.rollingUpdate).toEqual({ maxSurge: 1 });
  });

  test('are added first in a control plane that cannot lose one', () => {
    expect(strangerCluster({ controlPlane: { replicas: 1 } }).find('KubeadmControlPlane').spec.rollout.strategy.rollingUpdate).toEqual({ maxSurge: 1 });
  });
});

test('health checks of pools and control plane leave machines to the remediation template', () => {
  const { find, tenant } = strangerCluster();
  const reference = (name: string) => ({ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'StrangerRemediationTemplate', name });

  expect(find('MachineHealthCheck', 'acme-general').spec.remediation.templateRef).toEqual(reference('acme-general'));
  expect(find('MachineHealthCheck', 'acme-control-plane').spec.remediation.templateRef).toEqual(reference('acme-control-plane'));
  expect(tenant.findNodePool('general').remediationTemplate?.kind).toBe('StrangerRemediationTemplate');
});

test('a decommissioned cluster leaves no remediation template', () => {
  expect(strangerCluster({ cluster: { decommission: true } }).find('StrangerRemediationTemplate')).toBeUndefined();
});

test('the autoscaler chooses an empty pool by the labels that are known before a machine runs', () => {
  class ZonalMachine extends StrangerMachine {
    public override nodeSetup({ failureDomain = '' }: PoolContext): NodeSetup {
      return { nodeLabels: { 'kubernetes.io/arch': 'arm64', 'topology.kubernetes.io/zone': failureDomain, 'stranger.example.com/uuid': '{{ ds.meta_data.uuid }}' } };
    }
  }
  const { find, problems } = strangerCluster({
    machine: new ZonalMachine(), pool: { size: PoolSize.between(0, 3), failureDomain: 'rack-2', labels: { 'example.com/team': 'shop' } },
  });

  expect(problems()).toEqual([]);
  expect(find('MachineDeployment').metadata.annotations).toMatchObject({
    'capacity.cluster-autoscaler.kubernetes.io/labels': 'example.com/team=shop,kubernetes.io/arch=arm64,topology.kubernetes.io/zone=rack-2',
  });
});

describe('the size of machines whose kind states none', () => {
  test('is known to inventory', () => {
    const { manifests } = strangerCluster();
    const [cluster] = inventory(manifests()).clusters;
    const size = { cpu: 8, memory: 32 * 1024 ** 3 };

    expect(cluster.pools[0].machine).toMatchObject(size);
    expect(cluster.controlPlane?.machine).toMatchObject(size);
  });

  test('is known to a command line that knows no provider of others', () => {
    const kind = 'infrastructure.cluster.x-k8s.io/StrangerMachineTemplate';
    registerProvider({ name: 'stranger', title: 'Stranger', kinds: [{ kind, role: 'machineTemplate' }], machineSizes: { [kind]: () => ({ cpu: 2, memory: 1024 ** 3 }) } });
    const { find } = strangerCluster();

    expect(statedSize(find('StrangerMachineTemplate'))).toEqual({ cpu: 8, memory: 32 * 1024 ** 3 });
  });

  test('stays as it is written, and replaces no machine', () => {
    const { tenant } = strangerCluster();
    const template = tenant.findNodePool('general').machineTemplate;
    const { name } = template;
    template.metadata.addAnnotation('cdk8s-cluster-api/machine-capacity', 'cpu=4,memory=8Gi,example.com/gpu=1');

    expect(template.name).toBe(name);
    expect(statedSize(template.toJson())).toEqual({ cpu: 4, memory: 8 * 1024 ** 3, gpus: [{ name: 'example.com/gpu', count: 1 }] });
    expect(statedSize({ metadata: { annotations: { 'cdk8s-cluster-api/machine-capacity': 'cpu,memory=x' } } })).toEqual({});
    expect(statedSize({})).toEqual({});
  });
});

test('a pool is in a failure domain of the infrastructure', () => {
  expect(strangerCluster({ pool: { failureDomain: 'rack-2' } }).find('MachineDeployment').spec.template.spec.failureDomain).toBe('rack-2');
  expect(refusedPage({ pool: { failureDomain: 'rack-3' } })).toEqual([
    expect.stringMatching(/^TC-POOL-FAILURE-DOMAIN failureDomain: the infrastructure has no failure domain "rack-3".*rack-1, rack-2.*did you mean/),
  ]);
  expect(refusedPage({ infrastructure: new StrangerInfrastructure({ failureDomains: [] }), pool: { failureDomain: 'rack-1' } })).toEqual([expect.stringContaining('it has no failure domains')]);
  expect(refusedPage({ infrastructure: new StrangerInfrastructure({ failureDomains: undefined }), pool: { failureDomain: 'rack-9' } })).toEqual([]);
});
