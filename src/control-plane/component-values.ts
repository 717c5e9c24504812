import { ComponentArgument } from '../kubernetes/component-arguments';
import type { Component } from '../kubernetes/component-facts';
import { Problem, Rule } from '../validation/problem';

const NEEDED_CONTROLLERS: readonly string[] = ['bootstrapsigner', 'tokencleaner'];

/** Rules for values that a component takes and that break the control plane all the same. */
export interface ComponentValueRules {
  readonly anonymousAccess: Rule;
  readonly controllers: Rule;
}

/**
 * Checks the value of one argument for what makes a control plane useless that nodes join with kubeadm.
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

/** The name of a flag as the components read it. */
export function flagName(argument: ComponentArgument): string {
  return argument.name.replaceAll('_', '-');
}
