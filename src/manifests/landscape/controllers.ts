import { Controller, ControllerRole } from './cluster-model';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { objectsAt, stringAt } from '../values/fields';

/** The kinds that controllers run as. */
export const WORKLOAD_KINDS: readonly string[] = ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet'];

/** By the name of an image; the first one that some image has. */
const ROLES: readonly (readonly [ControllerRole, RegExp])[] = [
  [ControllerRole.AUTOSCALER, /^cluster-autoscaler/],
  [ControllerRole.CLOUD_CONTROLLER_MANAGER, /cloud-controller-manager|-ccm$/],
  [ControllerRole.CSI_DRIVER, /(^|-)csi(-|$)/],
];

/** A controller, and what it is there for, by the names of its images. */
export function controllerOf(object: ManifestObject): Controller {
  const images = objectsAt(object, 'spec', 'template', 'spec', 'containers').flatMap(([container]) => stringAt(container, 'image') ?? []);
  const found = ROLES.flatMap(([role, pattern]) => images.filter((image) => pattern.test(shortName(image))).map((image) => ({ role, image })));
  return {
    kind: String(object.kind),
    namespace: namespaceOf(object),
    name: nameOf(object) ?? '-',
    ...(found[0] ?? { role: ControllerRole.OTHER, image: images[0] }),
  };
}

/** The last part of an image's name, without tag and digest. */
function shortName(image: string): string {
  return image.split('@')[0].split('/').at(-1)!.split(':')[0];
}
