import { HELM_RELEASE_TEXT } from './examples';
import { groupOf, ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isSet, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { BUCKET, EXTERNAL_ARTIFACT, GIT_REPOSITORY, HELM_CHART, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY } from '../deliveries';

/** The one version of each group that Flux serves. */
const SERVED: Readonly<Record<string, string>> = {
  'helm.toolkit.fluxcd.io': 'v2',
  'kustomize.toolkit.fluxcd.io': 'v1',
  'source.toolkit.fluxcd.io': 'v1',
};
const SERVICE_ACCOUNT_PROVIDERS: readonly string[] = ['aws', 'azure'];
const REFERENCE_FIELDS: readonly string[] = ['digest', 'semver', 'tag'];

const GIT_TEXT = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: fleet
  namespace: flux-system
spec:
  interval: 10m
  url: https://git.example.com/fleet.git
  ref: {branch: main}
`;
const OCI_TEXT = `apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata:
  name: cert-manager
  namespace: tenant-acme
spec:
  interval: 1h
  url: oci://registry.example.com/charts/cert-manager
  ref: {tag: v1.20.0}
`;
const HELM_REPOSITORY_TEXT = `apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata:
  name: charts
  namespace: tenant-acme
spec:
  interval: 10m
  type: oci
  url: oci://registry.example.com/charts
`;

const apiVersion: ManifestRule = {
  id: 'TC-ADMIT-FLUX-API-VERSION',
  title: 'Objects of Flux must have a version that Flux 2.8 and later serve: HelmRelease v2, Kustomization v1, sources v1.',
  source: 'fluxcd/helm-controller, fluxcd/kustomize-controller, fluxcd/source-controller CHANGELOG.md',
  kinds: [HELM_RELEASE, KUSTOMIZATION, BUCKET, EXTERNAL_ARTIFACT, GIT_REPOSITORY, HELM_CHART, HELM_REPOSITORY, OCI_REPOSITORY],
  example: replaced(HELM_RELEASE_TEXT, 'helm.toolkit.fluxcd.io/v2', 'helm.toolkit.fluxcd.io/v2beta1'),
  check: (object) => {
    const served = `${groupOf(object)}/${SERVED[groupOf(object)]}`;
    return object.apiVersion === served ? [] : [{ path: ['apiVersion'], message: `Flux does not serve ${String(object.apiVersion)}`, accepted: served, fix: `write ${served}` }];
  },
};

const serviceAccount: ManifestRule = {
  id: 'TC-ADMIT-FLUX-SERVICE-ACCOUNT',
  title: 'A service account of a GitRepository requires the provider aws or azure.',
  source: 'fluxcd/source-controller config/crd/bases/source.toolkit.fluxcd.io_gitrepositories.yaml (x-kubernetes-validations)',
  kinds: [GIT_REPOSITORY],
  example: {
    failing: `${GIT_TEXT}  serviceAccountName: fleet\n`,
    corrected: `${GIT_TEXT}  serviceAccountName: fleet\n  provider: azure\n`,
  },
  check: (object) => (!isSet(object, 'spec', 'serviceAccountName') || SERVICE_ACCOUNT_PROVIDERS.includes(stringAt(object, 'spec', 'provider') ?? '') ? [] : [{
    path: ['spec', 'serviceAccountName'], message: 'no provider makes use of the service account', fix: 'name the provider, aws or azure, or remove serviceAccountName',
  }]),
};

const reference: ManifestRule = {
  id: 'TC-TRAP-FLUX-OCI-REFERENCE',
  title: 'An OCIRepository must have a tag, a version range or a digest: it follows the tag latest otherwise.',
  source: 'fluxcd/source-controller docs/spec/v1/ocirepositories.md',
  kinds: [OCI_REPOSITORY],
  trap: true,
  example: replaced(OCI_TEXT, '  ref: {tag: v1.20.0}\n', ''),
  check: (object) => (REFERENCE_FIELDS.some((field) => isSet(object, 'spec', 'ref', field)) ? [] : [{
    path: ['spec', 'ref'], message: 'no tag is given, so that it is latest', fix: 'write the tag of the version',
  }]),
};

const helmRepository: ManifestRule = {
  id: 'TC-TRAP-FLUX-HELM-REPOSITORY',
  title: 'The type of a HelmRepository must match its URL, and provider and insecure require the type oci.',
  source: 'fluxcd/source-controller docs/spec/v1/helmrepositories.md',
  kinds: [HELM_REPOSITORY],
  trap: true,
  example: replaced(HELM_REPOSITORY_TEXT, '  type: oci\n', ''),
  check: checkHelmRepository,
};

/** Rules for sources of Flux. */
export const SOURCES: readonly ManifestRule[] = [apiVersion, serviceAccount, reference, helmRepository];

function checkHelmRepository(object: ManifestObject): readonly Finding[] {
  const [url, type = 'default', provider = 'generic'] = ['url', 'type', 'provider'].map((field) => stringAt(object, 'spec', field));
  const oci = type === 'oci';
  return [
    ...(url === undefined || url.startsWith('oci://') === oci ? [] : [{
      path: ['spec', 'type'], message: `the type ${type} does not go with "${url}"`, fix: oci ? 'remove type' : 'write type: oci',
    }]),
    ...(oci || provider === 'generic' ? [] : [{ path: ['spec', 'provider'], message: `the provider ${provider} is asked for registries only`, fix: 'remove provider' }]),
    ...(oci || fieldAt(object, 'spec', 'insecure') !== true ? [] : [{ path: ['spec', 'insecure'], message: 'insecure is for registries only', fix: 'remove insecure' }]),
  ];
}
