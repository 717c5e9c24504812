import type { k8s } from 'cdk8s-plus-28';
import { OPERATOR_RULES } from './operator-rules';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { checkQuantity } from '../../../manifests/values/quantity';

/** Readable by owner and group only. */
export const GROUP_READABLE = 0o440;

/** An empty directory that lives as long as the pod. */
export interface EmptyDirOptions {
  /**
   * Capacity, as a quantity (`TC-OPERATOR-VOLUME`).
   *
   * @default - no limit of its own
   */
  readonly sizeLimit?: string;

  /**
   * True if it is kept in memory, which counts as the container's.
   *
   * @default false
   */
  readonly inMemory?: boolean;
}

/**
 * A directory that an operator's container gets (`TC-OPERATOR-VOLUME`, `TC-ADMIT-KUBERNETES-VOLUME`).
 *
 * @example
 * const cache = operators.OperatorVolume.emptyDir('cache', '/var/cache', { sizeLimit: '1Gi' });
 */
export class OperatorVolume {
  /**
   * A directory to write to, which the read-only root file system leaves no other place for.
   *
   * @param name name of the volume, a DNS label
   * @param mountPath where the container finds it
   * @param options how large it may get
   */
  public static emptyDir(name: string, mountPath: string, options: EmptyDirOptions = {}): OperatorVolume {
    const { sizeLimit, inMemory } = options;
    // The API server accepts thousandths of a byte, and 0; a rule over manifests reports what it refuses.
    const accepted = sizeLimit !== undefined && !sizeLimit.startsWith('-') && checkQuantity(sizeLimit) === undefined;
    const fault = accepted ? checkQuantity(sizeLimit, { positive: true, whole: true }) : undefined;
    const emptyDir = { ...(inMemory && { medium: 'Memory' }), ...(sizeLimit !== undefined && { sizeLimit }) };
    return new OperatorVolume({ name, emptyDir } as k8s.Volume, { name, mountPath }, (property) => (
      problemIf(OPERATOR_RULES.volume, `${property}.sizeLimit`, fault, 'give a quantity such as "64Mi"')));
  }

  /**
   * The files of a ConfigMap in the operator's namespace, read-only.
   *
   * @param configMapName name of the ConfigMap
   * @param mountPath where the container finds them
   */
  public static configMap(configMapName: string, mountPath: string): OperatorVolume {
    const name = volumeName(configMapName);
    const volume = { name, configMap: { name: configMapName, defaultMode: GROUP_READABLE } };
    return new OperatorVolume(volume, { name, mountPath, readOnly: true }, (property) => problemIf(
      OPERATOR_RULES.volume, property, checkDnsSubdomain(configMapName), 'give the name of the ConfigMap',
    ));
  }

  /**
   * The files of a Secret in the operator's namespace, read-only.
   *
   * @param secretName name of the Secret
   * @param mountPath where the container finds them
   */
  public static secret(secretName: string, mountPath: string): OperatorVolume {
    const name = volumeName(secretName);
    const volume = { name, secret: { secretName, defaultMode: GROUP_READABLE } };
    return new OperatorVolume(volume, { name, mountPath, readOnly: true }, (property) => problemIf(
      OPERATOR_RULES.volume, property, checkDnsSubdomain(secretName), 'give the name of the Secret',
    ));
  }

  private constructor(
    /** @internal */ public readonly _volume: k8s.Volume,
    /** @internal */ public readonly _mount: k8s.VolumeMount,
    private readonly check: (property: string) => Problem[],
  ) {}

  /** @internal */
  public _check(property: string): Problem[] {
    return [...this.check(property), ...checkMountPath(this._mount.mountPath, `${property}.mountPath`)];
  }
}

/** Checks where a container finds a volume. */
export function checkMountPath(path: string, property: string): Problem[] {
  return problemIf(OPERATOR_RULES.volume, property, path.startsWith('/') && !path.includes(':') ? undefined
    : `"${path}" is no absolute path without ":"`, 'give a path such as "/etc/config"');
}

/** Objects have DNS names with dots, volumes have none. */
function volumeName(objectName: string): string {
  return objectName.replaceAll('.', '-');
}
