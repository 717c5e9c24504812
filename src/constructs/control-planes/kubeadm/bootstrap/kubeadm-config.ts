import { FeatureSetup, OwnedFile, SCRIPTS_DIRECTORY, templateFile } from './bootstrap-file';
import { templateUser } from './bootstrap-user';
import { NODE_SETUP } from './cloud-config-checks';
import { httpProxySetup, templateNtp, trustedCaFiles, trustedCaSetup } from './company-network';
import { templateDiskSetup, templateMount } from './disk-setup';
import { isIgnition } from './ignition-checks';
import { additionalConfig } from './ignition-setup';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { kubeletArguments, kubeletPatch, NODE_LABELS } from './kubelet';
import { nodeAddressSetup } from './node-address';
import { registryMirrorFiles, registryMirrorSetup } from './registry-mirror';
import {
  KubeadmConfigTemplateSpecTemplateSpec as KubeadmConfigFields, KubeadmConfigTemplateSpecTemplateSpecFormat as TemplateFormat,
} from '../../../../../imports/bootstrap.cluster.x-k8s.io';
import { PATCHES_DIRECTORY } from '../../../../manifests/systems/kubeadm/node-files';
import { Taint } from '../../../../manifests/values/taints';
import { BootstrapFile } from '../../../contracts/bootstrap-file';
import { BootstrapUser } from '../../../contracts/bootstrap-user';
import { PoolContext } from '../../../contracts/node-pool/pool-context';

/** Socket of containerd, where kubeadm looks for it. */
export const CONTAINERD_SOCKET = 'unix:///var/run/containerd/containerd.sock';

/** The fields of a kubeadm configuration that say how a machine is set up around kubeadm. */
export function machineFields(props: KubeadmBootstrapProps, setup: MachineSetup): KubeadmConfigFields {
  const diskSetup = templateDiskSetup(props.diskSetup ?? {});
  return {
    ...(props.bootCommands?.length && { bootCommands: props.bootCommands }),
    ...(diskSetup && { diskSetup }),
    ...(isIgnition(props) && { format: TemplateFormat.IGNITION }),
    ...(setup.ignition !== undefined && { ignition: { containerLinuxConfig: { additionalConfig: setup.ignition } } }),
    ...(setup.files.length > 0 && { files: setup.files.map(({ file }) => templateFile(file)) }),
    ...(props.mounts?.length && { mounts: props.mounts.map((mount) => templateMount(mount, isIgnition(props))) }),
    ...(props.ntp && { ntp: templateNtp(props.ntp) }),
    ...(setup.lateCommands.length > 0 && { postKubeadmCommands: [...setup.lateCommands] }),
    ...(setup.commands.length > 0 && { preKubeadmCommands: [...setup.commands] }),
    ...(setup.users.length > 0 && { users: setup.users.map(templateUser) }),
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
  return {
    ...Object.assign({}, ...['initConfiguration', 'joinConfiguration'].map((part) => kubeadmSources(`${path}.${part}`, owner, props, context))),
    [`${path}.files`]: `${owner}.files`,
    ...Object.assign({}, ...setup.files.map(({ property }, index) => fileSources(`${path}.files[${index}]`, property, owner))),
    [`${path}.mounts`]: `${owner}.mounts`,
    ...Object.fromEntries(['device', 'path', 'filesystem', 'options'].map((field, index) => [`${path}.mounts[*][${index}]`, `${owner}.mounts[*].${field}`])),
    [`${path}.ntp.**`]: `${owner}.ntp.**`,
    ...userSources(`${path}.users`, owner, setup.users.length - (props.users?.length ?? 0), props.users ?? []),
    [`${path}.verbosity`]: `${owner}.verbosity`,
    [`${path}.bootCommands.**`]: `${owner}.bootCommands.**`,
    ...commandSources(path, owner, 'preKubeadmCommands', setup.commands, props.preKubeadmCommands),
    ...commandSources(path, owner, 'postKubeadmCommands', setup.lateCommands, props.postKubeadmCommands),
    [`${path}.diskSetup.**`]: `${owner}.diskSetup.**`,
    ...(setup.ignition !== undefined && { [`${path}.ignition`]: MACHINE }),
    [`${path}.diskSetup.filesystems[*].replaceFS`]: `${owner}.diskSetup.filesystems[*].replaceFs`,
    [`${path}.diskSetup.partitions[*].tableType`]: `${owner}.diskSetup.partitions[*].table`,
    [`${path}.diskSetup.partitions[*].diskLayout.**`]: `${owner}.diskSetup.partitions[*].shares.**`,
  };
}

/** Commands of the user come after those of others. */
function commandSources(
  path: string, owner: string, field: 'preKubeadmCommands' | 'postKubeadmCommands', all: readonly string[], own: readonly string[] = [],
): { [field: string]: string } {
  const before = all.length - own.length;
  return {
    [`${path}.${field}`]: `${owner}.${field}`,
    ...Object.fromEntries(own.map((_, index) => [`${path}.${field}[${before + index}]`, `${owner}.${field}[${index}]`])),
  };
}

/** Users of the page come after those of the machines. */
function userSources(path: string, owner: string, before: number, users: readonly BootstrapUser[]): { [field: string]: string } {
  if (before === 0) return { [`${path}.**`]: `${owner}.users.**`, [`${path}[*].passwdFrom.secret.**`]: `${owner}.users[*].passwordFrom.**` };
  return {
    [path]: `${owner}.users`,
    ...Object.fromEntries(users.flatMap((_, index) => [
      [`${path}[${before + index}].**`, `${owner}.users[${index}].**`],
      [`${path}[${before + index}].passwdFrom.secret.**`, `${owner}.users[${index}].passwordFrom.**`],
    ])),
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
    ...Object.fromEntries(args.slice(0, before).map((_, index) => [`${registration}.kubeletExtraArgs[${index}]`, MACHINE])),
    ...(labels !== -1 && { [`${registration}.kubeletExtraArgs[${labels}]`]: 'labels' }),
    ...Object.fromEntries(kubeletExtraArgs.map((_, index) => [`${registration}.kubeletExtraArgs[${before + index}].**`, `${owner}.kubeletExtraArgs[${index}].**`])),
    [`${path}.skipPhases.**`]: `${owner}.skipPhases.**`,
  };
}

/** `nodeRegistration` without taints, whose absence has a meaning of its own. */
export function nodeRegistration(props: KubeadmBootstrapProps, context: PoolContext) {
  const kubeletExtraArgs = kubeletArguments(props.kubeletExtraArgs ?? [], context);
  const { nodeName, ignition } = context.nodeSetup ?? {};
  // Without cloud-init, the host name is what kubeadm finds by itself.
  const name = isIgnition(props) ? ignition?.nodeName : (props.nodeName ?? nodeName)?._expression;
  return {
    ...(name !== undefined && { name }),
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

/** All files of a machine with who asked for them, all commands and users, in their order. */
export interface MachineSetup {
  /** The files. */
  readonly files: readonly OwnedFile[];

  /** The commands before kubeadm. */
  readonly commands: readonly string[];

  /** The commands after kubeadm. */
  readonly lateCommands: readonly string[];

  /** The users. */
  readonly users: readonly BootstrapUser[];

  /** Container Linux Config with units, of images with Ignition. */
  readonly ignition?: string;
}

const OWN_PREFIX = 'cdk8s-cluster-api-';
const OWN_SCRIPT = new RegExp(`^${SCRIPTS_DIRECTORY}/${OWN_PREFIX}`);

/** The property of a pool that holds the options. */
export const BOOTSTRAP = 'bootstrap';

/** The property of a pool that holds its machines. */
const MACHINE = 'machine';

/** The property of a pool that holds the options of its kubelets. */
const KUBELET = 'kubelet';

/**
 * Merges the setups of the library's features and of the machines with the user's options.
 *
 * @param props the user's options
 * @param context the machines
 * @param owner the property that holds the options
 */
export function machineSetup(props: KubeadmBootstrapProps, context: PoolContext, owner = BOOTSTRAP): MachineSetup {
  const { trustedCas = [], httpProxy, registryMirrors = [], files = [] } = props;
  const { nodeSetup = {} } = context;
  const features: [string, FeatureSetup][] = [
    [MACHINE, nodeAddressSetup(nodeSetup.address)],
    [`${owner}.trustedCas`, trustedCaSetup(trustedCas)],
    [`${owner}.httpProxy`, httpProxy ? httpProxySetup(httpProxy, context.cluster.network) : { files: [], commands: [] }],
    [`${owner}.registryMirrors`, registryMirrorSetup(registryMirrors)],
  ];
  const whole = {
    files: [
      ...owned(kubeletPatch(context), KUBELET),
      ...trustedCas.flatMap((ca, index) => owned(trustedCaFiles(ca), `${owner}.trustedCas[${index}]`)),
      ...registryMirrors.flatMap((mirror, index) => owned(registryMirrorFiles(mirror), `${owner}.registryMirrors[${index}]`)),
      ...features.flatMap(([property, setup]) => owned(setup.files, property)),
      ...(nodeSetup.files ?? []).map((file, index) => ({ file, property: `${NODE_SETUP}.files[${index}]` })),
      ...files.map((file, index) => ({ file, property: `${owner}.files[${index}]` })),
    ],
    commands: [...features.flatMap(([, setup]) => setup.commands), ...nodeSetup.preKubeadmCommands ?? [], ...props.preKubeadmCommands ?? []],
    lateCommands: [...nodeSetup.postKubeadmCommands ?? [], ...props.postKubeadmCommands ?? []],
    users: [...nodeSetup.users ?? [], ...props.users ?? []],
  };
  return isIgnition(props) ? withWritableScripts({ ...whole, ignition: nodeSetup.ignition && additionalConfig(nodeSetup.ignition) }) : whole;
}

/** Images with Ignition have a read-only /usr, and programs of their owners in /opt/bin. */
function withWritableScripts({ files, commands, lateCommands, ...rest }: MachineSetup): MachineSetup {
  const moved = (text: string) => text.replace(OWN_SCRIPT, `/opt/bin/${OWN_PREFIX}`);
  return {
    files: files.map(({ file, property }) => ({ property, file: { ...file, path: moved(file.path) } })),
    commands: commands.map(moved),
    lateCommands: lateCommands.map(moved),
    ...rest,
  };
}

function owned(files: readonly BootstrapFile[], property: string): OwnedFile[] {
  return files.map((file) => ({ file, property }));
}
