import { ApiObject, Size } from 'cdk8s';
import { Construct } from 'constructs';
import {
  type ApiServerAddresses, Bootstrap, type BootstrapConfig, type ClusterContext, type ClusterIdentity, ControlPlane,
  type ControlPlaneCapabilities, type ControlPlaneConfig, extension, HealthCheck, Infrastructure, type InfrastructureConfig,
  type Kubeconfigs, Machine, type MachineCapacity, type MachineConfig, type PoolContext,
} from 'cdk8s-cluster-api';

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io/v1alpha1';

const REPLICAS_RULE: extension.Rule = {
  id: 'ACME-TALOS-REPLICAS',
  title: 'A Talos control plane must have an odd number of machines: they are the members of etcd.',
  source: 'siderolabs/cluster-api-control-plane-provider-talos api/v1alpha3/taloscontrolplane_types.go',
};

/** What a Proxmox cluster needs. */
export interface ProxmoxInfrastructureProps {
  /** Address that the control plane machines share. */
  readonly endpoint: string;

  /** Addresses for machines, e.g. `10.10.10.5-10.10.10.50`. */
  readonly addresses: string[];

  /** Gateway of the machines. */
  readonly gateway: string;

  /** Length of the network's prefix. */
  readonly prefix: number;

  /** Name servers of the machines. */
  readonly dnsServers: string[];
}

/** Proxmox VE, by cluster-api-provider-proxmox. */
export class ProxmoxInfrastructure extends Infrastructure {
  public readonly capabilities = { clusterKind: 'ProxmoxCluster' };

  public constructor(private readonly props: ProxmoxInfrastructureProps) {
    super();
  }

  public override apiServerAddresses(_cluster: ClusterIdentity): ApiServerAddresses {
    return { published: { host: this.props.endpoint, port: 6443 } };
  }

  public bind(scope: Construct, context: ClusterContext): InfrastructureConfig {
    const { endpoint, addresses, gateway, prefix, dnsServers } = this.props;
    const resource = new ApiObject(scope, 'Resource', {
      apiVersion: INFRASTRUCTURE,
      kind: 'ProxmoxCluster',
      metadata: { name: context.name },
      spec: { controlPlaneEndpoint: { host: endpoint, port: 6443 }, ipv4Config: { addresses, gateway, prefix }, dnsServers },
    });
    return { resource };
  }
}

/** What a virtual machine of Proxmox is like. */
export interface ProxmoxMachineProps {
  /** Number of cores. */
  readonly cores: number;

  /** Memory. */
  readonly memory: Size;

  /** Id of the template that it is cloned from. */
  readonly templateId: number;

  /** Node of Proxmox that has the template. */
  readonly sourceNode: string;
}

/** A virtual machine of Proxmox. */
export class ProxmoxMachine extends Machine {
  public readonly infrastructureKind = 'ProxmoxCluster';
  public readonly capacity: MachineCapacity;

  public constructor(private readonly props: ProxmoxMachineProps) {
    super();
    this.capacity = { cpu: props.cores, memory: props.memory };
  }

  public bind(scope: Construct, context: PoolContext): MachineConfig {
    const { cores, memory, templateId, sourceNode } = this.props;
    const template = new ApiObject(scope, 'Resource', {
      apiVersion: INFRASTRUCTURE,
      kind: 'ProxmoxMachineTemplate',
      metadata: { name: context.name },
      spec: {
        template: {
          spec: {
            numCores: cores,
            memoryMiB: memory.toMebibytes(),
            templateID: templateId,
            sourceNode,
            checks: { skipCloudInitStatus: true, skipQemuGuestAgent: true },
          },
        },
      },
    });
    extension.FieldSources.record(template, scope, { 'spec.template.spec.memoryMiB': 'machine.memory' });
    return { template };
  }
}

/** Talos Linux on the workers. */
export class TalosBootstrap extends Bootstrap {
  public constructor(private readonly talosVersion: string) {
    super();
  }

  public bind(scope: Construct, context: PoolContext): BootstrapConfig {
    const template = new ApiObject(scope, 'Resource', {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1alpha3',
      kind: 'TalosConfigTemplate',
      metadata: { name: context.name },
      spec: { template: { spec: { generateType: 'join', talosVersion: this.talosVersion } } },
    });
    return { template };
  }
}

/** What a Talos control plane is like. */
export interface TalosControlPlaneProps {
  /** What the machines are. */
  readonly machine: Machine;

  /** Number of machines, odd. */
  readonly replicas: number;

  /** Version of Talos, e.g. `v1.11`. */
  readonly talosVersion: string;
}

/** A control plane on machines that run Talos Linux, by cluster-api-control-plane-provider-talos. */
export class TalosControlPlane extends ControlPlane {
  public readonly capabilities: ControlPlaneCapabilities;

  public constructor(private readonly props: TalosControlPlaneProps) {
    super();
    this.capabilities = {
      apiServerPort: 6443,
      machineCount: props.replicas,
      viewableResources: ['taloscontrolplanes.controlplane.cluster.x-k8s.io'],
    };
  }

  public kubeconfigs(cluster: ClusterIdentity): Kubeconfigs {
    const secret = { name: `${cluster.name}-kubeconfig`, key: 'value' };
    return { internal: secret, external: secret };
  }

  public apiServerAddresses(_cluster: ClusterIdentity): ApiServerAddresses {
    return {};
  }

  public bind(scope: Construct, context: ClusterContext): ControlPlaneConfig {
    const { machine, replicas, talosVersion } = this.props;
    const machines = extension.ControlPlaneMachineGroup.of(scope, context, { machine, replicas, healthCheck: HealthCheck.of() });
    const { machineTemplate } = machines;
    const resource = new ApiObject(scope, 'Resource', {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha3',
      kind: 'TalosControlPlane',
      metadata: { name: context.name },
      spec: {
        version: context.kubernetesVersion.toString(),
        replicas,
        infrastructureTemplate: { apiVersion: machineTemplate.apiVersion, kind: machineTemplate.kind, name: machineTemplate.name },
        controlPlaneConfig: { controlplane: { generateType: 'controlplane', talosVersion } },
      },
    });
    extension.ManifestChecks.add(scope, resource, { checkManifest: checkReplicas });
    return { resource, machines };
  }
}

function checkReplicas(manifest: { readonly spec?: { readonly replicas?: unknown } }): extension.Problem[] {
  const replicas = Number(manifest.spec?.replicas);
  return replicas % 2 === 1 ? [] : [{
    rule: REPLICAS_RULE, property: 'controlPlane.replicas', message: `${replicas} is not odd`, fix: `write ${replicas + 1}`,
  }];
}
