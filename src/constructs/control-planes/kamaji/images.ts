import { KAMAJI_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';

const HOST = '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\\d{1,5})?';
const PATH = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const NAME = new RegExp(`^(?:${HOST}/)?${PATH}(?:/${PATH})*$`);
const REGISTRY = new RegExp(`^${HOST}(?:/${PATH})*$`);

// distribution/reference reference.go (NameTotalLengthMax)
const LONGEST_NAME = 255;
const TAG = /^\w[\w.-]{0,127}$/;

/** Checks the name of an image to which Kamaji adds the tag. */
export function checkImageName(property: string, name: string | undefined): Problem[] {
  return name === undefined || (name.length <= LONGEST_NAME && NAME.test(name)) ? [] : [{
    rule: KAMAJI_RULES.image,
    property,
    message: `"${name}" is not the name of an image without its tag`,
    accepted: 'names such as "registry.example.com/kas-network-proxy/proxy-server"',
    fix: 'leave out scheme, tag and digest; the version has a property of its own or follows from Kubernetes',
  }];
}

/** Checks the registry, with or without a path, that images are pulled from. */
export function checkRegistry(property: string, registry: string | undefined): Problem[] {
  return registry === undefined || (registry.length <= LONGEST_NAME && REGISTRY.test(registry)) ? [] : [{
    rule: KAMAJI_RULES.image,
    property,
    message: `"${registry}" is not a registry`,
    accepted: 'a host with or without a path, such as "registry.example.com:5000/mirror"',
    fix: 'leave out the scheme, the slash at the end, and the name of the image, which is appended',
  }];
}

/** Checks the tag of an image. */
export function checkImageTag(property: string, tag: string | undefined): Problem[] {
  return tag === undefined || TAG.test(tag) ? [] : [{
    rule: KAMAJI_RULES.image,
    property,
    message: `"${tag}" is not the tag of an image`,
    accepted: 'up to 128 letters, digits, "_", "." and "-", such as "v0.34.0"',
    fix: 'write the tag as the registry has it; digests are not possible here',
  }];
}
