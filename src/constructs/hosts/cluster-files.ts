import { InstallStep } from './addons/command-line-delivery';
import { addonFiles, namespaceFile } from './addons/install-addons';
import { cloudConfig } from './files/cloud-config';
import { KubeadmHost } from './files/host-bundle';
import { installScript } from './files/install-script';
import { overview } from './overview';
import { ResolvedCluster } from './resolved-cluster';
import { OutputFile } from '../app/synth/output-files';

/** Folder of the addons, beside those of hosts. */
export const ADDONS_FOLDER = 'addons';

/** Name of the overview. */
export const OVERVIEW = 'hosts.md';

/** All files of a cluster, in a folder of its name: a folder for each host, a folder for addons, and the overview. */
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

/** True if the owner may execute the file: the lowest bit of the second of the four digits. */
function isExecutable(permissions: string): boolean {
  return Number(permissions[1]) % 2 === 1;
}

function below(folder: string, files: readonly OutputFile[]): OutputFile[] {
  return files.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
}
