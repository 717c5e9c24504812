import { CustomResourceTypeProps } from './custom-resource-type-props';

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
 * The sources of the names of a definition: those that the user did not give come from the kind.
 */
export function nameSources({ plural, singular, listKind }: CustomResourceTypeProps): { [field: string]: string } {
  return {
    'metadata.name': 'plural',
    'spec.group': 'group',
    'spec.names.kind': 'kind',
    'spec.names.listKind': listKind === undefined ? 'kind' : 'listKind',
    'spec.names.plural': plural === undefined ? 'kind' : 'plural',
    'spec.names.singular': singular === undefined ? 'kind' : 'singular',
    'spec.names.shortNames.**': 'shortNames.**',
    'spec.names.categories.**': 'categories.**',
  };
}
