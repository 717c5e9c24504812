import { HostFile } from './files/host-file';
import { KubeadmClusterProps } from './kubeadm-cluster-props';
import { KubeadmNode } from './kubeadm-node';
import { AddressedHost } from './load-balancer/load-balancer-design';
import { KUBEADM_CLUSTER_RULES } from './rules';
import { Problem } from '../problems/problem';

/** A value and its property. */
type Field = readonly [property: string, value: unknown];

/**
 * Checks that names, addresses, interfaces, images and files of hosts are strings. No compiler checks this in JavaScript or after a `!`,
 * and `undefined` would become a valid name of a network interface.
 */
export function checkTexts(props: KubeadmClusterProps): Problem[] {
  const { controlPlaneNodes, workers = [], loadBalancer: { _design: design } } = props;
  const fields = [
    ['controlPlaneEndpoint', props.controlPlaneEndpoint] as const,
    ...Object.entries(design.texts).map(([name, value]) => [`loadBalancer.${name}`, value] as const),
    ...nodeFields('controlPlaneNodes', controlPlaneNodes),
    ...nodeFields('workers', workers),
    ...(design.hosts ?? []).flatMap((host, index) => [
      ...hostFields(`loadBalancer.hosts[${index}]`, host), ...host.files.flatMap(({ file, by }) => fileFields(by, file)),
    ]),
    ...filesFields('files', props.files),
  ];
  return fields.filter(([, value]) => typeof value !== 'string').map(([property, value]) => ({
    rule: KUBEADM_CLUSTER_RULES.text,
    property,
    message: `${String(JSON.stringify(value))} is not a string`,
    fix: value === undefined ? 'set it; an unset environment variable gives undefined' : 'write a string',
  }));
}

function nodeFields(list: string, nodes: readonly KubeadmNode[]): Field[] {
  return nodes.flatMap((node, index) => [...hostFields(`${list}[${index}]`, node), ...filesFields(`${list}[${index}].files`, node.files)]);
}

function filesFields(list: string, files: readonly HostFile[] = []): Field[] {
  return files.flatMap((file, index) => fileFields(`${list}[${index}]`, file));
}

function hostFields(property: string, { name, address, zone = '' }: AddressedHost & { readonly zone?: string }): Field[] {
  return [[`${property}.name`, name], [`${property}.address`, address], [`${property}.zone`, zone]];
}

function fileFields(property: string, { path, content, permissions = '', owner = '' }: HostFile): Field[] {
  return [[`${property}.path`, path], [`${property}.content`, content], [`${property}.permissions`, permissions], [`${property}.owner`, owner]];
}
