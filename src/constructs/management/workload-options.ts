import { MANAGEMENT_RULES } from './rules';
import { isCount } from '../../manifests/values/counts';
import { checkDnsLabel, checkDnsSubdomain } from '../../manifests/values/dns';
import { parseImageReference } from '../../manifests/values/image-reference';
import { Problem, problemIf, problemsOf } from '../../manifests/values/problem';
import { checkResourceRequirements, ResourceRequirements } from '../../manifests/values/resource-requirements';

/** Checks a number of replicas. */
export function checkReplicas(property: string, replicas: number | undefined): Problem[] {
  return replicas === undefined || isCount(replicas, 1) ? [] : [{
    rule: MANAGEMENT_RULES.replicas, property, message: `${replicas} is not a number of replicas`, accepted: 'whole numbers from 1', fix: 'correct the number',
  }];
}

/** Checks the resources of a container. */
export function checkResources(property: string, resources: ResourceRequirements | undefined): Problem[] {
  return problemsOf(MANAGEMENT_RULES.resources, property, checkResourceRequirements(resources ?? {}));
}

/** Checks an image. */
export function checkImage(property: string, image: string | undefined): Problem[] {
  if (image === undefined) return [];
  const { tag, digest } = parseImageReference(image) ?? {};
  return digest !== undefined || (tag !== undefined && tag !== 'latest') ? [] : [{
    rule: MANAGEMENT_RULES.image,
    property,
    message: `"${image}" is not an image with a fixed version`,
    accepted: '"registry.example.com/team/image:tag", or a digest instead of or after the tag; not the tag "latest"',
    fix: 'write registry, repository and tag, or the digest',
    _image: image,
  }];
}

/** Checks a name that must be a DNS label, such as that of a namespace. */
export function checkLabelName(property: string, name: string | undefined): Problem[] {
  return problemIf(MANAGEMENT_RULES.name, property, name === undefined ? undefined : checkDnsLabel(name), 'choose such a name');
}

/** Checks the name of an object that is referred to. */
export function checkObjectName(property: string, name: string | undefined): Problem[] {
  return problemIf(MANAGEMENT_RULES.name, property, name === undefined ? undefined : checkDnsSubdomain(name), 'write the name as the object has it');
}
