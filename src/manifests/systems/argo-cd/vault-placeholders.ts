import { ManifestObject } from '../../objects/manifest-object';
import { isSet } from '../../values/fields';

/** Annotation by which the plugin fills in each placeholder of an object. */
const PATH_ANNOTATION = 'avp.kubernetes.io/path';

const PLACEHOLDER = /^<[^<>\n]{1,200}>$/;

/** A placeholder with a place of its own: `<path:PLACE#KEY>`, with a version behind another `#` if it has one. */
const WITH_PATH = /^<path:[^#<>\n]{1,200}#[^<>\n]{1,200}>$/;

/**
 * True if Argo CD's plugin for Vault replaces a value before it applies an object.
 *
 * Source: argoproj-labs/argocd-vault-plugin pkg/kube/util.go (genericPlaceholder, specificPathPlaceholder), pkg/types/constants.go.
 *
 * @param object the object that has the value
 */
export function isVaultPlaceholder(object: ManifestObject, value: string): boolean {
  return WITH_PATH.test(value) || (PLACEHOLDER.test(value) && isSet(object, 'metadata', 'annotations', PATH_ANNOTATION));
}
