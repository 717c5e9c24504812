import { posix } from 'node:path';
import { ComponentArgument, flagName } from '../../../../manifests/values/component-arguments';
import type { Component } from '../../../../manifests/values/component-facts';
import { checkDnsLabel } from '../../../../manifests/values/dns';
import { KubernetesVersion } from '../../../../manifests/values/kubernetes-version';
import { Problem, Rule } from '../../../../manifests/values/problem';

/** The required type of a path on the machine before a component starts. */
export enum KubeadmHostPathType {
  /** A folder; it is made if it is not there. */
  DIRECTORY_OR_CREATE = 'DirectoryOrCreate',

  /** A folder. */
  DIRECTORY = 'Directory',

  /** A file; it is made, empty, if it is not there. */
  FILE_OR_CREATE = 'FileOrCreate',

  /** A file. */
  FILE = 'File',

  /** A unix socket. */
  SOCKET = 'Socket',

  /** A character device. */
  CHAR_DEVICE = 'CharDevice',

  /** A block device. */
  BLOCK_DEVICE = 'BlockDevice',
}

/** A file or folder of a control plane machine that a component sees. */
export interface KubeadmHostPathVolume {
  /** Name of the volume, a DNS label, each once in a component and none of kubeadm's (`TC-KUBEADM-CP-VOLUME`). */
  readonly name: string;

  /** Path on the machine (`TC-KUBEADM-CP-PATH`). */
  readonly hostPath: string;

  /**
   * Path at which the component sees it, each once in a component and none that kubeadm mounts something at by itself, such as
   * `/etc/kubernetes/pki`.
   *
   * Rules: `TC-KUBEADM-CP-PATH`, `TC-KUBEADM-CP-VOLUME`.
   */
  readonly mountPath: string;

  /**
   * True if the component can only read it.
   *
   * @default false
   */
  readonly readOnly?: boolean;

  /**
   * The required type of the path on the machine.
   *
   * @default - it is not looked at
   */
  readonly pathType?: KubeadmHostPathType;
}

/** The volume as kubeadm has it. */
export function volumeFields({ name, hostPath, mountPath, readOnly, pathType }: KubeadmHostPathVolume) {
  return { name, hostPath, mountPath, ...(readOnly !== undefined && { readOnly }), ...(pathType !== undefined && { pathType }) };
}

const VOLUME_RULE: Rule = {
  id: 'TC-KUBEADM-CP-VOLUME',
  title: 'The names and mount paths of extra volumes must be unique and not used by kubeadm.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go',
};

/**
 * Checks the volumes of a component.
 *
 * @param property the property that holds them
 * @param volumes the volumes
 * @param ofKubeadm what kubeadm mounts by itself
 */
export function checkVolumes(property: string, volumes: readonly KubeadmHostPathVolume[], ofKubeadm: readonly KubeadmMount[]): Problem[] {
  const rule = VOLUME_RULE;
  return volumes.flatMap(({ name, hostPath, mountPath }, index): Problem[] => {
    const before = volumes.slice(0, index);
    const taken = ofKubeadm.some((mount) => mount.name === name) ? `"${name}" is a volume of kubeadm`
      : (before.some((other) => other.name === name) ? `"${name}" is there twice` : undefined);
    const message = checkDnsLabel(name) ?? taken;
    return [
      ...(message === undefined ? [] : [{ rule, property: `${property}[${index}].name`, message, fix: 'choose another name, such as "audit-policy"' }]),
      ...checkPath(`${property}[${index}].hostPath`, hostPath),
      ...checkPath(`${property}[${index}].mountPath`, mountPath),
      ...checkMountPath(`${property}[${index}].mountPath`, mountPath, before, ofKubeadm),
    ];
  });
}

/** Kubernetes refuses a pod with two mounts at one path, so that the component would not start. */
function checkMountPath(property: string, path: string, before: readonly KubeadmHostPathVolume[], ofKubeadm: readonly KubeadmMount[]): Problem[] {
  const rule = VOLUME_RULE;
  if (ofKubeadm.some((mount) => mount.path === path)) {
    return [{ rule, property, message: `kubeadm mounts something at "${path}" itself`, fix: 'leave the volume out, or mount it elsewhere' }];
  }
  const twice = before.find((other) => other.mountPath === path);
  return twice === undefined ? [] : [{ rule, property, message: `"${path}" is where the volume "${twice.name}" is mounted already`, fix: 'mount it elsewhere, or leave one of the two out' }];
}

// Source of everything here: kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go.

/** A file or folder of the machine that kubeadm has a component see, at the same path. */
export interface KubeadmMount {
  /** Name of the volume. */
  readonly name: string;

  /** The path. */
  readonly path: string;
}

// Links of /etc/ssl/certs may lead to these; they are mounted where the machine has them.
const MORE_CERTIFICATES = ['/etc/ca-certificates', '/etc/pki/ca-trust', '/etc/pki/tls/certs', '/usr/local/share/ca-certificates', '/usr/share/ca-certificates'];

const CERTIFICATE_MOUNTS: readonly KubeadmMount[] = [
  { name: 'k8s-certs', path: '/etc/kubernetes/pki' },
  { name: 'ca-certs', path: '/etc/ssl/certs' },
  ...MORE_CERTIFICATES.map((path) => ({ name: path.slice(1).replaceAll('/', '-'), path })),
];

const FLEX_VOLUMES = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';

/**
 * Files and folders that kubeadm mounts into a component by itself.
 *
 * @param component the component
 * @param flexVolumes where the controller manager is told to look for FlexVolume plug-ins
 * @param etcdFiles files of an external etcd's certificates
 */
export function kubeadmMounts(component: Component, flexVolumes: string | undefined, etcdFiles: readonly string[]): KubeadmMount[] {
  switch (component) {
    case 'kube-apiserver':
      return [...CERTIFICATE_MOUNTS, ...foldersOf(etcdFiles).map((path, index) => ({ name: `etcd-certs-${index}`, path }))];
    case 'kube-controller-manager':
      return [
        ...CERTIFICATE_MOUNTS, { name: 'kubeconfig', path: '/etc/kubernetes/controller-manager.conf' }, { name: 'flexvolume-dir', path: flexVolumes ?? FLEX_VOLUMES },
      ];
    default:
      return [{ name: 'kubeconfig', path: '/etc/kubernetes/scheduler.conf' }];
  }
}

/** The folders of files that are not in a mounted one, without those in another of them. */
function foldersOf(files: readonly string[]): string[] {
  const folders = [...new Set(files.map((file) => posix.dirname(file)))];
  const needed = folders.filter((folder) => !CERTIFICATE_MOUNTS.some(({ path }) => folder.startsWith(path)));
  return needed.filter((folder) => !needed.some((other) => other !== folder && folder.startsWith(other))).sort();
}

/** Flags with the path of a file that the user puts on the machine. */
const READ_FILES: Readonly<Partial<Record<Component, readonly string[]>>> = {
  'kube-apiserver': [
    'admission-control-config-file', 'audit-policy-file', 'audit-webhook-config-file', 'authentication-config', 'authentication-token-webhook-config-file',
    'authorization-config', 'authorization-policy-file', 'authorization-webhook-config-file', 'egress-selector-config-file', 'encryption-provider-config',
    'oidc-ca-file', 'peer-ca-file', 'token-auth-file', 'tracing-config-file',
  ],
  'kube-scheduler': ['config'],
};

const AUDIT_LOG = 'audit-log-path';
const STANDARD_OUTPUT = '-';

/** The first minor that deletes old audit logs by default. */
const LIMITED_SINCE = 36;

/** The files of its machine that a component can read. */
export interface ComponentMounts {
  readonly ofKubeadm: readonly KubeadmMount[];
  readonly extra: readonly KubeadmHostPathVolume[];
}

const MOUNTED_FILE_RULE: Rule = {
  id: 'TC-KUBEADM-CP-MOUNTED-FILE',
  title: 'A file in an argument of a component must be in one of its volumes.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go',
};

/** Checks that a component sees the files that its arguments name. */
export function checkMountedFiles(component: Component, property: string, args: readonly ComponentArgument[], mounts: ComponentMounts): Problem[] {
  const { ofKubeadm, extra } = mounts;
  const paths = [...ofKubeadm.map(({ path }) => path), ...extra.map(({ mountPath }) => mountPath)];
  const writable = extra.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath);
  return args.flatMap((argument, index): Problem[] => {
    const name = flagName(argument);
    const path = argument.value;
    const at = { rule: MOUNTED_FILE_RULE, property: `${property}[${index}]` };
    if (READ_FILES[component]?.includes(name) && path !== '' && !holds(paths, path)) {
      return [{ ...at, message: `--${name} leads to "${path}", which is in no volume that the ${component} sees`, fix: 'mount the file, or its folder, with extraVolumes' }];
    }
    if (component !== 'kube-apiserver' || name !== AUDIT_LOG || ['', STANDARD_OUTPUT].includes(path) || holds(writable, path)) return [];
    return [{
      ...at,
      message: holds(paths, path) ? `"${path}" is in a volume that the API server can only read` : `"${path}" is in no volume, so that the audit log is lost when the API server starts anew`,
      fix: `mount its folder with extraVolumes, without readOnly, or write "${STANDARD_OUTPUT}" for the standard output`,
    }];
  });
}

const AUDIT_LOG_RULE: Rule = {
  id: 'TC-KUBEADM-CP-AUDIT-LOG',
  title: 'Old audit logs are deleted at some age or number: before Kubernetes 1.36 the API server keeps them all.',
  source: 'kubernetes/apiserver pkg/server/options/audit.go',
};

/** Checks that audit logs do not fill the disk. */
export function checkAuditLog(property: string, args: readonly ComponentArgument[], version: KubernetesVersion): Problem[] {
  const value = (name: string) => args.find((argument) => flagName(argument) === name)?.value;
  const path = value(AUDIT_LOG) ?? '';
  if (['', STANDARD_OUTPUT].includes(path)) return [];
  const limits = ['audit-log-maxage', 'audit-log-maxbackup'].map((name) => value(name) ?? (version.minor >= LIMITED_SINCE ? undefined : '0'));
  return limits.some((limit) => limit === undefined || Number(limit) !== 0) ? [] : [{
    rule: AUDIT_LOG_RULE,
    property,
    message: `the audit log in "${path}" is kept for ever, until it fills the disk`,
    fix: 'add audit-log-maxage, the days that old logs are kept, or audit-log-maxbackup, their number; audit-log-maxsize is the size of each in megabytes',
  }];
}

function holds(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

const MAX_LENGTH = 512;

const PATH_RULE: Rule = {
  id: 'TC-KUBEADM-CP-PATH',
  title: 'Paths on control plane machines are absolute, in their shortest form and at most 512 characters long.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/config/crd/bases/controlplane.cluster.x-k8s.io_kubeadmcontrolplanes.yaml',
};

/** Checks a path on control plane machines. */
export function checkPath(property: string, path: string | undefined): Problem[] {
  if (path === undefined || (/^\/[^\s:]*[^\s:/]$/.test(path) && path.length <= MAX_LENGTH && posix.normalize(path) === path)) return [];
  return [{
    rule: PATH_RULE,
    property,
    message: `${JSON.stringify(path)} is not a path in its shortest form`,
    accepted: `absolute paths of at most ${MAX_LENGTH} characters without white space, ":", "//", "." and "..", and without "/" at the end`,
    fix: 'write a path such as "/etc/kubernetes/audit/policy.yaml"',
  }];
}
