import { ownProperty, PROPERTY } from './control-plane-spec';
import { KubeadmControlPlaneProps } from './kubeadm-control-plane-props';
import { Problem } from '../../../../manifests/values/problem';
import { PoolContext } from '../../../contracts/node-pool/pool-context';
import { checkCloudConfig } from '../bootstrap/cloud-config-checks';
import { machineSetup } from '../bootstrap/machine-setup';

/** What is looked at of `spec`. */
interface WrittenSpec {
  readonly kubeadmConfigSpec?: object;
}

/**
 * Checks the KubeadmControlPlane as it is written, with all patches.
 *
 * @param manifest the object
 * @param props what the user said
 * @param machines the machines
 * @param reported what is reported already
 */
export function checkWrittenControlPlane(
  manifest: { readonly spec?: WrittenSpec }, props: KubeadmControlPlaneProps, machines: PoolContext, reported: readonly Problem[],
): Problem[] {
  const files = machineSetup(props, machines, PROPERTY).files.map(({ file, property }) => ({ file, property: ownProperty(property) }));
  return [
    ...checkCloudConfig(manifest.spec?.kubeadmConfigSpec ?? {}, {
      options: { ...props, etcd: { ...props.etcd?._stacked, ...props.etcd?._external }, coreDns: { ...props.coreDns?._options } },
      owner: PROPERTY,
      files,
      path: 'spec.kubeadmConfigSpec',
      forbidden: machines.cluster.infrastructure.forbiddenUserData,
      reported,
    }),
  ];
}
