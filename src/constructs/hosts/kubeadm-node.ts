import { checkHostFiles, HostFile } from './host-file';
import { checkArguments, ComponentArgument, flagName } from '../../manifests/values/component-arguments';
import { KubernetesVersion } from '../../manifests/values/kubernetes-version';
import { checkKubeletLabelKey, checkLabels, checkLabelValue } from '../../manifests/values/labels';
import { Problem, problemIf, problemsOf, Rule } from '../../manifests/values/problem';
import { checkTaints, Taint } from '../../manifests/values/taints';
import { checkKubelet, kubeletConfigurationOf, KubeletOptions } from '../contracts/node-pool/kubelet';

/** A machine that is or becomes a node. It must exist, with containerd, kubeadm and the kubelet installed. */
export interface KubeadmNode {
  /**
   * Name of the node, a DNS name of at most 63 characters. A cloud may demand one: Nifcloud finds a node by the instance id of its
   * machine. It cannot change later.
   *
   * Rule: `TC-KUBEADM-CLUSTER-NODE-NAME`.
   */
  readonly name: string;

  /**
   * Address at which the other hosts reach it, e.g. in a private network. The API server of a control plane node advertises it. Unless a
   * cloud controller manager sets the addresses of nodes, it is also the node's address (`--node-ip`).
   *
   * Rule: `TC-KUBEADM-CLUSTER-NODE-ADDRESS`.
   */
  readonly address: string;

  /**
   * Address of the other family, in a cluster with IPv4 and IPv6. The kubelet announces both (`--node-ip`): pods in the network of the host
   * have no other addresses. Where a cloud controller manager sets the addresses of nodes, leave it out.
   *
   * Rules: `TC-KUBEADM-CLUSTER-NODE-ADDRESS`, `TC-KUBEADM-CLUSTER-NODE-FAMILY`. Source: kubernetes.io/docs/concepts/services-networking/dual-stack
   * (--node-ip).
   *
   * @default - none
   */
  readonly secondAddress?: string;

  /**
   * Zone of the machine, named by the platform, e.g. `east-11`. It appears in the overview of hosts; the cloud controller manager sets the
   * node's label.
   *
   * Rule: `TC-KUBEADM-CLUSTER-NODE-ZONE`.
   *
   * @default - none
   */
  readonly zone?: string;

  /**
   * Labels that the kubelet sets when it registers (`TC-KUBEADM-CLUSTER-LABEL`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Taints that the node registers with. An empty list lets any pod run on a node of the control plane.
   *
   * Rule: `TC-KUBEADM-CLUSTER-TAINT`.
   *
   * @default - none; `node-role.kubernetes.io/control-plane:NoSchedule` on the control plane (kubeadm)
   */
  readonly taints?: Taint[];

  /**
   * Kubelet options of this node, as a patch that kubeadm applies to the cluster's configuration. Each unset threshold and reservation
   * keeps the value of the cluster.
   *
   * @default - nothing
   */
  readonly kubelet?: KubeletOptions;

  /**
   * Further arguments of the kubelet. Arguments that kubeadm or another option sets are rejected: node name, labels, taints, cloud
   * provider, files of kubeadm, and fields of the kubelet options.
   *
   * Rule: `TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT`.
   *
   * @default - none
   */
  readonly kubeletExtraArgs?: ComponentArgument[];

  /**
   * Further files.
   *
   * @default - none
   */
  readonly files?: HostFile[];
}

/** Properties of the cluster that a node is checked against. */
interface NodeCluster {
  readonly kubernetesVersion: KubernetesVersion;

  /** Kubelet options of all nodes. */
  readonly kubelet: KubeletOptions;

  /** Addresses of each node for pods. */
  readonly podsPerNode?: number;
}

const NODE_IP = 'node-ip';

/** True if an argument of the user sets the addresses that the kubelet announces. */
export function setsNodeIp({ kubeletExtraArgs = [] }: KubeadmNode): boolean {
  return kubeletExtraArgs.some((argument) => flagName(argument) === NODE_IP);
}

/**
 * The arguments of a node's kubelet: the source of the node's addresses, the labels, then the user's arguments. Without a cloud the
 * kubelet would announce the address of the interface with the default route.
 */
export function kubeletArguments(node: KubeadmNode, externalCloudProvider: boolean): ComponentArgument[] {
  const { address, secondAddress, labels = {}, kubeletExtraArgs = [] } = node;
  const text = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, value]) => `${key}=${value}`).join(',');
  return [
    ...(externalCloudProvider ? [{ name: 'cloud-provider', value: 'external' }] : []),
    ...(externalCloudProvider || setsNodeIp(node) ? [] : [{ name: NODE_IP, value: secondAddress === undefined ? address : `${address},${secondAddress}` }]),
    ...(text === '' ? [] : [{ name: 'node-labels', value: text }]),
    ...kubeletExtraArgs.map(({ name, value }) => ({ name, value })),
  ];
}

const KUBELET_ARGUMENT_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-KUBELET-ARGUMENT',
  title: 'The kubelet must know each argument, no other option may set it, and its value must have no white space.',
  source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go, cmd/kubeadm/app/phases/kubelet/flags.go',
};

function checkKubeletArguments(node: KubeadmNode, property: string, cluster: NodeCluster): Problem[] {
  const args = node.kubeletExtraArgs ?? [];
  const findings = checkArguments('kubelet', cluster.kubernetesVersion.minorVersion, args, { managed: managedArguments(node, cluster), unique: true });
  return problemsOf(KUBELET_ARGUMENT_RULE, `${property}.kubeletExtraArgs`, [...findings, ...args.flatMap(({ value }, index) => (/\s/.test(value) ? [{
    path: [index], message: `${JSON.stringify(value)} has white space, at which systemd splits it into several arguments`, fix: 'remove the white space',
  }] : []))]);
}

const LABEL_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-LABEL',
  title: 'Labels must be allowed for kubelets to set.',
  source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go',
};

function checkNodeLabels(labels: { readonly [key: string]: string }, property: string): Problem[] {
  const grammar = checkLabels(labels);
  const faulty = new Set(grammar.map(({ path: [key] }) => key));
  const refused = Object.keys(labels).filter((key) => !faulty.has(key) && checkKubeletLabelKey(key) !== undefined).map((key) => ({
    path: [key],
    message: `the kubelet may not set the label "${key}", whose domain is reserved`,
    fix: 'use your own domain, or set the label with kubectl once the node exists',
  }));
  return problemsOf(LABEL_RULE, `${property}.labels`, [...grammar, ...refused]);
}

const MANAGED: Readonly<Record<string, string>> = {
  'bootstrap-kubeconfig': 'kubeadm sets it',
  'cloud-provider': 'the platform of the cluster decides it',
  'config': 'kubeadm sets it; the kubelet options change what is in the file',
  'container-runtime-endpoint': 'kubeadm sets it from criSocket',
  'hostname-override': 'kubeadm sets it from the name of the node',
  'kubeconfig': 'kubeadm sets it',
  'node-labels': 'the labels property sets it',
  'register-with-taints': 'kubeadm sets it from the taints property',
};

/** The arguments that something else sets, with what does. A flag wins over a field of the configuration, which would silently have no effect. */
function managedArguments(node: KubeadmNode, cluster: NodeCluster): Readonly<Record<string, string>> {
  const options = [cluster.kubelet, ...(node.kubelet ? [node.kubelet] : [])];
  const fields = options.flatMap((one) => Object.keys(kubeletConfigurationOf(one, undefined)));
  return {
    ...Object.fromEntries(fields.map((field) => [field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), `it would override ${field} of the kubelet options`])),
    ...MANAGED,
  };
}

const NODE_ZONE_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-NODE-ZONE',
  title: 'The zone of a node must be a label value: the cloud controller manager labels the node with it.',
  source: 'kubernetes.io/docs/reference/labels-annotations-taints (topology.kubernetes.io/zone)',
};

const TAINT_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-TAINT',
  title: 'Taints must be well-formed, and not managed by another component.',
  source: 'kubernetes/kubernetes pkg/util/taints/taints.go',
};

/** Checks the options of a node. */
export function checkNode(node: KubeadmNode, property: string, cluster: NodeCluster): Problem[] {
  const { kubelet, taints = [], files, zone } = node;
  return [
    ...problemIf(
      NODE_ZONE_RULE, `${property}.zone`, zone === undefined ? undefined : checkLabelValue(zone), 'write the name that the platform gives the zone',
    ),
    ...checkNodeLabels(node.labels ?? {}, property),
    ...checkKubeletArguments(node, property, cluster),
    ...problemsOf(TAINT_RULE, `${property}.taints`, checkTaints(taints, { workers: property.startsWith('workers') })),
    ...(kubelet ? checkNodeKubelet(kubelet, cluster) : []).map((problem) => ({ ...problem, property: `${property}.${problem.property}` })),
    ...checkHostFiles(`${property}.files`, files),
  ];
}

/** Thresholds of the cluster also apply to a node that does not replace them; faulty thresholds are reported at the cluster. */
function checkNodeKubelet(kubelet: KubeletOptions, { kubelet: shared, podsPerNode, kubernetesVersion: { minorVersion } }: NodeCluster): Problem[] {
  const { evictionHard, evictionSoft } = checkKubelet(shared, undefined, minorVersion).length === 0 ? shared : {};
  return checkKubelet({
    ...kubelet,
    evictionHard: { ...evictionHard, ...kubelet.evictionHard },
    evictionSoft: { ...evictionSoft, ...kubelet.evictionSoft },
  }, undefined, minorVersion, podsPerNode);
}
