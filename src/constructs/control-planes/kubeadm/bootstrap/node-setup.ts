import { BootstrapFile } from './bootstrap-file';
import { KUBEADM_RULES } from './rules';
import { Problem, problemIf } from '../../../../manifests/values/problem';

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
 * Checks that neither kubeadm nor Cluster API writes a file of the user.
 *
 * @param files the user's files
 * @param property the property that holds them
 * @param reserved paths that they write beside those that they write on every machine
 */
export function checkPathsTaken(files: readonly BootstrapFile[], property: string, reserved: readonly ReservedPath[]): Problem[] {
  const writers = new Map<string, string>([...RESERVED, ...reserved]);
  return files.flatMap(({ path }, index) => {
    const writer = writers.get(path);
    return problemIf(
      KUBEADM_RULES.filePathTaken, `${property}[${index}].path`, writer === undefined ? undefined : `${JSON.stringify(path)} is already written by ${writer}`, 'choose another path',
    );
  });
}
