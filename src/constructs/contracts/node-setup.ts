import { BootstrapFile } from './bootstrap-file';
import { BootstrapUser } from './bootstrap-user';
import { NodeName } from './node-name';

/**
 * Setup that an infrastructure, or one kind of its machines, needs on each node, so that no page has to name it.
 *
 * Bootstraps and control planes on machines apply it: `KubeadmBootstrap` and `KubeadmControlPlane` do, and others find it in
 * `PoolContext.nodeSetup`. A part that a bootstrap or control plane does not apply is refused (`NodeSetupPart`). All strings may hold Jinja templates of cloud-init's instance data, which cloud-init renders on the machine.
 *
 * Rules: `TC-NODE-SETUP-APPLIED`, `TC-KUBEADM-NODE-SETUP`. Source: docs.cloud-init.io/en/latest/explanation/instancedata.html.
 *
 * @example
 * const nodeSetup: NodeSetup = {
 *   kubeletArguments: { 'provider-id': 'openstack:///{{ ds.meta_data.uuid }}' },
 *   nodeName: NodeName.LOCAL_HOSTNAME,
 * };
 */
export interface NodeSetup {
  /**
   * Arguments of the kubelet, by the name of the flag without dashes, e.g. `provider-id`. Values may hold templates, e.g.
   * `openstack:///{{ ds.meta_data.uuid }}`. An argument of the user with the same name is refused.
   *
   * Rule: `TC-KUBEADM-KUBELET-ARGUMENT`.
   *
   * @default - none
   */
  readonly kubeletArguments?: { [flag: string]: string };

  /**
   * Labels that the kubelet gives its node. Values may hold templates, e.g. `{{ ds.meta_data.uuid }}` for `metal3.io/uuid`, and are therefore
   * not checked as values of labels. A pool cannot have a label of the same key. Labels without a template are also those by which the autoscaler
   * chooses an empty pool: state `kubernetes.io/arch` for machines that are not amd64.
   *
   * @default - none
   */
  readonly nodeLabels?: { [key: string]: string };

  /**
   * Source of the name of the node. The `nodeName` of a bootstrap takes precedence.
   *
   * @default - as the bootstrap decides: the host name
   */
  readonly nodeName?: NodeName;

  /**
   * Template of the IPv4 address at which the other machines of the cluster reach the machine, without quotes of the kind `'` and line
   * breaks, e.g. `{{ ds.meta_data.local_ipv4 }}`. Nodes register with it (`--node-ip`), and API server and etcd of a control plane on machines
   * advertise it. A cloud controller manager must report it among the addresses of the node.
   *
   * @default - the address of the interface with the default route (kubeadm, kubelet)
   */
  readonly address?: string;

  /**
   * Files that are written before anything is installed or started, ahead of the user's files.
   *
   * @default - none
   */
  readonly files?: BootstrapFile[];

  /**
   * Shell commands that run once, right before the user's own commands before kubeadm.
   *
   * @default - none
   */
  readonly preKubeadmCommands?: string[];

  /**
   * Shell commands that run once after kubeadm, before those of the user, whether or not the machine has joined.
   *
   * @default - none
   */
  readonly postKubeadmCommands?: string[];

  /**
   * Users of the operating system. The image's default user is not made when there are any.
   *
   * @default - none
   */
  readonly users?: BootstrapUser[];

  /**
   * Parts for images with Ignition, such as Flatcar, which render no templates. They take the place of those above.
   *
   * @default - none: a setup with templates of instance data is for images with cloud-init only (`TC-KUBEADM-IGNITION`)
   */
  readonly ignition?: IgnitionSetup;
}

/**
 * Parts of `NodeSetup` for images with Ignition: instance data comes as variables of the machine's environment, not from templates.
 *
 * kubeadm starts after `requiredUnits`, with the variables of `environmentFile`. Variables such as `${COREOS_OPENSTACK_HOSTNAME}` in arguments of the
 * kubelet and in the name of the node get their values on the machine, before kubeadm starts. A machine on which one of them is empty does not join.
 *
 * Rule: `TC-KUBEADM-NODE-SETUP`. Source: kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/ignition/clc/clc.go,
 * kubernetes-sigs/cluster-api-provider-openstack kustomize/flatcar/patch-flatcar.yaml.
 *
 * @example
 * const ignition: IgnitionSetup = {
 *   environmentFile: '/run/metadata/flatcar',
 *   requiredUnits: ['coreos-metadata.service'],
 *   nodeName: '${COREOS_OPENSTACK_HOSTNAME}',
 *   kubeletArguments: { 'provider-id': 'openstack:///${COREOS_OPENSTACK_INSTANCE_UUID}' },
 * };
 */
export interface IgnitionSetup {
  /**
   * Absolute path of the file with the variables, one `NAME=value` in each line, as the image's metadata service or the provider writes it.
   *
   * @default - none: commands set the variables
   */
  readonly environmentFile?: string;

  /**
   * Units of systemd that kubeadm starts after, and without which it does not start: the one that writes `environmentFile`.
   *
   * @default - none
   */
  readonly requiredUnits?: string[];

  /**
   * Units of systemd that are in the image and must be enabled.
   *
   * @default - none
   */
  readonly enabledUnits?: string[];

  /**
   * Arguments of the kubelet with variables, by the name of the flag without dashes. Each takes the place of `NodeSetup.kubeletArguments` of the same
   * name.
   *
   * @default - none
   */
  readonly kubeletArguments?: { [flag: string]: string };

  /**
   * Name of the node, with variables. It takes the place of `NodeSetup.nodeName`.
   *
   * @default - the host name
   */
  readonly nodeName?: string;

  /**
   * Shell commands in the place of `NodeSetup.preKubeadmCommands`. They run in one shell, which ends at the first that fails. A variable that they
   * export is known to later commands, and replaced in kubeadm's configuration.
   *
   * @default - `NodeSetup.preKubeadmCommands`
   */
  readonly preKubeadmCommands?: string[];
}

/**
 * A part of `NodeSetup`, named after its field. Bootstraps and control planes list those that they apply (`Bootstrap.appliedNodeSetup`,
 * `ControlPlaneCapabilities.appliedNodeSetup`); a page whose infrastructure or machines ask for another part is refused.
 *
 * Rule: `TC-NODE-SETUP-APPLIED`.
 */
export enum NodeSetupPart {
  /** Arguments of the kubelet: `NodeSetup.kubeletArguments`. */
  KUBELET_ARGUMENTS = 'kubeletArguments',

  /** Labels that the kubelet gives its node: `NodeSetup.nodeLabels`. */
  NODE_LABELS = 'nodeLabels',

  /** Source of the name of the node: `NodeSetup.nodeName`. */
  NODE_NAME = 'nodeName',

  /** Address that nodes register with: `NodeSetup.address`. */
  ADDRESS = 'address',

  /** Files: `NodeSetup.files`. */
  FILES = 'files',

  /** Commands before the machine joins: `NodeSetup.preKubeadmCommands`. */
  PRE_KUBEADM_COMMANDS = 'preKubeadmCommands',

  /** Commands after the machine has joined: `NodeSetup.postKubeadmCommands`. */
  POST_KUBEADM_COMMANDS = 'postKubeadmCommands',

  /** Users of the operating system: `NodeSetup.users`. */
  USERS = 'users',
}

/** Merges two setups. Of the same argument, label, name or address, that of `particular` counts. */
export function mergeNodeSetups(general: NodeSetup, particular: NodeSetup): NodeSetup {
  const list = <T>(one: readonly T[] = [], other: readonly T[] = []): T[] => [...one, ...other];
  return {
    kubeletArguments: { ...general.kubeletArguments, ...particular.kubeletArguments },
    nodeLabels: { ...general.nodeLabels, ...particular.nodeLabels },
    nodeName: particular.nodeName ?? general.nodeName,
    address: particular.address ?? general.address,
    files: list(general.files, particular.files),
    preKubeadmCommands: list(general.preKubeadmCommands, particular.preKubeadmCommands),
    postKubeadmCommands: list(general.postKubeadmCommands, particular.postKubeadmCommands),
    users: list(general.users, particular.users),
    ignition: mergeIgnition(general, particular),
  };
}

function mergeIgnition(general: NodeSetup, particular: NodeSetup): IgnitionSetup | undefined {
  const [one, other] = [general.ignition, particular.ignition];
  if (!one && !other) return undefined;
  return {
    environmentFile: other?.environmentFile ?? one?.environmentFile,
    requiredUnits: [...one?.requiredUnits ?? [], ...other?.requiredUnits ?? []],
    enabledUnits: [...one?.enabledUnits ?? [], ...other?.enabledUnits ?? []],
    kubeletArguments: { ...one?.kubeletArguments, ...other?.kubeletArguments },
    nodeName: other?.nodeName ?? one?.nodeName,
    preKubeadmCommands: [general, particular].flatMap(({ ignition, preKubeadmCommands = [] }) => ignition?.preKubeadmCommands ?? preKubeadmCommands),
  };
}

/** The labels of a node whose values are known before its machine runs. */
export function knownLabels(setup: NodeSetup | undefined): { [key: string]: string } {
  return Object.fromEntries(Object.entries(setup?.nodeLabels ?? {}).filter(([, value]) => !/\{[{%#]/.test(value)));
}
