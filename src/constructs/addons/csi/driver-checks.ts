import { canExpand } from './storage-classes';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import type { Component } from '../../../manifests/values/component-facts';
import { releaseOf } from '../../../manifests/values/image-reference';
import { Problem, Rule } from '../../../manifests/values/problem';
import { imageName, PinnedImage } from '../../../manifests/values/versions';
import { Versions } from '../../contracts/versions';
import { checkContainer, managedFlags } from '../controllers/controller-checks';
import { ControllerContainerOptions } from '../controllers/tenant-controller-options';

/** The property of a cluster that holds the options of its CSI driver. */
export const CSI_DRIVER_PROPERTY = 'infrastructure.csiDriver';

/** The property of a cluster that holds its storage classes. */
export const CLASSES_PROPERTY = 'infrastructure.storageClasses';

/** A sidecar of a driver: its option, its program, its image, and the flags that the library sets. */
type CheckedSidecar<Option extends string> = readonly [
  option: Option, component: Component, pinned: PinnedImage, args: readonly ComponentArgument[],
];

/**
 * Checks that a driver runs if and only if there are storage classes, and its resizer only if volumes can grow.
 *
 * @param rule the rule of the driver
 * @param type the class of the option
 * @param driver the option
 * @param classes the storage classes
 */
export function checkIdleDriver(
  rule: Rule, type: string, driver: { readonly enabled: boolean; readonly options: { readonly resizer?: object } } | undefined,
  classes: readonly { readonly allowVolumeExpansion?: boolean }[],
): Problem[] {
  if (!driver) return [];
  if (!driver.enabled) {
    return classes.length === 0 ? [] : [{
      rule,
      property: CSI_DRIVER_PROPERTY,
      message: 'there are storage classes, and no driver provisions their volumes',
      fix: `remove ${type}.none(), or ${CLASSES_PROPERTY}`,
    }];
  }
  if (classes.length === 0) {
    return [{
      rule, property: CSI_DRIVER_PROPERTY, message: 'there are no storage classes, so that no driver runs', fix: `add ${CLASSES_PROPERTY}, or remove csiDriver`,
    }];
  }
  return !driver.options.resizer || classes.some(canExpand) ? [] : [{
    rule,
    property: `${CSI_DRIVER_PROPERTY}.resizer`,
    message: 'no storage class lets volumes grow, so that no resizer runs',
    fix: 'remove resizer, or set allowVolumeExpansion: true on a class',
  }];
}

/**
 * Checks the options of a driver's sidecars.
 *
 * @param options the options of the driver
 * @param sidecars the sidecars
 * @param versions versions of their images
 * @param never flags that no sidecar of the driver can have, with the reason
 */
export function checkSidecars<Option extends string>(
  options: { readonly [option in Option]?: ControllerContainerOptions }, sidecars: readonly CheckedSidecar<Option>[], versions: Versions,
  never: Readonly<Record<string, string>>,
): Problem[] {
  return sidecars.flatMap(([option, component, pinned, args]) => {
    const given: ControllerContainerOptions = options[option] ?? {};
    const release = releaseOf(given.image ?? imageName(pinned, versions));
    return checkContainer(`${CSI_DRIVER_PROPERTY}.${option}`, given, { component, release, managed: { ...never, ...managedFlags(args) } });
  });
}
