import { checkDataSize, checkFile, checkPathsTaken, ReservedPath } from './bootstrap-file';
import { checkUsers } from './bootstrap-user';
import { checkMachineSettings } from './company-network';
import { checkDiskSetup, checkMounts } from './disk-setup';
import { checkIgnition, isIgnition, OF_IGNITION } from './ignition-checks';
import { checkTimeouts } from './join-timeouts';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { BOOTSTRAP, machineSetup } from './kubeadm-config';
import { checkKubeletArguments } from './kubelet';
import { checkNodeName } from './node-name';
import { checkNodeSetup } from './node-setup-checks';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { PoolContext } from '../../../contracts/node-pool/pool-context';

const VERBOSITY_RULE: Rule = {
  id: 'TC-KUBEADM-VERBOSITY',
  title: 'The log level of kubeadm must not be negative.',
};

/**
 * Checks how machines join, apart from what only the object shows (`checkCloudConfig`).
 *
 * @param props the user's options
 * @param context the machines
 * @param owner the property that holds the options
 * @param reserved paths that others write on these machines beside those that they write on every machine, with the writer
 */
export function checkBootstrap(
  props: KubeadmBootstrapProps, context: PoolContext, owner = BOOTSTRAP, reserved: readonly ReservedPath[] = [],
): Problem[] {
  const { files = [], bootCommands = [] } = props;
  const setup = machineSetup(props, context, owner);
  return [
    ...checkJoin(props, owner),
    ...(props.nodeName ? checkNodeName(props.nodeName, `${owner}.nodeName`) : []),
    ...problemIf(VERBOSITY_RULE, `${owner}.verbosity`, (props.verbosity ?? 0) < 0 ? `${props.verbosity} is negative` : undefined, 'write a whole number from 0'),
    ...checkKubeletArguments(props.kubeletExtraArgs ?? [], context, `${owner}.kubeletExtraArgs`),
    ...files.flatMap((file, index) => checkFile(file, `${owner}.files[${index}]`)),
    ...checkPathsTaken(files, `${owner}.files`, isIgnition(props) ? [...reserved, ...OF_IGNITION.map((path): ReservedPath => [path, 'Cluster API'])] : reserved),
    ...checkNodeSetup(context, reserved),
    ...checkIgnition(props, context, owner),
    ...checkUsers(props.users ?? [], `${owner}.users`),
    ...checkDiskSetup(props.diskSetup ?? {}, `${owner}.diskSetup`),
    ...checkMounts(props.mounts ?? [], `${owner}.mounts`),
    ...checkMachineSettings(props, owner),
    ...checkDataSize(setup.files.map(({ file }) => file), [...bootCommands, ...setup.commands, ...setup.lateCommands], owner),
  ];
}

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

const CRI_SOCKET_RULE: Rule = {
  id: 'TC-KUBEADM-CRI-SOCKET',
  title: 'The address of the container runtime must be a unix socket with an absolute path.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
};

function checkSocket(socket: string | undefined, property: string): Problem[] {
  if (socket === undefined || SOCKET.test(socket)) return [];
  return [{
    rule: CRI_SOCKET_RULE,
    property,
    message: `${JSON.stringify(socket)} is not a socket of a container runtime`,
    accepted: '"unix://" and an absolute path, at most 512 characters',
    fix: 'write a socket such as "unix:///run/crio/crio.sock"',
  }];
}

const JOIN_OPTION_RULE: Rule = {
  id: 'TC-KUBEADM-JOIN-OPTION',
  title: 'Names of preflight checks and phases are not empty.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/config/crd/bases/bootstrap.cluster.x-k8s.io_kubeadmconfigtemplates.yaml',
};

/** Checks names of preflight checks or phases. */
export function checkNames(names: readonly string[], property: string): Problem[] {
  return names.flatMap((name, index) => problemIf(
    JOIN_OPTION_RULE, `${property}[${index}]`, name.trim() === '' ? `${JSON.stringify(name)} is not a name` : undefined, 'write the name as kubeadm prints it, or remove it',
  ));
}
