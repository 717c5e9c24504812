import { Construct } from 'constructs';
import { checkBootstrap } from './bootstrap-checks';
import { checkCloudConfig } from './cloud-config-checks';
import { inCompanyNetwork } from './company-network';
import { inFormat } from './ignition-setup';
import { templateTimeouts } from './join-timeouts';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import {
  BOOTSTRAP, machineFields, MachineSetup, machineSetup, machineSources, nodeRegistration, patchesField, templateTaint,
} from './kubeadm-config';
import { nodeSetupTexts } from './node-setup-checks';
import { KubeadmConfigTemplate } from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { noSubstitution } from '../../../../manifests/objects/prune-annotations';
import { Problems } from '../../../app/problems/problems';
import { FieldSources } from '../../../app/synth/field-sources';
import { checkWritten } from '../../../app/synth/synthesis';
import { Bootstrap, BootstrapConfig } from '../../../contracts/bootstrap';
import { PoolContext } from '../../../contracts/node-pool/pool-context';
import { NodeSetupPart } from '../../../contracts/node-setup';

/**
 * Machines join with kubeadm, set up by cloud-init or Ignition.
 *
 * Makes one `KubeadmConfigTemplate` of bootstrap.cluster.x-k8s.io/v1beta2 (Cluster API 1.11 and later). A property that is not used leaves
 * no trace in it, so that new properties of this library replace no machines.
 *
 * The pool's labels and taints are set when a node registers. Its kubelet options become a patch of the kubelet's configuration.
 *
 * @example
 * acme.addNodePool('general', {
 *   machine: new KubevirtMachine({
 *     cpu: 4,
 *     memory: Size.gibibytes(16),
 *     rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4' }),
 *   }),
 *   size: PoolSize.fixed(3),
 *   bootstrap: new KubeadmBootstrap({ preKubeadmCommands: ['systemctl restart containerd'] }),
 * });
 */
export class KubeadmBootstrap extends Bootstrap {
  private readonly props: KubeadmBootstrapProps;

  public constructor(props: KubeadmBootstrapProps = {}) {
    super();
    this.props = props;
  }

  /** Machines are set up for the network of a company. */
  public override get appliesCompanyNetwork(): boolean {
    return true;
  }

  /** All parts of what infrastructure and machines ask of each node are applied. */
  public override get appliedNodeSetup(): NodeSetupPart[] {
    return Object.values(NodeSetupPart);
  }

  /**
   * Makes the bootstrap template of one pool.
   *
   * @param scope where to put the template
   * @param pool the pool that it belongs to
   */
  public bind(scope: Construct, pool: PoolContext): BootstrapConfig {
    const context = inFormat(this.props, pool);
    const props = inCompanyNetwork(this.props, context.cluster.companyNetwork);
    const problems = Problems.of(scope);
    const reported = checkBootstrap(props, context);
    reported.forEach((problem) => problems.add(problem));

    const setup = machineSetup(props, context);
    const template = new KubeadmConfigTemplate(scope, 'Resource', {
      metadata: { name: context.name, annotations: noSubstitution() },
      spec: { template: { spec: { ...machineFields(props, setup), joinConfiguration: joinConfiguration(props, context, setup) } } },
    });
    FieldSources._record(template, scope, () => machineSources('spec.template.spec', BOOTSTRAP, props, context));
    problems._addCheck(() => checkWritten(template, (manifest) => checkCloudConfig(manifest.spec?.template?.spec ?? {}, {
      options: props,
      owner: BOOTSTRAP,
      files: setup.files,
      texts: nodeSetupTexts(context),
      path: 'spec.template.spec',
      forbidden: context.cluster.infrastructure.forbiddenUserData,
      reported,
    })));
    return { template };
  }
}

function joinConfiguration(props: KubeadmBootstrapProps, context: PoolContext, setup: MachineSetup) {
  const timeouts = templateTimeouts(props.timeouts ?? {});
  return {
    nodeRegistration: {
      ...nodeRegistration(props, context),
      // No taints and an empty list are not the same to kubeadm; workers have no taint of their own in either case.
      ...(context.taints.length > 0 && { taints: context.taints.map(templateTaint) }),
    },
    ...patchesField(setup),
    ...(props.skipPhases?.length && { skipPhases: props.skipPhases }),
    ...(timeouts && { timeouts }),
  };
}
