import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ApiServerAddresses, ClusterIdentity } from '../../src/cluster/api-server-address';
import { Bootstrap, BootstrapConfig } from '../../src/cluster/bootstrap';
import { ClusterContext } from '../../src/cluster/cluster-context';
import { ControlPlane, ControlPlaneConfig } from '../../src/cluster/control-plane';
import { ControlPlaneCapabilities } from '../../src/cluster/control-plane-capabilities';
import { Infrastructure, InfrastructureConfig } from '../../src/cluster/infrastructure';
import { InfrastructureCapabilities } from '../../src/cluster/infrastructure-capabilities';
import { Kubeconfigs } from '../../src/cluster/kubeconfig';
import { Machine, MachineConfig } from '../../src/cluster/machine';
import { MachineCapacity } from '../../src/cluster/machine-capacity';
import { PoolContext } from '../../src/cluster/node-pool/pool-context';
import { TypedApiObject } from '../../src/synth/typed-api-object';

/** A third party's control plane, in a page. */
export class ExampleControlPlane extends ControlPlane {
  public readonly capabilities: ControlPlaneCapabilities;

  public constructor(capabilities: Partial<ControlPlaneCapabilities> = {}) {
    super();
    this.capabilities = { apiServerPort: 6443, ...capabilities };
  }

  public bind(scope: Construct, context: ClusterContext): ControlPlaneConfig {
    const kind = { apiVersion: 'controlplane.example.com/v1', kind: 'ExampleControlPlane' };
    const resource = new TypedApiObject(scope, 'Resource', kind, { metadata: { name: context.name }, spec: { version: `${context.kubernetesVersion}` } });
    return { resource };
  }

  public kubeconfigs(): Kubeconfigs {
    return { internal: { name: 'in', key: 'value' }, external: { name: 'out', key: 'value' } };
  }

  public apiServerAddresses({ name }: ClusterIdentity): ApiServerAddresses {
    return { internal: { host: `${name}.example.com`, port: 6443 } };
  }
}

/** A third party's infrastructure. */
export class ExampleInfrastructure extends Infrastructure {
  public readonly capabilities: InfrastructureCapabilities;

  public constructor(capabilities: Partial<InfrastructureCapabilities> = {}) {
    super();
    this.capabilities = { clusterKind: 'ExampleCluster', ...capabilities };
  }

  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const kind = { apiVersion: 'infrastructure.example.com/v1', kind: 'ExampleCluster' };
    return { resource: new TypedApiObject(scope, 'Resource', kind, { metadata: { name: context.name } }) };
  }
}

/** A third party's machine. */
export class ExampleMachine extends Machine {
  public readonly infrastructureKind = 'ExampleCluster';

  public constructor(public readonly capacity?: MachineCapacity, private readonly spec: object = { flavor: 'small' }) {
    super();
  }

  public bind(scope: Construct, _context: PoolContext): MachineConfig {
    return { template: template(scope, { apiVersion: 'infrastructure.example.com/v1', kind: 'ExampleMachineTemplate' }, this.spec) };
  }
}

/** A third party's bootstrap, which writes down what it was told. */
export class ExampleBootstrap extends Bootstrap {
  public bind(scope: Construct, context: PoolContext): BootstrapConfig {
    const { nodeLabels, taints, kubeletConfiguration } = context;
    return { template: template(scope, { apiVersion: 'bootstrap.example.com/v1', kind: 'ExampleConfigTemplate' }, { nodeLabels, taints, kubeletConfiguration }) };
  }
}

function template(scope: Construct, kind: { apiVersion: string; kind: string }, spec: object): ApiObject {
  return new TypedApiObject(scope, 'Resource', kind, { metadata: { name: 'renamed-by-the-pool' }, spec });
}
