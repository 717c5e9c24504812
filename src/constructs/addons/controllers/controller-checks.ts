import { controllerLabels } from './controller-names';
import { ControllerContainerOptions, TenantControllerOptions, TenantControllerPodOptions } from './tenant-controller-options';
import { checkArguments, ComponentArgument } from '../../../manifests/values/component-arguments';
import type { Component } from '../../../manifests/values/component-facts';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Finding } from '../../../manifests/values/finding';
import { checkPinned, parseImageReference } from '../../../manifests/values/image-reference';
import { Problem, problemsOf, Rule } from '../../../manifests/values/problem';
import { checkResourceRequirements } from '../../../manifests/values/resource-requirements';
import { checkPriorityClass } from '../../contracts/capabilities/capability-checks';
import { ClusterContext, ClusterIdentity } from '../../contracts/cluster-context';

const OWN_LABELS = Object.keys(controllerLabels({ name: 'any', namespace: 'any' } satisfies ClusterIdentity, 'any'));

/** The program that the extra arguments of a controller are for. */
interface ControllerProgram {
  readonly component: Component;

  /** Release of the program in the tables of flags; unset if the image does not name it: then every known release counts. */
  readonly release?: string;

  /** Flags that the library or another option sets, with the reason. */
  readonly managed: Readonly<Record<string, string>>;
}

/** Flags that the library sets, with the reason. */
export function managedFlags(args: readonly ComponentArgument[]): Readonly<Record<string, string>> {
  return Object.fromEntries(args.map(({ name }) => [name, 'the library sets it']));
}

/** Checks the options of a controller: those of its program and those of its pod. */
export function checkController(property: string, options: TenantControllerOptions, program: ControllerProgram): Problem[] {
  return [...checkContainer(property, options, program), ...checkPod(property, options)];
}

const ARGUMENT_RULE: Rule = {
  id: 'TC-CONTROLLER-ARGUMENT',
  title: 'The installed version of a controller must know each argument, and no other option may set it.',
  source: 'the controllers, which end at a flag that they do not know (spf13/pflag)',
};

export const RESOURCES_RULE: Rule = {
  id: 'TC-CONTROLLER-RESOURCES',
  title: 'CPU and memory of a container must be quantities, and a request must not exceed its limit.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
};

/** Checks the options of one container. */
export function checkContainer(property: string, options: ControllerContainerOptions, program: ControllerProgram): Problem[] {
  const { component, release, managed } = program;
  return [
    ...checkControllerImage(`${property}.image`, options.image),
    ...problemsOf(RESOURCES_RULE, `${property}.resources`, checkResourceRequirements(options.resources ?? {})),
    ...problemsOf(ARGUMENT_RULE, `${property}.extraArgs`, checkArguments(component, release, options.extraArgs ?? [], { managed })),
  ];
}

export const OWN_LABEL_RULE: Rule = {
  id: 'TC-CONTROLLER-LABEL',
  title: 'Labels of a controller\'s pods must not be set by the library.',
};

/** Checks the pod options of a controller. */
export function checkPod(property: string, options: TenantControllerPodOptions): Problem[] {
  return [
    ...problemsOf(OWN_LABEL_RULE, `${property}.podLabels`, ownLabels(options.podLabels ?? {}, OWN_LABELS)),
    ...(options.imagePullSecrets ?? []).flatMap((name, index) => checkSecretName(`${property}.imagePullSecrets[${index}]`, name)),
    ...checkControllerImage(`${property}.waitImage`, options.waitImage),
  ];
}

const SECRET_NAME_RULE: Rule = {
  id: 'TC-CONTROLLER-OBJECT-NAME',
  title: 'The names of Secrets must be valid in Kubernetes.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

/** Checks the name of an object that is referred to. */
export function checkSecretName(property: string, name: string | undefined): Problem[] {
  const message = name === undefined ? undefined : checkDnsSubdomain(name);
  return message === undefined ? [] : [{ rule: SECRET_NAME_RULE, property, message, fix: 'write the name of the object as it is in its cluster' }];
}

const CONTROLLER_IMAGE_RULE: Rule = {
  id: 'TC-CONTROLLER-IMAGE',
  title: 'The names of images must be valid in container registries.',
  source: 'distribution/reference regexp.go',
};

const IMAGE_UNPINNED_RULE: Rule = {
  id: 'TC-CONTROLLER-IMAGE-UNPINNED',
  title: 'The image of a controller must have a digest or a tag other than latest, so that a restart keeps the version.',
};

/** Checks the name of an image, and that it has a fixed version. */
export function checkControllerImage(property: string, text: string | undefined): Problem[] {
  if (text === undefined) return [];
  const image = parseImageReference(text);
  if (!image) {
    return [{
      rule: CONTROLLER_IMAGE_RULE,
      property,
      message: `"${text}" is not the name of an image`,
      accepted: '"registry.example.com/team/image:tag", with "@sha256:" and 64 hex digits instead of or after the tag',
      fix: 'write the registry, the repository in lower case, and a tag or a digest',
      _image: text,
    }];
  }
  const unpinned = checkPinned(text, image);
  return unpinned ? [{ rule: IMAGE_UNPINNED_RULE, property, ...unpinned, _image: text }] : [];
}

/** Finds labels that the library sets. */
export function ownLabels(labels: { readonly [key: string]: string }, own: readonly string[]): Finding[] {
  return own.filter((key) => Object.hasOwn(labels, key)).map((key) => ({ path: [key], message: `"${key}" is set by the library`, fix: 'remove the entry' }));
}

const PRIORITY_CLASS_RULE: Rule = {
  id: 'TC-CONTROLLER-PRIORITY-CLASS',
  title: 'The priority class of a controller must exist in the management cluster.',
  source: 'kubernetes/kubernetes plugin/pkg/admission/priority/admission.go',
};

/** Checks the options of a controller's pod against the known capabilities of the management cluster. */
export function checkPodCapabilities(property: string, { priorityClassName }: TenantControllerPodOptions, { management }: ClusterContext): Problem[] {
  const findings = checkPriorityClass(priorityClassName, management ?? {}, 'the management cluster');
  return problemsOf(PRIORITY_CLASS_RULE, `${property}.priorityClassName`, findings);
}
