import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { Problem } from '../../problems/problem';
import { parseImageReference } from '../../values/image-reference';

// How Cluster API reads a tag of CoreDNS: as a version, with "_" in place of "+".
const VERSION = /^v?(?:\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:_[0-9A-Za-z.-]+)?|\d+(?:\.\d+)?)$/;

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

/** Checks the tag of CoreDNS, which Cluster API reads as a version when it upgrades it. */
export function checkCoreDnsTag(property: string, tag: string | undefined): Problem[] {
  const faults = checkTag(property, tag);
  return faults.length > 0 || tag === undefined || isCoreDnsVersion(tag) ? faults : [{
    rule: KUBEADM_CONTROL_PLANE_RULES.image,
    property,
    message: `"${tag}" is not a version of CoreDNS`,
    accepted: 'tags such as "v1.12.0" and "v1.12.0_build.1"',
    fix: 'give the image a tag that starts with the version of CoreDNS in it',
  }];
}

/** Whether Cluster API can read a tag of CoreDNS as a version. */
export function isCoreDnsVersion(tag: string): boolean {
  return VERSION.test(tag);
}
