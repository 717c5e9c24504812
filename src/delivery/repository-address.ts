import { HelmChart } from '../addons/helm-chart';
import { checkHost } from '../network/dns';

const CHARACTERS = /^[A-Za-z0-9:/._~%!&()*+,;=[\]-]+$/;
// distribution/reference regexp.go: path components of a repository.
const OCI_PATH = /^(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$/;

/**
 * Checks the address of a repository of charts. The message shows no address that may hold credentials.
 *
 * @param address the address as the user wrote it
 * @param schemes accepted schemes
 * @returns what is wrong with it, or undefined
 */
export function checkRepository(address: string, schemes: readonly string[]): string | undefined {
  if (address.includes('@')) return 'the address has credentials, and they would be readable in the output';
  const shown = JSON.stringify(address);
  const scheme = schemes.find((candidate) => address.startsWith(`${candidate}://`));
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return `${shown} is not an address`;
  }
  if (scheme === undefined) return `${shown} does not start with ${schemes.map((candidate) => `${candidate}://`).join(' or ')}`;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '' || checkHost(host) !== undefined) return `${shown} has no usable host`;
  if (!CHARACTERS.test(address)) return `${shown} has a query, a fragment or characters that an address writes as %XX`;
  if (scheme === 'oci' && !OCI_PATH.test(url.pathname.replace(/\/+$/, ''))) return `${shown} has a path that no registry accepts`;
  return undefined;
}

/** Whether charts are kept in an OCI registry. */
export function isOci(address: string): boolean {
  return address.startsWith('oci://');
}

/** The address in its one form, without a slash at the end. */
export function plainAddress(address: string): string {
  return address.replace(/\/+$/, '');
}

/** Address of a chart in an OCI registry, with the chart's name. */
export function ociAddress({ repository, chart }: HelmChart): string {
  return `${plainAddress(repository)}/${chart}`;
}

/** Tag of a chart's version in an OCI registry, where Helm writes `_` for `+` (helm/helm pkg/registry/reference.go). */
export function ociTag({ version }: HelmChart): string {
  return version.replace(/\+/g, '_');
}
