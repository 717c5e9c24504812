import { ClusterConfiguration, Etcd, KUBEADM_API } from './documents';
import { bringsCoreDns, runsKubeProxy } from '../../control-plane/kubeadm/addons';
import { componentFields } from '../../control-plane/kubeadm/components';
import { etcdFields, KubeadmEtcd } from '../../control-plane/kubeadm/etcd';
import { goDuration } from '../../kubernetes/go-duration';
import { nodeMaskArguments } from '../../network/node-ranges';
import { ResolvedCluster } from '../resolved-cluster';

/** kubeadm's configuration of the cluster. What nobody has said is left to kubeadm. */
export function clusterConfiguration({ props, name, network, kubernetesVersion, certSans }: ResolvedCluster): ClusterConfiguration {
  const { etcd, kubeadmFeatureGates = {}, imageRepository, certificateValidity, caCertificateValidity, encryptionAlgorithm } = props;
  const apiServer = { ...(certSans.length > 0 && { certSANs: certSans }), ...componentFields(props.apiServer ?? {}) };
  const etcdField = etcdOf(etcd ?? KubeadmEtcd.stacked());
  const controllerManager = componentFields(props.controllerManager ?? {}, nodeMaskArguments(network));
  const scheduler = componentFields(props.scheduler ?? {});
  const dns = bringsCoreDns(props) ? { ...props.coreDns?._options } : { disabled: true };
  return {
    apiVersion: KUBEADM_API,
    kind: 'ClusterConfiguration',
    clusterName: name,
    kubernetesVersion: kubernetesVersion.toString(),
    controlPlaneEndpoint: props.controlPlaneEndpoint,
    networking: { dnsDomain: network.serviceDomain, podSubnet: network.podCidrs.join(','), serviceSubnet: network.serviceCidrs.join(',') },
    ...(isFilled(apiServer) && { apiServer }),
    ...(isFilled(controllerManager) && { controllerManager }),
    ...(isFilled(scheduler) && { scheduler }),
    ...(etcdField && { etcd: etcdField }),
    ...(isFilled(dns) && { dns }),
    ...(!runsKubeProxy(props, props.cni?.replacesKubeProxy) && { proxy: { disabled: true } }),
    ...(isFilled(kubeadmFeatureGates) && { featureGates: kubeadmFeatureGates }),
    ...(imageRepository !== undefined && { imageRepository }),
    ...(certificateValidity && { certificateValidityPeriod: goDuration(certificateValidity) }),
    ...(caCertificateValidity && { caCertificateValidityPeriod: goDuration(caCertificateValidity) }),
    ...(encryptionAlgorithm !== undefined && { encryptionAlgorithm }),
  };
}

/** Cluster API's fields, with the names that they have in kubeadm's own files. */
function etcdOf(etcd: KubeadmEtcd): Etcd | undefined {
  const { external, local } = etcdFields(etcd) ?? {};
  if (external) {
    const { endpoints, caFile, certFile, keyFile } = external;
    return { external: { endpoints, caFile, certFile, keyFile } };
  }
  if (!local) return undefined;
  const { peerCertSaNs, serverCertSaNs, dataDir, extraArgs, imageRepository, imageTag } = local;
  return {
    local: {
      ...(dataDir !== undefined && { dataDir }),
      ...(extraArgs && { extraArgs: extraArgs.map((argument) => ({ name: argument.name, value: argument.value })) }),
      ...(imageRepository !== undefined && { imageRepository }),
      ...(imageTag !== undefined && { imageTag }),
      ...(peerCertSaNs && { peerCertSANs: peerCertSaNs }),
      ...(serverCertSaNs && { serverCertSANs: serverCertSaNs }),
    },
  };
}

function isFilled(fields: object): boolean {
  return Object.values(fields).some((value) => value !== undefined);
}
