import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { APPLIED_NODE_SETUP, checkTalos, talosConfig, type TalosOptions } from './machine-config';
import { Bootstrap, type BootstrapConfig, extension, type NodeSetupPart, type PoolContext } from 'cdk8s-cluster-api';

/** Talos Linux on workers, by siderolabs/cluster-api-bootstrap-provider-talos v0.6.12. */
export class TalosBootstrap extends Bootstrap {
  public constructor(private readonly options: TalosOptions) {
    super();
  }

  public override get appliedNodeSetup(): NodeSetupPart[] {
    return APPLIED_NODE_SETUP;
  }

  public bind(scope: Construct, context: PoolContext): BootstrapConfig {
    const setup = context.nodeSetup ?? {};
    checkTalos(scope, this.options, setup, 'bootstrap');
    const template = new ApiObject(scope, 'Resource', {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1alpha3',
      kind: 'TalosConfigTemplate',
      metadata: { name: context.name },
      spec: { template: { spec: talosConfig('worker', this.options, context.cluster, setup, context) } },
    });
    extension.FieldSources.record(template, scope, { 'spec.template.spec.talosVersion': 'bootstrap.talosVersion' });
    return { template };
  }
}
