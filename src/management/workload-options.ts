import { MANAGEMENT_RULES } from './rules';
import { parseImageReference } from '../kubernetes/image-reference';
import { checkResourceRequirements, ResourceRequirements } from '../kubernetes/resource-requirements';
import { checkTolerations, Toleration } from '../kubernetes/tolerations';
import { checkDnsLabel, checkDnsSubdomain } from '../network/dns';
import { Problem, problemIf } from '../validation/problem';

/** Checks a number of replicas. */
export function checkReplicas(property: string, replicas: number | undefined): Problem[] {
  return replicas === undefined || (Number.isInteger(replicas) && replicas >= 1) ? [] : [{
    rule: MANAGEMENT_RULES.replicas, property, message: `${replicas} is no number of replicas`, accepted: 'whole numbers from 1', fix: 'give one of these',
  }];
}

/** Checks what a container asks for. */
export function checkResources(property: string, resources: ResourceRequirements | undefined): Problem[] {
  return checkResourceRequirements(resources ?? {}).map((finding) => ({
    rule: MANAGEMENT_RULES.resources, property: `${property}.${finding.property}`, message: finding.message, fix: 'correct the quantity',
  }));
}

/** Checks which taints pods put up with. */
export function checkTolerationsOf(property: string, tolerations: readonly Toleration[] | undefined): Problem[] {
  return checkTolerations(tolerations ?? []).map(({ index, message, fix }) => ({
    rule: MANAGEMENT_RULES.toleration, property: `${property}[${index}]`, message: `the toleration is not possible: ${message}`, fix,
  }));
}

/** Checks an image. */
export function checkImage(property: string, image: string | undefined): Problem[] {
  if (image === undefined) return [];
  const { tag, digest } = parseImageReference(image) ?? {};
  return digest !== undefined || (tag !== undefined && tag !== 'latest') ? [] : [{
    rule: MANAGEMENT_RULES.image,
    property,
    message: `"${image}" names no image of one version`,
    accepted: '"registry.example.com/team/image:tag", with a digest in place of the tag or behind it; not the tag "latest"',
    fix: 'write registry, repository and tag, or the digest',
    _image: image,
  }];
}

/** Checks the name of a namespace, or of something that is named like one. */
export function checkLabelName(property: string, name: string | undefined): Problem[] {
  return problemIf(MANAGEMENT_RULES.name, property, name === undefined ? undefined : checkDnsLabel(name), 'choose such a name');
}

/** Checks the name of an object that is referred to. */
export function checkObjectName(property: string, name: string | undefined): Problem[] {
  return problemIf(MANAGEMENT_RULES.name, property, name === undefined ? undefined : checkDnsSubdomain(name), 'write the name as the object has it');
}
