import { isIPv6 } from 'node:net';
import { parseIp } from './ip-address';

// Grammars of k8s.io/apimachinery pkg/util/validation (IsDNS1123Label, IsDNS1035Label, IsDNS1123Subdomain,
// IsWildcardDNS1123Subdomain).
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

/** The grammar of names of Namespaces and Pods. */
export const DNS_1123_LABEL = new RegExp(`^${LABEL}$`);

/** The grammar of names of Services, which start with a letter. */
export const DNS_1035_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** The grammar of names of most objects: labels with dots between them. */
export const DNS_1123_SUBDOMAIN = new RegExp(`^${LABEL}(\\.${LABEL})*$`);

/** Longest DNS label, in characters (RFC 1123). */
export const DNS_LABEL_MAX_LENGTH = 63;

/** Longest DNS subdomain that Kubernetes takes, in characters (RFC 1123). */
export const DNS_SUBDOMAIN_MAX_LENGTH = 253;

/**
 * Checks a DNS-1123 label: names of Namespaces, Services' ports, Pods' containers, and names that become label values.
 *
 * @param text the label
 * @param maxLength longest accepted text, in characters
 * @returns what is wrong with it, or undefined
 */
export function checkDnsLabel(text: string, maxLength = DNS_LABEL_MAX_LENGTH): string | undefined {
  return checkGrammar(text, maxLength, DNS_1123_LABEL, 'a DNS label; accepted are lower-case letters, digits and "-", starting and ending with a letter or digit');
}

/**
 * Checks a DNS-1035 label, which must start with a letter: names of Services and of Kamaji control planes
 * (Kamaji `internal/webhook/handlers/tcp_name.go`).
 *
 * @param text the label
 * @param maxLength longest accepted text, in characters
 * @returns what is wrong with it, or undefined
 */
export function checkDns1035Label(text: string, maxLength = DNS_LABEL_MAX_LENGTH): string | undefined {
  return checkGrammar(
    text, maxLength, DNS_1035_LABEL,
    'a DNS label that starts with a letter; accepted are lower-case letters, digits and "-", starting with a letter and ending with a letter or digit',
  );
}

/**
 * Checks a DNS-1123 subdomain: names of most Kubernetes objects, host names, DNS domains.
 *
 * @param text the domain
 * @param maxLength longest accepted text, in characters
 * @returns what is wrong with it, or undefined
 */
export function checkDnsSubdomain(text: string, maxLength = DNS_SUBDOMAIN_MAX_LENGTH): string | undefined {
  return checkGrammar(
    text, maxLength, DNS_1123_SUBDOMAIN,
    'a DNS name; accepted are labels of lower-case letters, digits and "-" joined by ".", each starting and ending with a letter or digit',
  );
}

/**
 * Checks a wildcard DNS name such as `*.apps.example.com`: the star stands alone in the first label.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkWildcardDnsSubdomain(text: string): string | undefined {
  const fits = text.startsWith('*.') && checkDnsSubdomain(text.slice(2), DNS_SUBDOMAIN_MAX_LENGTH - 2) === undefined;
  return fits ? undefined : `"${text}" is not a wildcard DNS name; accepted is "*." followed by a DNS name, such as "*.apps.example.com"`;
}

/**
 * Checks a host: an IP address without brackets, or a DNS name.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkHost(text: string): string | undefined {
  if (parseIp(text) !== undefined) {
    return undefined;
  }
  if (looksLikeIp(text)) {
    return `"${text}" is not a valid IP address`;
  }
  return checkDnsSubdomain(text) === undefined ? undefined
    : `"${text}" is neither an IP address nor a DNS name; accepted are "192.0.2.10", "2001:db8::10" or "api.example.com"`;
}

/**
 * Checks a subject alternative name of a serving certificate: an IP address, a DNS name or a wildcard DNS name, without a port.
 *
 * Sources: kubeadm `ValidateCertSANs`, Kamaji `internal/webhook/handlers/tcp_certsans.go`, Kamaji's Cluster API provider
 * `controllers/kamajicontrolplane_controller_tcp.go` ("must be made of host only with no port").
 *
 * @returns what is wrong with it, or undefined
 */
export function checkCertificateName(text: string): string | undefined {
  if (/^\*/.test(text)) {
    return checkWildcardDnsSubdomain(text);
  }
  if (checkHost(text) === undefined) {
    return undefined;
  }
  const parsed = parseHostPort(text);
  return parsed ? `"${text}" has a port; accepted is the host alone, "${parsed.host}"`
    : `"${text}" cannot be a name in a certificate; accepted are an IP address, a DNS name, or "*." followed by a DNS name`;
}

/**
 * Checks a TCP or UDP port number.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkPort(port: number): string | undefined {
  return Number.isInteger(port) && port >= 1 && port <= 65535 ? undefined : `${port} is not a port; accepted are whole numbers from 1 to 65535`;
}

/** A host and the port on it. */
export interface HostPort {
  /** IP address without brackets, or DNS name. */
  readonly host: string;

  /** Port number, 1 to 65535. */
  readonly port: number;
}

/**
 * Reads `host:port`; an IPv6 host stands in brackets, as in `[2001:db8::10]:6443`.
 *
 * @returns the two parts, or undefined if the text is not of that form
 */
export function parseHostPort(text: string): HostPort | undefined {
  const match = /^(?:\[([^[\]]+)\]|([^:[\]]+)):([1-9]\d{0,4})$/.exec(text);
  if (!match) {
    return undefined;
  }
  const [, bracketed, plain, digits] = match;
  const port = Number(digits);
  const hostFits = bracketed !== undefined ? isIPv6(bracketed) && parseIp(bracketed) !== undefined : checkHost(plain) === undefined;
  return hostFits && checkPort(port) === undefined ? { host: bracketed ?? plain, port } : undefined;
}

/**
 * Checks `host:port`.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkHostPort(text: string): string | undefined {
  return parseHostPort(text) ? undefined
    : `"${text}" is not a host and a port; accepted are "api.example.com:6443", "192.0.2.10:6443" or "[2001:db8::10]:6443"`;
}

/**
 * Joins a host and a port; an IPv6 host gets its brackets.
 */
export function formatHostPort(host: string, port: number): string {
  return /:/.test(host) && isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

// "10.0.0.256" and "10.00.0.1" would pass as DNS names, and nobody means one.
function looksLikeIp(text: string): boolean {
  return /^[\d.]+$/.test(text) || /^[\da-fA-F.]*:[\da-fA-F:.]*$/.test(text);
}

function checkGrammar(text: unknown, maxLength: number, grammar: RegExp, what: string): string | undefined {
  // JavaScript, and YAML that a program has read, may bring anything.
  if (typeof text !== 'string') {
    return `${String(text)} is not a string; put it in quotes`;
  }
  if (text.length > maxLength) {
    return `"${text}" is ${text.length} characters long; accepted are at most ${maxLength}`;
  }
  return grammar.test(text) ? undefined : `"${text}" is not ${what}`;
}
