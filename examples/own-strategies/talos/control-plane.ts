import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { APPLIED_NODE_SETUP, checkTalos, talosConfig, type TalosOptions } from './machine-config';
import {
  AddonCapability, type ApiServerAddresses, type ClusterContext, type ClusterIdentity, ControlPlane, type ControlPlaneCapabilities,
  type ControlPlaneConfig, extension, HealthCheck, type Kubeconfigs, type Machine,
} from 'cdk8s-cluster-api';

/** Properties of a control plane on machines that run Talos Linux. */
export interface TalosControlPlaneProps extends TalosOptions {
  /** The machines. */
  readonly machine: Machine;

  /**
   * Number of machines. They are the members of etcd, so that it must be odd.
   *
   * @default 3
   */
  readonly replicas?: number;

  /**
   * Replacement of unhealthy machines.
   *
   * @default HealthCheck.of()
   */
  readonly healthCheck?: HealthCheck;
}

/** A control plane on machines that run Talos Linux, by siderolabs/cluster-api-control-plane-provider-talos v0.5.12. */
export class TalosControlPlane extends ControlPlane {
  public readonly capabilities: ControlPlaneCapabilities;

  public constructor(private readonly props: TalosControlPlaneProps) {
    super();
    this.capabilities = {
      apiServerPort: 6443,
      machineCount: props.replicas ?? 3,
      appliedNodeSetup: APPLIED_NODE_SETUP,
      addonCapabilities: [AddonCapability.CLUSTER_DNS],
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
    const { machine, replicas = 3, healthCheck = HealthCheck.of() } = this.props;
    const machines = extension.ControlPlaneMachineGroup.of(scope, context, { machine, replicas, healthCheck });
    const { machineTemplate: { apiVersion, kind, name }, nodeSetup = {} } = machines;
    checkTalos(scope, this.props, nodeSetup, 'controlPlane');
    const resource = new ApiObject(scope, 'Resource', {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha3',
      kind: 'TalosControlPlane',
      metadata: { name: context.name },
      spec: {
        version: context.kubernetesVersion.toString(),
        replicas,
        infrastructureTemplate: { apiVersion, kind, name, namespace: context.namespace },
        controlPlaneConfig: { controlplane: talosConfig('controlplane', this.props, context, nodeSetup) },
        rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: machine.surges || replicas < 3 ? 1 : 0 } },
      },
    });
    extension.FieldSources.record(resource, scope, {
      'spec.replicas': 'controlPlane.replicas',
      'spec.version': 'kubernetesVersion',
      'spec.controlPlaneConfig.controlplane.talosVersion': 'controlPlane.talosVersion',
    });
    return { resource, machines };
  }
}
