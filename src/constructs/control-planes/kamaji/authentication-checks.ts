import { ClaimMapping, ControlPlaneAuthentication, JwtAuthenticator } from './authentication';
import { checkFileSource } from './volumes';
import { readPem } from '../../../manifests/values/pem';
import { Problem, Rule } from '../../../manifests/values/problem';

const MOST_ISSUERS = 64;

// The issuer of the tenant's own service account tokens, which Kamaji sets regardless of the cluster's domain.
const SERVICE_ACCOUNT_ISSUER = 'https://kubernetes.default.svc.cluster.local';

const JWT_ISSUER_RULE: Rule = {
  id: 'TC-KAMAJI-JWT-ISSUER',
  title: 'Issuers of tokens must be unique https URLs with a valid certificate authority, at most 64.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/apis/apiserver/validation/validation.go',
};

/** Checks an authentication configuration as the API server will; of CEL expressions only what needs no grammar to see. */
export function checkAuthentication(authentication: ControlPlaneAuthentication): Problem[] {
  const { authenticators, configMap, secret } = authentication._choice;
  const source = configMap ?? secret;
  if (source) {
    return checkFileSource('controlPlane.authentication', source.name, source.key, 'name');
  }
  const all = authenticators ?? [];
  return [
    ...(all.length >= 1 && all.length <= MOST_ISSUERS ? [] : [{
      rule: JWT_ISSUER_RULE,
      property: 'controlPlane.authentication',
      message: `there are ${all.length} identity providers`,
      accepted: `1 to ${MOST_ISSUERS}`,
      fix: all.length === 0 ? 'name an identity provider, or leave authentication out' : 'remove some of them',
    }]),
    ...all.flatMap((authenticator, index) => checkAuthenticator(`controlPlane.authentication[${index}]`, authenticator, all.slice(0, index))),
  ];
}

function checkAuthenticator(property: string, authenticator: JwtAuthenticator, before: readonly JwtAuthenticator[]): Problem[] {
  return [
    ...checkUrl(`${property}.issuerUrl`, authenticator.issuerUrl, before.map(({ issuerUrl }) => issuerUrl)),
    ...checkDiscovery(property, authenticator, before),
    ...checkAuthority(`${property}.certificateAuthority`, authenticator.certificateAuthority),
    ...checkAudiences(`${property}.audiences`, authenticator.audiences),
    ...checkMapping(`${property}.username`, authenticator.username),
    ...(authenticator.groups ? checkMapping(`${property}.groups`, authenticator.groups) : []),
    ...checkRules(property, authenticator),
    ...checkEmail(`${property}.username`, authenticator),
  ];
}

function checkUrl(property: string, text: string, taken: readonly string[]): Problem[] {
  const rule = JWT_ISSUER_RULE;
  if (taken.includes(text)) {
    return [{ rule, property, message: `"${text}" is there twice`, fix: 'join the two into one, with the audiences of both' }];
  }
  if (text === SERVICE_ACCOUNT_ISSUER) {
    return [{ rule, property, message: `"${text}" is the issuer of the cluster's own service accounts`, fix: 'name the issuer of the identity provider' }];
  }
  const fault = urlFault(text);
  return fault === undefined ? [] : [{
    rule, property, message: `"${text}" ${fault}`, accepted: 'https URLs such as "https://id.example.com/realms/platform"', fix: 'write the URL exactly as the tokens\' "iss" claim has it',
  }];
}

function urlFault(text: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(text)) {
    return 'has white space, which the API server does not take in a URL';
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) {
    return 'is not a URL';
  }
  if (url.protocol !== 'https:') {
    return 'is not an https URL';
  }
  return url.username || url.password || text.includes('?') || text.includes('#') ? 'has a user, a query or a fragment' : undefined;
}

function checkDiscovery(property: string, authenticator: JwtAuthenticator, before: readonly JwtAuthenticator[]): Problem[] {
  const { discoveryUrl, issuerUrl } = authenticator;
  if (discoveryUrl === undefined) {
    return [];
  }
  const bare = (url: string) => url.replace(/(?<!\/)\/+$/, '');
  return bare(discoveryUrl) === bare(issuerUrl) ? [{
    rule: JWT_ISSUER_RULE,
    property: `${property}.discoveryUrl`,
    message: `"${discoveryUrl}" is the URL of the issuer itself`,
    fix: 'leave it out, or give the full URL of the discovery document',
  }] : checkUrl(`${property}.discoveryUrl`, discoveryUrl, before.flatMap((other) => other.discoveryUrl ?? []));
}

function checkAuthority(property: string, pem: string | undefined): Problem[] {
  if (pem === undefined) {
    return [];
  }
  const rule = JWT_ISSUER_RULE;
  const { hasPrivateKey, certificates } = readPem(pem);
  if (hasPrivateKey) {
    return [{ rule, property, message: 'the string holds a private key, which would be published with the manifests', fix: 'give the certificates alone, and replace the key' }];
  }
  return certificates.length > 0 && !certificates.includes(undefined) ? [] : [{
    rule,
    property,
    message: 'the string holds no valid certificate',
    accepted: 'certificates in PEM form, "-----BEGIN CERTIFICATE-----" and so on',
    fix: 'give the content of the authority\'s certificate file, not its path',
  }];
}

const JWT_AUDIENCE_RULE: Rule = {
  id: 'TC-KAMAJI-JWT-AUDIENCE',
  title: 'Every issuer must have at least one audience, none empty or repeated.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/apis/apiserver/validation/validation.go',
};

function checkAudiences(property: string, audiences: readonly string[]): Problem[] {
  const rule = JWT_AUDIENCE_RULE;
  if (audiences.length === 0) {
    return [{ rule, property, message: 'there is no audience, so tokens for any program would open the cluster', fix: 'name the client that the identity provider knows the cluster as' }];
  }
  return audiences.flatMap((audience, index) => {
    const isRepeated = audiences.indexOf(audience) !== index;
    return audience !== '' && !isRepeated ? [] : [{
      rule, property: `${property}[${index}]`, message: isRepeated ? `"${audience}" is there twice` : 'the audience is empty', fix: 'remove it, or name another client',
    }];
  });
}

const JWT_CLAIMS_RULE: Rule = {
  id: 'TC-KAMAJI-JWT-CLAIMS',
  title: 'Claim mappings and validation rules must name a claim or a well-formed expression, and a mapped email must be verified.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/apis/apiserver/validation/validation.go',
};

function checkMapping(property: string, mapping: ClaimMapping): Problem[] {
  const { claim, expression } = mapping._fields;
  if (expression?.trim()) return checkExpression(property, expression, 'claims');
  return (claim ?? expression)!.trim() !== '' ? [] : [{
    rule: JWT_CLAIMS_RULE, property, message: `the ${claim === undefined ? 'expression' : 'claim'} is empty`, fix: 'name a claim of the tokens, such as "email", or write an expression',
  }];
}

function checkExpression(property: string, expression: string, root: CelRoot): Problem[] {
  const fault = celFault(expression, root);
  return fault === undefined ? [] : [{
    rule: JWT_CLAIMS_RULE,
    property,
    message: `"${expression}" ${fault}`,
    fix: root === 'claims' ? 'write it over the claims of the token, e.g. "claims.sub"' : 'write it over the user that was read from the token, e.g. "user.username"',
  }];
}

function checkRules(property: string, authenticator: JwtAuthenticator): Problem[] {
  const rule = JWT_CLAIMS_RULE;
  const claims = (authenticator.claimValidationRules ?? []).map(({ _fields }) => _fields.claim ?? _fields.expression!);
  const users = (authenticator.userValidationRules ?? []).map(({ expression }) => expression);
  return [
    ...([['claimValidationRules', claims], ['userValidationRules', users]] as const).flatMap(([list, texts]) => texts.flatMap((text, index) => {
      const isRepeated = texts.indexOf(text) !== index;
      return text.trim() !== '' && !isRepeated ? [] : [{
        rule,
        property: `${property}.${list}[${index}]`,
        message: isRepeated ? `"${text}" has a rule already` : 'the rule names neither a claim nor an expression',
        fix: 'remove the rule, or complete it',
      }];
    })),
    ...(authenticator.claimValidationRules ?? []).flatMap(({ _fields }, index) => (
      checkExpression(`${property}.claimValidationRules[${index}].expression`, _fields.expression ?? '', 'claims')
    )),
    ...users.flatMap((expression, index) => checkExpression(`${property}.userValidationRules[${index}].expression`, expression, 'user')),
  ];
}

function checkEmail(property: string, authenticator: JwtAuthenticator): Problem[] {
  const { expression } = authenticator.username._fields;
  if (expression === undefined || !/\bclaims\.\??email\b/.test(expression)) {
    return [];
  }
  const places = [expression, ...(authenticator.claimValidationRules ?? []).map(({ _fields }) => _fields.expression ?? '')];
  return places.some((text) => /\bclaims\.\??email_verified\b/.test(text)) ? [] : [{
    rule: JWT_CLAIMS_RULE,
    property,
    message: `"${expression}" uses claims.email, which is not verified`,
    fix: 'add ClaimValidationRule.expression(\'claims.?email_verified.orValue(true) == true\', \'email is not verified\')',
  }];
}

/** The variable of an expression: the claims of a token, or the user that was read from them. */
export type CelRoot = 'claims' | 'user';

const OTHER: Readonly<Record<CelRoot, CelRoot>> = { claims: 'user', user: 'claims' };

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Comments and texts: raw ones keep their backslashes, and texts in three quotes may span lines. */
const TEXT = /\/\/[^\n]*|[bB]?[rR][bB]?(?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')|[bB]?(?:"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g;

/**
 * Finds slips in an expression in CEL that need no grammar to see: a quote or bracket without its other half, and what is not there.
 * Everything else is told by the API server when it reads the file.
 *
 * Sources: google/cel-spec doc/langdef.md (lexis), kubernetes/kubernetes
 * staging/src/k8s.io/apiserver/pkg/authentication/cel/compile.go (variables).
 *
 * @param expression the expression
 * @param root what it is about
 * @returns what is wrong with it, or undefined
 */
export function celFault(expression: string, root: CelRoot): string | undefined {
  // A letter in place of a text, so that nothing before or behind it joins.
  const code = expression.replace(TEXT, (text) => (text.startsWith('//') ? ' ' : '0'));
  return quoteFault(code) ?? bracketFault(code) ?? rootFault(code, OTHER[root], root);
}

function quoteFault(code: string): string | undefined {
  const quote = /["']/.exec(code)?.[0];
  return quote === undefined ? undefined : `has a ${quote} without its other half`;
}

function bracketFault(code: string): string | undefined {
  const open: string[] = [];
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    if (CLOSING[bracket] !== undefined) open.push(bracket);
    else if (CLOSING[open.pop() ?? ''] !== bracket) return `has a ${bracket} that closes nothing`;
  }
  return open.length === 0 ? undefined : `has a ${open[open.length - 1]} that nothing closes`;
}

/** A name behind a dot is a field, and one that a macro declares is the macro's. */
function rootFault(code: string, other: CelRoot, root: CelRoot): string | undefined {
  const declared = new RegExp(`\\(\\s*(?:\\w+\\s*,\\s*)?${other}\\s*,`).test(code);
  return !declared && new RegExp(`(?<![\\w.]|[.?]\\s*)${other}(?!\\w)`).test(code) ? `is about ${other}, and only ${root} is there` : undefined;
}
