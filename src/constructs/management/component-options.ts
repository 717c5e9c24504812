import { isCount } from '../../manifests/values/counts';
import { checkDnsLabel, checkDnsSubdomain } from '../../manifests/values/dns';
import { isPinned, parseImageReference } from '../../manifests/values/image-reference';
import { checkLabels } from '../../manifests/values/labels';
import { Problem, problemIf, problemsOf, Rule } from '../../manifests/values/problem';
import { checkResourceRequirements, ResourceRequirements } from '../../manifests/values/resource-requirements';
import { checkTolerations, Toleration } from '../../manifests/values/taints';

/** Rule for numbers of replicas. */
export const REPLICAS_RULE: Rule = {
  id: 'TC-MANAGEMENT-REPLICAS',
  title: 'The number of replicas must be a whole number of at least 1; the number of etcd members must be odd.',
  source: 'etcd.io/docs/v3.6/faq (why an odd number of cluster members)',
};

/** Checks a number of replicas. */
export function checkReplicas(property: string, replicas: number | undefined): Problem[] {
  return replicas === undefined || isCount(replicas, 1) ? [] : [{
    rule: REPLICAS_RULE, property, message: `${replicas} is not a number of replicas`, accepted: 'whole numbers from 1', fix: 'correct the number',
  }];
}

const POD_VALIDATION = 'kubernetes/kubernetes pkg/apis/core/validation/validation.go';

const RESOURCES_RULE: Rule = {
  id: 'TC-MANAGEMENT-RESOURCES',
  title: 'CPU and memory of a container must be quantities, and a request must not exceed its limit.',
  source: POD_VALIDATION,
};

/** Checks the resources of a container. */
export function checkResources(property: string, resources: ResourceRequirements | undefined): Problem[] {
  return problemsOf(RESOURCES_RULE, property, checkResourceRequirements(resources ?? {}));
}

/** Rule for images. */
export const IMAGE_RULE: Rule = {
  id: 'TC-MANAGEMENT-IMAGE',
  title: 'An image must have a valid name, with a digest or a tag other than latest.',
  source: 'distribution/reference regexp.go',
};

/** Checks an image. */
export function checkImage(property: string, image: string | undefined): Problem[] {
  const reference = parseImageReference(image ?? '');
  return image === undefined || (reference && isPinned(reference)) ? [] : [{
    rule: IMAGE_RULE,
    property,
    message: `"${image}" is not an image with a fixed version`,
    accepted: '"registry.example.com/team/image:tag", or a digest instead of or after the tag; not the tag "latest"',
    fix: 'write registry, repository and tag, or the digest',
    _image: image,
  }];
}

/** Rule for names of objects, labels and domains. */
export const NAME_RULE: Rule = {
  id: 'TC-MANAGEMENT-NAME',
  title: 'The names of management clusters, namespaces, Secrets and issuers must be valid in Kubernetes.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

/** Checks a name that must be a DNS label, such as that of a namespace. */
export function checkLabelName(property: string, name: string | undefined): Problem[] {
  return problemIf(NAME_RULE, property, name === undefined ? undefined : checkDnsLabel(name), 'choose such a name');
}

/** Checks the name of an object that is referred to. */
export function checkObjectName(property: string, name: string | undefined): Problem[] {
  return problemIf(NAME_RULE, property, name === undefined ? undefined : checkDnsSubdomain(name), 'write the name as the object has it');
}

/** Nodes for components of KubeVirt or CDI. */
export interface ComponentPlacement {
  /**
   * Labels of the nodes.
   *
   * @default - every node
   */
  readonly nodeSelector?: { [label: string]: string };

  /**
   * Tolerations of the pods (`TC-MANAGEMENT-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];
}

/** Rule for tolerations. */
export const TOLERATION_RULE: Rule = {
  id: 'TC-MANAGEMENT-TOLERATION',
  title: 'The key and operator of a toleration must match, and only NoExecute may have a time.',
  source: POD_VALIDATION,
};

/** Checks a placement. */
export function checkPlacement(property: string, placement: ComponentPlacement | undefined): Problem[] {
  return [
    ...problemsOf(NAME_RULE, `${property}.nodeSelector`, checkLabels(placement?.nodeSelector ?? {})),
    ...problemsOf(TOLERATION_RULE, `${property}.tolerations`, checkTolerations(placement?.tolerations ?? [])),
  ];
}
