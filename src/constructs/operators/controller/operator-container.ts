import type { k8s } from 'cdk8s-plus-28';
import { OperatorVolume } from './operator-volume';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { SecretVariable, secretVariables } from '../../addons/catalog/catalogue-addon';
import { CONTAINER_SECURITY } from '../../addons/controllers/controller-container';

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

/** What a container of an operator's pod runs, and what it gets. */
export interface OperatorContainerOptions {
  /** Image of the container, with a tag or a digest (`TC-CONTROLLER-IMAGE`, `TC-CONTROLLER-IMAGE-UNPINNED`). */
  readonly image: string;

  /**
   * The program, where the image does not start it by itself.
   *
   * @default - what the image starts
   */
  readonly command?: string[];

  /**
   * Arguments of the program. Those of the operator itself follow the arguments of leader election, health, metrics and webhooks.
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
   * Further directories of the container, whose root file system is read-only. Containers of one pod share a volume if they give it the
   * same name and options; each mounts it at a path of its own.
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

/**
 * A further container of an operator's pod.
 *
 * It runs as the operator's user with the same security context: no privileges, a read-only root file system. If the operator has
 * permissions, it gets the token of the same ServiceAccount.
 */
export interface OperatorContainer extends OperatorContainerOptions {
  /** Name of the container, a DNS label, unique in the pod; "manager" is the operator's own (`TC-ADMIT-KUBERNETES-CONTAINER-NAME`). */
  readonly name: string;
}

/** What the features of an operator add to its container. */
export interface FeatureParts {
  readonly args: readonly string[];
  readonly mounts: readonly k8s.VolumeMount[];
  readonly fields: object;
}

/** A container as the pod has it. */
export function containerSpec({ name, ...options }: OperatorContainer, features?: FeatureParts): object {
  const { image, command, resources = RESOURCES } = options;
  const args = [...features?.args ?? [], ...options.args ?? []];
  const env = variables(options);
  const mounts = [...features?.mounts ?? [], ...(options.volumes ?? []).map(({ _mount }) => _mount)];
  return {
    name,
    image,
    imagePullPolicy: 'IfNotPresent',
    ...(command?.length && { command }),
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env }),
    ...features?.fields,
    resources,
    securityContext: CONTAINER_SECURITY,
    ...(mounts.length > 0 && { volumeMounts: mounts }),
  };
}

/** Values can only refer to variables before them, so that those of the pod come first. */
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
 * The sources of the fields of a container.
 *
 * @param field the container, e.g. `spec.template.spec.containers[0]`
 * @param at the properties of the container, e.g. `sidecars[0].`; empty for the operator's own
 */
export function containerSources(field: string, at: string, options: OperatorContainerOptions): { [field: string]: string } {
  const { env = {}, fieldEnv = {}, secretEnv = [], configMapEnv = [] } = options;
  const keyed = Object.entries({ fieldEnv, env }).flatMap(([property, byName]) => Object.keys(byName).map((name) => ({ '': `${property}["${name}"]` })));
  const referring = [
    ...secretEnv.map((_, index) => referenceSources(`secretEnv[${index}]`, 'secret')),
    ...configMapEnv.map((_, index) => referenceSources(`configMapEnv[${index}]`, 'configMap')),
  ];
  const entries = [...keyed, ...referring].flatMap((sources, index) => (
    Object.entries(sources).map(([inside, property]) => [`${field}.env[${index}]${inside}`, at + property])));
  return Object.fromEntries(entries) as { [field: string]: string };
}

function referenceSources(property: string, kind: 'secret' | 'configMap'): { [field: string]: string } {
  const reference = `.valueFrom.${kind}KeyRef`;
  return { '': property, '.name': `${property}.name`, [`${reference}.name`]: `${property}.${kind}Name`, [`${reference}.key`]: `${property}.${kind}Key` };
}
