import { Construct } from 'constructs';
import { Bootstrap, BootstrapConfig } from '../contracts/bootstrap';
import { makePart, ManifestPartProps } from '../contracts/manifest-part';
import { PoolContext } from '../contracts/node-pool/pool-context';
import { NodeSetupPart } from '../contracts/node-setup';

/** Properties of a bootstrap of any kind. */
export interface ManifestBootstrapProps extends ManifestPartProps {
  /**
   * Version of the machines, where the distribution has releases of its own for a version of Kubernetes, e.g. `v1.35.4+rke2r1`.
   *
   * @default - the pool's version of Kubernetes
   */
  readonly machineVersion?: string;

  /**
   * True if `spec` has what infrastructure and machines ask of each node, such as arguments of the kubelet. A pool that asks for something
   * is refused otherwise.
   *
   * Rule: `TC-NODE-SETUP-APPLIED`.
   *
   * @default false
   */
  readonly appliesNodeSetup?: boolean;
}

/**
 * A bootstrap of any provider, as the manifest of its template. It is written as it is: labels, taints and settings of the kubelet that a pool
 * has are not added.
 *
 * @example
 * const bootstrap = new ManifestBootstrap({
 *   apiVersion: 'bootstrap.cluster.x-k8s.io/v1alpha3',
 *   kind: 'TalosConfigTemplate',
 *   spec: { template: { spec: { generateType: 'worker', talosVersion: 'v1.11' } } },
 * });
 */
export class ManifestBootstrap extends Bootstrap {
  public constructor(private readonly props: ManifestBootstrapProps) {
    super();
  }

  /** All parts of what infrastructure and machines ask of each node, where the page states that `spec` has them. */
  public override get appliedNodeSetup(): NodeSetupPart[] {
    return this.props.appliesNodeSetup ? Object.values(NodeSetupPart) : [];
  }

  /**
   * Makes the template.
   *
   * @param scope where to put it
   * @param context the pool it belongs to
   */
  public bind(scope: Construct, context: PoolContext): BootstrapConfig {
    return { template: makePart(scope, context.name, this.props), machineVersion: this.props.machineVersion };
  }
}
