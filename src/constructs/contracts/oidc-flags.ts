import { flagName } from './component-values';
import { ComponentArgument } from '../../manifests/values/component-arguments';
import { Problem, Rule } from '../../manifests/values/problem';

const NEEDED: readonly string[] = ['oidc-issuer-url', 'oidc-client-id'];

/**
 * Checks that the API server's OIDC flags include the two that it requires; beside a configuration in a file it rejects all of them, which
 * another rule reports.
 *
 * Source: kubernetes/kubernetes pkg/kubeapiserver/options/authentication.go.
 *
 * @param property the property that holds the arguments
 * @param args the arguments
 * @param rule how the control plane calls its rule for arguments
 */
export function checkOidcFlags(property: string, args: readonly ComponentArgument[], rule: Rule): Problem[] {
  const given = new Map(args.map((argument) => [flagName(argument), argument.value]));
  const flags = [...given.keys()].filter((name) => name.startsWith('oidc-'));
  const missing = NEEDED.filter((name) => (given.get(name) ?? '') === '');
  return flags.length === 0 || missing.length === 0 || given.has('authentication-config') ? [] : [{
    rule,
    property,
    message: `with ${flags.join(' and ')} and without ${missing.join(' and ')} the API server exits`,
    fix: `add ${missing.join(' and ')}, or remove all oidc- flags`,
  }];
}
