const MANIFEST = /\.(ya?ml|json)$/i;

/** Files that Argo CD evaluates: they make manifests, and are none. Source: argoproj/argo-cd docs/user-guide/jsonnet.md. */
const JSONNET = /\.(jsonnet|libsonnet)$/;

/** Name of a kustomization without an extension. */
const KUSTOMIZATION = /(^|[\\/])Kustomization$/;

/** Names that packages bring, and that `cdk8s synth` writes beside manifests. */
const NOT_OURS: readonly string[] = ['node_modules', 'construct-metadata.json'];

/** True if a path below a folder is looked at when the folder is read: hidden files and those of other tools are not. */
export function isVisible(file: string): boolean {
  return file.split('/').every(isVisibleName);
}

/** True if a file or folder is looked at, by its name. */
export function isVisibleName(name: string): boolean {
  return !name.startsWith('.') && !NOT_OURS.includes(name);
}

/** True if a file may have manifests, by the end of its name. */
export function hasManifestExtension(file: string): boolean {
  return MANIFEST.test(file) || JSONNET.test(file) || KUSTOMIZATION.test(file);
}

/** True if a file makes manifests that only jsonnet can tell, by the end of its name. */
export function isJsonnet(file: string): boolean {
  return JSONNET.test(file);
}

/** True if a path below a folder is read when the folder is. */
export function isManifestFile(file: string): boolean {
  return hasManifestExtension(file) && isVisible(file);
}
