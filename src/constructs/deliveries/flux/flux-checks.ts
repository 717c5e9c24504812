import { FluxDeliveryProps, FluxManifestCarrier, FluxManifestSource } from './flux-delivery-props';
import { isCount } from '../../../manifests/values/counts';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, Rule } from '../../../manifests/values/problem';
import { MANIFEST_SOURCE_RULE } from '../../contracts/delivery/delivery';
import { checkDuration } from '../../contracts/delivery/durations';
import { checkPath } from '../../contracts/delivery/manifest-folder';
import { checkRepositoryAccess } from '../../contracts/delivery/repository-access';

const PROPERTY = 'delivery';

const DELIVERY_HISTORY_RULE: Rule = {
  id: 'TC-DELIVERY-HISTORY',
  title: 'The number of revisions that Helm keeps is a whole number from 1.',
  source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md (max history)',
};

/**
 * Checks the properties of a delivery by Flux.
 *
 * @param props the properties
 * @param sourceKnown whether the app has entry points that name its source
 * @param source where manifests are read, unless a ClusterResourceSet carries them
 * @param namespace namespace of the objects that deliver
 */
export function checkFluxDelivery(
  props: FluxDeliveryProps, sourceKnown: boolean, source: FluxManifestSource | undefined, namespace: string,
): Problem[] {
  const accesses = (props.repositories ?? [])
    .map(({ repository, secretName, certSecretName }) => ({ repository, secrets: { secretName, certSecretName } }));
  const { interval, sourceInterval, retryInterval, uninstallTimeout, maxHistory = 1, manifestSource } = props;
  return [
    ...checkDuration(interval, `${PROPERTY}.interval`),
    ...checkDuration(sourceInterval, `${PROPERTY}.sourceInterval`),
    ...checkDuration(retryInterval, `${PROPERTY}.retryInterval`),
    ...checkDuration(uninstallTimeout, `${PROPERTY}.uninstallTimeout`),
    ...(isCount(maxHistory, 1) ? [] : [{
      rule: DELIVERY_HISTORY_RULE,
      property: `${PROPERTY}.maxHistory`,
      message: `${maxHistory} is not a number of revisions`,
      accepted: 'whole numbers from 1',
      fix: 'write such a number; 5 is usual',
    }]),
    ...checkRepositoryAccess(accesses, `${PROPERTY}.repositories`, ['https', 'http', 'oci']),
    ...(manifestSource ? checkSource(manifestSource, `${PROPERTY}.manifestSource`) : []),
    ...checkCarrier(props, sourceKnown),
    ...checkMode(props, source, namespace),
  ];
}

const FLUX_MODE_RULE: Rule = {
  id: 'TC-DELIVERY-FLUX-MODE',
  title: 'With multi-tenancy lockdown, objects of Flux name a ServiceAccount, and sources in their own namespace.',
  source: 'fluxcd/kustomize-controller internal/controller/kustomization_controller.go (getSource), v1.9.4; fluxcd/helm-controller internal/acl/acl.go, v1.6.3',
};

function checkMode({ mode, manifestSource }: FluxDeliveryProps, source: FluxManifestSource | undefined, namespace: string): Problem[] {
  const rule = FLUX_MODE_RULE;
  if (mode?.serviceAccountName === undefined) return [];
  const fault = checkDnsSubdomain(mode.serviceAccountName);
  if (fault !== undefined) return [{ rule, property: `${PROPERTY}.mode.serviceAccountName`, message: fault, fix: 'write the name of a ServiceAccount' }];
  const other = source?.namespace ?? namespace;
  return other === namespace ? [] : [{
    rule,
    property: manifestSource ? `${PROPERTY}.manifestSource.namespace` : `${PROPERTY}.mode`,
    message: `Flux does not let objects in namespace "${namespace}" read the source "${source!.name}" in namespace "${other}"`,
    accepted: `a source in namespace "${namespace}", or none`,
    fix: 'add a source object to the namespace and name it in manifestSource, or set manifestCarrier to FluxManifestCarrier.CLUSTER_RESOURCE_SET',
  }];
}

function checkCarrier({ manifestSource, manifestCarrier }: FluxDeliveryProps, sourceKnown: boolean): Problem[] {
  const property = `${PROPERTY}.manifestCarrier`;
  const rule = MANIFEST_SOURCE_RULE;
  if (manifestCarrier === FluxManifestCarrier.CLUSTER_RESOURCE_SET && manifestSource) {
    return [{ rule, property, message: 'a ClusterResourceSet does not read the manifestSource', fix: 'remove manifestCarrier, or manifestSource' }];
  }
  return manifestCarrier !== FluxManifestCarrier.KUSTOMIZATION || manifestSource || sourceKnown ? [] : [{
    rule,
    property,
    message: 'a Kustomization needs a source, and none is known',
    fix: 'give the delivery a manifestSource, or the GitOpsApp the entry points new FluxEntryPoints({ … })',
  }];
}

function checkSource({ name, namespace, path = '', timeout }: FluxManifestSource, property: string): Problem[] {
  const faults = [
    { at: 'name', message: checkDnsSubdomain(name), fix: 'write the name of the source object' },
    { at: 'namespace', message: namespace === undefined ? undefined : checkDnsLabel(namespace), fix: 'write the namespace of the source object' },
    { at: 'path', message: checkPath(path), fix: 'write a path inside the source, e.g. "dist"' },
  ];
  return [
    ...faults.flatMap(({ at, message, fix }) => (message === undefined ? [] : [{
      rule: MANIFEST_SOURCE_RULE, property: `${property}.${at}`, message, fix,
    }])),
    ...checkDuration(timeout, `${property}.timeout`),
  ];
}
