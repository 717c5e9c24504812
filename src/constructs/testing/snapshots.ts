import { IConstruct } from 'constructs';
import { writtenFiles } from './written-files';
import CHART_CATALOGUE from '../../../data/charts.json';
import { ManifestObject, nameOf } from '../../manifests/objects/manifest-object';
import { Manifest, manifestsText } from '../../manifests/objects/yaml/manifests-text';
import { Fields, isFields } from '../../manifests/values/fields';
import * as PINNED from '../../manifests/values/versions';
import { ENVOY_GATEWAY, GATEWAY_API } from '../addons/catalog/gateway-api';

/**
 * Output of constructs for snapshot tests: all objects for the management cluster, and files that deliveries read from the repository. Hashes of
 * contents are masked as `<hash>`, and versions of the charts and images that the library brings to tenant clusters as `<version>`, even where
 * a page sets one, so that a release of the library with other versions does not change a snapshot. Versions of the operators and providers of
 * a management cluster are kept.
 *
 * @example
 * const text = testing.Snapshots.yaml(acme);
 */
export class Snapshots {
  /**
   * The objects as one text, for snapshots that are files. Throws an error if synthesis would refuse them.
   *
   * @param scope an app, a chart such as a tenant cluster, or any other construct
   */
  public static yaml(scope: IConstruct): string {
    return manifestsText(maskedManifests(scope));
  }

  /**
   * The objects as plain data, e.g. `expect(testing.Snapshots.objects(acme)).toMatchSnapshot()`. Throws an error if synthesis would refuse them.
   *
   * @param scope an app, a chart such as a tenant cluster, or any other construct
   */
  public static objects(scope: IConstruct): any[] {
    return maskedManifests(scope);
  }

  private constructor() {}
}

function maskedManifests(scope: IConstruct): Manifest[] {
  return masked(writtenFiles(scope, 'manifests.yaml').flatMap(({ manifests }) => manifests));
}

const HASH = '<hash>';
const VERSION = '<version>';

/** Names that end in a hash of contents, as templates of machines have. */
const HASHED_NAME = /-[0-9a-f]{8}$/;

/** Annotations with a hash: of what pods read, and of the charts that Flux is to read a repository for. */
const CHECKSUM = /^(checksum\/|reconcile\.fluxcd\.io\/requestedAt$)/;

/** Labels and annotations with the version of a program. */
const VERSION_MARK = /^(app\.kubernetes\.io\/version|helm\.sh\/chart|gateway\.networking\.k8s\.io\/bundle-version)$/;

/** Fields that name a chart or an image, and those beside them with its version. */
const NAMING_FIELDS = ['chart', 'chartName', 'image', 'repository', 'url', 'repoURL', 'repoUrl'];
const VERSION_FIELDS = ['version', 'tag', 'imageTag', 'targetRevision', 'digest', 'semver', 'commit'];

const CHARTS: ReadonlySet<string> = new Set(Object.keys(CHART_CATALOGUE));

/** Git repositories with manifests of addons, by the ends of their addresses, which mirrors keep. */
const REPOSITORY_PATHS = [GATEWAY_API, ENVOY_GATEWAY].map(({ repository }) => new URL(repository).pathname);

/** Images whose fields have the name and the version apart. */
const KONNECTIVITY_IMAGES = ['registry.k8s.io/kas-network-proxy/proxy-agent', 'registry.k8s.io/kas-network-proxy/proxy-server'];

const IMAGES: readonly string[] = [
  // The user chooses the version of an image without releases.
  ...Object.values(PINNED).flat().flatMap((pinned) => (isFields(pinned) && typeof pinned.image === 'string' && pinned.version !== 'latest' ? [pinned.image] : [])),
  ...KONNECTIVITY_IMAGES,
];

/** The ends of the paths of images, which mirrors keep. */
const IMAGE_PATHS = IMAGES.map((image) => image.slice(image.indexOf('/')));

const DIGEST = '@sha256:[0-9a-f]{64}';
const IMAGE_VERSION = new RegExp(`(${IMAGE_PATHS.map((path) => path.replaceAll('.', '\\.')).join('|')})(?::[\\w.-]+(?:${DIGEST})?|${DIGEST})`, 'g');

/** Objects without hashes of contents, and without versions that the library brings. */
export function masked(manifests: readonly Manifest[]): Manifest[] {
  const names = manifests.filter(({ kind }) => kind !== 'Namespace').flatMap((manifest) => nameOf(manifest as ManifestObject) ?? [])
    .filter((name) => HASHED_NAME.test(name));
  return manifests.map((manifest) => maskedFields(manifest, names));
}

function maskedFields(fields: Fields, names: readonly string[]): Fields {
  const isNamed = NAMING_FIELDS.some((field) => isBundled(fields[field]));
  const mask = isNamed ? maskedVersion : maskedField;
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, mask(key, value, names)]));
}

/** A field beside the name of a chart or image of the library. */
function maskedVersion(key: string, value: unknown, names: readonly string[]): unknown {
  if (VERSION_FIELDS.includes(key) && typeof value === 'string') return VERSION;
  // A source of Flux has its version below this field.
  if (key !== 'ref' || !isFields(value)) return maskedField(key, value, names);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskedVersion(name, item, names)]));
}

function maskedField(key: string, value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'string') return maskedValue(value, names);
  if (CHECKSUM.test(key)) return HASH;
  return VERSION_MARK.test(key) ? VERSION : maskedText(value, names);
}

function maskedValue(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, names));
  if (isFields(value)) return maskedFields(value, names);
  return typeof value === 'string' ? maskedText(value, names) : value;
}

function maskedText(text: string, names: readonly string[]): string {
  const named = names.reduce((rest, name) => rest.replaceAll(name, name.replace(HASHED_NAME, `-${HASH}`)), text);
  return named.replace(IMAGE_VERSION, `$1:${VERSION}`);
}

function isBundled(name: unknown): boolean {
  if (typeof name !== 'string') return false;
  const address = name.replace(/\.git$/, '');
  return CHARTS.has(address.slice(address.lastIndexOf('/') + 1)) || [...IMAGE_PATHS, ...REPOSITORY_PATHS].some((path) => address.endsWith(path));
}
