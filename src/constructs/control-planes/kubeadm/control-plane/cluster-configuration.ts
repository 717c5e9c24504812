import { bringsCoreDns } from './addons';
import { certificateFields } from './certificates';
import { componentFields, componentSources } from './components';
import { etcdFields, KubeadmEtcd } from './etcd';
import { KubeadmControlPlaneProps } from './kubeadm-control-plane-props';
import {
  KubeadmControlPlaneSpecKubeadmConfigSpecClusterConfiguration as ClusterConfiguration,
  KubeadmControlPlaneSpecKubeadmConfigSpecClusterConfigurationEncryptionAlgorithm as EncryptionAlgorithm,
} from '../../../../../imports/controlplane.cluster.x-k8s.io';
import { unlessEmpty } from '../../../../manifests/values/fields';
import { ClusterContext } from '../../../contracts/cluster-context';
import { nodeMaskArguments } from '../../../contracts/network/node-ranges';

/** Names in the API server's certificate that the user or the infrastructure adds, each once. */
export function certificateNames({ certSans = [] }: KubeadmControlPlaneProps, { apiServer }: ClusterContext): string[] {
  return [...new Set([...(apiServer.internal ? [apiServer.internal.host] : []), ...certSans])];
}

/** kubeadm's configuration of the cluster; Cluster API adds names, networks and the version. */
export function clusterConfiguration(props: KubeadmControlPlaneProps, context: ClusterContext): ClusterConfiguration {
  const certSaNs = certificateNames(props, context);
  const apiServer = { ...(certSaNs.length > 0 && { certSaNs }), ...componentFields(props.apiServer ?? {}) };
  const etcd = etcdFields(props.etcd ?? KubeadmEtcd.stacked());
  const dns = bringsCoreDns(props) ? props.coreDns?._options : undefined;
  const { encryptionAlgorithm, ...certificates } = certificateFields(props);
  return {
    ...certificates,
    // The two enumerations have the same values.
    ...(encryptionAlgorithm !== undefined && { encryptionAlgorithm: encryptionAlgorithm as string as EncryptionAlgorithm }),
    apiServer: unlessEmpty(apiServer),
    controllerManager: unlessEmpty(componentFields(props.controllerManager ?? {}, nodeMaskArguments(context.network))),
    scheduler: unlessEmpty(componentFields(props.scheduler ?? {})),
    dns: dns && unlessEmpty({ imageRepository: dns.imageRepository, imageTag: dns.imageTag }),
    etcd,
    featureGates: unlessEmpty(props.kubeadmFeatureGates ?? {}),
    imageRepository: props.imageRepository,
  };
}

/** Which property each field of the configuration came from. */
export function clusterConfigurationSources(
  path: string, owner: string, props: KubeadmControlPlaneProps, context: ClusterContext,
): { [field: string]: string } {
  const { certSans, apiServer, controllerManager, scheduler } = props;
  const names = certificateNames(props, context);
  return {
    [`${path}.certificateValidityPeriodDays`]: `${owner}.certificateValidity`,
    [`${path}.caCertificateValidityPeriodDays`]: `${owner}.caCertificateValidity`,
    [`${path}.apiServer.certSANs`]: `${owner}.certSans`,
    ...Object.fromEntries((certSans ?? []).map((name, index) => [`${path}.apiServer.certSANs[${names.indexOf(name)}]`, `${owner}.certSans[${index}]`])),
    ...componentSources(`${path}.apiServer`, `${owner}.apiServer`, apiServer ?? {}),
    ...componentSources(`${path}.controllerManager`, `${owner}.controllerManager`, controllerManager ?? {}, nodeMaskArguments(context.network).length),
    ...componentSources(`${path}.scheduler`, `${owner}.scheduler`, scheduler ?? {}),
    [`${path}.dns.**`]: `${owner}.coreDns.**`,
    [`${path}.etcd.local.**`]: `${owner}.etcd.**`,
    [`${path}.etcd.local.peerCertSANs.**`]: `${owner}.etcd.peerCertSans.**`,
    [`${path}.etcd.local.serverCertSANs.**`]: `${owner}.etcd.serverCertSans.**`,
    [`${path}.etcd.external.**`]: `${owner}.etcd.**`,
    [`${path}.imageRepository`]: `${owner}.imageRepository`,
  };
}
