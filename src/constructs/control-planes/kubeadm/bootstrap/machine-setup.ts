import { BootstrapFile } from './bootstrap-file';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { kubeletPatch } from './kubelet-patch';
import { nodeAddressSetup } from './node-address';
import { httpProxySetup } from './node-http-proxy';
import { NodeSetup, OwnedFile } from './node-setup';
import { registryMirrorFiles, registryMirrorSetup } from './registry-mirror';
import { trustedCaFiles, trustedCaSetup } from './trusted-ca';
import { PoolContext } from '../../../contracts/node-pool/pool-context';

/** All files of a machine with who asked for them, and all commands before kubeadm, in their order. */
export interface MachineSetup {
  /** The files. */
  readonly files: readonly OwnedFile[];

  /** The commands. */
  readonly commands: readonly string[];
}

/** The property of a pool that holds the options. */
export const BOOTSTRAP = 'bootstrap';

/**
 * Merges the setups of the library's features with the user's options.
 *
 * @param props the user's options
 * @param context the machines
 * @param owner the property that holds the options
 */
export function machineSetup(props: KubeadmBootstrapProps, context: PoolContext, owner = BOOTSTRAP): MachineSetup {
  const { trustedCas = [], httpProxy, registryMirrors = [], files = [], preKubeadmCommands = [] } = props;
  const features: [string, NodeSetup][] = [
    ['infrastructure', nodeAddressSetup(context.cluster.infrastructure.nodeAddress)],
    [`${owner}.trustedCas`, trustedCaSetup(trustedCas)],
    [`${owner}.httpProxy`, httpProxy ? httpProxySetup(httpProxy, context.cluster.network) : { files: [], commands: [] }],
    [`${owner}.registryMirrors`, registryMirrorSetup(registryMirrors)],
  ];
  return {
    files: [
      ...owned(kubeletPatch(context), 'kubelet'),
      ...trustedCas.flatMap((ca, index) => owned(trustedCaFiles(ca), `${owner}.trustedCas[${index}]`)),
      ...registryMirrors.flatMap((mirror, index) => owned(registryMirrorFiles(mirror), `${owner}.registryMirrors[${index}]`)),
      ...features.flatMap(([property, setup]) => owned(setup.files, property)),
      ...files.map((file, index) => ({ file, property: `${owner}.files[${index}]` })),
    ],
    commands: [...features.flatMap(([, setup]) => setup.commands), ...preKubeadmCommands],
  };
}

function owned(files: readonly BootstrapFile[], property: string): OwnedFile[] {
  return files.map((file) => ({ file, property }));
}
