import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { TypedApiObject } from '../../src/constructs/app/synth/typed-api-object';
import { Bootstrap, BootstrapConfig } from '../../src/constructs/contracts/bootstrap';
import { ApiServerAddresses, ClusterContext, ClusterIdentity, Kubeconfigs } from '../../src/constructs/contracts/cluster-context';
import { ControlPlane, ControlPlaneConfig } from '../../src/constructs/contracts/control-plane';
import { ControlPlaneCapabilities } from '../../src/constructs/contracts/control-plane-capabilities';
import { Infrastructure, InfrastructureConfig } from '../../src/constructs/contracts/infrastructure';
import { InfrastructureCapabilities } from '../../src/constructs/contracts/infrastructure-capabilities';
import { Machine, MachineConfig } from '../../src/constructs/contracts/machine';
import { MachineCapacity } from '../../src/constructs/contracts/machine-capacity';
import { PoolContext } from '../../src/constructs/contracts/node-pool/pool-context';
import { NodeSetupPart } from '../../src/constructs/contracts/node-setup';

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

/** A third party's bootstrap, which writes down what it was told; what nodes need is in the images of its machines, unless a test decides otherwise. */
export class ExampleBootstrap extends Bootstrap {
  public constructor(private readonly applied: NodeSetupPart[] = Object.values(NodeSetupPart)) {
    super();
  }

  public override get appliedNodeSetup(): NodeSetupPart[] {
    return this.applied;
  }

  public bind(scope: Construct, context: PoolContext): BootstrapConfig {
    const { nodeLabels, taints, kubeletConfiguration } = context;
    return { template: template(scope, { apiVersion: 'bootstrap.example.com/v1', kind: 'ExampleConfigTemplate' }, { nodeLabels, taints, kubeletConfiguration }) };
  }
}

function template(scope: Construct, kind: { apiVersion: string; kind: string }, spec: object): ApiObject {
  return new TypedApiObject(scope, 'Resource', kind, { metadata: { name: 'renamed-by-the-pool' }, spec });
}
