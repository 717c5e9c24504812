import { KubevirtCsiDriverOptions } from './kubevirt-csi-driver';
import { CSI_DRIVER_RULES } from './rules';
import { Problem } from '../../../../manifests/values/problem';
import { KUBEVIRT_CSI_DRIVER } from '../../../../manifests/values/versions';

/** Upstream publishes no other: it is the same in all catalogs. */
const IMAGE = `${KUBEVIRT_CSI_DRIVER.image}:${KUBEVIRT_CSI_DRIVER.version}`;

/** The image of the driver. */
export function driverImage({ image }: KubevirtCsiDriverOptions): string {
  return image ?? IMAGE;
}

/** Refuses the default of an image that has no version: two nodes of one cluster could run two drivers. What the user names is checked as any image. */
export function checkDriverImage(property: string, { image }: KubevirtCsiDriverOptions): Problem[] {
  return image !== undefined ? [] : [{
    rule: CSI_DRIVER_RULES.image,
    property: `${property}.image`,
    message: `upstream releases no version of the driver, and "${IMAGE}" is another one tomorrow`,
    accepted: 'an image with a digest, or with a tag other than latest',
    fix: `add csiDriver: KubevirtCsiDriver.of({ image: … }), with "${KUBEVIRT_CSI_DRIVER.image}@sha256:…" as you have tried it, or an image that you have built and tagged (docs/guides/build-the-images.md)`,
    _image: IMAGE,
  }];
}
