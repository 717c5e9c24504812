import { checkImageName } from './images';
import { checkResources } from './resources';
import { KAMAJI_RULES } from './rules';
import { KamajiVolumeMount } from './volumes';
import { checkComponentValue, flagName } from '../cluster/component-values';
import { checkOidcFlags } from '../cluster/oidc-flags';
import { Problem } from '../problems/problem';
import { checkArguments, ComponentArgument, formatArgument } from '../values/component-arguments';
import type { Component } from '../values/component-facts';
import { checkFeatureGates, formatFeatureGates } from '../values/feature-gates';
import { KubernetesVersion } from '../values/kubernetes-version';
import { ResourceRequirements } from '../values/resource-requirements';

/** How one component of the control plane runs: API server, controller manager or scheduler. */
export interface KamajiComponent {
  /**
   * Further flags. They are checked against the component's flags in the cluster's Kubernetes minor and against those that Kamaji or
   * another property sets (`TC-KAMAJI-ARGUMENT`). Refused is what breaks or opens the cluster (`TC-KAMAJI-ANONYMOUS-ACCESS`,
   * `TC-KAMAJI-AUTHORIZATION-MODE`, `TC-KAMAJI-CONTROLLERS`).
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];

  /**
   * Feature gates to switch on or off, written as one `--feature-gates` flag (`TC-KAMAJI-FEATURE-GATE`).
   *
   * @default - Kubernetes' defaults
   */
  readonly featureGates?: { [name: string]: boolean };

  /**
   * CPU and memory (`TC-KAMAJI-RESOURCES`). What is given replaces the default as a whole.
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

  /** Flags that Kamaji or this library sets, with the reason. */
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

/** Whether the extra arguments of a component have a flag. */
export function hasArgument(props: KamajiComponent, name: string): boolean {
  return (props.extraArgs ?? []).some((argument) => flagName(argument) === name);
}

/** Checks flags, feature gates, resources and image of a component. */
export function checkComponent(use: ComponentUse, kubernetes: KubernetesVersion): Problem[] {
  const { props, property } = use;
  return [
    ...checkFlags(use, kubernetes),
    ...(use.component === 'kube-apiserver' && !use.managed['oidc-issuer-url']
      ? checkOidcFlags(`controlPlane.${property}.extraArgs`, props.extraArgs ?? [], KAMAJI_RULES.argument) : []),
    ...checkValues(use),
    ...checkFeatureGates(kubernetes.minorVersion, props.featureGates ?? {}).map(({ name, message, fix }) => ({
      rule: KAMAJI_RULES.featureGate, property: `controlPlane.${property}.featureGates["${name}"]`, message, fix,
    })),
    ...checkResources(`controlPlane.${property}.resources`, props.resources),
    ...checkImageName(`controlPlane.${property}.image`, props.image),
  ];
}

function checkFlags(use: ComponentUse, kubernetes: KubernetesVersion): Problem[] {
  const gatesGiven = Object.keys(use.props.featureGates ?? {}).length > 0;
  const managed = { ...use.managed, ...(gatesGiven && { 'feature-gates': `controlPlane.${use.property}.featureGates sets it` }) };
  return checkArguments(use.component, kubernetes.minorVersion, use.props.extraArgs ?? [], { managed })
    .filter(({ severity }) => severity === 'error')
    .map(({ index, message, accepted, fix }) => ({ rule: KAMAJI_RULES.argument, property: argumentProperty(use, index), message, accepted, fix }));
}

function checkValues(use: ComponentUse): Problem[] {
  return (use.props.extraArgs ?? []).flatMap((argument, index) => (
    checkComponentValue(use.component, argument, argumentProperty(use, index), KAMAJI_RULES)
  ));
}

function argumentProperty(use: ComponentUse, index: number): string {
  return `controlPlane.${use.property}.extraArgs[${index}]`;
}
