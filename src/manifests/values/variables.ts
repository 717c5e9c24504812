/**
 * A variable as clusterctl, Flux and envsubst replace it: `${NAME}`, `${NAME:=default}`. Two dollars stand for one that stays.
 *
 * Source: drone/envsubst, fluxcd/pkg kustomize/kustomize_varsub.go, kubernetes-sigs/cluster-api cmd/clusterctl/client/yamlprocessor.
 */
const VARIABLE = /(?<!\$)\$\{\s*([A-Za-z_]\w*)\s*([:=?+\-#%^,/][^}]*)?\}/g;

/** True if a value is text with a variable. */
export function hasVariable(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${') && closedText(value).search(VARIABLE) >= 0;
}

/** The names of the variables in a text, in their order. */
export function variableNames(text: string): string[] {
  return Array.from(closedText(text).matchAll(VARIABLE), ([, name]) => name);
}

/** A text up to its last brace: behind it, each of many beginnings of variables would be followed to the end of the text in vain. */
export function closedText(text: string): string {
  return text.slice(0, text.lastIndexOf('}') + 1);
}
