import { checkHost } from './dns';

// No quotes, backslashes, white space or "$": the text also goes into TOML and systemd units.
const CHARACTERS = /^[A-Za-z0-9:/._~%!&()*+,;=[\]-]+$/;

/**
 * Checks a URL that stands readable in the output: a scheme, a host, maybe a port and a path; no credentials, query or fragment.
 * The message shows no URL that may hold credentials.
 *
 * @param text the URL
 * @param schemes accepted schemes
 * @returns what is wrong with it, or undefined
 */
export function checkUrl(text: string, schemes: readonly string[]): string | undefined {
  if (typeof text !== 'string') return `${JSON.stringify(text)} is not a URL`;
  if (text.includes('@')) return 'the URL has credentials, and they would be readable in the output';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return `${JSON.stringify(text)} is not a URL`;
  }
  // Repositories are looked up by their scheme as it is written, so that upper case is another one.
  if (!schemes.some((scheme) => text.startsWith(`${scheme}://`))) return `${JSON.stringify(text)} is not a URL of ${schemes.join(' or ')}`;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '' || checkHost(host) !== undefined) return `${JSON.stringify(text)} has no usable host`;
  return CHARACTERS.test(text) ? undefined : `${JSON.stringify(text)} has a query, a fragment or characters that a URL writes as %XX`;
}

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
  const fault = checkUrl(address, schemes);
  if (fault !== undefined || !isOci(address)) return fault;
  return OCI_PATH.test(new URL(plainAddress(address)).pathname) ? undefined : `${JSON.stringify(address)} has a path that no registry accepts`;
}

/** True if charts are kept in an OCI registry. */
export function isOci(address: string): boolean {
  return address.startsWith('oci://');
}

/** The address in its one form, without a slash at the end. */
export function plainAddress(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '');
}

/** The address in the form in which addresses are compared: host in lower case, without the scheme's default port and a slash at the end. */
export function comparedAddress(address: string): string {
  return plainAddress(address)
    .replace(/^\w+:\/\/[^/]+/, (origin) => origin.toLowerCase().replace(/^http:\/\/(.*):80$/, 'http://$1').replace(/^(https|oci):\/\/(.*):443$/, '$1://$2'));
}

/** Address of a chart in an OCI registry, with the chart's name. */
export function ociAddress({ repository, chart }: { readonly repository: string; readonly chart: string }): string {
  return `${plainAddress(repository)}/${chart}`;
}

/** Tag of a chart's version in an OCI registry, where Helm writes `_` for `+` (helm/helm pkg/registry/reference.go). */
export function ociTag({ chartVersion }: { readonly chartVersion: string }): string {
  return chartVersion.replace(/\+/g, '_');
}
