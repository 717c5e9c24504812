import { isKnownMinor, wordAt } from './component-facts';
import { checkFieldTree, FieldNode, fieldTree, hasField } from './field-tree';
import { FieldPath, isFields } from './fields';
import { Finding, findingsAt } from './finding';
import { checkFeatureGates } from './flag-values';
import { SUPPORTED_MINORS } from './kubernetes-releases';
import { nearestName } from './nearest-name';
import { kubeletConfiguration } from '../../../data/kubernetes-facts.json';

const HEAD: readonly string[] = ['apiVersion', 'kind'];

const trees = new Map<string, FieldNode>();

/**
 * Checks the fields of a KubeletConfiguration (kubelet.config.k8s.io/v1beta1): their names, their types, and its feature gates.
 *
 * The kubelet skips fields that it does not know and only logs it (`pkg/kubelet/kubeletconfig/util/codec` falls back to lenient
 * decoding), so that a misspelt setting silently has no effect; a value of the wrong type or an unknown gate ends it.
 *
 * @param minor the kubelet's minor, e.g. `1.35`; in one that the tables do not know, unknown fields are accepted. Where it is left out, those
 *   that some known minor has
 * @param configuration the configuration, whole or a part of it to be merged; `apiVersion` and `kind` are left alone
 * @returns findings in the order of the fields
 */
export function checkKubeletConfiguration(minor: string | undefined, configuration: Readonly<Record<string, unknown>>): Finding[] {
  const own = Object.fromEntries(Object.entries(configuration).filter(([field]) => !HEAD.includes(field)));
  const gates = own.featureGates;
  const settings = isFields(gates) ? Object.entries(gates).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean') : [];
  return [
    ...checkFieldTree(own, treeOf(minor !== undefined && isKnownMinor(minor) ? minor : SUPPORTED_MINORS.at(-1)!), (path, field, parent) => (
      minor === undefined || isKnownMinor(minor) ? unknownField(minor, path, field, parent) : [])),
    ...findingsAt(['featureGates'], checkFeatureGates(minor, Object.fromEntries(settings))),
  ];
}

function unknownField(minor: string | undefined, path: FieldPath, field: string, parent: FieldNode): Finding[] {
  const others = SUPPORTED_MINORS.filter((other) => hasField(treeOf(other), path));
  if (minor === undefined && others.length > 0) return [];
  const near = others.length > 0 ? undefined : nearestName(field, [...parent.fields.keys()]);
  const when = minor === undefined || others.length === 0 ? '' : ` (${presence(others, minor)})`;
  return [{
    path,
    message: `the kubelet${minor === undefined ? '' : ` ${minor}`} has no field ${field} here${when} and skips it`,
    fix: near ? `did you mean ${near}?` : `remove ${field}`,
  }];
}

function presence(others: readonly string[], minor: string): string {
  const [first] = others;
  return SUPPORTED_MINORS.indexOf(first) > SUPPORTED_MINORS.indexOf(minor) ? `exists from ${first}` : `exists up to ${others.at(-1)}`;
}

/** The fields that a minor's kubelet has. */
function treeOf(minor: string): FieldNode {
  let root = trees.get(minor);
  if (!root) {
    root = fieldTree(kubeletConfiguration.flatMap((line) => {
      const [path, ...history] = line.split(' ');
      const type = wordAt(history, minor);
      return type === undefined ? [] : [[path, type] as const];
    }));
    trees.set(minor, root);
  }
  return root;
}
