import { checkTimeouts } from './join-timeouts';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { KUBEADM_RULES } from './rules';
import { Problem, problemIf } from '../../../../manifests/values/problem';

const SOCKET = /^unix:\/\/\/[^\s'"{}]{1,503}$/;

/** Checks the options of `kubeadm join` itself. */
export function checkJoin(props: KubeadmBootstrapProps, property: string): Problem[] {
  return [
    ...checkSocket(props.criSocket, `${property}.criSocket`),
    ...checkNames(props.ignorePreflightErrors ?? [], `${property}.ignorePreflightErrors`),
    ...checkNames(props.skipPhases ?? [], `${property}.skipPhases`),
    ...checkTimeouts(props.timeouts ?? {}, `${property}.timeouts`),
  ];
}

function checkSocket(socket: string | undefined, property: string): Problem[] {
  if (socket === undefined || SOCKET.test(socket)) return [];
  return [{
    rule: KUBEADM_RULES.criSocket,
    property,
    message: `${JSON.stringify(socket)} is not a socket of a container runtime`,
    accepted: '"unix://" and an absolute path, at most 512 characters',
    fix: 'write a socket such as "unix:///run/crio/crio.sock"',
  }];
}

/** Checks names of preflight checks or phases. */
export function checkNames(names: readonly string[], property: string): Problem[] {
  return names.flatMap((name, index) => problemIf(
    KUBEADM_RULES.joinOption, `${property}[${index}]`, name.trim() === '' ? `${JSON.stringify(name)} is not a name` : undefined, 'write the name as kubeadm prints it, or remove it',
  ));
}
