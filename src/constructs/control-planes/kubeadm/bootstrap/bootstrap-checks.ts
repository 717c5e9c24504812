import { checkFile } from './bootstrap-file';
import { checkMounts } from './bootstrap-mount';
import { checkUsers } from './bootstrap-user';
import { checkMachineSettings } from './company-network';
import { checkDataSize } from './data-size';
import { checkDiskSetup } from './disk-setup-checks';
import { checkJoin } from './join-checks';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { checkKubeletArguments } from './kubelet-arguments';
import { BOOTSTRAP, machineSetup } from './machine-setup';
import { checkNodeName } from './node-name';
import { checkPathsTaken, ReservedPath } from './node-setup';
import { KUBEADM_RULES } from './rules';
import { Problem, problemIf } from '../../../../manifests/values/problem';
import { PoolContext } from '../../../contracts/node-pool/pool-context';

/**
 * Everything that is wrong with how machines are to join, apart from what only the object shows (`checkCloudConfig`).
 *
 * @param props what the user said
 * @param context the machines
 * @param owner the property that holds the options
 * @param reserved paths that others write on these machines beside those that they write on every machine, with the writer
 */
export function checkBootstrap(
  props: KubeadmBootstrapProps, context: PoolContext, owner = BOOTSTRAP, reserved: readonly ReservedPath[] = [],
): Problem[] {
  const { files = [], bootCommands = [], postKubeadmCommands = [] } = props;
  const setup = machineSetup(props, context, owner);
  return [
    ...checkJoin(props, owner),
    ...(props.nodeName ? checkNodeName(props.nodeName, `${owner}.nodeName`) : []),
    ...problemIf(KUBEADM_RULES.verbosity, `${owner}.verbosity`, (props.verbosity ?? 0) < 0 ? `${props.verbosity} is negative` : undefined, 'write a whole number from 0'),
    ...checkKubeletArguments(props.kubeletExtraArgs ?? [], context, `${owner}.kubeletExtraArgs`),
    ...files.flatMap((file, index) => checkFile(file, `${owner}.files[${index}]`)),
    ...checkPathsTaken(files, `${owner}.files`, reserved),
    ...checkUsers(props.users ?? [], `${owner}.users`),
    ...checkDiskSetup(props.diskSetup ?? {}, `${owner}.diskSetup`),
    ...checkMounts(props.mounts ?? [], `${owner}.mounts`),
    ...checkMachineSettings(props, owner),
    ...checkDataSize(setup.files.map(({ file }) => file), [...bootCommands, ...setup.commands, ...postKubeadmCommands], owner),
  ];
}
