import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { APPLIED_NODE_SETUP, checkRke2, nodeConfig, type Rke2Options, rke2Version } from './node-config';
import { Bootstrap, type BootstrapConfig, extension, type NodeSetupPart, type PoolContext } from 'cdk8s-cluster-api';

/** RKE2 on workers, by rancher/cluster-api-provider-rke2 v0.25.0. */
export class Rke2Bootstrap extends Bootstrap {
  public constructor(private readonly options: Rke2Options) {
    super();
  }

  public override get appliedNodeSetup(): NodeSetupPart[] {
    return APPLIED_NODE_SETUP;
  }

  public bind(scope: Construct, context: PoolContext): BootstrapConfig {
    const setup = context.nodeSetup ?? {};
    checkRke2(scope, this.options, setup, 'bootstrap', context.kubeletConfiguration);
    const template = new ApiObject(scope, 'Resource', {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'RKE2ConfigTemplate',
      metadata: { name: context.name },
      spec: { template: { spec: nodeConfig(this.options, setup, context) } },
    });
    extension.FieldSources.record(template, scope, {
      'spec.template.spec.agentConfig.cisProfile': 'bootstrap.cisProfile',
      'spec.template.spec.agentConfig.kubelet': 'bootstrap.kubeletArguments',
      'spec.template.spec.files': 'bootstrap.files',
    });
    return { template, machineVersion: rke2Version(context.kubernetesVersion, this.options) };
  }
}
