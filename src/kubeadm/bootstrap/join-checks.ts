import { checkTimeouts } from './join-timeouts';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { checkLength } from './list-length';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../problems/problem';

const HIGHEST_LEVEL = 2 ** 31 - 1;
const SOCKET = /^unix:\/\/\/[^\s'"{}]{1,503}$/;

/** Checks the options of `kubeadm join` itself. */
export function checkJoin(props: KubeadmBootstrapProps, property: string): Problem[] {
  return [
    ...checkSocket(props.criSocket, `${property}.criSocket`),
    ...checkNames(props.ignorePreflightErrors ?? [], 512, `${property}.ignorePreflightErrors`),
    ...checkNames(props.skipPhases ?? [], 256, `${property}.skipPhases`),
    ...checkTimeouts(props.timeouts ?? {}, `${property}.timeouts`),
    ...checkVerbosity(props.verbosity, `${property}.verbosity`),
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
export function checkNames(names: readonly string[], maxLength: number, property: string): Problem[] {
  return [
    ...checkLength(names, 50, property),
    ...names.flatMap((name, index) => (name.trim() !== '' && name.length <= maxLength ? [] : [{
      rule: KUBEADM_RULES.joinOption,
      property: `${property}[${index}]`,
      message: name.length > maxLength ? `the name has ${name.length} characters` : `${JSON.stringify(name)} is not a name`,
      accepted: `1 to ${maxLength} characters`,
      fix: 'write the name as kubeadm prints it, or remove it',
    }])),
  ];
}

function checkVerbosity(verbosity: number | undefined, property: string): Problem[] {
  if (verbosity === undefined || (Number.isInteger(verbosity) && verbosity >= 0 && verbosity <= HIGHEST_LEVEL)) return [];
  return [{
    rule: KUBEADM_RULES.verbosity, property, message: `${verbosity} is not a log level`, accepted: `whole numbers from 0 to ${HIGHEST_LEVEL}`, fix: 'write one of them',
  }];
}
