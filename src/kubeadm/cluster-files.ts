import { InstallStep } from './addons/command-line-delivery';
import { addonFiles, namespaceFile } from './addons/install-addons';
import { cloudConfig } from './hosts/cloud-config';
import { KubeadmHost } from './hosts/host-bundle';
import { installScript } from './hosts/install-script';
import { overview } from './overview';
import { ResolvedCluster } from './resolved-cluster';
import { OutputFile } from '../synth/output-files';

/** Folder of the addons, beside those of hosts. */
export const ADDONS_FOLDER = 'addons';

/** Name of the overview. */
export const OVERVIEW = 'hosts.md';

/** Everything that is written for a cluster, in a folder of its name: a folder for each host, one of the addons, and the overview. */
export function clusterFiles(cluster: ResolvedCluster, hosts: readonly KubeadmHost[], install: readonly InstallStep[]): OutputFile[] {
  const addons = addonFiles(install, cluster.platform.secrets ?? []);
  const text = overview(cluster, hosts, addons.length > 0 ? { folder: ADDONS_FOLDER, namespaces: namespaceFile(install) } : undefined);
  const files = [
    { path: OVERVIEW, content: text },
    ...hosts.flatMap((host) => below(host.name, hostFiles(host))),
    ...below(ADDONS_FOLDER, addons),
  ];
  return below(cluster.name, files);
}

function hostFiles(host: KubeadmHost): OutputFile[] {
  return [
    { path: 'install.sh', content: installScript(host), executable: true },
    { path: 'cloud-config.yaml', content: cloudConfig(host) },
    ...host._files.map(({ path, content, permissions }) => ({ path: `files${path}`, content, executable: isExecutable(permissions) })),
  ];
}

/** Whether the owner may run it: his is the second of the four digits, and its lowest bit says so. */
function isExecutable(permissions: string): boolean {
  return Number(permissions[1]) % 2 === 1;
}

function below(folder: string, files: readonly OutputFile[]): OutputFile[] {
  return files.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
}
