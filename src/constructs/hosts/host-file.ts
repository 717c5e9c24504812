import { posix } from 'node:path';
import { holdsPrivateKey } from '../../manifests/values/pem';
import { Problem, Rule } from '../../manifests/values/problem';

/** A file of a host. */
export interface HostFile {
  /**
   * Absolute path in its shortest form. No other writer may use it, including kubeadm.
   *
   * Rules: `TC-KUBEADM-CLUSTER-FILE`, `TC-KUBEADM-CLUSTER-FILE-TAKEN`.
   */
  readonly path: string;

  /**
   * Content of the file. It is readable in the output: it must not contain secrets, and a private key is rejected
   * (`TC-KUBEADM-CLUSTER-FILE`).
   */
  readonly content: string;

  /**
   * Permissions as four octal digits (`TC-KUBEADM-CLUSTER-FILE`).
   *
   * @default '0644'
   */
  readonly permissions?: string;

  /**
   * User and group of the file, which must exist on the host (`TC-KUBEADM-CLUSTER-FILE`).
   *
   * @default 'root:root'
   */
  readonly owner?: string;
}

/** A file with all its fields. */
export type WholeFile = Required<HostFile>;

/** A file and its owner: a property, or a part of the library. */
export interface OwnedHostFile {
  readonly file: HostFile;
  readonly by: string;
}

const PERMISSIONS = /^0[0-7]{3}$/;
const OWNER = /^[a-z_][-a-z0-9_]*:[a-z_][-a-z0-9_]*$/;

// kubernetes/kubernetes cmd/kubeadm/app/preflight/checks.go (InitNodeChecks, JoinNodeChecks), cmd/kubeadm/app/constants/constants.go.
const OF_KUBEADM: readonly string[] = [
  ...['admin', 'bootstrap-kubelet', 'controller-manager', 'kubelet', 'scheduler', 'super-admin'].map((name) => `/etc/kubernetes/${name}.conf`),
  ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => `/etc/kubernetes/manifests/${name}.yaml`),
  '/var/lib/kubelet/config.yaml',
  '/var/lib/kubelet/kubeadm-flags.env',
];

/** Fills in the defaults. */
export function wholeFile({ path, content, permissions, owner }: HostFile): WholeFile {
  return { path, content, permissions: permissions ?? '0644', owner: owner ?? 'root:root' };
}

/** Checks files that the user gave. */
export function checkHostFiles(property: string, files: readonly HostFile[] = []): Problem[] {
  return files.flatMap((file, index) => checkHostFile(file, `${property}[${index}]`));
}

const WRITE_FILES = 'canonical/cloud-init cloudinit/config/cc_write_files.py';

const FILE_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-FILE',
  title: 'A file must have an absolute path in its shortest form, octal permissions and a valid owner, and must not contain a private key.',
  source: WRITE_FILES,
};

/** Checks a file that the user gave. */
function checkHostFile(file: HostFile, property: string): Problem[] {
  const { path, content, permissions, owner } = wholeFile(file);
  const rule = FILE_RULE;
  return [
    ...(isFilePath(path) ? [] : [{
      rule, property: `${property}.path`, message: `${JSON.stringify(path)} is not the path of a file`, accepted: 'absolute paths of letters, digits, "-", "_", "." and "/", in their shortest form', fix: 'write a path such as "/etc/example/example.conf"',
    }]),
    ...(PERMISSIONS.test(permissions) ? [] : [{
      rule, property: `${property}.permissions`, message: `${JSON.stringify(permissions)} are not permissions`, accepted: 'four octal digits such as "0644"', fix: 'write them in the octal form of chmod',
    }]),
    ...(OWNER.test(owner) ? [] : [{
      rule, property: `${property}.owner`, message: `${JSON.stringify(owner)} is not a user and a group`, accepted: 'strings such as "root:root"', fix: 'write both names, joined by a colon',
    }]),
    ...(holdsPrivateKey(content) ? [{
      rule, property: `${property}.content`, message: 'it contains a private key, which would be readable in the output', fix: 'put the key on the host by other means',
    }] : []),
  ];
}

const FILE_TAKEN_RULE: Rule = {
  id: 'TC-KUBEADM-CLUSTER-FILE-TAKEN',
  title: 'A file of a host must have one writer only.',
  source: WRITE_FILES,
};

/** Checks that every file of a host has one writer. */
export function checkFilesTaken(host: string, files: readonly OwnedHostFile[]): Problem[] {
  const writers = new Map(OF_KUBEADM.map((path) => [path, 'kubeadm, which fails if the file exists']));
  return files.flatMap(({ file: { path }, by }) => {
    const writer = writers.get(path);
    writers.set(path, writer ?? by);
    return writer === undefined ? [] : [{
      rule: FILE_TAKEN_RULE,
      property: by,
      message: `${JSON.stringify(path)} of "${host}" is already written by ${writer}`,
      fix: 'choose another path, or remove one of the two',
    }];
  });
}

function isFilePath(path: string): boolean {
  return /^(\/[-\w.]+)+$/.test(path) && posix.normalize(path) === path;
}
