import { Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { addConfigMap, ApiServerFile, configMapFile, fileDirectory, secretFile } from './volumes';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { joinName } from '../../../manifests/values/object-name';

/**
 * Source of a part of a user's identity: a claim of the token, or an expression.
 *
 * @example
 * const username = ClaimMapping.claim('email', 'oidc:');
 */
export class ClaimMapping {
  /**
   * The value of one claim behind a prefix.
   *
   * @param claim name of the claim, e.g. `email` or `groups`
   * @param prefix string put before every value, e.g. `oidc:`, so that no identity provider can issue names that have a meaning in
   * the cluster; an empty string means no prefix
   */
  public static claim(claim: string, prefix: string): ClaimMapping {
    return new ClaimMapping({ claim, prefix });
  }

  /**
   * The result of a CEL expression over `claims`. Values are of any type: lists such as `claims.groups` need `dyn()` around them where
   * they meet other types (cozystack/cozystack commit 5d13c15d6).
   *
   * @param expression the expression, e.g. `'oidc:' + claims.sub`
   */
  public static expression(expression: string): ClaimMapping {
    return new ClaimMapping({ expression });
  }

  /** @internal */
  public readonly _fields: { readonly claim?: string; readonly prefix?: string; readonly expression?: string };

  private constructor(fields: { readonly claim?: string; readonly prefix?: string; readonly expression?: string }) {
    this._fields = fields;
  }
}

/**
 * Requirement that a token must meet to be accepted.
 *
 * @example
 * const rule = ClaimValidationRule.requiredValue('hd', 'example.com');
 */
export class ClaimValidationRule {
  /**
   * A claim must have one certain value.
   *
   * @param claim name of the claim
   * @param value the value
   */
  public static requiredValue(claim: string, value: string): ClaimValidationRule {
    return new ClaimValidationRule({ claim, requiredValue: value });
  }

  /**
   * A CEL expression over `claims` must be true, e.g. `dyn(claims.groups).exists(g, g == 'acme')`.
   *
   * @param expression the expression
   * @param message what the API server's log says where it is not true
   */
  public static expression(expression: string, message: string): ClaimValidationRule {
    return new ClaimValidationRule({ expression, message });
  }

  /** @internal */
  public readonly _fields: { readonly claim?: string; readonly requiredValue?: string; readonly expression?: string; readonly message?: string };

  private constructor(fields: { readonly claim?: string; readonly requiredValue?: string; readonly expression?: string; readonly message?: string }) {
    this._fields = fields;
  }
}

/** Requirement that the identity in a token must meet. */
export interface UserValidationRule {
  /** CEL expression over `user` (`user.username`, `user.groups`, …) that must be true. */
  readonly expression: string;

  /**
   * Message in the API server's log if it is false.
   *
   * @default - the expression
   */
  readonly message?: string;
}

/** An identity provider whose tokens the API server takes. */
export interface JwtAuthenticator {
  /**
   * URL of the issuer as its tokens name it: https, without user, query and fragment (`TC-KAMAJI-JWT-ISSUER`).
   */
  readonly issuerUrl: string;

  /**
   * URL of the issuer's discovery document, where it is not below the issuer's URL (`TC-KAMAJI-JWT-ISSUER`).
   *
   * @default - <issuerUrl>/.well-known/openid-configuration
   */
  readonly discoveryUrl?: string;

  /**
   * Certificates (PEM) of the authorities that the issuer's TLS certificate is checked against (`TC-KAMAJI-JWT-ISSUER`).
   *
   * @default - the authorities that the API server's image trusts
   */
  readonly certificateAuthority?: string;

  /**
   * Audiences of which a token must name one.
   *
   * If several tenants use one identity provider, every tenant needs an audience of its own, or a claim validation rule that accepts
   * its own groups only: otherwise a token for one cluster opens all of them (cozystack/cozystack commit 874ca9427).
   *
   * Rule: `TC-KAMAJI-JWT-AUDIENCE`.
   */
  readonly audiences: string[];

  /**
   * Source of the name of the user. There is no default, because RBAC rules depend on it: a rule for `jane@example.com` does
   * nothing for a user who arrives as `jane` (cozystack/cozystack commit fe3cfef90).
   *
   * Rule: `TC-KAMAJI-JWT-CLAIMS`.
   */
  readonly username: ClaimMapping;

  /**
   * Source of the groups of the user (`TC-KAMAJI-JWT-CLAIMS`).
   *
   * @default - users have no groups
   */
  readonly groups?: ClaimMapping;

  /**
   * Requirements for tokens (`TC-KAMAJI-JWT-CLAIMS`).
   *
   * @default - nothing beyond issuer, audience and validity
   */
  readonly claimValidationRules?: ClaimValidationRule[];

  /**
   * Requirements for identities (`TC-KAMAJI-JWT-CLAIMS`).
   *
   * @default - nothing beyond `allowSystemIdentities`
   */
  readonly userValidationRules?: UserValidationRule[];

  /**
   * True if the issuer may hand out names and groups that start with `system:`, among them `system:masters`, to which everything is
   * allowed.
   *
   * @default false - two rules refuse them, as kubernetes.io/docs/reference/access-authn-authz/authentication recommends
   */
  readonly allowSystemIdentities?: boolean;
}

/**
 * Authentication of users beside certificates and service accounts: a structured authentication configuration.
 *
 * It takes the place of the `--oidc-*` flags, beside which the API server does not start (`TC-KAMAJI-ARGUMENT`).
 *
 * @example
 * new KamajiControlPlane({
 *   authentication: ControlPlaneAuthentication.jwt([{
 *     issuerUrl: 'https://login.example.com',
 *     audiences: ['kubernetes'],
 *     username: ClaimMapping.claim('email', 'oidc:'),
 *     groups: ClaimMapping.claim('groups', 'oidc:'),
 *   }]),
 * });
 */
export class ControlPlaneAuthentication {
  /**
   * Tokens of identity providers. The configuration becomes a ConfigMap, which the API server reads anew when it changes.
   *
   * @param authenticators the identity providers, 1 to 64
   */
  public static jwt(authenticators: JwtAuthenticator[]): ControlPlaneAuthentication {
    return new ControlPlaneAuthentication({ authenticators });
  }

  /**
   * An `AuthenticationConfiguration` that this library does not write, in a ConfigMap.
   *
   * @param name name of the ConfigMap in the tenant cluster's namespace (`TC-KAMAJI-FILE-SOURCE`)
   * @param key key that holds the configuration
   */
  public static configMap(name: string, key: string): ControlPlaneAuthentication {
    return new ControlPlaneAuthentication({ configMap: { name, key } });
  }

  /**
   * An `AuthenticationConfiguration` that this library does not write, in a Secret.
   *
   * @param name name of the Secret in the tenant cluster's namespace (`TC-KAMAJI-FILE-SOURCE`)
   * @param key key that holds the configuration
   */
  public static secret(name: string, key: string): ControlPlaneAuthentication {
    return new ControlPlaneAuthentication({ secret: { name, key } });
  }

  /** @internal */
  public readonly _choice: AuthenticationChoice;

  private constructor(choice: AuthenticationChoice) {
    this._choice = choice;
  }
}

/**
 * Source of the configuration; exactly one is set.
 *
 * @internal
 */
export interface AuthenticationChoice {
  readonly authenticators?: readonly JwtAuthenticator[];
  readonly configMap?: { readonly name: string; readonly key: string };
  readonly secret?: { readonly name: string; readonly key: string };
}

const VOLUME = 'authentication-config';
const KEY = 'config.yaml';

// Kubernetes 1.34 (StructuredAuthenticationConfiguration GA)
const FIRST_MINOR_WITH_V1 = 34;

const NO_SYSTEM_IDENTITIES: readonly UserValidationRule[] = [
  { expression: "!user.username.startsWith('system:')", message: 'usernames that start with system: are reserved' },
  { expression: "user.groups.all(group, !group.startsWith('system:'))", message: 'groups that start with system: are reserved' },
];

/** Puts the authentication configuration beside the API server. */
export function authenticationFile(
  scope: Construct, clusterName: string, authentication: ControlPlaneAuthentication, kubernetes: KubernetesVersion,
): ApiServerFile {
  const { authenticators, configMap, secret } = authentication._choice;
  const key = (configMap ?? secret)?.key ?? KEY;
  return {
    volume: secret ? secretFile(VOLUME, secret.name, key)
      : configMapFile(VOLUME, configMap?.name ?? addConfiguration(scope, clusterName, authenticators ?? [], kubernetes), key),
    mountPath: fileDirectory(VOLUME),
    args: [{ name: 'authentication-config', value: `${fileDirectory(VOLUME)}/${key}` }],
  };
}

function addConfiguration(scope: Construct, clusterName: string, authenticators: readonly JwtAuthenticator[], kubernetes: KubernetesVersion): string {
  return addConfigMap(scope, 'AuthenticationConfiguration', {
    // The API server reads the file anew when it changes, so that the name can stay.
    name: joinName(clusterName, VOLUME),
    data: {
      [KEY]: Yaml.stringify({
        apiVersion: `apiserver.config.k8s.io/${kubernetes.minor >= FIRST_MINOR_WITH_V1 ? 'v1' : 'v1beta1'}`,
        kind: 'AuthenticationConfiguration',
        jwt: authenticators.map(jwtFields),
      }),
    },
  });
}

function jwtFields(authenticator: JwtAuthenticator): object {
  const { issuerUrl, discoveryUrl, certificateAuthority, audiences, username, groups, claimValidationRules = [] } = authenticator;
  const userRules = [...(authenticator.allowSystemIdentities ? [] : NO_SYSTEM_IDENTITIES), ...authenticator.userValidationRules ?? []];
  return {
    issuer: {
      url: issuerUrl,
      ...(discoveryUrl !== undefined && { discoveryURL: discoveryUrl }),
      ...(certificateAuthority !== undefined && { certificateAuthority }),
      audiences,
      ...(audiences.length > 1 && { audienceMatchPolicy: 'MatchAny' }),
    },
    ...(claimValidationRules.length > 0 && { claimValidationRules: claimValidationRules.map((rule) => rule._fields) }),
    claimMappings: { username: username._fields, ...(groups && { groups: groups._fields }) },
    ...(userRules.length > 0 && { userValidationRules: userRules.map(userRuleFields) }),
  };
}

function userRuleFields({ expression, message }: UserValidationRule): object {
  return { expression, ...(message !== undefined && { message }) };
}
