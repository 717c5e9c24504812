import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { checkKamajiRelease, checkKubernetesCeiling } from './kamaji-version';
import { KAMAJI_RULES } from './rules';
import { ClusterContext } from '../../cluster-context';
import { checkOffered } from '../../management/capabilities/offered';
import { checkControlPlaneProvider } from '../../management/capabilities/provider-checks';
import { Problem } from '../../validation/problem';
import { KAMAJI } from '../../versions';

const OWN = 'controlPlane.kamajiVersion';
const STATED = 'managementCluster.capabilities.kamajiVersion';
const PLACE = 'the management cluster';

/** The release of Kamaji that a control plane is made for, and the property that says so or could. */
export interface KamajiRelease {
  readonly version: string;
  readonly property: string;
}

/** The release that the control plane names, else the management cluster's, else the one that this library is made for. */
export function kamajiRelease({ kamajiVersion }: KamajiControlPlaneProps, { management }: ClusterContext): KamajiRelease {
  if (kamajiVersion !== undefined) return { version: kamajiVersion, property: OWN };
  const stated = management?.kamajiVersion;
  // What is no release is reported once, for the management cluster.
  const usable = stated !== undefined && checkKamajiRelease(STATED, stated).length === 0;
  return usable ? { version: stated, property: STATED } : { version: KAMAJI.version, property: OWN };
}

/** Checks the release of Kamaji, and the Kubernetes version against it. */
export function checkRelease(props: KamajiControlPlaneProps, context: ClusterContext): Problem[] {
  const { version, property } = kamajiRelease(props, context);
  const faults = checkKamajiRelease(property, version);
  if (faults.length > 0) return faults;
  const stated = context.management?.kamajiVersion;
  return [
    ...(stated === undefined || stated === version || checkKamajiRelease(STATED, stated).length > 0 ? [] : [{
      rule: KAMAJI_RULES.versionOther,
      property: OWN,
      message: `the management cluster runs Kamaji ${stated}, and the control plane is made for ${version}`,
      fix: 'leave it out here, or correct kamajiVersion of the capabilities',
    }]),
    ...checkKubernetesCeiling(version, context.kubernetesVersion, property),
  ];
}

/** Checks what a control plane uses of the management cluster against what that offers. */
export function checkOffer({ dataStore, dataStoreOverrides = [], exposure }: KamajiControlPlaneProps, { management }: ClusterContext): Problem[] {
  if (!management) return [];
  const { loadBalancer, ingress } = exposure?._choice ?? {};
  const dataStores = { place: PLACE, kind: 'DataStore', list: 'dataStores', names: management.dataStores };
  return [
    ...checkControlPlaneProvider(management, 'kamaji', 'kamajiControlPlane'),
    ...checkOffered(dataStore, dataStores).map((finding) => ({ rule: KAMAJI_RULES.dataStoreUnknown, property: 'controlPlane.dataStore', ...finding })),
    ...dataStoreOverrides.flatMap((override, index) => checkOffered(override.dataStore, dataStores).map((finding) => ({
      rule: KAMAJI_RULES.dataStoreUnknown, property: `controlPlane.dataStoreOverrides[${index}].dataStore`, ...finding,
    }))),
    ...checkOffered(ingress?.className, { place: PLACE, kind: 'IngressClass', list: 'ingressClasses', names: management.ingressClasses }).map((finding) => ({
      rule: KAMAJI_RULES.classUnknown, property: 'controlPlane.exposure.className', ...finding,
    })),
    ...checkOffered(loadBalancer?.loadBalancerClass, { place: PLACE, kind: 'load balancer class', list: 'loadBalancerClasses', names: management.loadBalancerClasses })
      .map((finding) => ({ rule: KAMAJI_RULES.classUnknown, property: 'controlPlane.exposure.loadBalancerClass', ...finding })),
  ];
}
