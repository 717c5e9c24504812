import { Yaml } from 'cdk8s';

/**
 * Values of a chart as the text of a Go template that renders to them: the braces that would start an action become actions that
 * write braces. Braces that end one mean nothing outside of it.
 *
 * Source: kubernetes-sigs/cluster-api-addon-provider-helm internal/value_substitutions.go, pkg.go.dev/text/template.
 *
 * @param values the values as they are written: tokens resolved, keys in order, nothing there twice
 */
export function valuesTemplate(values: unknown): string {
  return Yaml.stringify(values).replace(/\{\{/g, '{{"{{"}}');
}
