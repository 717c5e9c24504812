import { HostSetup, KubeadmHost, KubeadmHostRole, ownFiles } from './files/host-bundle';
import { HostFile, OwnedHostFile } from './files/host-file';
import { kernelSettings } from './files/kernel-settings';
import { KubeadmNode } from './kubeadm-node';
import { initFiles, joinFiles } from './node-setup';
import { apiServersOf, familiesOf, ResolvedCluster } from './resolved-cluster';

/** The hosts of a cluster with all their files: load balancers, control plane, workers. */
export function hostsOf(cluster: ResolvedCluster): KubeadmHost[] {
  const { props, workers } = cluster;
  const { loadBalancer: { _design: design }, controlPlaneNodes } = props;
  const servers = apiServersOf(cluster);
  const kernel = kernelSettings(familiesOf(cluster));
  return [
    ...(design.hosts ?? []).map((host) => KubeadmHost._of(
      { ...host, role: KubeadmHostRole.LOAD_BALANCER },
      // A design with hosts has hostSetup.
      [design.hostSetup!(servers, host.name), { files: host.files }],
    )),
    ...controlPlaneNodes.map((node, index) => KubeadmHost._of(
      { ...node, role: index === 0 ? KubeadmHostRole.FIRST_CONTROL_PLANE : KubeadmHostRole.CONTROL_PLANE },
      [
        kernel,
        { files: ownFiles('kubeadm', index === 0 ? initFiles(cluster, node) : joinFiles(cluster, node, true)) },
        ...(design.nodeSetup ? [design.nodeSetup(servers, node.name)] : []),
        ...furtherFiles(cluster, node, `controlPlaneNodes[${index}]`),
      ],
    )),
    ...workers.map((node, index) => KubeadmHost._of(
      { ...node, role: KubeadmHostRole.WORKER },
      [kernel, { files: ownFiles('kubeadm', joinFiles(cluster, node, false)) }, ...furtherFiles(cluster, node, `workers[${index}]`)],
    )),
  ];
}

function furtherFiles({ props, platform }: ResolvedCluster, node: KubeadmNode, property: string): HostSetup[] {
  return [
    { files: ownFiles('platform', platform.nodeFiles ?? []), commands: platform.nodeCommands },
    { files: [...given('files', props.files), ...given(`${property}.files`, node.files)] },
  ];
}

function given(property: string, files: readonly HostFile[] = []): OwnedHostFile[] {
  return files.map((file, index) => ({ file, by: `${property}[${index}]` }));
}
