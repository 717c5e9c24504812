import { ManifestObject } from '../objects/manifest-object';
import { RuleFinding } from '../rules/manifest-rule';
import { fieldAt, stringAt } from '../values/fields';

/**
 * Removes findings about values that SOPS has encrypted, and about the field that it adds: Flux and others decrypt before they apply.
 *
 * Source: getsops/sops aes/cipher.go, stores/stores.go (MetadataKey); fluxcd/kustomize-controller internal/decryptor.
 */
export function withoutEncrypted(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  if (findings.length === 0 || stringAt(object, 'sops', 'mac') === undefined) return findings;
  return findings.filter(({ path }) => {
    const value = fieldAt(object, ...path);
    return path[0] !== 'sops' && !(typeof value === 'string' && /^ENC\[.*\]$/.test(value));
  });
}
