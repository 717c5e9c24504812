import { posix } from 'node:path';
import { KubeadmMount } from '../../../../manifests/systems/kubeadm/static-pod-mounts';
import { ComponentArgument, flagName } from '../../../../manifests/values/component-arguments';
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
  title: 'The audit log of the API server must be in a volume that it can write.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/volumes.go',
};

/** Checks that the audit log outlives its container. Files that components read are the matter of `TC-TRAP-KUBEADM-ARGUMENT-FILE`. */
export function checkAuditLogVolume(property: string, args: readonly ComponentArgument[], { ofKubeadm, extra }: ComponentMounts): Problem[] {
  const paths = [...ofKubeadm.map(({ path }) => path), ...extra.map(({ mountPath }) => mountPath)];
  const writable = extra.filter(({ readOnly }) => !readOnly).map(({ mountPath }) => mountPath);
  return args.flatMap((argument, index): Problem[] => {
    const path = argument.value;
    if (flagName(argument) !== AUDIT_LOG || ['', STANDARD_OUTPUT].includes(path) || holds(writable, path)) return [];
    return [{
      rule: MOUNTED_FILE_RULE,
      property: `${property}[${index}]`,
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
