import { ApiObject, App, Chart, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Cni } from '../../../src/constructs/addons/cni/cni';
import { ClusterContext } from '../../../src/constructs/contracts/cluster-context';
import { Infrastructure, InfrastructureConfig } from '../../../src/constructs/contracts/infrastructure';
import { InfrastructureCapabilities } from '../../../src/constructs/contracts/infrastructure-capabilities';
import { Machine, MachineConfig } from '../../../src/constructs/contracts/machine';
import { NodeName } from '../../../src/constructs/contracts/node-name';
import { NodePoolProps } from '../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolContext } from '../../../src/constructs/contracts/node-pool/pool-context';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { NodeSetup } from '../../../src/constructs/contracts/node-setup';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { KubeadmControlPlaneProps } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { problemsOf, ReportedProblem } from '../../support/problems';

const API_VERSION = 'infrastructure.cluster.x-k8s.io/v1beta1';

/** Node setup that the stranger's infrastructure asks of all nodes. */
export const OF_ALL_NODES: NodeSetup = {
  kubeletArguments: { 'provider-id': 'stranger:///{{ ds.meta_data.uuid }}' },
  nodeName: NodeName.LOCAL_HOSTNAME,
  address: '{{ ds.meta_data.local_ipv4 }}',
  files: [{ path: '/etc/stranger.conf', content: 'id={{ ds.meta_data.uuid }}\n' }],
  preKubeadmCommands: ['hostnamectl set-hostname "{{ ds.meta_data.hostname }}"'],
  postKubeadmCommands: ['systemctl start stranger-agent'],
  users: [{ name: 'stranger', sudo: 'ALL=(ALL) NOPASSWD:ALL' }],
};

/** A stranger's infrastructure: it writes the endpoint of the control plane, where there is one. */
export class StrangerInfrastructure extends Infrastructure {
  public readonly capabilities: InfrastructureCapabilities;

  public constructor(capabilities: Partial<InfrastructureCapabilities> = {}, private readonly writesEndpoint = true) {
    super();
    this.capabilities = { clusterKind: 'StrangerCluster', externalCloudProvider: true, nodeSetup: OF_ALL_NODES, failureDomains: ['rack-1', 'rack-2'], ...capabilities };
  }

  public bind(scope: Construct, { name, apiServer: { published } }: ClusterContext): InfrastructureConfig {
    const spec = this.writesEndpoint && published ? { controlPlaneEndpoint: published } : {};
    return { resource: new ApiObject(scope, 'Resource', { apiVersion: API_VERSION, kind: 'StrangerCluster', metadata: { name }, spec }) };
  }
}

/** A stranger's machine on hosts without a spare one, which replaces unhealthy machines itself. */
export class StrangerMachine extends Machine {
  public readonly infrastructureKind = 'StrangerCluster';
  public readonly capacity = { cpu: 8, memory: Size.gibibytes(32) };
  public override readonly surges = false;

  public constructor(private readonly setup?: NodeSetup) {
    super();
  }

  public override nodeSetup({ controlPlane = false }: PoolContext): NodeSetup | undefined {
    return this.setup ?? { nodeLabels: { 'stranger.example.com/uuid': '{{ ds.meta_data.uuid }}', ...(controlPlane && { 'stranger.example.com/role': 'server' }) } };
  }

  public bind(scope: Construct, { name }: PoolContext): MachineConfig {
    const template = new ApiObject(scope, 'Resource', {
      apiVersion: API_VERSION, kind: 'StrangerMachineTemplate', metadata: { name }, spec: { template: { spec: { flavor: 'large' } } },
    });
    const remediationTemplate = new ApiObject(scope, 'Remediation', {
      apiVersion: API_VERSION, kind: 'StrangerRemediationTemplate', metadata: { name }, spec: { template: { spec: {} } },
    });
    return { template, remediationTemplate };
  }
}

/** Parts of a page on a stranger's infrastructure. */
export interface StrangerPage {
  readonly infrastructure?: Infrastructure;
  readonly machine?: Machine;
  readonly controlPlane?: Partial<KubeadmControlPlaneProps>;
  readonly pool?: Partial<NodePoolProps>;
  readonly cluster?: Partial<TenantClusterProps>;
}

/** A cluster with its control plane on machines, and a pool, by name and kind of its objects. */
export function strangerCluster(page: StrangerPage = {}, app: App = Testing.app(), id = 'acme') {
  const { infrastructure = new StrangerInfrastructure(), machine = new StrangerMachine(), controlPlane, pool, cluster } = page;
  const tenant = new TenantCluster(app, id, {
    namespace: `tenant-${id}`,
    kubernetesVersion: '1.35.4',
    infrastructure,
    controlPlane: new KubeadmControlPlane({ machine, ...controlPlane }),
    cni: Cni.none(),
    ...cluster,
  });
  tenant.addNodePool('general', { machine, size: PoolSize.fixed(3), ...pool });
  const manifests = (): any[] => Chart.of(tenant).toJson();
  const find = (kind: string, prefix = ''): any => manifests().find((manifest) => manifest.kind === kind && manifest.metadata.name.startsWith(prefix));
  return { app, tenant, manifests, find, problems: (): ReportedProblem[] => problemsOf(app) };
}

/** Problems of a page, as `id property: message`. */
export function refusedPage(page: StrangerPage): string[] {
  return strangerCluster(page).problems().map(({ id, text }) => `${id} ${text}`);
}
