import { matchingPaths, pointerTo, withValues } from './json-pointer';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { fieldAt, stringAt } from '../values/fields';
import { isOci } from '../values/repository-address';

/** A place where an object names the repository of a chart. */
export interface ChartAddress {
  readonly path: readonly string[];

  /** Address of the repository, without the chart's name. */
  readonly repository: string;

  /** The part after the repository in the field. */
  readonly chart?: string;

  /** True if the field has addresses of OCI registries without their scheme. */
  readonly bare?: boolean;
}

const OCI = 'oci://';

/** The places where an object names repositories of charts, of the kinds that Flux, Cluster API and Argo CD install charts with. */
function chartAddresses(object: ManifestObject): ChartAddress[] {
  switch (groupKind(object)) {
    case 'source.toolkit.fluxcd.io/HelmRepository': return addressAt(object, ['spec', 'url']);
    case 'addons.cluster.x-k8s.io/HelmChartProxy': return addressAt(object, ['spec', 'repoURL']);
    case 'source.toolkit.fluxcd.io/OCIRepository': return isChartArtifact(object) ? ociAddressAt(object, ['spec', 'url']) : [];
    case 'argoproj.io/Application': return ['spec/source', 'spec/sources/*'].flatMap((pattern) => matchingPaths(object, pattern))
      .filter((source) => stringAt(object, ...source, 'chart') !== undefined)
      .flatMap((source) => addressAt(object, [...source, 'repoURL']).map((address) => (
        /^[a-z]+:\/\//.test(address.repository) ? address : { ...address, repository: `${OCI}${address.repository}`, bare: true })));
    default: return [];
  }
}

/**
 * An object with repositories of charts at other addresses.
 *
 * @param object an object as it is written
 * @param resolve where the charts of a repository come from
 * @returns the object, and addresses that its kind has no room for
 */
export function rewriteChartAddresses<T extends ManifestObject>(
  object: T, resolve: (repository: string) => string,
): { object: T; faults: ChartAddress[] } {
  const faults: ChartAddress[] = [];
  const changes = new Map<string, unknown>();
  for (const address of chartAddresses(object)) {
    const target = resolve(address.repository);
    if (target === address.repository) continue;
    // An OCIRepository has no other addresses; a HelmRepository says which sort it has.
    if (address.chart !== undefined && !isOci(target)) faults.push(address);
    else changes.set(pointerTo(address.path), address.chart === undefined ? written(object, target) : `${target}/${address.chart}`);
    if (groupKind(object).endsWith('/HelmRepository') && isOci(target)) changes.set('/spec/type', 'oci');
    if (groupKind(object).endsWith('/HelmRepository') && !isOci(target) && stringAt(object, 'spec', 'type') === 'oci') changes.set('/spec/type', 'default');
  }
  return { object: changes.size === 0 ? object : withValues(object, changes), faults };
}

function written(object: ManifestObject, address: string): string {
  return groupKind(object) === 'argoproj.io/Application' && isOci(address) ? address.slice(OCI.length) : address;
}

function addressAt(object: ManifestObject, path: readonly string[]): ChartAddress[] {
  const repository = stringAt(object, ...path);
  return repository === undefined ? [] : [{ path, repository }];
}

function ociAddressAt(object: ManifestObject, path: readonly string[]): ChartAddress[] {
  const plain = (stringAt(object, ...path) ?? '').replace(/(?<!\/)\/+$/, '');
  const slash = plain.lastIndexOf('/');
  return slash <= OCI.length ? [] : [{ path, repository: plain.slice(0, slash), chart: plain.slice(slash + 1) }];
}

/** Other artifacts are manifests. */
function isChartArtifact(object: ManifestObject): boolean {
  return String(fieldAt(object, 'spec', 'layerSelector', 'mediaType')).startsWith('application/vnd.cncf.helm.');
}
