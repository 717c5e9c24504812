import { BootstrapFile } from './bootstrap-file';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../problems/problem';

/** What one feature adds to a machine. */
export interface NodeSetup {
  /** Files that it writes. */
  readonly files: readonly BootstrapFile[];

  /** Commands that put the files into effect, run before kubeadm. */
  readonly commands: readonly string[];
}

/** A file together with the property that asked for it. */
export interface OwnedFile {
  /** The file. */
  readonly file: BootstrapFile;

  /** The property, as the user wrote it. */
  readonly property: string;
}

/** A path with another writer. */
export type ReservedPath = readonly [path: string, writer: string];

/** Folder of the patches that kubeadm applies to what it generates. */
export const PATCHES_DIRECTORY = '/etc/kubernetes/patches';

const SCRIPTS_DIRECTORY = '/usr/local/sbin';

// kubernetes/kubernetes cmd/kubeadm/app/preflight/checks.go, kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/node.go.
const RESERVED: ReadonlyMap<string, string> = new Map([
  ['/etc/kubernetes/bootstrap-kubelet.conf', 'kubeadm, which does not join where the file is there already'],
  ['/etc/kubernetes/kubelet.conf', 'kubeadm, which does not join where the file is there already'],
  ['/etc/kubernetes/pki/ca.crt', 'kubeadm, which does not join where the file is there already'],
  ['/run/cluster-api/bootstrap-success.complete', 'Cluster API'],
  ['/run/cluster-api/placeholder', 'Cluster API'],
  ['/run/kubeadm/kubeadm-join-config.yaml', 'Cluster API'],
  ['/var/lib/kubelet/config.yaml', 'kubeadm'],
  ['/var/lib/kubelet/kubeadm-flags.env', 'kubeadm'],
]);

/**
 * A script of the library and the command that runs it.
 *
 * cloud-init runs all commands as one script that does not stop at errors, so the command ends it: a machine that is not set up
 * as declared must not become a node, for a rollout would go on and replace the good ones.
 *
 * @param name file name of the script
 * @param content the script, without anything that a user wrote
 */
export function setupScript(name: string, content: string): NodeSetup {
  const path = `${SCRIPTS_DIRECTORY}/cdk8s-cluster-api-${name}`;
  return { files: [{ path, content, owner: 'root:root', permissions: '0755' }], commands: [`${path} || exit 1`] };
}

/**
 * Checks that no file of the user has a second writer. What else the library writes is kept apart by rules of its own.
 *
 * @param files all files of the machine
 * @param own the property that holds the user's files
 * @param reserved paths that others write beside those that they write on every machine
 */
export function checkPathsTaken(files: readonly OwnedFile[], own: string, reserved: readonly ReservedPath[]): Problem[] {
  const writers = new Map<string, string>([...RESERVED, ...reserved]);
  return files.flatMap(({ file, property }) => {
    const writer = writers.get(file.path);
    writers.set(file.path, writer ?? property);
    if (writer === undefined || !property.startsWith(own)) return [];
    return [{
      rule: KUBEADM_RULES.filePathTaken,
      property: `${property}.path`,
      message: `${JSON.stringify(file.path)} is already written by ${writer}`,
      fix: 'choose another path, or remove one of the two',
    }];
  });
}
