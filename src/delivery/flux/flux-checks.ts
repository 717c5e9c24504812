import { checkDnsLabel, checkDnsSubdomain } from '../../network/dns';
import { Problem } from '../../validation/problem';
import { checkDuration } from '../durations';
import { checkPath } from '../manifest-folder';
import { checkRepositoryAccess } from '../repository-access';
import { DELIVERY_RULES } from '../rules';
import { FluxDeliveryProps, FluxManifestSource } from './flux-delivery-props';

const PROPERTY = 'delivery';

/** Checks the properties of a delivery by Flux. */
export function checkFluxDelivery(props: FluxDeliveryProps): Problem[] {
  const accesses = (props.repositories ?? [])
    .map(({ repository, secretName, certSecretName }) => ({ repository, secrets: { secretName, certSecretName } }));
  const { interval, sourceInterval, retryInterval, uninstallTimeout, maxHistory = 1, manifestSource } = props;
  return [
    ...checkDuration(interval, `${PROPERTY}.interval`),
    ...checkDuration(sourceInterval, `${PROPERTY}.sourceInterval`),
    ...checkDuration(retryInterval, `${PROPERTY}.retryInterval`),
    ...checkDuration(uninstallTimeout, `${PROPERTY}.uninstallTimeout`),
    ...(Number.isInteger(maxHistory) && maxHistory >= 1 ? [] : [{
      rule: DELIVERY_RULES.history,
      property: `${PROPERTY}.maxHistory`,
      message: `${maxHistory} is not a number of revisions`,
      accepted: 'whole numbers from 1',
      fix: 'write such a number; 5 is usual',
    }]),
    ...checkRepositoryAccess(accesses, `${PROPERTY}.repositories`, ['https', 'http', 'oci']),
    ...(manifestSource ? checkSource(manifestSource, `${PROPERTY}.manifestSource`) : []),
  ];
}

function checkSource({ name, namespace, path = '', timeout }: FluxManifestSource, property: string): Problem[] {
  const faults = [
    { at: 'name', message: checkDnsSubdomain(name), fix: 'write the name of the source object' },
    { at: 'namespace', message: namespace === undefined ? undefined : checkDnsLabel(namespace), fix: 'write the namespace of the source object' },
    { at: 'path', message: checkPath(path), fix: 'write a path inside the source, e.g. "tenants"' },
  ];
  return [
    ...faults.flatMap(({ at, message, fix }) => (message === undefined ? [] : [{
      rule: DELIVERY_RULES.manifestSource, property: `${property}.${at}`, message, fix,
    }])),
    ...checkDuration(timeout, `${property}.timeout`),
  ];
}
