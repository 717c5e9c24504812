/** What a pattern stands for. */
export interface PatternWords {
  /** What a value is not, and has to be. */
  readonly what: string;
  readonly example: string;
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const DURATION = (units: string) => `^([0-9]+(\\.[0-9]+)?(${units}))+$`;

/** What a quantity is. */
export const QUANTITY: PatternWords = { what: 'a quantity: a number, and a suffix such as m, k, M, G, Ki, Mi or Gi, if it has one', example: '512Mi' };
const DNS_LABEL = { what: 'a DNS label: lower-case letters, digits and "-", starting and ending with a letter or digit', example: 'acme-1' };
const DNS_NAME = { what: 'a DNS name: labels of lower-case letters, digits and "-", joined by "."', example: 'acme.example.com' };
const QUALIFIED_NAME = { what: 'a qualified name: letters, digits, "-", "_" and ".", and a DNS name and "/" before it, if wanted', example: 'example.com/team' };
const LABEL_VALUE = { what: 'the value of a label: letters, digits, "-", "_" and ".", starting and ending with a letter or digit', example: 'acme-1' };

/** Patterns that definitions use again and again. */
const KNOWN: Readonly<Record<string, PatternWords>> = {
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$': QUANTITY,
  [`^${LABEL}$`]: DNS_LABEL,
  [`^${SUBDOMAIN}$`]: DNS_NAME,
  [`^$|^${SUBDOMAIN}$`]: DNS_NAME,
  [`^(\\*\\.)?${SUBDOMAIN}$`]: { what: `${DNS_NAME.what}, "*." before them if wanted`, example: '*.apps.example.com' },
  [`^(${SUBDOMAIN}/)?(${NAME})$`]: QUALIFIED_NAME,
  [`^(${SUBDOMAIN}\\/)?${NAME}$`]: QUALIFIED_NAME,
  [`^${SUBDOMAIN}\\/[a-z]([-a-z0-9]*[a-z0-9])?$`]: { what: 'a DNS name, "/" and a name in lower case', example: 'example.com/team' },
  [`^(${NAME})?$`]: LABEL_VALUE,
  '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$': { what: 'a name: letters, digits and "-", starting with a letter and ending with a letter or digit', example: 'acme-1' },
  '^[\\-._a-zA-Z0-9]+$': { what: 'a key: letters, digits, "-", "_" and "."', example: 'values.yaml' },
  [DURATION('ms|s|m|h')]: { what: 'a duration in hours, minutes, seconds and milliseconds (h, m, s, ms)', example: '1h30m' },
  [DURATION('s|m|h')]: { what: 'a duration in hours, minutes and seconds (h, m, s)', example: '1h30m' },
  [DURATION('ms|s|m')]: { what: 'a duration in minutes, seconds and milliseconds (m, s, ms)', example: '1m30s' },
  '^(0(?:\\.\\d{1,3})?|1)$': { what: 'a share from 0 to 1, with three decimals at most', example: '0.055' },
  '^(http|https|ssh)://.*$': { what: 'a URL that begins with http://, https:// or ssh://', example: 'https://git.example.com/acme' },
  '^(http|https|oci)://.*$': { what: 'a URL that begins with http://, https:// or oci://', example: 'oci://registry.example.com/charts' },
  '^oci://.*$': { what: 'a URL that begins with oci://', example: 'oci://registry.example.com/charts' },
};

/** A pattern in words; undefined for one that nobody uses twice. */
export function patternWords(pattern: string): PatternWords | undefined {
  return Object.hasOwn(KNOWN, pattern) ? KNOWN[pattern] : undefined;
}
