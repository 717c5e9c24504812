import { checkJinja } from './cloud-config-text';
import { NODE_ADDRESS } from './node-address';
import { KUBELET_PATCH } from '../../../../manifests/systems/kubeadm/node-files';
import { ComponentArgument, flagName } from '../../../../manifests/values/component-arguments';
import { canonicalJson } from '../../../../manifests/values/content-hash';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { BootstrapFile } from '../../../contracts/bootstrap-file';
import { PoolContext } from '../../../contracts/node-pool/pool-context';

/** The argument with the address of a node. */
export const NODE_IP = 'node-ip';

/** The argument with the labels of a node. */
export const NODE_LABELS = 'node-labels';

/** Tags of Jinja, which are gone when the kubelet gets its arguments. */
const JINJA = /\{\{[^{}]*\}\}|\{%[^%]*%\}/g;

export const MANAGED: Readonly<Record<string, string>> = {
  'bootstrap-kubeconfig': 'kubeadm sets it',
  'cloud-provider': 'the cluster sets it where a cloud controller manager belongs to it',
  'config': 'kubeadm sets it; the kubelet options set the content of the file',
  'container-runtime-endpoint': 'kubeadm sets it from criSocket',
  'hostname-override': 'nodeName sets the name of the node',
  'kubeconfig': 'kubeadm sets it',
  [NODE_LABELS]: 'the labels property sets it',
  'register-with-taints': 'kubeadm sets it from the taints property',
};

/** The kubelet's arguments: those that machines need, the node's address and labels, then the user's. Empty if there are none. */
export function kubeletArguments(args: readonly ComponentArgument[], context: PoolContext): ComponentArgument[] {
  const labels = nodeLabelsText(context);
  const { kubeletArguments: needed = {}, address } = context.nodeSetup ?? {};
  return [
    ...sorted(needed).map(([name, value]) => ({ name, value })),
    ...(address === undefined || args.some(({ name }) => name === NODE_IP) ? [] : [{ name: NODE_IP, value: NODE_ADDRESS }]),
    ...(labels === '' ? [] : [{ name: NODE_LABELS, value: labels }]),
    ...args.map(({ name, value }) => ({ name, value })),
  ];
}

const KUBELET_ARGUMENT_RULE: Rule = {
  id: 'TC-KUBEADM-KUBELET-ARGUMENT',
  title: 'No other option may set an argument of the kubelet.',
  source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go',
};

/** Checks the user's arguments for what the manifest does not show: who else sets them, and that systemd does not split them. */
export function checkKubeletArguments(args: readonly ComponentArgument[], context: PoolContext, property: string): Problem[] {
  const ofMachines = Object.keys(context.nodeSetup?.kubeletArguments ?? {}).map((name) => [name, 'the infrastructure or its machines set it']);
  const reasons = { ...Object.fromEntries(ofMachines), ...managed(context) };
  return args.flatMap((argument, index) => {
    const reason = reasons[flagName(argument)];
    const message = reason && `kubelet cannot be given --${flagName(argument)}, because ${reason}`;
    return [
      ...problemIf(KUBELET_ARGUMENT_RULE, `${property}[${index}]`, message, `remove ${argument.name}`),
      ...checkValueText(argument.value, `${property}[${index}].value`),
    ];
  });
}

/** A flag wins over the configuration, so that a field that is set there would silently lose its effect. */
function managed(context: PoolContext): Readonly<Partial<Record<string, string>>> {
  const fields = Object.keys(context.kubeletConfiguration).map((field) => [
    field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    `it would override ${field} of the kubelet options`,
  ]);
  return { ...Object.fromEntries(fields), ...MANAGED };
}

/** The labels of a node, of the pool and of its machines, as the kubelet takes them. */
export function nodeLabelsText({ nodeLabels, nodeSetup }: PoolContext): string {
  return sorted({ ...nodeSetup?.nodeLabels, ...nodeLabels }).map(([key, value]) => `${key}=${value}`).join(',');
}

function sorted(values: { readonly [key: string]: string }): [string, string][] {
  return Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1));
}

const KUBELET_ARGUMENT_TEXT_RULE: Rule = {
  id: 'TC-KUBEADM-KUBELET-ARGUMENT-TEXT',
  title: 'The value of a kubelet argument has no white space: kubeadm writes all of them into one line, which systemd splits.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/kubelet/flags.go',
};

/** Checks that systemd does not split the value of an argument. */
export function checkValueText(value: string, property: string): Problem[] {
  // A tag without its end is reported as such.
  if (checkJinja(value) !== undefined) return [];
  return /\s/.test(value.replace(JINJA, '')) ? [{
    rule: KUBELET_ARGUMENT_TEXT_RULE,
    property,
    message: `${JSON.stringify(value)} has white space, at which systemd splits it into several arguments`,
    fix: 'remove the white space',
  }] : [];
}

const API_VERSION = 'kubelet.config.k8s.io/v1beta1';

/**
 * The fields in which these kubelets differ from the cluster's, as a patch that kubeadm applies to the configuration that it
 * downloads from the cluster. Unlike flags, these fields are not deprecated.
 *
 * The name has kubeadm's form `target[suffix][+patchtype].extension`; without suffix it comes first, so that patches of a user win.
 *
 * Sources: kubernetes.io/docs/setup/production-environment/tools/kubeadm/control-plane-flags (patches),
 * kubernetes/kubernetes cmd/kubeadm/app/util/patches/patches.go,
 * kubernetes-sigs/cluster-api docs/book/src/tasks/bootstrap/kubeadm-bootstrap/kubelet-config.md.
 */
export function kubeletPatch(context: PoolContext): BootstrapFile[] {
  if (Object.keys(context.kubeletConfiguration).length === 0) return [];
  return [{
    path: KUBELET_PATCH,
    content: `${stableJson({ ...context.kubeletConfiguration, apiVersion: API_VERSION, kind: 'KubeletConfiguration' })}\n`,
    owner: 'root:root',
    permissions: '0644',
  }];
}

/** Indented, so that a change of one field is a change of one line; in one order, so that the template's name does not depend on it. */
function stableJson(value: unknown): string {
  return JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);
}
