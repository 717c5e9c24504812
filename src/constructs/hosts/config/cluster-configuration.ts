import { Duration } from 'cdk8s';
import { ClusterConfiguration, Etcd, KUBEADM_API } from './documents';
import { unlessEmpty } from '../../../manifests/values/fields';
import { goDuration } from '../../../manifests/values/go-duration';
import { nodeMaskArguments } from '../../contracts/network/node-ranges';
import { bringsCoreDns, runsKubeProxy } from '../../control-planes/kubeadm/control-plane/addons';
import { componentFields } from '../../control-planes/kubeadm/control-plane/components';
import { etcdFields, KubeadmEtcd } from '../../control-planes/kubeadm/control-plane/etcd';
import { ResolvedCluster } from '../resolved-cluster';

/** kubeadm's configuration of the cluster. Unset options get kubeadm's defaults. */
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
    ...(unlessEmpty(apiServer) && { apiServer }),
    ...(unlessEmpty(controllerManager) && { controllerManager }),
    ...(unlessEmpty(scheduler) && { scheduler }),
    ...(etcdField && { etcd: etcdField }),
    ...(unlessEmpty(dns) && { dns }),
    ...(!runsKubeProxy(props, props.cni?.replacesKubeProxy) && { proxy: { disabled: true } }),
    ...(unlessEmpty(kubeadmFeatureGates) && { featureGates: kubeadmFeatureGates }),
    ...(imageRepository !== undefined && { imageRepository }),
    ...(certificateValidity && { certificateValidityPeriod: validityText(certificateValidity) }),
    ...(caCertificateValidity && { caCertificateValidityPeriod: validityText(caCertificateValidity) }),
    ...(encryptionAlgorithm !== undefined && { encryptionAlgorithm }),
  };
}

/** Days may be fractions, and a floating-point number of milliseconds is no whole one. A number that is refused must not stop the rendering. */
function validityText(validity: Duration): string {
  const milliseconds = Math.round(validity.toMilliseconds({ integral: false }));
  return goDuration(Duration.millis(Number.isSafeInteger(milliseconds) ? milliseconds : 0));
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
