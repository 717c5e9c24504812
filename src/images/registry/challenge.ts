/** What a server wants before it answers (RFC 9110 §11.6.1). */
export interface Challenge {
  /** How to authenticate, in lower case. */
  readonly scheme: string;

  /** What the server says about it, by names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

// A parameter, with its value quoted or not, or else the name of a scheme.
const PART = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))|([\w!#$%&'*+.^`|~-]+)/g;

/** Reads a `WWW-Authenticate` header, which may hold several challenges. */
export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (const [, name, inQuotes, bare, scheme] of header.matchAll(PART)) {
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), inQuotes?.replace(/\\(.)/g, '$1') ?? bare);
  }
  return challenges;
}
