import { ManifestObject } from '../objects/manifest-object';
import { ChartAddress, OCI } from '../rules/image-facts';
import { imageFacts } from '../systems/providers';
import { pointerTo, stringAt, withValues } from '../values/fields';
import { isOci } from '../values/repository-address';

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
  for (const address of imageFacts(object).flatMap(({ chartAddresses }) => chartAddresses?.(object) ?? [])) {
    const { path, chart, type } = address;
    const target = resolve(address.repository);
    if (target === address.repository) continue;
    // The address of a single chart is in an OCI registry; other kinds have a field for the type.
    if (chart !== undefined && !isOci(target)) faults.push(address);
    else changes.set(pointerTo(path), chart === undefined ? written(address, target) : `${target}/${chart}`);
    if (type && isOci(target)) changes.set(pointerTo(type), 'oci');
    if (type && !isOci(target) && stringAt(object, ...type) === 'oci') changes.set(pointerTo(type), 'default');
  }
  return { object: changes.size === 0 ? object : withValues(object, changes), faults };
}

function written({ bare }: ChartAddress, address: string): string {
  return bare && isOci(address) ? address.slice(OCI.length) : address;
}
