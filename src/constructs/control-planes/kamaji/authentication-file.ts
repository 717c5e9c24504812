import { Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { ControlPlaneAuthentication, JwtAuthenticator, UserValidationRule } from './authentication';
import { addConfigMap } from './config-map';
import { ApiServerFile, configMapFile, fileDirectory, secretFile } from './volumes';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { joinName } from '../../../manifests/values/object-name';

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
