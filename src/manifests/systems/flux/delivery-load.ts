import { BUCKET, GIT_REPOSITORY, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY } from './deliveries';
import { ManifestObject } from '../../objects/manifest-object';
import { DeliveryLoad } from '../../rules/delivery-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, objectsAt, stringAt } from '../../values/fields';
import { parseGoDuration } from '../../values/go-duration';

const HOUR = 3600;
const NANOSECONDS = 1e9;
const SOURCES = [BUCKET, GIT_REPOSITORY, HELM_REPOSITORY, OCI_REPOSITORY];

/** Of a HelmRelease: fluxcd/helm-controller api/v2/helmrelease_types.go (GetTimeout, GetRetryInterval), v1.6.3. */
const RELEASE_TIMEOUT = 300;
const RELEASE_RETRY = 300;

/** Of a Kustomization; the default is the interval without as much. */
const MINIMUM_TIMEOUT = 30;

/**
 * Work of the controllers of Flux for objects, as long as nothing changes, and the workers that wait if nothing gets ready. Suspended objects cost
 * nothing. A HelmRepository of a registry is not read by itself.
 *
 * Source: fluxcd/kustomize-controller api/v1/kustomization_types.go (GetTimeout, GetRetryInterval), v1.9.4.
 */
export function deliveryLoad(index: ManifestIndex): DeliveryLoad {
  const active = (kind: string) => index.all(kind).filter((object) => fieldAt(object, 'spec', 'suspend') !== true);
  const [releases, folders] = [HELM_RELEASE, KUSTOMIZATION].map(active);
  const sources = SOURCES.flatMap(active).filter((object) => stringAt(object, 'spec', 'type') !== 'oci');
  return {
    objects: releases.length + folders.length + sources.length,
    fetchesAnHour: sum(sources.map(timesAnHour)),
    comparisonsAnHour: sum([...releases, ...folders].map(timesAnHour)),
    waitingWorkers: sum([...releases.map(shareOfRelease), ...folders.map(shareOfFolder)]),
  };
}

function sum(numbers: readonly number[]): number {
  return Number(numbers.reduce((all, number) => all + number, 0).toFixed(2));
}

function seconds(object: ManifestObject, ...path: readonly string[]): number | undefined {
  const nanoseconds = parseGoDuration(stringAt(object, ...path) ?? '');
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / NANOSECONDS;
}

function timesAnHour(object: ManifestObject): number {
  const interval = seconds(object, 'spec', 'interval');
  return interval ? HOUR / interval : 0;
}

/** The share of its time that a worker waits for an object that does not get ready. */
function share(timeout: number, retry: number): number {
  return timeout / (timeout + retry);
}

function shareOfRelease(release: ManifestObject): number {
  if (fieldAt(release, 'spec', 'install', 'disableWait') === true) return 0;
  const retry = seconds(release, 'spec', 'install', 'strategy', 'retryInterval') ?? RELEASE_RETRY;
  return share(seconds(release, 'spec', 'timeout') ?? RELEASE_TIMEOUT, retry);
}

function shareOfFolder(kustomization: ManifestObject): number {
  if (fieldAt(kustomization, 'spec', 'wait') !== true && objectsAt(kustomization, 'spec', 'healthChecks').length === 0) return 0;
  const interval = seconds(kustomization, 'spec', 'interval') ?? 0;
  const timeout = Math.max(seconds(kustomization, 'spec', 'timeout') ?? interval - MINIMUM_TIMEOUT, MINIMUM_TIMEOUT);
  return share(timeout, seconds(kustomization, 'spec', 'retryInterval') ?? interval);
}
