import { BootstrapFile, NodeSetup, OwnedFile, templateFile } from './bootstrap-file';
import { templateUser } from './bootstrap-user';
import { httpProxySetup, templateNtp, trustedCaFiles, trustedCaSetup } from './company-network';
import { templateDiskSetup, templateMount } from './disk-setup';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { kubeletArguments, kubeletPatch, NODE_LABELS } from './kubelet';
import { nodeAddressSetup } from './node-address';
import { registryMirrorFiles, registryMirrorSetup } from './registry-mirror';
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
 * Property by field of a kubeadm configuration, `clusterConfiguration` aside.
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
  if (property === KUBELET) return kubeletSources(`${file}.content`);
  if (!property.startsWith(`${owner}.files[`)) return { [file]: property };
  return { [`${file}.**`]: `${property}.**`, [`${file}.contentFrom.secret.**`]: `${property}.secret.**` };
}

/** The fields of the kubelet's configuration, in the text of the file, by the options that set them. */
function kubeletSources(content: string): { [field: string]: string } {
  const own = ['systemReserved', 'kubeReserved', 'evictionHard', 'evictionSoft', 'maxPods'];
  return {
    [`${content}.**`]: `${KUBELET}.configuration.**`,
    ...Object.fromEntries(own.map((field) => [`${content}.${field}.**`, `${KUBELET}.${field}.**`])),
  };
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

/** All files of a machine with who asked for them, and all commands before kubeadm, in their order. */
export interface MachineSetup {
  /** The files. */
  readonly files: readonly OwnedFile[];

  /** The commands. */
  readonly commands: readonly string[];
}

/** The property of a pool that holds the options. */
export const BOOTSTRAP = 'bootstrap';

/** The property of a pool that holds the options of its kubelets. */
const KUBELET = 'kubelet';

/**
 * Merges the setups of the library's features with the user's options.
 *
 * @param props the user's options
 * @param context the machines
 * @param owner the property that holds the options
 */
export function machineSetup(props: KubeadmBootstrapProps, context: PoolContext, owner = BOOTSTRAP): MachineSetup {
  const { trustedCas = [], httpProxy, registryMirrors = [], files = [], preKubeadmCommands = [] } = props;
  const features: [string, NodeSetup][] = [
    ['infrastructure', nodeAddressSetup(context.cluster.infrastructure.nodeAddress)],
    [`${owner}.trustedCas`, trustedCaSetup(trustedCas)],
    [`${owner}.httpProxy`, httpProxy ? httpProxySetup(httpProxy, context.cluster.network) : { files: [], commands: [] }],
    [`${owner}.registryMirrors`, registryMirrorSetup(registryMirrors)],
  ];
  return {
    files: [
      ...owned(kubeletPatch(context), KUBELET),
      ...trustedCas.flatMap((ca, index) => owned(trustedCaFiles(ca), `${owner}.trustedCas[${index}]`)),
      ...registryMirrors.flatMap((mirror, index) => owned(registryMirrorFiles(mirror), `${owner}.registryMirrors[${index}]`)),
      ...features.flatMap(([property, setup]) => owned(setup.files, property)),
      ...files.map((file, index) => ({ file, property: `${owner}.files[${index}]` })),
    ],
    commands: [...features.flatMap(([, setup]) => setup.commands), ...preKubeadmCommands],
  };
}

function owned(files: readonly BootstrapFile[], property: string): OwnedFile[] {
  return files.map((file) => ({ file, property }));
}
