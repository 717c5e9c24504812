import { Yaml } from 'cdk8s';
import { clusterConfiguration } from './config/cluster-configuration';
import { initConfiguration, joinConfiguration, kubeletConfiguration, kubeletPatch } from './config/node-documents';
import { HostFile } from './files/host-file';
import { KubeadmNode } from './kubeadm-node';
import { ResolvedCluster } from './resolved-cluster';
import { CREDENTIALS_SCRIPT, credentialsScript, INIT_FILE, INIT_SCRIPT, initScript, JOIN_FILE, JOIN_SCRIPT, joinScript } from './scripts';
import { PATCHES_DIRECTORY } from '../../manifests/systems/kubeadm/node-files';

// Of the form target[suffix][+patchtype].extension; without a suffix it comes before patches of the user
// (kubernetes/kubernetes cmd/kubeadm/app/util/patches/patches.go).
const KUBELET_PATCH = `${PATCHES_DIRECTORY}/kubeletconfiguration+strategic.yaml`;

const SCRIPT = '0755';

/** Only root reads kubeadm's configuration. */
const CONFIGURATION = '0600';

/** kubeadm's files of the first node. */
export function initFiles(cluster: ResolvedCluster, node: KubeadmNode): HostFile[] {
  const documents = [initConfiguration(cluster, node), clusterConfiguration(cluster), kubeletConfiguration(cluster)];
  return [
    { path: INIT_FILE, content: Yaml.stringify(...documents), permissions: CONFIGURATION },
    { path: INIT_SCRIPT, content: initScript(cluster.props.loadBalancer._design.beforeInit ?? []), permissions: SCRIPT },
    { path: CREDENTIALS_SCRIPT, content: credentialsScript(), permissions: SCRIPT },
    ...patchFiles(node),
  ];
}

/** kubeadm's files of another node. */
export function joinFiles(cluster: ResolvedCluster, node: KubeadmNode, controlPlane: boolean): HostFile[] {
  return [
    { path: JOIN_FILE, content: Yaml.stringify(joinConfiguration(cluster, node, controlPlane)), permissions: CONFIGURATION },
    { path: JOIN_SCRIPT, content: joinScript(controlPlane), permissions: SCRIPT },
    ...patchFiles(node),
  ];
}

function patchFiles(node: KubeadmNode): HostFile[] {
  const patch = kubeletPatch(node);
  return patch ? [{ path: KUBELET_PATCH, content: Yaml.stringify(patch) }] : [];
}
