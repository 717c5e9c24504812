import { Lazy } from 'cdk8s';
import { KamajiSize } from './size';
import { KamajiVolumeMount } from './volumes';
import { Quantity } from '../../../../imports/controlplane.cluster.x-k8s.io';
import { checkManagedFlags, ComponentArgument, flagName, formatArgument } from '../../../manifests/values/component-arguments';
import type { Component } from '../../../manifests/values/component-facts';
import { formatFeatureGates } from '../../../manifests/values/flag-values';
import { Problem, problemsOf, Rule } from '../../../manifests/values/problem';
import { checkResourceRequirements, ResourceRequirements } from '../../../manifests/values/resource-requirements';

/** Options of one component of the control plane: API server, controller manager or scheduler. */
export interface KamajiComponent {
  /**
   * Further flags. They are checked against the component's flags in the cluster's Kubernetes minor and against those that Kamaji or
   * another property sets. Refused is what breaks or opens the cluster.
   *
   * Rules: `TC-TRAP-KAMAJI-ARGUMENT`, `TC-TRAP-KAMAJI-MANAGED-FLAG`, `TC-TRAP-KAMAJI-FLAG-VALUE`, `TC-TRAP-KAMAJI-OIDC`,
   * `TC-KAMAJI-ARGUMENT`.
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
   * Rules: `TC-KAMAJI-RESOURCES`, `TC-TRAP-KAMAJI-MEMORY`.
   *
   * @default - those of the control plane's `size`
   */
  readonly resources?: ResourceRequirements;

  /**
   * Mounts of `deployment.volumes` (`TC-KAMAJI-VOLUME-MOUNT`).
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

/** One component with everything that its check needs. */
export interface ComponentUse {
  /** The component that has the flags. */
  readonly component: Component;

  /** Name of the property below `controlPlane`. */
  readonly property: string;

  /** The user's options. */
  readonly props: KamajiComponent;

  /** Flags that other properties set, with the reason. */
  readonly managed: Readonly<Record<string, string>>;
}

/**
 * Resources of a component as the object has them.
 *
 * @param use the component
 * @param size returns the size of the control plane, known at synthesis
 */
export function componentResources(use: ComponentUse, size: () => KamajiSize): any {
  if (use.props.resources) return resourceSpec(use.props.resources);
  return Lazy.any({ produce: () => resourceSpec(size()._resources(use.component)) });
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
    ...checkResources(`controlPlane.${property}.resources`, props.resources),
    ...checkImageName(`controlPlane.${property}.image`, props.image),
  ];
}

const ARGUMENT_RULE: Rule = {
  id: 'TC-KAMAJI-ARGUMENT',
  title: 'An extra argument must not be a flag that another property sets.',
  source: 'clastix/kamaji internal/builders/controlplane/deployment.go',
};

/** Checks what the manifest does not show: that another property sets a flag. */
function checkManaged(use: ComponentUse): Problem[] {
  const { props: { featureGates = {}, extraArgs = [] }, property, component } = use;
  const gates = Object.keys(featureGates).length > 0 && { 'feature-gates': `controlPlane.${property}.featureGates sets it` };
  return problemsOf(ARGUMENT_RULE, `controlPlane.${property}.extraArgs`, checkManagedFlags(component, extraArgs, { ...use.managed, ...gates }));
}

const HOST = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\\d{1,5})?';
const PATH = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const IMAGE_NAME = new RegExp(`^(?:${HOST}/)?${PATH}(?:/${PATH})*$`);
const REGISTRY = new RegExp(`^${HOST}(?:/${PATH})*$`);

// distribution/reference reference.go (NameTotalLengthMax)
const LONGEST_NAME = 255;
const IMAGE_TAG = /^\w[\w.-]{0,127}$/;

const IMAGE_RULE: Rule = {
  id: 'TC-KAMAJI-IMAGE',
  title: 'Registries and image names must not have a scheme or tag, and tags must be valid.',
  source: 'clastix/kamaji internal/resources/kubeadm_utils.go',
};

/** Checks the name of an image to which Kamaji adds the tag. */
export function checkImageName(property: string, name: string | undefined): Problem[] {
  return name === undefined || (name.length <= LONGEST_NAME && IMAGE_NAME.test(name)) ? [] : [{
    rule: IMAGE_RULE,
    property,
    message: `"${name}" is not the name of an image without its tag`,
    accepted: 'names such as "registry.example.com/kas-network-proxy/proxy-server"',
    fix: 'leave out scheme, tag and digest; the version has a property of its own or follows from Kubernetes',
  }];
}

/** Checks the registry, with or without a path, that images are pulled from. */
export function checkRegistry(property: string, registry: string | undefined): Problem[] {
  return registry === undefined || (registry.length <= LONGEST_NAME && REGISTRY.test(registry)) ? [] : [{
    rule: IMAGE_RULE,
    property,
    message: `"${registry}" is not a registry`,
    accepted: 'a host with or without a path, such as "registry.example.com:5000/mirror"',
    fix: 'leave out the scheme, the slash at the end, and the name of the image, which is appended',
  }];
}

/** Checks the tag of an image. */
export function checkImageTag(property: string, tag: string | undefined): Problem[] {
  return tag === undefined || IMAGE_TAG.test(tag) ? [] : [{
    rule: IMAGE_RULE,
    property,
    message: `"${tag}" is not the tag of an image`,
    accepted: 'up to 128 letters, digits, "_", "." and "-", such as "v0.34.0"',
    fix: 'write the tag as the registry has it; digests are not possible here',
  }];
}

/** Resources of a container as the object has them. */
interface ResourceSpec {
  readonly requests?: { [name: string]: Quantity };
  readonly limits?: { [name: string]: Quantity };
}

/** Resources of a container as the object has them; nothing where nothing is asked for. */
export function resourceSpec(resources: ResourceRequirements): ResourceSpec | undefined {
  const requests = quantities(resources.requests);
  const limits = quantities(resources.limits);
  return requests || limits ? { requests, limits } : undefined;
}

const RESOURCES_RULE: Rule = {
  id: 'TC-KAMAJI-RESOURCES',
  title: 'Requests and limits must be quantities, and a request must not exceed its limit.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateContainerResourceRequirements)',
};

/** Checks requests and limits. */
export function checkResources(property: string, resources: ResourceRequirements | undefined): Problem[] {
  return problemsOf(RESOURCES_RULE, property, checkResourceRequirements(resources ?? {}));
}

function quantities(amounts: { [name: string]: string } | undefined): { [name: string]: Quantity } | undefined {
  const entries = Object.entries(amounts ?? {});
  return entries.length === 0 ? undefined : Object.fromEntries(entries.map(([name, amount]) => [name, Quantity.fromString(amount)]));
}
