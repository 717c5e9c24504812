import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { APPLIED_NODE_SETUP, checkRke2, nodeConfig, type Rke2Options, rke2Version } from './node-config';
import {
  AddonCapability, type ApiServerAddresses, type ClusterContext, type ClusterIdentity, ControlPlane, type ControlPlaneCapabilities,
  type ControlPlaneConfig, extension, HealthCheck, type Kubeconfigs, type Machine,
} from 'cdk8s-cluster-api';

/** Properties of a control plane on machines that run RKE2. */
export interface Rke2ControlPlaneProps extends Rke2Options {
  /** The machines. */
  readonly machine: Machine;

  /**
   * Number of machines.
   *
   * @default 3
   */
  readonly replicas?: number;

  /**
   * Address at which machines join: internal-first, internal-only-ips, external-only-ips or control-plane-endpoint. The last one needs a load balancer
   * that passes port 9345 on.
   *
   * @default internal-first
   */
  readonly registrationMethod?: string;

  /**
   * Pod network that RKE2 installs where the cluster brings none: canal, calico or cilium.
   *
   * @default canal
   */
  readonly cni?: string;

  /**
   * Components that RKE2 does not install, e.g. `rke2-ingress-nginx`.
   *
   * @default - it installs all
   */
  readonly disabledComponents?: string[];

  /**
   * Replacement of unhealthy machines.
   *
   * @default HealthCheck.of()
   */
  readonly healthCheck?: HealthCheck;
}

/** A control plane on machines that run RKE2, by rancher/cluster-api-provider-rke2 v0.25.0. */
export class Rke2ControlPlane extends ControlPlane {
  public readonly capabilities: ControlPlaneCapabilities;

  public constructor(private readonly props: Rke2ControlPlaneProps) {
    super();
    const bundled = { 'rke2-coredns': AddonCapability.CLUSTER_DNS, 'rke2-metrics-server': AddonCapability.RESOURCE_METRICS };
    this.capabilities = {
      apiServerPort: 6443,
      machineCount: props.replicas ?? 3,
      appliedNodeSetup: APPLIED_NODE_SETUP,
      addonCapabilities: Object.entries(bundled).filter(([name]) => !props.disabledComponents?.includes(name)).map(([, capability]) => capability),
      viewableResources: ['rke2controlplanes.controlplane.cluster.x-k8s.io'],
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
    const { machine, replicas = 3, healthCheck = HealthCheck.of(), registrationMethod = 'internal-first' } = this.props;
    const machines = extension.ControlPlaneMachineGroup.of(scope, context, { machine, replicas, healthCheck });
    const { machineTemplate, nodeSetup = {} } = machines;
    checkRke2(scope, this.props, nodeSetup, 'controlPlane');
    const resource = new ApiObject(scope, 'Resource', {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'RKE2ControlPlane',
      metadata: { name: context.name },
      spec: {
        ...nodeConfig(this.props, nodeSetup),
        version: rke2Version(context.kubernetesVersion, this.props),
        replicas,
        machineTemplate: {
          spec: {
            infrastructureRef: { apiGroup: machineTemplate.apiGroup, kind: machineTemplate.kind, name: machineTemplate.name },
            // The defaults of the webhook.
            deletion: { nodeDrainTimeoutSeconds: 120, nodeVolumeDetachTimeoutSeconds: 300, nodeDeletionTimeoutSeconds: 10 },
          },
        },
        serverConfig: this.serverConfig(context),
        registrationMethod,
        rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: machine.surges || replicas < 3 ? 1 : 0 } },
      },
    });
    extension.FieldSources.record(resource, scope, {
      'spec.replicas': 'controlPlane.replicas',
      'spec.version': 'kubernetesVersion',
      'spec.registrationMethod': 'controlPlane.registrationMethod',
      'spec.serverConfig.cni': 'controlPlane.cni',
      'spec.serverConfig.disableComponents.pluginComponents[*]': 'controlPlane.disabledComponents[*]',
      'spec.agentConfig.cisProfile': 'controlPlane.cisProfile',
    });
    return { resource, machines };
  }

  private serverConfig({ network, podNetwork, kubeProxyReplaced, infrastructure }: ClusterContext): object {
    const { cni = 'canal', disabledComponents = [] } = this.props;
    const kubernetesComponents = [...(kubeProxyReplaced ? ['kubeProxy'] : []), ...(infrastructure.externalCloudProvider ? ['cloudController'] : [])];
    return {
      cni: podNetwork === undefined ? cni : 'none',
      clusterDNS: network.dnsServiceIps[0],
      clusterDomain: network.serviceDomain,
      ...(infrastructure.externalCloudProvider && { cloudProviderName: 'external' }),
      ...(kubernetesComponents.length + disabledComponents.length > 0 && {
        disableComponents: {
          ...(kubernetesComponents.length > 0 && { kubernetesComponents }),
          ...(disabledComponents.length > 0 && { pluginComponents: disabledComponents }),
        },
      }),
    };
  }
}
