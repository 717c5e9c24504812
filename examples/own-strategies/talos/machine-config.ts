import { Yaml } from 'cdk8s';
import type { Construct } from 'constructs';
import { type ClusterContext, extension, NodeName, type NodeSetup, NodeSetupPart, type PoolContext } from 'cdk8s-cluster-api';

/** A file that Talos writes when a machine starts. */
export interface TalosFile {
  /** Path below `/var`: everything else is read-only. */
  readonly path: string;

  /** Content of the file, readable in the output. */
  readonly content: string;

  /**
   * Permissions as an octal number in a string.
   *
   * @default 0644
   */
  readonly permissions?: string;
}

/** Settings of machines that run Talos Linux. */
export interface TalosOptions {
  /** Version of Talos that the configuration is generated for, e.g. `v1.12`. */
  readonly talosVersion: string;

  /**
   * Disk that Talos is installed on, e.g. `/dev/sda`.
   *
   * @default - none: the image is installed already
   */
  readonly installDisk?: string;

  /**
   * Arguments of the kubelet, by flag without dashes.
   *
   * @default - those that the infrastructure needs
   */
  readonly kubeletArguments?: { [flag: string]: string };

  /**
   * Files.
   *
   * @default - none
   */
  readonly files?: TalosFile[];

  /**
   * Strategic merge patches of the machine configuration, applied last, e.g. `{ machine: { sysctls: { 'vm.overcommit_memory': '1' } } }`.
   *
   * @default - none
   */
  readonly patches?: { [section: string]: any }[];
}

/** The spec of machines' configuration, as templates and control planes have it. */
export interface TalosConfigSpec {
  readonly generateType: string;
  readonly talosVersion: string;
  readonly hostname: object;
  readonly strategicPatches: string[];
}

const VERSION: extension.Rule = {
  id: 'ACME-TALOS-VERSION',
  title: 'A version of Talos must be written as v<major>.<minor>, with or without a patch.',
  source: 'siderolabs/cluster-api-bootstrap-provider-talos README.md (talosVersion)',
};

const FILE_PATH: extension.Rule = {
  id: 'ACME-TALOS-FILE',
  title: 'A file must be below /var: Talos creates files nowhere else, and a machine with another one does not start.',
  source: 'siderolabs/talos internal/app/machined/pkg/runtime/v1alpha1/v1alpha1_sequencer_tasks.go (WriteUserFiles)',
};

/**
 * Parts of the setup by infrastructure and machines that Talos applies. It runs no shell and has no users: the library refuses a page that asks
 * for those. The name of a node is that of its machine.
 */
export const APPLIED_NODE_SETUP: NodeSetupPart[] = [NodeSetupPart.KUBELET_ARGUMENTS, NodeSetupPart.NODE_LABELS, NodeSetupPart.NODE_NAME];

const INSTANCE_DATA: extension.Rule = {
  id: 'ACME-TALOS-INSTANCE-DATA',
  title: 'Talos runs no cloud-init: arguments, labels and names that an infrastructure asks for cannot have templates of instance data.',
  source: 'https://www.talos.dev/latest/reference/configuration/v1alpha1/config',
};

const KUBELET_ARGUMENT: extension.Rule = {
  id: 'ACME-TALOS-KUBELET-ARGUMENT',
  title: 'An argument of the kubelet that the infrastructure sets cannot be set again.',
};

/** Reports options that Talos cannot apply. */
export function checkTalos(scope: Construct, options: TalosOptions, setup: NodeSetup, property: string): void {
  const problems = extension.Problems.of(scope);
  const { talosVersion, files = [], kubeletArguments = {} } = options;
  if (!/^v1\.\d+(\.\d+)?$/.test(talosVersion)) {
    problems.add({ rule: VERSION, property: `${property}.talosVersion`, message: `"${talosVersion}" is no version of Talos`, accepted: 'v1.12, v1.12.1', fix: 'write the version of the image' });
  }
  files.forEach(({ path }, index) => {
    if (path.startsWith('/var/') && !path.split('/').includes('..')) return;
    problems.add({ rule: FILE_PATH, property: `${property}.files[${index}].path`, message: `"${path}" is not below /var`, fix: 'choose a path below /var, or use a patch' });
  });
  for (const flag of Object.keys(kubeletArguments).filter((name) => setup.kubeletArguments?.[name] !== undefined)) {
    problems.add({
      rule: KUBELET_ARGUMENT, property: `${property}.kubeletArguments["${flag}"]`, message: `the infrastructure sets --${flag}`, fix: 'leave it out',
    });
  }
  for (const what of instanceDataIn(setup)) {
    problems.add({ rule: INSTANCE_DATA, property, message: `the infrastructure asks for instance data in ${what}`, fix: 'choose a bootstrap with cloud-init' });
  }
}

/** Returns the spec of the configuration of machines. */
export function talosConfig(
  generateType: 'controlplane' | 'worker', options: TalosOptions, cluster: ClusterContext, setup: NodeSetup, pool?: PoolContext,
): TalosConfigSpec {
  const patches = [clusterPatch(cluster, setup), machinePatch(options, setup, pool), ...options.patches ?? []];
  return {
    generateType,
    talosVersion: options.talosVersion,
    // The server has the name of its machine, and a cloud controller manager finds it by the name of the node.
    hostname: { source: 'MachineName' },
    strategicPatches: patches.filter((patch) => Object.keys(patch).length > 0).map((patch) => Yaml.stringify(patch)),
  };
}

function clusterPatch({ podNetwork, kubeProxyReplaced = false }: ClusterContext, setup: NodeSetup): object {
  const cluster = {
    ...(setup.kubeletArguments?.['cloud-provider'] === 'external' && { externalCloudProvider: { enabled: true } }),
    // Talos installs Flannel and kube-proxy otherwise.
    ...(podNetwork !== undefined && { network: { cni: { name: 'none' } } }),
    ...(kubeProxyReplaced && { proxy: { disabled: true } }),
  };
  return Object.keys(cluster).length > 0 ? { cluster } : {};
}

function machinePatch({ installDisk, kubeletArguments, files = [] }: TalosOptions, setup: NodeSetup, pool?: PoolContext): object {
  const extraArgs = { ...Object.fromEntries(applicableArguments(setup)), ...kubeletArguments };
  const extraConfig = pool?.kubeletConfiguration ?? {};
  const nodeLabels = { ...setup.nodeLabels, ...pool?.nodeLabels };
  const taints = pool?.taints ?? [];
  const machine = {
    ...(installDisk !== undefined && { install: { disk: installDisk } }),
    kubelet: { ...(isSet(extraArgs) && { extraArgs }), ...(isSet(extraConfig) && { extraConfig }) },
    ...(isSet(nodeLabels) && { nodeLabels }),
    ...(taints.length > 0 && { nodeTaints: Object.fromEntries(taints.map(({ key, value = '', effect }) => [key, `${value}:${effect}`])) }),
    ...(files.length > 0 && {
      files: files.map(({ path, content, permissions = '0644' }) => ({ path, content, permissions: parseInt(permissions, 8), op: 'create' })),
    }),
  };
  return { machine };
}

/** Returns the arguments without instance data. The cloud controller manager sets the provider id where the kubelet does not. */
function applicableArguments({ kubeletArguments = {} }: NodeSetup): [flag: string, value: string][] {
  return Object.entries(kubeletArguments).filter(([, value]) => !value.includes('{{'));
}

/** The local host name of instance data is the name that Talos gives the machine. */
function instanceDataIn({ kubeletArguments = {}, nodeLabels = {}, nodeName }: NodeSetup): string[] {
  const external = kubeletArguments['cloud-provider'] === 'external';
  const templates = Object.entries({ ...kubeletArguments, ...nodeLabels })
    .filter(([name, value]) => value.includes('{{') && !(external && name === 'provider-id'));
  return [...templates.map(([name]) => name), ...(nodeName && nodeName.path !== NodeName.LOCAL_HOSTNAME.path ? ['the name of nodes'] : [])];
}

function isSet(fields: object): boolean {
  return Object.keys(fields).length > 0;
}
