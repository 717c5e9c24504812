import { KubeadmMount } from './kubeadm-mounts';
import { checkPath } from './paths';
import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { checkDnsLabel } from '../../../../manifests/values/dns';
import { Problem } from '../../../../manifests/values/problem';

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

  /** Where it is on the machine (`TC-KUBEADM-CP-PATH`). */
  readonly hostPath: string;

  /**
   * Where the component sees it, each path once in a component and none that kubeadm mounts something at by itself, such as
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

/**
 * Checks the volumes of a component.
 *
 * @param property the property that holds them
 * @param volumes the volumes
 * @param ofKubeadm what kubeadm mounts by itself
 */
export function checkVolumes(property: string, volumes: readonly KubeadmHostPathVolume[], ofKubeadm: readonly KubeadmMount[]): Problem[] {
  const rule = KUBEADM_CONTROL_PLANE_RULES.volume;
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
  const rule = KUBEADM_CONTROL_PLANE_RULES.volume;
  if (ofKubeadm.some((mount) => mount.path === path)) {
    return [{ rule, property, message: `kubeadm mounts something at "${path}" itself`, fix: 'leave the volume out, or mount it elsewhere' }];
  }
  const twice = before.find((other) => other.mountPath === path);
  return twice === undefined ? [] : [{ rule, property, message: `"${path}" is where the volume "${twice.name}" is mounted already`, fix: 'mount it elsewhere, or leave one of the two out' }];
}
