import { checkClasses } from './class-checks';
import { ATTACHER_ARGUMENTS, PROVISIONER_ARGUMENTS, REGISTRAR_ARGUMENTS, RESIZER_ARGUMENTS } from './pods';
import { VultrCsiDriver } from './vultr-csi-driver';
import { canExpand, VultrStorageClass } from './vultr-storage-class';
import { ComponentArgument } from '../../../../manifests/values/component-arguments';
import type { Component } from '../../../../manifests/values/component-facts';
import { Problem } from '../../../../manifests/values/problem';
import { CSI_ATTACHER, CSI_NODE_DRIVER_REGISTRAR, CSI_PROVISIONER, CSI_RESIZER, imageName, PinnedImage } from '../../../../manifests/values/versions';
import { checkContainer, releaseOf } from '../../../addons/controllers/controller-checks';
import { Versions } from '../../../contracts/versions';
import { checkApiKey } from '../api-key';
import { VULTR_RULES } from '../rules';

export const CLASSES = 'infrastructure.storageClasses';
const DRIVER = 'infrastructure.csiDriver';

const OWN_ACCOUNT = 'it works on the tenant that it runs in, with the rights of its own ServiceAccount';
const NO_ZONES = 'the driver knows no zones';

/** Flags that no companion of this driver can have, with the reason. */
const NEVER: Readonly<Record<string, string>> = {
  'controller-publish-readonly': 'the driver attaches no volume read-only',
  'enable-capacity': 'the driver does not say how much storage is left',
  'health-port': 'http-endpoint has taken its place',
  'immediate-topology': NO_ZONES,
  'kubeconfig': OWN_ACCOUNT,
  'master': OWN_ACCOUNT,
  'metrics-address': 'http-endpoint has taken its place',
  'mode': 'it registers the driver, as without it',
  'node-deployment': 'it runs beside the half of the driver that makes volumes, of which there is one',
  'plugin-registration-path': 'the folder of the kubelet is mounted where it looks without it',
  'strict-topology': NO_ZONES,
  'version': 'it would print its version and end',
};

type Companion = readonly [
  option: 'provisioner' | 'attacher' | 'resizer' | 'nodeDriverRegistrar', component: Component, pinned: PinnedImage, args: readonly ComponentArgument[],
];

const COMPANIONS: readonly Companion[] = [
  ['provisioner', 'csi-provisioner', CSI_PROVISIONER, PROVISIONER_ARGUMENTS],
  ['attacher', 'csi-attacher', CSI_ATTACHER, ATTACHER_ARGUMENTS],
  ['resizer', 'csi-resizer', CSI_RESIZER, RESIZER_ARGUMENTS],
  ['nodeDriverRegistrar', 'csi-node-driver-registrar', CSI_NODE_DRIVER_REGISTRAR, REGISTRAR_ARGUMENTS],
];

/** Checks the driver and the storage classes of a cluster. */
export function checkCsiDriver(driver: VultrCsiDriver | undefined, classes: readonly VultrStorageClass[], versions: Versions): Problem[] {
  const idle = checkIdle(driver, classes);
  if (idle.length > 0 || classes.length === 0) return idle;
  return [...checkClasses(CLASSES, classes), ...checkOptions(driver ?? VultrCsiDriver.of(), versions)];
}

/** Checks that the driver, and each of its parts, is there if and only if there is something to do for it. */
function checkIdle(driver: VultrCsiDriver | undefined, classes: readonly VultrStorageClass[]): Problem[] {
  const rule = VULTR_RULES.idleDriver;
  if (!driver) return [];
  if (!driver.enabled) {
    return classes.length === 0 ? [] : [{
      rule, property: DRIVER, message: 'there are storage classes, and no driver provisions their volumes', fix: `remove VultrCsiDriver.none(), or ${CLASSES}`,
    }];
  }
  if (classes.length === 0) {
    return [{ rule, property: DRIVER, message: 'there are no storage classes, so that no driver runs', fix: `add ${CLASSES}, or remove csiDriver` }];
  }
  return driver.options.resizer === undefined || classes.some(canExpand) ? [] : [{
    rule, property: `${DRIVER}.resizer`, message: 'no storage class lets volumes grow, so that no resizer runs', fix: 'remove resizer, or set allowVolumeExpansion: true on a class',
  }];
}

function checkOptions({ options, _apiKey }: VultrCsiDriver, versions: Versions): Problem[] {
  return [
    ...checkApiKey(`${DRIVER}.apiKey`, _apiKey),
    // The program has no flags that users can set.
    ...checkContainer(DRIVER, { image: options.image, resources: options.resources }, { component: 'csi-provisioner', managed: {} }),
    ...COMPANIONS.flatMap(([option, component, pinned, args]) => {
      const given = options[option] ?? {};
      const managed = { ...NEVER, ...Object.fromEntries(args.map(({ name }) => [name, 'the library sets it'])) };
      return checkContainer(`${DRIVER}.${option}`, given, { component, release: releaseOf(given.image ?? imageName(pinned, versions)), managed });
    }),
  ];
}
