import { checkArguments, ComponentArgument } from '../../../manifests/values/component-arguments';
import { checkLabels } from '../../../manifests/values/labels';
import { checkKubeletLabelKey } from '../../../manifests/values/node-labels';
import { Problem, problemsOf } from '../../../manifests/values/problem';
import { flagName } from '../../contracts/component-values';
import { kubeletConfigurationOf } from '../../contracts/node-pool/kubelet-configuration';
import { KubeadmNode } from '../kubeadm-node';
import { ResolvedCluster } from '../resolved-cluster';
import { KUBEADM_CLUSTER_RULES } from '../rules';

const NODE_IP = 'node-ip';

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

/**
 * The arguments of a node's kubelet: the source of the node's addresses, the labels, then the user's arguments. Without a cloud the
 * kubelet would announce the address of the interface with the default route.
 */
export function kubeletArguments({ address, labels = {}, kubeletExtraArgs = [] }: KubeadmNode, externalCloudProvider: boolean): ComponentArgument[] {
  const ownAddress = kubeletExtraArgs.some((argument) => flagName(argument) === NODE_IP);
  const text = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, value]) => `${key}=${value}`).join(',');
  return [
    ...(externalCloudProvider ? [{ name: 'cloud-provider', value: 'external' }] : []),
    ...(externalCloudProvider || ownAddress ? [] : [{ name: NODE_IP, value: address }]),
    ...(text === '' ? [] : [{ name: 'node-labels', value: text }]),
    ...kubeletExtraArgs.map(({ name, value }) => ({ name, value })),
  ];
}

/** Checks labels and arguments of a node. */
export function checkKubeletArguments(node: KubeadmNode, property: string, cluster: ResolvedCluster): Problem[] {
  const args = node.kubeletExtraArgs ?? [];
  const findings = checkArguments('kubelet', cluster.kubernetesVersion.minorVersion, args, { managed: managed(node, cluster), unique: true });
  return [
    ...checkNodeLabels(node.labels ?? {}, property),
    ...problemsOf(KUBEADM_CLUSTER_RULES.kubeletArgument, `${property}.kubeletExtraArgs`, [...findings, ...args.flatMap(({ value }, index) => (/\s/.test(value) ? [{
      path: [index], message: `${JSON.stringify(value)} has white space, at which systemd splits it into several arguments`, fix: 'remove the white space',
    }] : []))]),
  ];
}

function checkNodeLabels(labels: { readonly [key: string]: string }, property: string): Problem[] {
  const grammar = checkLabels(labels);
  const faulty = new Set(grammar.map(({ path: [key] }) => key));
  const refused = Object.keys(labels).filter((key) => !faulty.has(key) && checkKubeletLabelKey(key) !== undefined).map((key) => ({
    path: [key],
    message: `the kubelet may not set the label "${key}", whose domain is reserved`,
    fix: 'use your own domain, or set the label with kubectl once the node exists',
  }));
  return problemsOf(KUBEADM_CLUSTER_RULES.label, `${property}.labels`, [...grammar, ...refused]);
}

/** A flag wins over the configuration, so that a field that is set there would silently lose its effect. */
function managed(node: KubeadmNode, { props }: ResolvedCluster): Readonly<Record<string, string>> {
  const options = [props.kubelet ?? {}, ...(node.kubelet ? [node.kubelet] : [])];
  const fields = options.flatMap((one) => Object.keys(kubeletConfigurationOf(one, undefined)));
  return {
    ...Object.fromEntries(fields.map((field) => [field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), `it would override ${field} of the kubelet options`])),
    ...MANAGED,
  };
}
