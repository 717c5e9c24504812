import { templateFile } from './bootstrap-file';
import { templateMount } from './bootstrap-mount';
import { templateNtp } from './bootstrap-ntp';
import { templateUser } from './bootstrap-user';
import { templateDiskSetup } from './disk-setup';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { kubeletArguments, NODE_LABELS } from './kubelet-arguments';
import { MachineSetup, machineSetup } from './machine-setup';
import { KubeadmConfigTemplateSpecTemplateSpec as KubeadmConfigFields } from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { PATCHES_DIRECTORY } from '../../../../manifests/systems/kubeadm/node-files';
import { Taint } from '../../../../manifests/values/taints';
import { PoolContext } from '../../../contracts/node-pool/pool-context';

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
 * Which property each field of a kubeadm configuration came from, `clusterConfiguration` aside.
 *
 * @param path where the configuration is in its object
 * @param owner the property that holds the options
 * @param props the user's options
 * @param context the machines
 */
export function machineSources(path: string, owner: string, props: KubeadmBootstrapProps, context: PoolContext): { [field: string]: string } {
  const setup = machineSetup(props, context, owner);
  const preKubeadmCommands = props.preKubeadmCommands ?? [];
  const before = setup.commands.length - preKubeadmCommands.length;
  return {
    ...Object.assign({}, ...['initConfiguration', 'joinConfiguration'].map((part) => kubeadmSources(`${path}.${part}`, owner, props, context))),
    [`${path}.files`]: `${owner}.files`,
    ...Object.assign({}, ...setup.files.map(({ property }, index) => fileSources(`${path}.files[${index}]`, property, owner))),
    [`${path}.mounts`]: `${owner}.mounts`,
    ...Object.fromEntries(['device', 'path', 'filesystem', 'options'].map((field, index) => [`${path}.mounts[*][${index}]`, `${owner}.mounts[*].${field}`])),
    [`${path}.ntp.**`]: `${owner}.ntp.**`,
    [`${path}.users.**`]: `${owner}.users.**`,
    [`${path}.users[*].passwdFrom.secret.**`]: `${owner}.users[*].passwordFrom.**`,
    [`${path}.verbosity`]: `${owner}.verbosity`,
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

function fileSources(file: string, property: string, owner: string): { [field: string]: string } {
  if (!property.startsWith(`${owner}.files[`)) return { [file]: property };
  return { [`${file}.**`]: `${property}.**`, [`${file}.contentFrom.secret.**`]: `${property}.secret.**` };
}

function kubeadmSources(path: string, owner: string, props: KubeadmBootstrapProps, context: PoolContext): { [field: string]: string } {
  const registration = `${path}.nodeRegistration`;
  const { kubeletExtraArgs = [] } = props;
  const args = kubeletArguments(kubeletExtraArgs, context);
  const before = args.length - kubeletExtraArgs.length;
  const labels = args.findIndex(({ name }, index) => index < before && name === NODE_LABELS);
  return {
    [`${registration}.ignorePreflightErrors.**`]: `${owner}.ignorePreflightErrors.**`,
    [`${registration}.kubeletExtraArgs`]: `${owner}.kubeletExtraArgs`,
    ...(labels !== -1 && { [`${registration}.kubeletExtraArgs[${labels}]`]: 'labels' }),
    ...Object.fromEntries(kubeletExtraArgs.map((_, index) => [`${registration}.kubeletExtraArgs[${before + index}].**`, `${owner}.kubeletExtraArgs[${index}].**`])),
    [`${path}.skipPhases.**`]: `${owner}.skipPhases.**`,
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
