import { checkJinja } from './cloud-config-text';
import { checkLength } from './list-length';
import { NODE_ADDRESS } from './node-address';
import { KUBEADM_RULES } from './rules';
import { PoolContext } from '../../cluster/node-pool/pool-context';
import { Problem } from '../../problems/problem';
import { checkArguments, ComponentArgument } from '../../values/component-arguments';

const MAX_ARGUMENTS = 100;
const NODE_IP = 'node-ip';
const VALUE_MAX_LENGTH = 1024;

/** Tags of Jinja, which are gone when the kubelet gets its arguments. */
const JINJA = /\{\{.*?\}\}|\{%.*?%\}/gs;

const MANAGED: Readonly<Record<string, string>> = {
  'bootstrap-kubeconfig': 'kubeadm sets it',
  'cloud-provider': 'the cluster sets it where a cloud controller manager belongs to it',
  'config': 'kubeadm sets it; the kubelet options set the content of the file',
  'container-runtime-endpoint': 'kubeadm sets it from criSocket',
  'hostname-override': 'nodeName sets the name of the node',
  'kubeconfig': 'kubeadm sets it',
  'node-labels': 'the labels property sets it',
  'register-with-taints': 'kubeadm sets it from the taints property',
};

/** The kubelet's arguments: the cloud provider, the node's address and labels, then the user's. Empty if there are none. */
export function kubeletArguments(args: readonly ComponentArgument[], context: PoolContext): ComponentArgument[] {
  const labels = nodeLabels(context);
  const { externalCloudProvider, nodeAddress } = context.cluster.infrastructure;
  return [
    ...(externalCloudProvider ? [{ name: 'cloud-provider', value: 'external' }] : []),
    ...(nodeAddress === undefined || args.some(({ name }) => name === NODE_IP) ? [] : [{ name: NODE_IP, value: NODE_ADDRESS }]),
    ...(labels === '' ? [] : [{ name: 'node-labels', value: labels }]),
    ...args.map(({ name, value }) => ({ name, value })),
  ];
}

/** Checks the user's arguments against the kubelet's own, and the node's labels for their length. */
export function checkKubeletArguments(args: readonly ComponentArgument[], context: PoolContext, property: string): Problem[] {
  const findings = checkArguments('kubelet', context.kubernetesVersion.minorVersion, args, { managed: managed(context), unique: true });
  return [
    ...findings.filter(({ severity }) => severity === 'error').map(({ index, message, accepted, fix }) => ({
      rule: KUBEADM_RULES.kubeletArgument, property: `${property}[${index}]`, message, accepted, fix,
    })),
    // Places are kept for the cloud provider, the address and the labels.
    ...checkLength(args, MAX_ARGUMENTS - 3, property),
    ...args.flatMap(({ value }, index) => [...checkValueLength(value, `${property}[${index}].value`), ...checkValueText(value, `${property}[${index}].value`)]),
    ...checkValueLength(nodeLabels(context), 'labels'),
  ];
}

/** A flag wins over the configuration, so that a field that is set there would silently lose its effect. */
function managed(context: PoolContext): Readonly<Record<string, string>> {
  const fields = Object.keys(context.kubeletConfiguration).map((field) => [
    field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    `it would override ${field} of the kubelet options`,
  ]);
  return { ...Object.fromEntries(fields), ...MANAGED };
}

function nodeLabels(context: PoolContext): string {
  return Object.entries(context.nodeLabels).sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, value]) => `${key}=${value}`).join(',');
}

function checkValueLength(value: string, property: string): Problem[] {
  if (value.length <= VALUE_MAX_LENGTH) return [];
  return [{
    rule: KUBEADM_RULES.kubeletArgumentLength,
    property,
    message: property === 'labels' ? `the labels that the kubelet sets are ${value.length} characters long together` : `the value has ${value.length} characters`,
    accepted: `at most ${VALUE_MAX_LENGTH} characters`,
    fix: property === 'labels' ? 'shorten them, or use labels of node.cluster.x-k8s.io, which Cluster API sets' : 'shorten it',
  }];
}

function checkValueText(value: string, property: string): Problem[] {
  // A tag without its end is reported as such.
  if (checkJinja(value) !== undefined) return [];
  return /\s/.test(value.replace(JINJA, '')) ? [{
    rule: KUBEADM_RULES.kubeletArgumentText,
    property,
    message: `${JSON.stringify(value)} has white space, at which systemd splits it into several arguments`,
    fix: 'remove the white space',
  }] : [];
}
