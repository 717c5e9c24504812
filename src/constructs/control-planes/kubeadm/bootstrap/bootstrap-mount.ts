import { posix } from 'node:path';
import { checkPlainText } from './cloud-config-text';
import { KUBEADM_RULES } from './rules';
import { Problem } from '../../../../manifests/values/problem';

/** A file system that the machine mounts at every start: one line of its fstab. Its texts read as text in YAML (`TC-KUBEADM-PLAIN-TEXT`). */
export interface BootstrapMount {
  /** Source of the mount: a device such as `/dev/vdb1`, `LABEL=data`, `UUID=…`, or a directory for a bind mount. */
  readonly device: string;

  /** Where it is mounted: an absolute path, each once, or `none` for swap space (`TC-KUBEADM-MOUNT-PATH`). */
  readonly path: string;

  /**
   * Type of the file system, e.g. `xfs`; `none` for a bind mount.
   *
   * @default auto
   */
  readonly filesystem?: string;

  /**
   * Mount options, e.g. `['defaults', 'nofail']`.
   *
   * @default - cloud-init's: defaults, nofail, after cloud-init (canonical/cloud-init, module mounts)
   */
  readonly options?: string[];
}

/** The mount as `KubeadmConfigTemplate` has it; trailing fields that cloud-init fills are left out. */
export function templateMount(mount: BootstrapMount): string[] {
  const options = mount.options?.length ? [mount.options.join(',')] : [];
  const filesystem = mount.filesystem ?? (options.length > 0 ? 'auto' : undefined);
  return [mount.device, mount.path, ...(filesystem === undefined ? [] : [filesystem]), ...options];
}

/** Checks the mounts of a machine. */
export function checkMounts(mounts: readonly BootstrapMount[], property: string): Problem[] {
  return mounts.flatMap((mount, index) => checkMount(mount, mounts.slice(0, index), `${property}[${index}]`));
}

function checkMount(mount: BootstrapMount, before: readonly BootstrapMount[], property: string): Problem[] {
  const texts: [string, string | undefined][] = [
    ['device', mount.device], ['path', mount.path], ['filesystem', mount.filesystem],
    ['options', mount.options?.length ? mount.options.join(',') : undefined],
  ];
  return [
    ...texts.flatMap(([field, text]) => {
      const message = text === undefined ? undefined : checkPlainText(text);
      return message === undefined ? [] : [{ rule: KUBEADM_RULES.plainText, property: `${property}.${field}`, message, fix: 'write it as in fstab' }];
    }),
    ...checkMountPath(mount.path, before, `${property}.path`),
  ];
}

function checkMountPath(path: string, before: readonly BootstrapMount[], property: string): Problem[] {
  if (path === 'none') return [];
  const usable = path.startsWith('/') && path !== '/' && posix.normalize(path).replace(/(.)\/$/, '$1') === path;
  const message = usable ? (before.some((other) => other.path === path) ? `${JSON.stringify(path)} is mounted over by a second entry` : undefined)
    : `${JSON.stringify(path)} is not a mount point in its shortest form`;
  if (message === undefined) return [];
  return [{
    rule: KUBEADM_RULES.mountPath,
    property,
    message,
    accepted: 'absolute paths, each once, or "none" for swap space',
    fix: 'write a path such as "/var/lib/containerd"',
  }];
}
