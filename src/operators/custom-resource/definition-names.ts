import { CRD_RULES } from './crd-rules';
import { CustomResourceTypeProps } from './custom-resource-type-props';
import { Problem, problemIf } from '../../problems/problem';
import { checkDns1035Label, checkDnsSubdomain, DNS_SUBDOMAIN_MAX_LENGTH } from '../../values/dns';

/** What a type is called. */
export interface DefinitionNames {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** The names of a type, the derived ones too. */
export function namesOf(props: CustomResourceTypeProps): DefinitionNames {
  const { kind, shortNames, categories } = props;
  const singular = props.singular ?? kind.toLowerCase();
  return {
    kind,
    listKind: props.listKind ?? `${kind}List`,
    plural: props.plural ?? pluralOf(kind.toLowerCase()),
    singular,
    ...(shortNames?.length && { shortNames: [...shortNames] }),
    ...(categories?.length && { categories: [...categories] }),
  };
}

/** Name of the definition itself: the API server takes no other. */
export function definitionName(props: CustomResourceTypeProps): string {
  return `${namesOf(props).plural}.${props.group}`;
}

/** As k8s.io/code-generator and kubebuilder make it for regular words. */
function pluralOf(word: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/**
 * Checks what a type is called.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
 * (`ValidateCustomResourceDefinitionNames`).
 */
export function checkNames(props: CustomResourceTypeProps): Problem[] {
  const { kind, listKind, plural, singular, shortNames = [], categories = [] } = namesOf(props);
  const { length } = definitionName(props);
  const names: [property: string, text: string][] = [
    ['kind', kind.toLowerCase()], ['listKind', listKind.toLowerCase()], ['plural', plural], ['singular', singular],
    ...shortNames.map((name, index): [string, string] => [`shortNames[${index}]`, name]),
    ...categories.map((name, index): [string, string] => [`categories[${index}]`, name]),
  ];
  return [
    ...names.flatMap(([property, text]) => problemIf(CRD_RULES.names, property, checkDns1035Label(text), 'give another name')),
    ...problemIf(CRD_RULES.names, 'plural', length > DNS_SUBDOMAIN_MAX_LENGTH && checkDnsSubdomain(props.group) === undefined
      ? `with the group it makes the name of the definition, which has ${length} characters` : undefined, `shorten one of them: together they have at most ${DNS_SUBDOMAIN_MAX_LENGTH - 1}`),
    ...problemIf(CRD_RULES.names, 'listKind', kind === listKind ? `"${kind}" is the kind of one object too` : undefined, 'give another name'),
  ];
}

/** Checks the API group of a type, and the approval that groups of the Kubernetes community need. */
export function checkGroup({ group, apiApproved }: CustomResourceTypeProps): Problem[] {
  const fault = checkDnsSubdomain(group) ?? (group.includes('.') ? undefined : `"${group}" has no dot`);
  const guarded = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  const approved = apiApproved?.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(apiApproved ?? '');
  return [
    ...problemIf(CRD_RULES.group, 'group', fault, 'use a domain of yours, e.g. stable.example.com'),
    ...problemIf(
      CRD_RULES.protectedGroup, 'apiApproved', guarded && !approved
        ? `the group "${group}" belongs to the Kubernetes community, and ${apiApproved === undefined ? 'nothing says who approved the type' : `"${apiApproved}" is neither an address nor a reason`}`
        : undefined,
      'use a group of yours, or give the address of the approval or a reason that starts with "unapproved"',
    ),
    ...problemIf(
      CRD_RULES.protectedGroup, 'apiApproved', !guarded && apiApproved !== undefined ? `the group "${group}" needs no approval` : undefined, 'remove apiApproved',
    ),
  ];
}
