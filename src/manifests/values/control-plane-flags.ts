import { flagName } from './component-arguments';
import { Component } from './component-facts';
import { FieldPath } from './fields';
import { Finding } from './finding';

const NEEDED_CONTROLLERS: readonly string[] = ['bootstrapsigner', 'tokencleaner'];
const NEEDED_AUTHORIZERS: readonly string[] = ['Node', 'RBAC'];
const OPEN_AUTHORIZER = 'AlwaysAllow';

/** The older flags for one issuer of tokens. */
const OIDC_FLAGS: readonly string[] = [
  'oidc-ca-file', 'oidc-client-id', 'oidc-groups-claim', 'oidc-groups-prefix', 'oidc-issuer-url', 'oidc-required-claim',
  'oidc-signing-algs', 'oidc-username-claim', 'oidc-username-prefix',
];

const NEEDED_OIDC_FLAGS: readonly string[] = ['oidc-issuer-url', 'oidc-client-id'];

/** A flag of a component, and where it stands. */
export interface PlacedFlag {
  readonly name: string;
  readonly value: string;
  readonly path: FieldPath;
}

/**
 * Checks values that a component accepts, but that break or open the control plane: nodes must be able to join it with kubeadm, and anonymous
 * requests must not be allowed everything.
 */
export function checkFlagValues(component: Component, flags: readonly PlacedFlag[]): Finding[] {
  return flags.flatMap((flag) => {
    const name = flagName(flag);
    if (component === 'kube-controller-manager') return name === 'controllers' ? checkControllers(flag) : [];
    if (component !== 'kube-apiserver') return [];
    if (name === 'authorization-mode') return checkAuthorizationMode(flag);
    return name !== 'anonymous-auth' || !/^(0|f|false)$/i.test(flag.value) ? [] : [{
      path: flag.path,
      message: 'without anonymous requests the API server\'s probes fail, and it is restarted for ever',
      fix: 'remove anonymous-auth; what anonymous users may do is decided by RBAC',
    }];
  });
}

function checkControllers({ value, path }: PlacedFlag): Finding[] {
  const missing = NEEDED_CONTROLLERS.filter((controller) => !value.split(',').includes(controller));
  return missing.length === 0 ? [] : [{
    path,
    message: `"${value}" leaves out ${missing.join(' and ')}, without which no machine can join`,
    accepted: 'lists such as "*,bootstrapsigner,tokencleaner,-nodeipam"',
    fix: `add ${missing.join(' and ')} to the list`,
  }];
}

/** The content of an authorization configuration in a file is unknown; the API server uses it instead of the modes. */
function checkAuthorizationMode({ value, path }: PlacedFlag): Finding[] {
  const modes = value.split(',');
  const missing = NEEDED_AUTHORIZERS.filter((mode) => !modes.includes(mode));
  const accepted = 'lists with Node and RBAC such as "Node,RBAC"';
  if (modes.includes(OPEN_AUTHORIZER)) {
    return [{
      path, message: `with ${OPEN_AUTHORIZER} every client may do everything, without credentials too`, accepted, fix: `remove ${OPEN_AUTHORIZER}, and grant what is needed with RBAC`,
    }];
  }
  return missing.length === 0 ? [] : [{
    path,
    message: `"${value}" leaves out ${missing.join(' and ')}, without which ${missing.includes('Node') ? 'kubelets' : 'Kubernetes\' own controllers'} may do nothing`,
    accepted,
    fix: `add ${missing.join(' and ')} to the list, or leave authorization-mode out`,
  }];
}

/**
 * Checks the flags of the API server for one issuer of tokens.
 *
 * Source: kubernetes/kubernetes pkg/kubeapiserver/options/authentication.go.
 */
export function checkOidcFlags(flags: readonly PlacedFlag[]): Finding[] {
  const own = flags.filter((flag) => OIDC_FLAGS.includes(flagName(flag)));
  if (flags.some((flag) => flagName(flag) === 'authentication-config')) {
    return own.map((flag) => ({
      path: flag.path, message: `the API server exits when --${flagName(flag)} comes beside --authentication-config`, fix: 'move it into the file that --authentication-config names',
    }));
  }
  const missing = NEEDED_OIDC_FLAGS.filter((name) => !own.some((flag) => flagName(flag) === name && flag.value !== '')).map((name) => `--${name}`);
  return missing.length === 0 ? [] : own.slice(0, 1).map(({ path }) => ({
    path, message: `without ${missing.join(' and ')} the API server exits`, fix: `add ${missing.join(' and ')}, or remove all flags that start with --oidc-`,
  }));
}
