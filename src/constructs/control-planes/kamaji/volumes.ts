import { Construct } from 'constructs';
import { KamajiControlPlaneSpecDeploymentExtraVolumes as VolumeSpec } from '../../../../imports/controlplane.cluster.x-k8s.io';
import { keepOnPrune, noSubstitution } from '../../../manifests/objects/prune-annotations';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { DATA_KEYS, isDataKey } from '../../../manifests/values/secret-ref';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/**
 * A volume of the control plane's pods.
 *
 * Only ConfigMaps and Secrets: any other kind would give the author of the program access to nodes or storage of the management cluster
 * (cozystack/cozystack commit 243ce6507).
 *
 * @example
 * new KamajiControlPlane({ deployment: { volumes: [KamajiVolume.secret('tokens', 'acme-tokens')] } });
 */
export class KamajiVolume {
  /**
   * The keys of a ConfigMap as files.
   *
   * @param name name of the volume, to which mounts refer
   * @param configMapName name of the ConfigMap in the tenant cluster's namespace
   */
  public static configMap(name: string, configMapName: string): KamajiVolume {
    return new KamajiVolume(name, configMapName, { name, configMap: { name: configMapName } });
  }

  /**
   * The keys of a Secret as files.
   *
   * @param name name of the volume, to which mounts refer
   * @param secretName name of the Secret in the tenant cluster's namespace
   */
  public static secret(name: string, secretName: string): KamajiVolume {
    return new KamajiVolume(name, secretName, { name, secret: { secretName } });
  }

  /** @internal */
  public readonly _name: string;

  /** @internal */
  public readonly _source: string;

  /** @internal */
  public readonly _spec: VolumeSpec;

  private constructor(name: string, source: string, spec: VolumeSpec) {
    this._name = name;
    this._source = source;
    this._spec = spec;
  }
}

/** A place where a volume appears in a component's files. */
export interface KamajiVolumeMount {
  /** Name of one of `deployment.volumes`. */
  readonly name: string;

  /** Absolute path of the directory (or of the file, with `subPath`). */
  readonly mountPath: string;

  /**
   * Path inside the volume to mount alone. Such a mount does not follow changes of the ConfigMap or Secret.
   *
   * @default - the whole volume
   */
  readonly subPath?: string;
}

/** A file that another property puts beside the API server: volume, place, and the flags that make use of it. */
export interface ApiServerFile {
  /** The volume. */
  readonly volume: VolumeSpec;

  /** Path of its mount. */
  readonly mountPath: string;

  /** The flags. */
  readonly args: ComponentArgument[];
}

/** Paths of volumes that Kamaji mounts into the pods of a control plane (clastix/kamaji internal/builders/controlplane/deployment.go). */
const KAMAJI_PATHS: readonly string[] = [
  '/etc/ca-certificates', '/etc/kubernetes', '/etc/kubernetes/konnectivity/configurations', '/etc/kubernetes/pki', '/run/konnectivity', '/uds',
  '/usr/local/share/ca-certificates', '/usr/share/ca-certificates',
];
const OWN_VOLUMES: readonly string[] = ['audit-policy', 'audit-webhook', 'authentication-config', 'encryption-config'];

/** One key of a ConfigMap as the only file of a volume; the file has the key's name. */
export function configMapFile(volume: string, configMapName: string, key: string): VolumeSpec {
  return { name: volume, configMap: { name: configMapName, items: [{ key, path: key }] } };
}

/** One key of a Secret as the only file of a volume; the file has the key's name. */
export function secretFile(volume: string, secretName: string, key: string): VolumeSpec {
  return { name: volume, secret: { secretName, items: [{ key, path: key }] } };
}

/** Directory in which the API server finds the file of one of the library's own volumes. */
export function fileDirectory(volume: string): string {
  return `/etc/kubernetes/${volume}`;
}

const FILE_SOURCE_RULE: Rule = {
  id: 'TC-KAMAJI-FILE-SOURCE',
  title: 'Files of the API server must come from a key of a ConfigMap or Secret.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

/**
 * Checks the reference to one key of a ConfigMap or Secret.
 *
 * @param property where it is
 * @param name name of the object
 * @param key the key
 * @param nameProperty what the name is called there
 */
export function checkFileSource(property: string, name: string, key: string, nameProperty: 'name' | 'secretName'): Problem[] {
  return [
    ...problemIf(FILE_SOURCE_RULE, `${property}.${nameProperty}`, checkDnsSubdomain(name), 'give the name of an object in the tenant cluster\'s namespace'),
    ...(isDataKey(key) ? [] : [{
      rule: FILE_SOURCE_RULE,
      property: `${property}.key`,
      message: `"${key}" is not a key of a ConfigMap or Secret`,
      accepted: DATA_KEYS,
      fix: 'write the key as the object has it',
    }]),
  ];
}

/** Checks the user's volumes. */
export function checkVolumes(volumes: readonly KamajiVolume[]): Problem[] {
  return volumes.flatMap(({ _source }, index) => problemIf(
    FILE_SOURCE_RULE, `controlPlane.deployment.volumes[${index}]`, checkDnsSubdomain(_source), 'give the name of an object in the tenant cluster\'s namespace',
  ));
}

const VOLUME_MOUNT_RULE: Rule = {
  id: 'TC-KAMAJI-VOLUME-MOUNT',
  title: 'The path of an extra mount must be absolute and unique.',
  source: 'clastix/kamaji internal/webhook/handlers/tcp_deployment.go',
};

/** Checks the mounts of the user's volumes in one component. */
export function checkMounts(component: string, mounts: readonly KamajiVolumeMount[]): Problem[] {
  const ownPaths = OWN_VOLUMES.map(fileDirectory);
  return mounts.flatMap((mount, index): Problem[] => {
    const property = `controlPlane.${component}.extraVolumeMounts[${index}]`;
    const before = mounts.slice(0, index).map((other) => directory(other.mountPath));
    const isTaken = [...KAMAJI_PATHS, ...ownPaths, ...before].includes(directory(mount.mountPath));
    return [
      ...(/^\/[^:\p{Cc}]+$/u.test(mount.mountPath) ? [] : [{
        rule: VOLUME_MOUNT_RULE,
        property: `${property}.mountPath`,
        message: `"${mount.mountPath}" is not a place to mount a volume at`,
        accepted: 'absolute paths without ":" and control characters, such as "/etc/kubernetes/webhooks"',
        fix: 'write the full path of a directory',
      }]),
      ...problemIf(VOLUME_MOUNT_RULE, `${property}.mountPath`, isTaken ? `something is mounted at "${mount.mountPath}" already` : undefined, 'choose another directory'),
      ...problemIf(
        VOLUME_MOUNT_RULE, `${property}.subPath`,
        mount.subPath !== undefined && /^\/|(^|\/)\.\.(\/|$)|^$/.test(mount.subPath) ? `"${mount.subPath}" is not a path inside a volume` : undefined,
        'write the path relative to the volume, without ".."',
      ),
    ];
  });
}

function directory(path: string): string {
  return path.replace(/(?<=.)\/+$/, '');
}

/** Content of a ConfigMap for the API server. */
interface ConfigMapProps {
  readonly name: string;
  readonly data: { [key: string]: string };
  readonly immutable?: boolean;
}

/**
 * Adds a ConfigMap from which the API server reads a file. A control plane that is still there cannot start a pod without it, so it
 * carries the marks against pruning that the control plane has too.
 *
 * @returns the name of the ConfigMap
 */
export function addConfigMap(scope: Construct, id: string, props: ConfigMapProps): string {
  new TypedApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap' }, {
    metadata: { name: props.name, annotations: { ...keepOnPrune(), ...noSubstitution() } },
    data: props.data,
    immutable: props.immutable,
  });
  return props.name;
}
