import { Construct } from 'constructs';
import { KubeadmConfigTemplate } from '../../../imports/bootstrap.cluster.x-k8s.io';
import { noSubstitution } from '../../delivery/marks';
import { PoolContext } from '../../node-pool/pool-context';
import { Problems } from '../../validation/problems';
import { Bootstrap, BootstrapConfig } from '../bootstrap';
import { checkBootstrap } from './bootstrap-checks';
import { BootstrapFile, templateFile } from './bootstrap-file';
import { templateMount } from './bootstrap-mount';
import { templateNtp } from './bootstrap-ntp';
import { templateUser } from './bootstrap-user';
import { templateDiskSetup } from './disk-setup';
import { templateTimeouts } from './join-timeouts';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { kubeletArguments } from './kubelet-arguments';
import { machineSetup } from './machine-setup';
import { PATCHES_DIRECTORY } from './node-setup';

/** Socket of containerd, where kubeadm looks for it. */
const CONTAINERD_SOCKET = 'unix:///var/run/containerd/containerd.sock';

/**
 * Machines join with kubeadm, set up by cloud-init.
 *
 * Makes one `KubeadmConfigTemplate` of bootstrap.cluster.x-k8s.io/v1beta2 (Cluster API 1.11 and later). A property that is not used
 * leaves no trace in it, so that new properties of this library roll nobody's machines.
 *
 * The pool's labels and taints are set when a node registers. Its kubelet options become a patch of the kubelet's configuration, with
 * fields that the kubelet knows (`TC-KUBEADM-KUBELET-CONFIGURATION`).
 */
export class KubeadmBootstrap extends Bootstrap {
  private readonly props: KubeadmBootstrapProps;

  /**
   * Keeps the options; they are checked when a pool binds them.
   *
   * @param props what differs from the image
   */
  public constructor(props: KubeadmBootstrapProps = {}) {
    super();
    this.props = props;
  }

  /**
   * Makes the bootstrap template of one pool.
   *
   * @param scope where to put the template
   * @param context the pool that it belongs to
   */
  public bind(scope: Construct, context: PoolContext): BootstrapConfig {
    const { props } = this;
    const problems = Problems.of(scope);
    checkBootstrap(props, context).forEach((problem) => problems.add(problem));

    const setup = machineSetup(props, context);
    const files = setup.files.map(({ file }) => file);
    const diskSetup = templateDiskSetup(props.diskSetup ?? {});
    const template = new KubeadmConfigTemplate(scope, 'Resource', {
      metadata: { name: context.name, annotations: noSubstitution() },
      spec: {
        template: {
          spec: {
            ...(props.bootCommands?.length && { bootCommands: props.bootCommands }),
            ...(diskSetup && { diskSetup }),
            ...(files.length > 0 && { files: files.map(templateFile) }),
            joinConfiguration: joinConfiguration(props, context, files),
            ...(props.mounts?.length && { mounts: props.mounts.map(templateMount) }),
            ...(props.ntp && { ntp: templateNtp(props.ntp) }),
            ...(props.postKubeadmCommands?.length && { postKubeadmCommands: props.postKubeadmCommands }),
            ...(setup.commands.length > 0 && { preKubeadmCommands: [...setup.commands] }),
            ...(props.users?.length && { users: props.users.map(templateUser) }),
            ...(props.verbosity !== undefined && { verbosity: props.verbosity }),
          },
        },
      },
    });
    return { template };
  }
}

function joinConfiguration(props: KubeadmBootstrapProps, context: PoolContext, files: readonly BootstrapFile[]) {
  const kubeletExtraArgs = kubeletArguments(props.kubeletExtraArgs ?? [], context);
  const timeouts = templateTimeouts(props.timeouts ?? {});
  const taints = context.taints.map(({ key, value, effect }) => ({ key, ...(value !== undefined && { value }), effect }));
  return {
    nodeRegistration: {
      criSocket: props.criSocket ?? CONTAINERD_SOCKET,
      ...(props.ignorePreflightErrors?.length && { ignorePreflightErrors: props.ignorePreflightErrors }),
      ...(kubeletExtraArgs.length > 0 && { kubeletExtraArgs }),
      // No taints and an empty list are not the same to kubeadm; workers have no taint of their own in either case.
      ...(taints.length > 0 && { taints }),
    },
    ...(files.some(({ path }) => path.startsWith(`${PATCHES_DIRECTORY}/`)) && { patches: { directory: PATCHES_DIRECTORY } }),
    ...(props.skipPhases?.length && { skipPhases: props.skipPhases }),
    ...(timeouts && { timeouts }),
  };
}
