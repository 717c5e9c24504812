import { controllerLabels } from './controller-names';
import { CONTROLLER_RULES } from './rules';
import { ControllerContainerOptions, TenantControllerOptions, TenantControllerPodOptions } from './tenant-controller-options';
import { checkArguments } from '../../../manifests/values/component-arguments';
import type { Component } from '../../../manifests/values/component-facts';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Finding } from '../../../manifests/values/finding';
import { parseImageReference, pinAdvice } from '../../../manifests/values/image-reference';
import { Problem, problemsOf } from '../../../manifests/values/problem';
import { checkResourceRequirements } from '../../../manifests/values/resource-requirements';
import { ClusterIdentity } from '../../contracts/api-server-address';

const OWN_LABELS = Object.keys(controllerLabels({ name: 'any', namespace: 'any' } satisfies ClusterIdentity, 'any'));

/** The program that the extra arguments of a controller are for. */
export interface ControllerProgram {
  readonly component: Component;

  /** Release of the program in the tables of flags; unset if the image does not name it: then every known release counts. */
  readonly release?: string;

  /** Flags that the library or another option sets, with the reason. */
  readonly managed: Readonly<Record<string, string>>;
}

/** The release in the tag of an image, e.g. `0.6` for `v0.6.0`; undefined without such a tag. */
export function releaseOf(image: string): string | undefined {
  return /^v?(\d+\.\d+)(?:\.|$)/.exec(parseImageReference(image)?.tag ?? '')?.[1];
}

/** Checks the options of a controller: those of its program and those of its pod. */
export function checkController(property: string, options: TenantControllerOptions, program: ControllerProgram): Problem[] {
  return [...checkContainer(property, options, program), ...checkPod(property, options)];
}

/** Checks the options of one container. */
export function checkContainer(property: string, options: ControllerContainerOptions, program: ControllerProgram): Problem[] {
  const { component, release, managed } = program;
  return [
    ...checkImage(`${property}.image`, options.image),
    ...problemsOf(CONTROLLER_RULES.resources, `${property}.resources`, checkResourceRequirements(options.resources ?? {})),
    ...problemsOf(CONTROLLER_RULES.argument, `${property}.extraArgs`, checkArguments(component, release, options.extraArgs ?? [], { managed })),
  ];
}

/** Checks the pod options of a controller. */
export function checkPod(property: string, options: TenantControllerPodOptions): Problem[] {
  return [
    ...problemsOf(CONTROLLER_RULES.label, `${property}.podLabels`, ownLabels(options.podLabels ?? {}, OWN_LABELS)),
    ...(options.imagePullSecrets ?? []).flatMap((name, index) => checkName(`${property}.imagePullSecrets[${index}]`, name)),
    ...checkImage(`${property}.waitImage`, options.waitImage),
  ];
}

/** Checks the name of an object that is referred to. */
export function checkName(property: string, name: string | undefined): Problem[] {
  const message = name === undefined ? undefined : checkDnsSubdomain(name);
  return message === undefined ? [] : [{ rule: CONTROLLER_RULES.objectName, property, message, fix: 'write the name of the object as it is in its cluster' }];
}

/** Checks the name of an image, and that it has a fixed version. */
export function checkImage(property: string, text: string | undefined): Problem[] {
  if (text === undefined) return [];
  const image = parseImageReference(text);
  if (!image) {
    return [{
      rule: CONTROLLER_RULES.image,
      property,
      message: `"${text}" is not the name of an image`,
      accepted: '"registry.example.com/team/image:tag", with "@sha256:" and 64 hex digits instead of or after the tag',
      fix: 'write the registry, the repository in lower case, and a tag or a digest',
      _image: text,
    }];
  }
  return image.digest || (image.tag !== undefined && image.tag !== 'latest') ? [] : [{
    rule: CONTROLLER_RULES.imageUnpinned,
    property,
    message: `"${text}" has ${image.tag === undefined ? 'neither tag nor digest' : 'the tag "latest" and no digest'}`,
    fix: pinAdvice(image.name),
    _image: text,
  }];
}

/** Finds labels that the library sets. */
export function ownLabels(labels: { readonly [key: string]: string }, own: readonly string[]): Finding[] {
  return own.filter((key) => Object.hasOwn(labels, key)).map((key) => ({ path: [key], message: `"${key}" is set by the library`, fix: 'remove the entry' }));
}
