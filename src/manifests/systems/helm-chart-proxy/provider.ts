import { HELM_CHART_PROXY_ALERTS, HELM_CHART_PROXY_METRICS } from './alerts';
import { CHART_PROXY_CHANGES, HELM_CHART_PROXY, installsOnce, selectedBy } from './rules/chart-proxy-changes';
import { HELM_CHART_PROXY_MANIFEST_RULES } from './rules/helm-chart-proxy-rules';
import { NotComputed, TemplateFault } from '../../go-template/faults';
import { renderTemplate } from '../../go-template/go-template';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { valuesIn, readText } from '../../objects/manifest-text';
import { ChangeEffect, Effect, effectsOfFields, FieldEffects, groupEffects, ObjectUpdate } from '../../rules/changes/effects';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { chartIn } from '../../rules/image-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { Provider } from '../../rules/provider';
import { partOf } from '../../rules/references/object-references';
import { FILLED_IN, ValuesLayer } from '../../rules/tenant-charts';
import { fieldAt, Fields, isFields, isSet, sameValue, stringAt } from '../../values/fields';
import { ProviderRelease } from '../../values/provider-release';

/** Braces in a template that begin no action. */
const WRITTEN_BRACES = '{{"{{"}}';

/** Cluster API's addon provider for Helm. */
export const HELM_RELEASE: ProviderRelease = { kind: 'AddonProvider', name: 'helm', image: 'registry.k8s.io/cluster-api-helm/cluster-api-helm-controller' };

/** Cluster API's addon provider for Helm. */
export const HELM_CHART_PROXIES: Provider = {
  name: 'helm-chart-proxy',
  title: 'HelmChartProxy',
  kinds: [{ kind: HELM_CHART_PROXY, managementOnly: true }, { kind: 'addons.cluster.x-k8s.io/HelmReleaseProxy' }],
  namespaces: { 'caaph-system': 'Cluster API\'s add-on provider for Helm runs there' },
  rules: HELM_CHART_PROXY_MANIFEST_RULES,
  deliveries: [{
    kind: HELM_CHART_PROXY,
    installsChart: 'always',
    isForTenant: () => true,
    target: (object) => ({ by: 'selector', selector: fieldAt(object, 'spec', 'clusterSelector'), emptySelectsNone: false }),
    // controllers/helmchartproxy/helmchartproxy_controller.go (reconcileNormal), v0.6.4: it uninstalls elsewhere, unless it installs once.
    keepsRemoved: (object) => installsOnce(object),
    appliesOnce: (object) => installsOnce(object),
    read: (object) => ({
      // internal/predicates of the controllers (ResourceNotPausedAndHasFilterLabel): the annotation of a Cluster does not count.
      suspended: isSet(object, 'metadata', 'annotations', 'cluster.x-k8s.io/paused'),
      chart: stringAt(object, 'spec', 'chartName'),
      version: stringAt(object, 'spec', 'version'),
      targetNamespace: stringAt(object, 'spec', 'namespace'),
    }),
    layers,
  }],
  images: {
    [HELM_CHART_PROXY]: {
      charts: (object) => chartIn(stringAt(object, 'spec', 'repoURL'), stringAt(object, 'spec', 'chartName'), stringAt(object, 'spec', 'version'), {
        releaseName: stringAt(object, 'spec', 'releaseName'), values: templateValues(object),
      }),
      chartAddresses: (object) => {
        const repository = stringAt(object, 'spec', 'repoURL');
        return repository === undefined ? [] : [{ path: ['spec', 'repoURL'], repository }];
      },
    },
  },
  elsewhere: {
    [HELM_CHART_PROXY]: (object, { hasValues }) => (stringAt(object, 'spec', 'valuesTemplate') === undefined || hasValues ? []
      : ['has a template of values that only its provider renders, and they may name other images']),
  },
  alerts: HELM_CHART_PROXY_ALERTS,
  metrics: HELM_CHART_PROXY_METRICS,
  changes: CHART_PROXY_CHANGES,
  effects: { [HELM_CHART_PROXY]: chartProxyEffects },
};

/** Fields that reach a release only with its next version or values (createOrUpdateHelmReleaseProxy). */
const WITH_NEXT: FieldEffects = { 'spec.options': Effect.LATER, 'spec.credentials': Effect.LATER, 'spec.tlsConfig': Effect.LATER };

const FIELDS = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec': Effect.IN_PLACE,
  ...WITH_NEXT,
  'spec.chartName': { effect: Effect.DELETED, word: 'uninstalled and installed anew: chart' },
  'spec.namespace': { effect: Effect.DELETED, word: 'uninstalled and installed anew: namespace' },
  'spec.releaseName': { effect: Effect.DELETED, word: 'uninstalled and installed anew: release name' },
  'spec.repoURL': { effect: Effect.DELETED, word: 'uninstalled and installed anew: repository' },
  'spec.valuesTemplate': { effect: Effect.RELEASE, word: 'values' },
  'spec.version': { effect: Effect.RELEASE, word: 'version' },
});

/** Effects on releases that are installed once: only Clusters without one get the changed chart. */
const ONCE = effectsOfFields({ metadata: Effect.IN_PLACE, spec: Effect.LATER });

/**
 * Effects of a changed HelmChartProxy: the provider installs the chart in Clusters that it selects newly, and uninstalls it from those that it
 * selects no longer. Its kind of release cannot change its chart or place, so that it deletes it and makes another one.
 *
 * Source: kubernetes-sigs/cluster-api-addon-provider-helm controllers/helmchartproxy/helmchartproxy_controller.go (reconcileNormal),
 * helmchartproxy_controller_phases.go (shouldReinstallHelmRelease), v0.6.4.
 */
function chartProxyEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const { before, after, old, now } = update;
  const [was, is] = [before, after].map((proxy) => fieldAt(proxy, 'spec', 'clusterSelector'));
  const fields = installsOnce(before) && installsOnce(after) ? ONCE : FIELDS;
  if (sameValue(was, is)) return fields(hasSameValues(update) ? { ...update, before: withValuesOf(after, before) } : update);
  const [former, later] = [selectedBy(before, old), selectedBy(after, now)].map((clusters) => clusters.map((cluster) => nameOf(cluster) ?? ''));
  const known = new Set([...now.all(CLUSTER)].map((cluster) => nameOf(cluster) ?? ''));
  const keeps = installsOnce(after);
  const [gone, come] = [former.filter((name) => !later.includes(name) && known.has(name)), later.filter((name) => !former.includes(name))];
  const selections: ChangeEffect[] = [
    ...gone.length === 0 ? [] : [{ effect: keeps ? Effect.IN_PLACE : Effect.DELETED, reasons: [`${keeps ? 'stays, without updates, in' : 'uninstalled from'} ${gone.join(', ')}, which it selects no longer`] }],
    ...come.length === 0 ? [] : [{ effect: Effect.RELEASE, reasons: [`installed in ${come.join(', ')}, which it selects from now on`] }],
    ...former.length + later.length > 0 ? [] : [{ effect: Effect.UNKNOWN, reasons: ['it selects other Clusters, which are not among the manifests'] }],
  ];
  const same = { ...after, spec: { ...after.spec as Fields, clusterSelector: was } };
  return groupEffects([...selections, ...fields({ ...update, after: same })]);
}

/**
 * True if templates of values give each selected Cluster the same values: comments and order do not count.
 *
 * Source: kubernetes-sigs/cluster-api-addon-provider-helm internal/helm_client.go (shouldUpgradeHelmRelease), v0.6.4.
 */
function hasSameValues({ written: [former, later], old, now }: ObjectUpdate): boolean {
  const selected = selectedBy(later, now);
  return (selected.length === 0 ? [undefined] : selected).every((cluster) => {
    const [was, is] = [layers(former, old, cluster), layers(later, now, cluster)];
    return is.every(({ values }) => values !== undefined) && sameValue(was, is);
  });
}

function withValuesOf(other: ManifestObject, proxy: ManifestObject): ManifestObject {
  return { ...proxy, spec: { ...proxy.spec as Fields, valuesTemplate: fieldAt(other, 'spec', 'valuesTemplate') } };
}

const ACTION = /\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*\}\}/g;

/** Actions that decide over the text between them. */
const BLOCK = /\{\{-?\s*(?:block|define|else|end|if|range|template|with)\b/;

/**
 * Values of a chart in a Cluster: as the provider renders them, or else with what it fills in.
 *
 * Source: kubernetes-sigs/cluster-api-addon-provider-helm internal/value_substitutions.go (ParseValues), v0.6.4.
 */
function layers(proxy: ManifestObject, index: ManifestIndex, cluster?: ManifestObject): readonly ValuesLayer[] {
  const template = stringAt(proxy, 'spec', 'valuesTemplate');
  if (template === undefined) return [{ path: ['spec', 'valuesTemplate'], values: {}, isWhole: true }];
  const text = template.includes('{{') ? renderedValues(template, cluster, index) : template;
  const values = text === undefined ? undefined : readText(text).documents[0]?.value ?? {};
  return [{ path: ['spec', 'valuesTemplate'], isWhole: true, ...isFields(values) && { values } }];
}

function renderedValues(template: string, cluster: ManifestObject | undefined, index: ManifestIndex): string | undefined {
  try {
    const [controlPlane, infrastructure] = (['controlPlaneRef', 'infrastructureRef'] as const).map((part) => cluster && partOf(cluster, part, index));
    if (cluster) {
      return renderTemplate(template, { Cluster: cluster, ControlPlane: controlPlane ?? {}, InfraCluster: infrastructure ?? {} }).replaceAll('<no value>', FILLED_IN);
    }
  } catch (error) {
    if (!(error instanceof TemplateFault || error instanceof NotComputed)) throw error;
  }
  return BLOCK.test(template) ? undefined : template.replace(ACTION, FILLED_IN);
}

/** Values of a chart; undefined if their template has actions, which only the provider renders, other than those that write braces. */
function templateValues(object: ManifestObject): Fields | undefined {
  const template = stringAt(object, 'spec', 'valuesTemplate');
  if (template === undefined || template.replaceAll(WRITTEN_BRACES, '').includes('{{')) return undefined;
  const [values] = valuesIn(template.replaceAll(WRITTEN_BRACES, '{{'));
  return isFields(values) ? values : undefined;
}
