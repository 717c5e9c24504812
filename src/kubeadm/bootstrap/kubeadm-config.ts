import { templateFile } from './bootstrap-file';
import { templateMount } from './bootstrap-mount';
import { templateNtp } from './bootstrap-ntp';
import { templateUser } from './bootstrap-user';
import { templateDiskSetup } from './disk-setup';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { kubeletArguments } from './kubelet-arguments';
import { MachineSetup } from './machine-setup';
import { PATCHES_DIRECTORY } from './node-setup';
import { KubeadmConfigTemplateSpecTemplateSpec as KubeadmConfigFields } from '../../../imports/bootstrap.cluster.x-k8s.io';
import { PoolContext } from '../../cluster/node-pool/pool-context';
import { Taint } from '../../values/taints';

/** Socket of containerd, where kubeadm looks for it. */
export const CONTAINERD_SOCKET = 'unix:///var/run/containerd/containerd.sock';

/** The fields of a kubeadm configuration that say how a machine is set up around kubeadm. */
export function machineFields(props: KubeadmBootstrapProps, setup: MachineSetup): KubeadmConfigFields {
  const diskSetup = templateDiskSetup(props.diskSetup ?? {});
  return {
    ...(props.bootCommands?.length && { bootCommands: props.bootCommands }),
    ...(diskSetup && { diskSetup }),
    ...(setup.files.length > 0 && { files: setup.files.map(({ file }) => templateFile(file)) }),
    ...(props.mounts?.length && { mounts: props.mounts.map(templateMount) }),
    ...(props.ntp && { ntp: templateNtp(props.ntp) }),
    ...(props.postKubeadmCommands?.length && { postKubeadmCommands: props.postKubeadmCommands }),
    ...(setup.commands.length > 0 && { preKubeadmCommands: [...setup.commands] }),
    ...(props.users?.length && { users: props.users.map(templateUser) }),
    ...(props.verbosity !== undefined && { verbosity: props.verbosity }),
  };
}

/**
 * Which property each of these fields came from.
 *
 * @param path where the configuration is in its object
 * @param owner the property that holds the options
 * @param props the user's options
 * @param setup what `machineFields` was given
 */
export function machineSources(path: string, owner: string, props: KubeadmBootstrapProps, setup: MachineSetup): { [field: string]: string } {
  const preKubeadmCommands = props.preKubeadmCommands ?? [];
  const before = setup.commands.length - preKubeadmCommands.length;
  return {
    [`${path}.bootCommands.**`]: `${owner}.bootCommands.**`,
    [`${path}.preKubeadmCommands`]: `${owner}.preKubeadmCommands`,
    ...Object.fromEntries(preKubeadmCommands.map((_, index) => [`${path}.preKubeadmCommands[${before + index}]`, `${owner}.preKubeadmCommands[${index}]`])),
    [`${path}.postKubeadmCommands.**`]: `${owner}.postKubeadmCommands.**`,
    [`${path}.diskSetup.**`]: `${owner}.diskSetup.**`,
    [`${path}.diskSetup.filesystems[*].replaceFS`]: `${owner}.diskSetup.filesystems[*].replaceFs`,
    [`${path}.diskSetup.partitions[*].tableType`]: `${owner}.diskSetup.partitions[*].table`,
    [`${path}.diskSetup.partitions[*].diskLayout.**`]: `${owner}.diskSetup.partitions[*].shares.**`,
  };
}

/** `nodeRegistration` without taints, whose absence has a meaning of its own. */
export function nodeRegistration(props: KubeadmBootstrapProps, context: PoolContext) {
  const kubeletExtraArgs = kubeletArguments(props.kubeletExtraArgs ?? [], context);
  return {
    ...(props.nodeName && { name: props.nodeName._expression }),
    criSocket: props.criSocket ?? CONTAINERD_SOCKET,
    ...(props.ignorePreflightErrors?.length && { ignorePreflightErrors: props.ignorePreflightErrors }),
    ...(kubeletExtraArgs.length > 0 && { kubeletExtraArgs }),
  };
}

/** A taint as `nodeRegistration` has it. */
export function templateTaint({ key, value, effect }: Taint) {
  return { key, ...(value !== undefined && { value }), effect };
}

/** `patches`, where there is a file that kubeadm is to apply. */
export function patchesField({ files }: MachineSetup) {
  return files.some(({ file }) => file.path.startsWith(`${PATCHES_DIRECTORY}/`)) ? { patches: { directory: PATCHES_DIRECTORY } } : {};
}
