import type { k8s } from 'cdk8s-plus-28';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { checkQuantity } from '../../../manifests/values/quantity';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { SecretVariable, secretVariables } from '../../addons/catalog/catalogue-addon';
import { CONTAINER_SECURITY } from '../../addons/controllers/controller-container';

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

export const VOLUME_RULE: Rule = {
  id: 'TC-OPERATOR-VOLUME',
  title: 'Volumes of one name must have the same source, their objects must have DNS names, and they must be mounted at different absolute paths.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
};

/**
 * A directory that an operator's container gets (`TC-OPERATOR-VOLUME`, `TC-ADMIT-KUBERNETES-VOLUME`).
 *
 * @example
 * const cache = operators.OperatorVolume.emptyDir('cache', '/var/cache', { sizeLimit: '1Gi' });
 */
export class OperatorVolume {
  /**
   * A writable directory, since the root file system is read-only.
   *
   * @param name name of the volume, a DNS label
   * @param mountPath path of the directory in the container
   * @param options capacity and medium
   */
  public static emptyDir(name: string, mountPath: string, options: EmptyDirOptions = {}): OperatorVolume {
    const { sizeLimit, inMemory } = options;
    // The API server accepts thousandths of a byte, and 0; a rule over manifests reports what it refuses.
    const accepted = sizeLimit !== undefined && !sizeLimit.startsWith('-') && checkQuantity(sizeLimit) === undefined;
    const fault = accepted ? checkQuantity(sizeLimit, { positive: true, whole: true }) : undefined;
    const emptyDir = { ...(inMemory && { medium: 'Memory' }), ...(sizeLimit !== undefined && { sizeLimit }) };
    return new OperatorVolume({ name, emptyDir } as k8s.Volume, { name, mountPath }, (property) => (
      problemIf(VOLUME_RULE, `${property}.sizeLimit`, fault, 'give a quantity such as "64Mi"')));
  }

  /**
   * The files of a ConfigMap in the operator's namespace, read-only.
   *
   * @param configMapName name of the ConfigMap
   * @param mountPath path of the directory in the container
   */
  public static configMap(configMapName: string, mountPath: string): OperatorVolume {
    const name = volumeName(configMapName);
    const volume = { name, configMap: { name: configMapName, defaultMode: GROUP_READABLE } };
    return new OperatorVolume(volume, { name, mountPath, readOnly: true }, (property) => problemIf(
      VOLUME_RULE, property, checkDnsSubdomain(configMapName), 'give the name of the ConfigMap',
    ));
  }

  /**
   * The files of a Secret in the operator's namespace, read-only.
   *
   * @param secretName name of the Secret
   * @param mountPath path of the directory in the container
   */
  public static secret(secretName: string, mountPath: string): OperatorVolume {
    const name = volumeName(secretName);
    const volume = { name, secret: { secretName, defaultMode: GROUP_READABLE } };
    return new OperatorVolume(volume, { name, mountPath, readOnly: true }, (property) => problemIf(
      VOLUME_RULE, property, checkDnsSubdomain(secretName), 'give the name of the Secret',
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

/** Checks a mount path of a container. */
export function checkMountPath(path: string, property: string): Problem[] {
  return problemIf(VOLUME_RULE, property, path.startsWith('/') && !path.includes(':') ? undefined
    : `"${path}" is no absolute path without ":"`, 'give a path such as "/etc/config"');
}

/** The volume of an object, whose name can have dots. */
function volumeName(objectName: string): string {
  return objectName.replaceAll('.', '-');
}

const RESOURCES: ResourceRequirements = { requests: { cpu: '10m', memory: '64Mi' }, limits: { cpu: '500m', memory: '128Mi' } };

/** An environment variable whose value is from a ConfigMap in the operator's namespace. */
export interface ConfigMapVariable {
  /** Name of the variable (`TC-ADMIT-KUBERNETES-ENV`). */
  readonly name: string;

  /** Name of the ConfigMap (`TC-ADMIT-KUBERNETES-ENV`). */
  readonly configMapName: string;

  /** Key of the ConfigMap that holds the value (`TC-ADMIT-KUBERNETES-ENV`). */
  readonly configMapKey: string;
}

/** Options of the container of an operator's pod. */
export interface OperatorContainerOptions {
  /** Image of the container, with a tag or a digest (`TC-CONTROLLER-IMAGE`, `TC-CONTROLLER-IMAGE-UNPINNED`). */
  readonly image: string;

  /**
   * The program, if it is not the entry point of the image.
   *
   * @default - the entry point of the image
   */
  readonly command?: string[];

  /**
   * Arguments of the program, after those of leader election, health, metrics and webhooks.
   *
   * Rule: `TC-OPERATOR-ARGUMENT`.
   *
   * @default - none
   */
  readonly args?: string[];

  /**
   * Environment variables: name to value. They are part of the output: take credentials from Secrets. A value can refer to a variable
   * of `fieldEnv`, e.g. `http://$(POD_IP):8080` (`TC-ADMIT-KUBERNETES-ENV`).
   *
   * @default - none
   */
  readonly env?: { [name: string]: string };

  /**
   * Environment variables with fields of the pod: name to field, e.g. `{ POD_NAMESPACE: 'metadata.namespace' }` (`TC-ADMIT-KUBERNETES-ENV`).
   *
   * @default - none
   */
  readonly fieldEnv?: { [name: string]: string };

  /**
   * Environment variables from Secrets in the operator's namespace (`TC-ADMIT-KUBERNETES-ENV`).
   *
   * @default - none
   */
  readonly secretEnv?: SecretVariable[];

  /**
   * Environment variables from ConfigMaps in the operator's namespace (`TC-ADMIT-KUBERNETES-ENV`).
   *
   * @default - none
   */
  readonly configMapEnv?: ConfigMapVariable[];

  /**
   * Further directories of the container, whose root file system is read-only.
   *
   * Rule: `TC-OPERATOR-VOLUME`.
   *
   * @default - none
   */
  readonly volumes?: OperatorVolume[];

  /**
   * CPU and memory of the container. What is given replaces the default as a whole.
   *
   * Rule: `TC-CONTROLLER-RESOURCES`.
   *
   * @default - requests of 10m CPU and 64Mi memory, limits of 500m and 128Mi (kubernetes-sigs/kubebuilder testdata/project-v4)
   */
  readonly resources?: ResourceRequirements;
}

/** Arguments, mounts and other fields that the features of an operator add to its container. */
interface FeatureParts {
  readonly args: readonly string[];
  readonly mounts: readonly k8s.VolumeMount[];
  readonly fields: object;
}

/** The container of the pod. */
export function containerSpec(name: string, options: OperatorContainerOptions, features: FeatureParts): object {
  const { image, command, resources = RESOURCES } = options;
  const args = [...features.args, ...options.args ?? []];
  const env = variables(options);
  const mounts = [...features.mounts, ...(options.volumes ?? []).map(({ _mount }) => _mount)];
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    ...(command?.length && { command }),
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env }),
    ...features.fields,
    resources,
    securityContext: CONTAINER_SECURITY,
    ...(mounts.length > 0 && { volumeMounts: mounts }),
  };
}

/** The variables; those of the pod come first, since a value can only refer to variables before it. */
function variables({ env = {}, fieldEnv = {}, secretEnv, configMapEnv = [] }: OperatorContainerOptions): object[] {
  return [
    ...Object.entries(fieldEnv).map(([name, fieldPath]) => ({ name, valueFrom: { fieldRef: { fieldPath } } })),
    ...Object.entries(env).map(([name, value]) => ({ name, value })),
    ...secretVariables(secretEnv) ?? [],
    ...configMapEnv.map(({ name, configMapName, configMapKey }) => ({
      name, valueFrom: { configMapKeyRef: { name: configMapName, key: configMapKey } },
    })),
  ];
}

/**
 * The sources of the fields of the container.
 *
 * @param field the container, e.g. `spec.template.spec.containers[0]`
 */
export function containerSources(field: string, options: OperatorContainerOptions): { [field: string]: string } {
  const { env = {}, fieldEnv = {}, secretEnv = [], configMapEnv = [] } = options;
  const keyed = Object.entries({ fieldEnv, env }).flatMap(([property, byName]) => Object.keys(byName).map((name) => ({ '': `${property}["${name}"]` })));
  const referring = [
    ...secretEnv.map((_, index) => referenceSources(`secretEnv[${index}]`, 'secret')),
    ...configMapEnv.map((_, index) => referenceSources(`configMapEnv[${index}]`, 'configMap')),
  ];
  const entries = [...keyed, ...referring].flatMap((sources, index) => (
    Object.entries(sources).map(([inside, property]) => [`${field}.env[${index}]${inside}`, property])));
  return Object.fromEntries(entries) as { [field: string]: string };
}

function referenceSources(property: string, kind: 'secret' | 'configMap'): { [field: string]: string } {
  const reference = `.valueFrom.${kind}KeyRef`;
  return { '': property, '.name': `${property}.name`, [`${reference}.name`]: `${property}.${kind}Name`, [`${reference}.key`]: `${property}.${kind}Key` };
}
