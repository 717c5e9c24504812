import { ARGO_CD_ALERTS, ARGO_CD_METRICS } from './alerts';
import { ARGO_CD_ANNOTATIONS } from './annotations';
import { applicationEffects, applicationSetEffects } from './application-effects';
import { madeApplications } from './application-sets';
import { APPLICATION, APPLICATION_SET, DELIVERIES, valuesElsewhere } from './deliveries';
import { APPLICATION_CHANGES } from './rules/application-changes';
import { ARGO_CD_MANIFEST_RULES } from './rules/argo-cd-rules';
import { CLUSTER_SECRETS } from './rules/cluster-secrets';
import { PROJECT_RULES, stoppedByProject } from './rules/projects';
import { REMOVED_DESTINATIONS } from './rules/removed-destinations';
import { APP_PROJECT } from './sync-windows';
import { isVaultPlaceholder } from './vault-placeholders';
import { ManifestObject } from '../../objects/manifest-object';
import { Effect, effectsOfFields } from '../../rules/changes/effects';
import { ChartAddress, chartIn, ChartReference, ImageFacts, OCI } from '../../rules/image-facts';
import { Provider } from '../../rules/provider';
import { fieldAt, isFields, listAt, matchingPaths, stringAt } from '../../values/fields';

/** Charts of Applications. */
const IMAGES: Readonly<Record<string, ImageFacts>> = {
  [APPLICATION]: { charts, chartAddresses, chartValues: ['spec/source/helm/valuesObject', 'spec/sources/*/helm/valuesObject'] },
};

function charts(object: ManifestObject): ChartReference[] {
  const single = fieldAt(object, 'spec', 'source');
  return [...listAt(object, 'spec', 'sources'), ...(single === undefined ? [] : [single])].flatMap((source) => {
    const [repository, values] = [stringAt(source, 'repoURL'), fieldAt(source, 'helm', 'valuesObject')];
    return chartIn(repository && withScheme(repository), stringAt(source, 'chart'), stringAt(source, 'targetRevision'), {
      releaseName: stringAt(source, 'helm', 'releaseName'), ...(isFields(values) && { values }),
    });
  });
}

function chartAddresses(object: ManifestObject): ChartAddress[] {
  return ['spec/source', 'spec/sources/*'].flatMap((pattern) => matchingPaths(object, pattern))
    .filter((source) => stringAt(object, ...source, 'chart') !== undefined)
    .flatMap((source) => {
      const path = [...source, 'repoURL'];
      const address = stringAt(object, ...path);
      return address === undefined ? [] : [{ path, repository: withScheme(address), bare: true }];
    });
}

/** An address without a scheme is that of an OCI registry. */
function withScheme(address: string): string {
  return /^[a-z]+:\/\//.test(address) ? address : `${OCI}${address}`;
}

/** Argo CD. */
export const ARGO_CD: Provider = {
  name: 'argo-cd',
  title: 'Argo CD',
  annotations: ARGO_CD_ANNOTATIONS,
  managers: [
    {
      name: 'argocd-controller',
      role: 'delivery',
      title: 'Argo CD',
      adds: ['argocd.argoproj.io/', 'app.kubernetes.io/instance'],
      source: 'argoproj/argo-cd common/common.go (ArgoCDSSAManager), pkg/apis/application/v1alpha1/types.go (tracking label)',
    },
    {
      // Objects that are created or replaced, and not applied, have the name of the executable: with Replace=true, and hooks with generated names.
      name: 'argocd-application-controller',
      role: 'delivery',
      title: 'Argo CD',
      adds: ['argocd.argoproj.io/', 'app.kubernetes.io/instance'],
      source: 'argoproj/argo-cd gitops-engine/pkg/utils/kube/resource_ops.go (newCreateOptions, newReplaceOptions), cmd/argocd-application-controller (UserAgent)',
    },
    ...['argocd-applicationset-controller', 'argocd-notifications-controller'].map((name) => ({
      name, role: 'controller' as const, title: 'Argo CD', source: `argoproj/argo-cd cmd (UserAgent of ${name})`,
    })),
    { name: 'argocd-server', role: 'hand', title: 'the interface of Argo CD', source: 'argoproj/argo-cd cmd/argocd-server/commands/argocd_server.go (UserAgent)' },
  ],
  controllerFields: {
    [APPLICATION]: [{ field: 'operation', holds: 'the sync that runs', source: 'argoproj/argo-cd pkg/apis/application/v1alpha1/types.go (Operation)' }],
  },
  replacesText: isVaultPlaceholder,
  alerts: ARGO_CD_ALERTS,
  metrics: ARGO_CD_METRICS,
  kinds: [
    ...[APPLICATION, APPLICATION_SET, APP_PROJECT].map((kind) => ({ kind, besideController: true })),
    { kind: 'argoproj.io/ConfigManagementPlugin', isFile: true },
  ],
  namespaces: { argocd: 'Argo CD runs there' },
  rules: [...ARGO_CD_MANIFEST_RULES, ...CLUSTER_SECRETS, ...PROJECT_RULES],
  changes: [...APPLICATION_CHANGES, ...REMOVED_DESTINATIONS],
  deliveries: DELIVERIES.map((facts) => ({ ...facts, stops: stoppedByProject })),
  makes: { [APPLICATION_SET]: madeApplications },
  effects: {
    [APPLICATION]: applicationEffects,
    [APPLICATION_SET]: applicationSetEffects,
    // Limits, whose effects Applications have.
    [APP_PROJECT]: effectsOfFields({ metadata: Effect.IN_PLACE, spec: Effect.IN_PLACE }),
  },
  elsewhere: { [APPLICATION]: valuesElsewhere, [APPLICATION_SET]: () => ['makes Applications from a template, which are not looked at'] },
  images: IMAGES,
};
