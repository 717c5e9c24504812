import type { Construct } from 'constructs';
import { type BootstrapFile, extension, type KubernetesVersion, type NodeSetup, NodeSetupPart, type PoolContext } from 'cdk8s-cluster-api';

/** Settings of machines that run RKE2. */
export interface Rke2Options {
  /** Revision of RKE2 for the version of Kubernetes: 1 for `v1.35.4+rke2r1`. */
  readonly revision: number;

  /**
   * Arguments of the kubelet, by flag without dashes. They may hold templates of cloud-init's instance data.
   *
   * @default - those that the infrastructure needs
   */
  readonly kubeletArguments?: { [flag: string]: string };

  /**
   * Files that are written before RKE2 is installed.
   *
   * @default - none
   */
  readonly files?: BootstrapFile[];

  /**
   * Shell commands before RKE2 is installed.
   *
   * @default - none
   */
  readonly preRke2Commands?: string[];

  /**
   * Shell commands after RKE2 has started.
   *
   * @default - none
   */
  readonly postRke2Commands?: string[];

  /**
   * Profile of the CIS benchmark, e.g. `cis`.
   *
   * @default - none
   */
  readonly cisProfile?: string;
}

const PROJECT = 'rancher/cluster-api-provider-rke2';

const REVISION: extension.Rule = {
  id: 'ACME-RKE2-REVISION',
  title: 'The revision of RKE2 must be a whole number from 1 to 9.',
  source: `${PROJECT} controlplane/api/v1beta2/rke2controlplane_types.go (version)`,
};

/**
 * Parts of the setup by infrastructure and machines that the provider applies. It has no field for users and for the address of a node
 * (bootstrap/api/v1beta2/rke2config_types.go): the library refuses a page that asks for those.
 */
export const APPLIED_NODE_SETUP: NodeSetupPart[] = [
  NodeSetupPart.KUBELET_ARGUMENTS, NodeSetupPart.NODE_LABELS, NodeSetupPart.NODE_NAME, NodeSetupPart.FILES,
  NodeSetupPart.PRE_KUBEADM_COMMANDS, NodeSetupPart.POST_KUBEADM_COMMANDS,
];

const KUBELET: extension.Rule = {
  id: 'ACME-RKE2-KUBELET',
  title: 'An argument of the kubelet must be set once, and each kubelet setting of a pool must have a flag.',
  source: 'kubernetes.io/docs/reference/command-line-tools-reference/kubelet',
};

/** Flags of the kubelet for fields of its configuration, with what stands between name and value of an entry. */
const FLAGS: Readonly<Record<string, readonly [flag: string, separator: string]>> = {
  evictionHard: ['eviction-hard', '<'],
  evictionSoft: ['eviction-soft', '<'],
  evictionSoftGracePeriod: ['eviction-soft-grace-period', '='],
  kubeReserved: ['kube-reserved', '='],
  systemReserved: ['system-reserved', '='],
  maxPods: ['max-pods', ''],
  podPidsLimit: ['pod-max-pids', ''],
};

/** Reports options that the provider cannot apply. */
export function checkRke2(scope: Construct, options: Rke2Options, setup: NodeSetup, property: string, kubelet: { [field: string]: any } = {}): void {
  const problems = extension.Problems.of(scope);
  const { revision, kubeletArguments = {} } = options;
  if (!Number.isInteger(revision) || revision < 1 || revision > 9) {
    problems.add({ rule: REVISION, property: `${property}.revision`, message: `${revision} is no revision`, accepted: '1 to 9', fix: 'write that of a release of RKE2' });
  }
  for (const flag of Object.keys(kubeletArguments).filter((name) => setup.kubeletArguments?.[name] !== undefined)) {
    problems.add({ rule: KUBELET, property: `${property}.kubeletArguments["${flag}"]`, message: `the infrastructure sets --${flag}`, fix: 'leave it out' });
  }
  for (const field of Object.keys(kubelet).filter((name) => !Object.hasOwn(FLAGS, name))) {
    problems.add({
      rule: KUBELET, property: 'kubelet', message: `${field} has no flag here`, accepted: Object.keys(FLAGS).join(', '), fix: 'set it by kubeletArguments of the bootstrap',
    });
  }
}

/** Returns the version of machines: RKE2's installer finds the release by it. */
export function rke2Version(version: KubernetesVersion, { revision }: Rke2Options): string {
  return `${version.toString()}+rke2r${revision}`;
}

/** Returns the fields that configurations of machines and control planes have in common. */
export function nodeConfig(options: Rke2Options, setup: NodeSetup, pool?: PoolContext): object {
  const { kubeletArguments, files = [], preRke2Commands = [], postRke2Commands = [], cisProfile } = options;
  const kubelet = Object.entries({ ...flagsOf(pool?.kubeletConfiguration ?? {}), ...setup.kubeletArguments, ...kubeletArguments });
  const labels = Object.entries({ ...pool?.nodeLabels, ...setup.nodeLabels });
  const taints = pool?.taints ?? [];
  const lists = {
    files: [...setup.files ?? [], ...files].map(fileOf),
    preRKE2Commands: [...setup.preKubeadmCommands ?? [], ...preRke2Commands],
    postRKE2Commands: [...setup.postKubeadmCommands ?? [], ...postRke2Commands],
  };
  return {
    agentConfig: {
      format: 'cloud-config',
      ...(cisProfile !== undefined && { cisProfile }),
      ...(kubelet.length > 0 && { kubelet: { extraArgs: kubelet.map(([flag, value]) => `${flag}=${value}`) } }),
      ...(labels.length > 0 && { nodeLabels: labels.map(([key, value]) => `${key}=${value}`) }),
      ...(taints.length > 0 && { nodeTaints: taints.map(({ key, value = '', effect }) => `${key}=${value}:${effect}`) }),
      ...(setup.nodeName && { nodeName: `{{ ${setup.nodeName.path} }}` }),
    },
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
  };
}

function flagsOf(configuration: { [field: string]: any }): { [flag: string]: string } {
  return Object.fromEntries(Object.entries(configuration).filter(([field]) => Object.hasOwn(FLAGS, field)).map(([field, value]) => {
    const [flag, separator] = FLAGS[field];
    const text = separator === '' ? String(value) : Object.entries(value as object).map(([name, amount]) => `${name}${separator}${amount}`).join(',');
    return [flag, text];
  }));
}

function fileOf({ path, content, secret, encoding, owner, permissions = '0644' }: BootstrapFile): object {
  return {
    path,
    ...(content !== undefined && { content }),
    ...(secret && { contentFrom: { secret: { name: secret.name, key: secret.key } } }),
    ...(encoding !== undefined && { encoding }),
    ...(owner !== undefined && { owner }),
    permissions,
  };
}
