/**
 * A variable as clusterctl, Flux and envsubst replace it: `${NAME}`, `${NAME:=default}`. Two dollars stand for one that stays.
 *
 * Source: drone/envsubst, fluxcd/pkg kustomize/kustomize_varsub.go, kubernetes-sigs/cluster-api cmd/clusterctl/client/yamlprocessor.
 */
export const VARIABLE = /(?<!\$)\$\{\s*([A-Za-z_]\w*)\s*([:=?+\-#%^,/][^}]*)?\}/g;

/** True if a value is text with a variable. */
export function hasVariable(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${') && value.search(VARIABLE) >= 0;
}
