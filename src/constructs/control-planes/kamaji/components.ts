import { checkImageName } from './images';
import { checkResources } from './resources';
import { KAMAJI_RULES } from './rules';
import { KamajiVolumeMount } from './volumes';
import { ComponentArgument, formatArgument } from '../../../manifests/values/component-arguments';
import type { Component } from '../../../manifests/values/component-facts';
import { formatFeatureGates } from '../../../manifests/values/feature-gates';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { checkComponentValue, flagName } from '../../contracts/component-values';

/** Options of one component of the control plane: API server, controller manager or scheduler. */
export interface KamajiComponent {
  /**
   * Further flags. They are checked against the component's flags in the cluster's Kubernetes minor and against those that Kamaji or
   * another property sets. Refused is what breaks or opens the cluster.
   *
   * Rules: `TC-TRAP-KAMAJI-ARGUMENT`, `TC-TRAP-KAMAJI-MANAGED-FLAG`, `TC-TRAP-KAMAJI-OIDC`, `TC-KAMAJI-ARGUMENT`,
   * `TC-KAMAJI-ANONYMOUS-ACCESS`, `TC-KAMAJI-AUTHORIZATION-MODE`, `TC-KAMAJI-CONTROLLERS`.
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];

  /**
   * Feature gates to switch on or off, written as one `--feature-gates` flag (`TC-TRAP-KAMAJI-ARGUMENT`).
   *
   * @default - Kubernetes' defaults
   */
  readonly featureGates?: { [name: string]: boolean };

  /**
   * CPU and memory. What is given replaces the default as a whole.
   *
   * Rule: `TC-KAMAJI-RESOURCES`.
   *
   * @default - API server: requests of 200m CPU and 2Gi memory, limit of 2Gi memory; the others: requests of 50m CPU and 256Mi memory,
   * limit of 256Mi memory (cozystack/cozystack packages/apps/kubernetes/values.yaml, packages/library/cozy-lib)
   */
  readonly resources?: ResourceRequirements;

  /**
   * Where `deployment.volumes` are mounted (`TC-KAMAJI-VOLUME-MOUNT`).
   *
   * @default - nowhere
   */
  readonly extraVolumeMounts?: KamajiVolumeMount[];

  /**
   * Name of the image behind the registry, without a tag (`TC-KAMAJI-IMAGE`).
   *
   * @default - the component's own name
   */
  readonly image?: string;
}

const RESOURCES: Readonly<Record<string, ResourceRequirements>> = {
  'kube-apiserver': { requests: { cpu: '200m', memory: '2Gi' }, limits: { memory: '2Gi' } },
  'kube-controller-manager': { requests: { cpu: '50m', memory: '256Mi' }, limits: { memory: '256Mi' } },
  'kube-scheduler': { requests: { cpu: '50m', memory: '256Mi' }, limits: { memory: '256Mi' } },
};

/** One component with everything that its check needs. */
export interface ComponentUse {
  /** Whose flags they are. */
  readonly component: Component;

  /** Name of the property below `controlPlane`. */
  readonly property: string;

  /** What the user says. */
  readonly props: KamajiComponent;

  /** Flags that other properties set, with the reason. */
  readonly managed: Readonly<Record<string, string>>;
}

/** Resources of a component. */
export function componentResources(use: ComponentUse): ResourceRequirements {
  return use.props.resources ?? RESOURCES[use.component];
}

/** Flags of a component as Kamaji wants them: what other properties add, the feature gates, the user's own in their order. */
export function componentArguments(use: ComponentUse, added: readonly ComponentArgument[] = []): string[] {
  const gates = formatFeatureGates(use.props.featureGates ?? {});
  return [
    ...added,
    ...(gates === '' ? [] : [{ name: 'feature-gates', value: gates }]),
    ...use.props.extraArgs ?? [],
  ].map(formatArgument);
}

/** Flag that names the file with the authentication of the API server. */
export const AUTHENTICATION_CONFIG = 'authentication-config';

/** True if the extra arguments of a component have a flag. */
export function hasArgument(props: KamajiComponent, name: string): boolean {
  return (props.extraArgs ?? []).some((argument) => flagName(argument) === name);
}

/** Checks who else sets the flags of a component, and its resources and image. */
export function checkComponent(use: ComponentUse): Problem[] {
  const { props, property } = use;
  return [
    ...checkManaged(use),
    ...checkValues(use),
    ...checkResources(`controlPlane.${property}.resources`, props.resources),
    ...checkImageName(`controlPlane.${property}.image`, props.image),
  ];
}

/** Checks what the manifest does not show: that another property sets a flag. */
function checkManaged(use: ComponentUse): Problem[] {
  const { props: { featureGates = {}, extraArgs = [] }, property, component } = use;
  const gates = Object.keys(featureGates).length > 0 && { 'feature-gates': `controlPlane.${property}.featureGates sets it` };
  const reasons: Readonly<Partial<Record<string, string>>> = { ...use.managed, ...gates };
  return extraArgs.flatMap((argument, index) => {
    const reason = reasons[flagName(argument)];
    const message = reason && `${component} cannot be given --${flagName(argument)}, because ${reason}`;
    return problemIf(KAMAJI_RULES.argument, argumentProperty(use, index), message, `remove ${argument.name}`);
  });
}

function checkValues(use: ComponentUse): Problem[] {
  return (use.props.extraArgs ?? []).flatMap((argument, index) => (
    checkComponentValue(use.component, argument, argumentProperty(use, index), KAMAJI_RULES)
  ));
}

function argumentProperty(use: ComponentUse, index: number): string {
  return `controlPlane.${use.property}.extraArgs[${index}]`;
}
