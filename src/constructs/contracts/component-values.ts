import { ComponentArgument } from '../../manifests/values/component-arguments';
import type { Component } from '../../manifests/values/component-facts';
import { Problem, Rule } from '../../manifests/values/problem';

const NEEDED_CONTROLLERS: readonly string[] = ['bootstrapsigner', 'tokencleaner'];
const NEEDED_AUTHORIZERS: readonly string[] = ['Node', 'RBAC'];
const OPEN_AUTHORIZER = 'AlwaysAllow';

/** Rules for values that a component accepts, but that break or open the control plane. */
export interface ComponentValueRules {
  readonly anonymousAccess: Rule;
  readonly authorizationMode: Rule;
  readonly controllers: Rule;
}

/**
 * Checks the value of one argument: nodes must be able to join the control plane with kubeadm, and anonymous requests must not be allowed.
 *
 * @param component whose argument it is
 * @param argument the argument
 * @param property the property that holds it
 * @param rules how the control plane calls its rules
 */
export function checkComponentValue(component: Component, argument: ComponentArgument, property: string, rules: ComponentValueRules): Problem[] {
  const name = flagName(argument);
  if (component === 'kube-apiserver' && name === 'anonymous-auth' && /^(0|f|false)$/i.test(argument.value)) {
    return [{
      rule: rules.anonymousAccess,
      property,
      message: 'without anonymous requests the API server\'s probes fail, and it is restarted for ever',
      fix: 'remove anonymous-auth; what anonymous users may do is decided by RBAC',
    }];
  }
  if (component === 'kube-apiserver' && name === 'authorization-mode') return checkAuthorizationMode(argument.value, property, rules.authorizationMode);
  const missing = NEEDED_CONTROLLERS.filter((controller) => !argument.value.split(',').includes(controller));
  if (component === 'kube-controller-manager' && name === 'controllers' && missing.length > 0) {
    return [{
      rule: rules.controllers,
      property,
      message: `"${argument.value}" leaves out ${missing.join(' and ')}, without which no machine can join`,
      accepted: 'lists such as "*,bootstrapsigner,tokencleaner,-nodeipam"',
      fix: `add ${missing.join(' and ')} to the list`,
    }];
  }
  return [];
}

/** The content of an authorization configuration in a file is unknown; the API server uses it instead of the modes. */
function checkAuthorizationMode(value: string, property: string, rule: Rule): Problem[] {
  const modes = value.split(',');
  const missing = NEEDED_AUTHORIZERS.filter((mode) => !modes.includes(mode));
  const accepted = 'lists with Node and RBAC such as "Node,RBAC"';
  if (modes.includes(OPEN_AUTHORIZER)) {
    return [{
      rule, property, message: `with ${OPEN_AUTHORIZER} every client may do everything, without credentials too`, accepted, fix: `remove ${OPEN_AUTHORIZER}, and grant what is needed with RBAC`,
    }];
  }
  return missing.length === 0 ? [] : [{
    rule,
    property,
    message: `"${value}" leaves out ${missing.join(' and ')}, without which ${missing.includes('Node') ? 'kubelets' : 'Kubernetes\' own controllers'} may do nothing`,
    accepted,
    fix: `add ${missing.join(' and ')} to the list, or leave authorization-mode out`,
  }];
}

/** The name of a flag as the components read it. */
export function flagName(argument: ComponentArgument): string {
  return argument.name.replaceAll('_', '-');
}
