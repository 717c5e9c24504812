import { checkFile } from './bootstrap-file';
import { checkMounts } from './bootstrap-mount';
import { checkNtp } from './bootstrap-ntp';
import { checkUsers } from './bootstrap-user';
import { checkCommands } from './commands';
import { checkDataSize } from './data-size';
import { checkDiskSetup } from './disk-setup-checks';
import { checkJoin } from './join-checks';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { checkKubeletArguments } from './kubelet-arguments';
import { checkKubeletPatch } from './kubelet-patch';
import { checkLength } from './list-length';
import { machineSetup } from './machine-setup';
import { checkHttpProxy } from './node-http-proxy';
import { checkPathsTaken } from './node-setup';
import { checkRegistryMirrors } from './registry-mirror';
import { checkTrustedCas } from './trusted-ca';
import { PoolContext } from '../../node-pool/pool-context';
import { Problem } from '../../validation/problem';

const MAX_FILES = 200;

/** Everything that is wrong with how the machines of a pool are to join. */
export function checkBootstrap(props: KubeadmBootstrapProps, context: PoolContext): Problem[] {
  const { files = [], bootCommands = [], postKubeadmCommands = [] } = props;
  const setup = machineSetup(props, context);
  return [
    ...checkJoin(props, 'bootstrap'),
    ...checkKubeletArguments(props.kubeletExtraArgs ?? [], context, 'bootstrap.kubeletExtraArgs'),
    ...checkKubeletPatch(context),
    ...files.flatMap((file, index) => checkFile(file, `bootstrap.files[${index}]`)),
    ...checkLength(setup.files, MAX_FILES, 'bootstrap.files'),
    ...checkPathsTaken(setup.files),
    ...checkCommands(bootCommands, 'bootstrap.bootCommands'),
    ...checkCommands(props.preKubeadmCommands ?? [], 'bootstrap.preKubeadmCommands'),
    ...checkCommands(postKubeadmCommands, 'bootstrap.postKubeadmCommands'),
    ...checkUsers(props.users ?? [], 'bootstrap.users'),
    ...(props.ntp ? checkNtp(props.ntp, 'bootstrap.ntp') : []),
    ...checkDiskSetup(props.diskSetup ?? {}, 'bootstrap.diskSetup'),
    ...checkMounts(props.mounts ?? [], 'bootstrap.mounts'),
    ...checkRegistryMirrors(props.registryMirrors ?? [], 'bootstrap.registryMirrors'),
    ...(props.httpProxy ? checkHttpProxy(props.httpProxy, context.cluster.network, 'bootstrap.httpProxy') : []),
    ...checkTrustedCas(props.trustedCas ?? [], 'bootstrap.trustedCas'),
    ...checkDataSize(setup.files.map(({ file }) => file), [...bootCommands, ...setup.commands, ...postKubeadmCommands], 'bootstrap'),
  ];
}
