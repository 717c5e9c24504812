import { PoolContext } from './pool-context';
import { Problem, Rule } from '../../../manifests/values/problem';
import { InfrastructureCapabilities } from '../infrastructure-capabilities';
import { Machine } from '../machine';
import { mergeNodeSetups, NodeSetup, NodeSetupPart } from '../node-setup';

/** The machines with what infrastructure and machines ask of their nodes, which strategies for bootstraps get. */
export function withNodeSetup(context: PoolContext, machine: Machine): PoolContext {
  return { ...context, nodeSetup: mergeNodeSetups(nodeSetupOf(context.cluster.infrastructure), machine.nodeSetup(context) ?? {}) };
}

/** Returns what an infrastructure asks of all nodes. */
export function nodeSetupOf({ externalCloudProvider, nodeSetup = {} }: InfrastructureCapabilities): NodeSetup {
  return externalCloudProvider ? mergeNodeSetups({ kubeletArguments: { 'cloud-provider': 'external' } }, nodeSetup) : nodeSetup;
}

const NODE_SETUP_APPLIED_RULE: Rule = {
  id: 'TC-NODE-SETUP-APPLIED',
  title: 'The bootstrap of every pool, and a control plane on machines, must apply what the infrastructure and its machines ask of each node.',
};

/** A bootstrap or a control plane, which sets up machines. */
export interface SetupOwner {
  /** The property of the page that it is the value of. */
  readonly property: 'bootstrap' | 'controlPlane';

  /** Name of its class. */
  readonly name: string;

  /** Parts that it applies. */
  readonly applied: readonly NodeSetupPart[];
}

/**
 * Checks that a bootstrap or control plane applies what is asked of each node.
 *
 * @param owner the bootstrap or control plane
 * @param setup what is asked
 * @param clusterKind the infrastructure that asks
 */
export function checkNodeSetupApplied({ property, name, applied }: SetupOwner, setup: NodeSetup, clusterKind: string): Problem[] {
  const missing = Object.values(NodeSetupPart).filter((part) => isAsked(setup[part]) && !applied.includes(part));
  if (missing.length === 0) return [];
  const [noun, ours, generic] = property === 'bootstrap'
    ? ['bootstrap', 'KubeadmBootstrap', 'ManifestBootstrap'] : ['control plane', 'KubeadmControlPlane', 'ManifestControlPlane'];
  return [{
    rule: NODE_SETUP_APPLIED_RULE,
    property,
    message: `${name} does not apply what ${clusterKind} or its machines ask of each node: ${missing.map((part) => WORDS[part](setup)).join('; ')}`,
    accepted: `a ${noun} whose appliedNodeSetup has ${missing.join(', ')}, such as ${ours}`,
    fix: `choose such a ${noun}; of a class of your own, apply them and list them in appliedNodeSetup; of ${generic}, put them into spec and set appliesNodeSetup`,
  }];
}

function isAsked(value: NodeSetup[NodeSetupPart]): boolean {
  return value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0);
}

/** Each part in words, without what may be secret: contents of files, and commands. */
const WORDS: { readonly [part in NodeSetupPart]: (setup: NodeSetup) => string } = {
  kubeletArguments: ({ kubeletArguments = {} }) => `kubelet arguments ${Object.keys(kubeletArguments).map((flag) => `--${flag}`).join(', ')}`,
  nodeLabels: ({ nodeLabels = {} }) => `node labels ${Object.keys(nodeLabels).join(', ')}`,
  nodeName: ({ nodeName }) => `node name ${nodeName?._expression}`,
  address: ({ address }) => `node address ${address}`,
  files: ({ files = [] }) => `files ${files.map(({ path }) => path).join(', ')}`,
  preKubeadmCommands: ({ preKubeadmCommands = [] }) => `commands before kubeadm (${preKubeadmCommands.length})`,
  postKubeadmCommands: ({ postKubeadmCommands = [] }) => `commands after kubeadm (${postKubeadmCommands.length})`,
  users: ({ users = [] }) => `users ${users.map(({ name }) => name).join(', ')}`,
};
