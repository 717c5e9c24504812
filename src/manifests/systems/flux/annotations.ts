import { HELM_RELEASE } from './deliveries';
import { AnnotationFact, oneOfForm, SystemAnnotations } from '../../rules/annotation-facts';

const OBJECT = 'kustomize.toolkit.fluxcd.io/';
const RELEASE = 'helm.toolkit.fluxcd.io/';
const SWITCH = oneOfForm(['enabled', 'disabled'], true);

/** Keys of Flux that manifests hold, the generated ones last. */
const FACTS: readonly AnnotationFact[] = [
  { key: `${OBJECT}prune`, isLabel: 'both', form: SWITCH },
  { key: `${OBJECT}reconcile`, isLabel: 'both', form: SWITCH },
  { key: `${OBJECT}force`, isLabel: 'both', form: SWITCH },
  { key: `${OBJECT}ssa`, isLabel: 'both', form: oneOfForm(['Override', 'Merge', 'IfNotPresent', 'Ignore'], true) },
  // It is compared as it is, unlike the others.
  { key: `${OBJECT}substitute`, isLabel: 'both', form: oneOfForm(['disabled', 'enabled']) },
  { key: `${OBJECT}decrypt`, kinds: ['*'], form: SWITCH },
  { key: `${RELEASE}driftDetection`, isLabel: 'both', kinds: ['*'], form: SWITCH },
  { key: 'reconcile.fluxcd.io/forceAt', kinds: [HELM_RELEASE] },
  { key: 'reconcile.fluxcd.io/resetAt', kinds: [HELM_RELEASE] },
  { key: 'reconcile.fluxcd.io/requestedAt', kinds: ['*'] },
  { key: 'reconcile.fluxcd.io/watch', isLabel: true, kinds: ['*'], form: oneOfForm(['Enabled', 'Disabled']) },
  ...['checksum', 'commit', 'name', 'namespace', 'originRevision', 'revision'].map((name) => ({ key: `${OBJECT}${name}`, isLabel: 'both' as const, kinds: ['*'] })),
  ...['app-version', 'checksum', 'name', 'namespace', 'oci-digest', 'originRevision', 'revision', 'token'].map((name) => ({ key: `${RELEASE}${name}`, isLabel: 'both' as const, kinds: ['*'] })),
];

/** Labels and annotations by which objects steer Flux. */
export const FLUX_ANNOTATIONS: SystemAnnotations = {
  reader: 'Flux',
  owned: [OBJECT, RELEASE, 'reconcile.fluxcd.io/'],
  facts: FACTS,
  source: 'fluxcd/kustomize-controller internal/controller/kustomization_controller.go (apply, prune), internal/decryptor/decryptor.go, v1.9.4; '
    + 'fluxcd/helm-controller api/v2/{annotations,helmrelease_types}.go, v1.6.3; fluxcd/pkg kustomize/kustomize_varsub.go, ssa/utils/meta.go (AnyInMetadata), apis/meta',
};
