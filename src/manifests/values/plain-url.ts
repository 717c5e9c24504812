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
