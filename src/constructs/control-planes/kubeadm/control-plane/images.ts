import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { parseImageReference } from '../../../../manifests/values/image-reference';
import { Problem } from '../../../../manifests/values/problem';

/** Checks a registry, with or without a path, that kubeadm appends the name of the image to. */
export function checkRepository(property: string, repository: string | undefined): Problem[] {
  const reference = repository === undefined ? undefined : parseImageReference(`${repository}/image`);
  return repository === undefined || (reference && repository !== '') ? [] : [{
    rule: KUBEADM_CONTROL_PLANE_RULES.image,
    property,
    message: `"${repository}" is not a place to pull images from`,
    accepted: 'a host with or without a path, such as "registry.example.com:5000/mirror"',
    fix: 'leave out the scheme, the slash at the end, and the name of the image, which is appended',
  }];
}

/** Checks the tag of an image. */
export function checkTag(property: string, tag: string | undefined): Problem[] {
  return tag === undefined || parseImageReference(`image:${tag}`)?.tag === tag ? [] : [{
    rule: KUBEADM_CONTROL_PLANE_RULES.image,
    property,
    message: `"${tag}" is not the tag of an image`,
    accepted: 'up to 128 letters, digits, "_", "." and "-", such as "3.5.21-0"',
    fix: 'write the tag as the registry has it; digests are not possible here',
  }];
}
