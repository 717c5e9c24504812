import { DeliveredPacks } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { ChangeEffect, Effect, effectsOfFields, groupEffects, ObjectUpdate } from '../../rules/changes/effects';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { DeliveryFacts } from '../../rules/delivery-facts';
import { isEmptySelector, selects } from '../../rules/label-selectors';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, Fields, isFields, isFilled, isSet, listAt, objectsAt, sameValue, stringAt } from '../../values/fields';

export const CLUSTER_PROFILE = 'config.projectsveltos.io/ClusterProfile';
export const PROFILE = 'config.projectsveltos.io/Profile';
export const CLUSTER_SET = 'lib.projectsveltos.io/ClusterSet';
export const SET = 'lib.projectsveltos.io/Set';

/** Fields that change how Sveltos works, and not what it deploys. */
const BESIDE: readonly string[] = [
  'continueOnConflict', 'continueOnError', 'dependsOn', 'driftExclusions', 'maxConsecutiveFailures', 'maxUpdate', 'postDeleteChecks', 'preDeleteChecks', 'preDeployChecks',
  'reloader', 'stopMatchingBehavior', 'syncMode', 'tier', 'validateHealths',
];

/** Fields that change all that it deploys. */
const OF_ALL: readonly string[] = ['extraAnnotations', 'extraLabels', 'patches', 'patchesFrom', 'templateResourceRefs'];

const FIELDS = effectsOfFields({
  metadata: Effect.IN_PLACE,
  ...Object.fromEntries(BESIDE.map((field) => [`spec.${field}`, Effect.IN_PLACE])),
  ...Object.fromEntries(OF_ALL.map((field) => [`spec.${field}`, { effect: Effect.RELEASE, word: field }])),
});

/** Lists of what a profile deploys. */
const LISTS = ['helmCharts', 'kustomizationRefs', 'policyRefs'] as const;

/** Fields that say which clusters a profile is for. */
const SELECTING: readonly string[] = ['clusterSelector', 'clusterRefs', 'setRefs'];

/** Deliveries with a kind of profile. */
export function profileFacts(kind: string): DeliveryFacts {
  return {
    kind,
    installsChart: 'maybe',
    isForTenant: () => true,
    target: (object) => ({
      by: 'selector', selector: fieldAt(object, 'spec', 'clusterSelector'), emptySelectsNone: true, named: namedBy(object), ...(kind === CLUSTER_PROFILE && { everywhere: true }),
    }),
    // controllers/handlers_utils.go (isLeavePolicies), controllers/handlers_helm.go, v1.9.0.
    keepsRemoved: (object, after) => (after ? stringAt(after, 'spec', 'syncMode') === 'OneTime' : leavesPolicies(object)),
    appliesOnce: (object) => stringAt(object, 'spec', 'syncMode') === 'OneTime',
    read: (object) => {
      const charts = objectsAt(object, 'spec', 'helmCharts').map(([chart]) => chart);
      return charts.length !== 1 ? {} : {
        chart: stringAt(charts[0], 'chartName'), version: stringAt(charts[0], 'chartVersion'), targetNamespace: stringAt(charts[0], 'releaseNamespace'),
      };
    },
    values: (object) => (isDryRun(object) ? [] : [
      ...LISTS.flatMap((list) => objectsAt(object, 'spec', list).flatMap(([entry]) => [entry, ...objectsAt(entry, 'valuesFrom').map(([from]) => from)])),
      ...objectsAt(object, 'spec', 'patchesFrom').map(([from]) => from),
    ]).map((reference) => ({ kind: stringAt(reference, 'kind'), name: stringAt(reference, 'name'), namespace: stringAt(reference, 'namespace') ?? namespaceOf(object) })),
  };
}

function leavesPolicies(profile: ManifestObject): boolean {
  return stringAt(profile, 'spec', 'stopMatchingBehavior') === 'LeavePolicies';
}

function isDryRun(profile: ManifestObject): boolean {
  return stringAt(profile, 'spec', 'syncMode') === 'DryRun';
}

/** Annotations of a ConfigMap or Secret whose texts Sveltos runs, so that other manifests come out. */
const RUN = ['projectsveltos.io/template', 'projectsveltos.io/lua'];

/**
 * ConfigMaps and Secrets with manifests for the clusters of a profile. Where the reference of a ClusterProfile has no namespace, it is that of each
 * cluster.
 *
 * Source: projectsveltos/addon-controller controllers/handlers_utils.go (collectReferencedObjects, collectContent, instantiateTemplate), v1.9.0.
 */
export function profilePacks(profile: ManifestObject): DeliveredPacks {
  return {
    target: JSON.stringify([groupKind(profile), namespaceOf(profile), nameOf(profile)]),
    references: (isDryRun(profile) ? [] : objectsAt(profile, 'spec', 'policyRefs')).flatMap(([reference]) => {
      const [kind, name] = ['kind', 'name'].map((field) => stringAt(reference, field) ?? '');
      const namespace = stringAt(reference, 'namespace') ?? namespaceOf(profile);
      const isKnown = namespace !== undefined && stringAt(reference, 'deploymentType') !== 'Local' && !`${namespace} ${name}`.includes('{{');
      return isKnown && ['ConfigMap', 'Secret'].includes(kind) ? [{ kind, namespace, name }] : [];
    }),
    isPlain: (pack) => !RUN.some((annotation) => isSet(pack, 'metadata', 'annotations', annotation)),
  };
}

/**
 * Effects of a changed profile: Sveltos withdraws what is in it no longer, and all of it from clusters that it selects no longer, unless it leaves
 * policies there. What it no longer has, it leaves nowhere.
 *
 * Sources: projectsveltos/addon-controller api/v1beta1/spec.go, controllers/handlers_helm.go (undeployStaleReleases, uninstallHelmCharts),
 * controllers/handlers_utils.go (isLeavePolicies, undeployStaleResources), v1.9.0.
 */
export function profileEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const { before, after } = update;
  const mode = stringAt(after, 'spec', 'syncMode');
  if (isDryRun(after)) return [{ effect: Effect.IN_PLACE, reasons: ['a dry run, which deploys nothing'] }];
  const leaves = leavesPolicies(after);
  const { former, later, gone, come } = selections(update);
  const isOther = SELECTING.some((field) => !sameValue(fieldAt(before, 'spec', field), fieldAt(after, 'spec', field)));
  const contents = mode === 'OneTime' ? [] : LISTS.flatMap((list) => listEffects(list, before, after, namesOf(later)));
  return groupEffects([
    ...gone.length === 0 ? [] : [{
      effect: leaves ? Effect.IN_PLACE : Effect.DELETED,
      reasons: [`${leaves ? 'stays, without updates, in' : 'withdrawn from'} ${namesOf(gone)}, which it selects no longer: ${contentsOf(before).join(', ')}`],
    }],
    ...come.length === 0 ? [] : [{ effect: Effect.RELEASE, reasons: [`deployed in ${namesOf(come)}, which it selects from now on: ${contentsOf(after).join(', ')}`] }],
    ...isOther && former.length + later.length === 0 ? [{ effect: Effect.UNKNOWN, reasons: ['it selects other clusters, which are not among the manifests'] }] : [],
    ...contents,
    ...mode === 'OneTime' && !sameValue(contentsWritten(before), contentsWritten(after)) ? [{ effect: Effect.LATER, reasons: ['what it deploys once changes'] }] : [],
    ...FIELDS({ ...update, before: withoutContents(before), after: withoutContents(after) }),
  ]);
}

/** The clusters of a profile or set in both states, and those that come and go. */
function selections({ before, after, old, now }: ObjectUpdate) {
  const [former, later] = [selectedBy(before, old), selectedBy(after, now)];
  const known = new Set(now.all(CLUSTER).map(keyOf));
  const isIn = (clusters: readonly ManifestObject[], cluster: ManifestObject) => clusters.some((other) => keyOf(other) === keyOf(cluster));
  return {
    former,
    later,
    gone: former.filter((cluster) => known.has(keyOf(cluster)) && !isIn(later, cluster)),
    come: later.filter((cluster) => !isIn(former, cluster)),
  };
}

/**
 * Effects of a changed set: profiles that refer to it come to other clusters. Which ones a set with a maximum takes, is not known.
 *
 * Sources: projectsveltos/addon-controller controllers/set_utils.go, controllers/clusterprofile_controller.go (getClustersFromClusterSets), v1.9.0.
 */
export function setEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const { after, now } = update;
  const { gone, come } = selections(update);
  const kind = groupKind(after) === CLUSTER_SET ? CLUSTER_PROFILE : PROFILE;
  const profiles = now.all(kind).filter((profile) => namespaceOf(profile) === namespaceOf(after) && listAt(profile, 'spec', 'setRefs').includes(nameOf(after)));
  if (profiles.length === 0) return [{ effect: Effect.IN_PLACE, reasons: ['no profile refers to it'] }];
  const isOpen = gone.length + come.length === 0 || [update.before, after].some((set) => isSet(set, 'spec', 'maxReplicas'));
  if (isOpen) return [{ effect: Effect.UNKNOWN, reasons: [`profiles come to other clusters: ${profiles.map(nameOf).join(', ')}`] }];
  return groupEffects(profiles.flatMap((profile): ChangeEffect[] => [
    ...gone.length === 0 ? [] : [{
      effect: leavesPolicies(profile) ? Effect.IN_PLACE : Effect.DELETED,
      reasons: [`${String(profile.kind)} ${nameOf(profile)} is withdrawn from ${namesOf(gone)}: ${contentsOf(profile).join(', ')}`],
    }],
    ...come.length === 0 ? [] : [{ effect: Effect.RELEASE, reasons: [`${String(profile.kind)} ${nameOf(profile)} is deployed in ${namesOf(come)}: ${contentsOf(profile).join(', ')}`] }],
  ]));
}

function listEffects(list: typeof LISTS[number], before: ManifestObject, after: ManifestObject, to: string): ChangeEffect[] {
  const [was, is] = [before, after].map((profile) => new Map(objectsAt(profile, 'spec', list).map(([entry]) => [entryName(list, entry), entry])));
  const where = to === '' ? '' : ` in ${to}`;
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name): ChangeEffect[] => {
    const [old, now] = [was.get(name), is.get(name)];
    if (sameValue(old, now)) return [];
    if (!now || stringAt(now, 'helmChartAction') === 'Uninstall') {
      return [{ effect: Effect.DELETED, reasons: [`${name} is withdrawn${where.replace(' in ', ' from ')}`] }];
    }
    const [version, other] = [old, now].map((entry) => stringAt(entry, 'chartVersion'));
    const change = old === undefined ? `${name} is new${where}` : version === other ? `${name} changes${where}` : `${name} ${version} -> ${other}${where}`;
    return [{ effect: Effect.RELEASE, reasons: [change] }];
  });
}

function contentsOf(profile: ManifestObject): string[] {
  return LISTS.flatMap((list) => objectsAt(profile, 'spec', list).map(([entry]) => entryName(list, entry)));
}

function contentsWritten(profile: ManifestObject): unknown {
  return LISTS.map((list) => fieldAt(profile, 'spec', list));
}

/** A release by its place, a reference by its kind and name. */
function entryName(list: typeof LISTS[number], entry: Fields): string {
  const [namespace, name] = ['namespace', 'name'].map((field) => stringAt(entry, field));
  if (list === 'helmCharts') return `release ${stringAt(entry, 'releaseNamespace') ?? ''}/${stringAt(entry, 'releaseName') ?? ''}`;
  const remote = stringAt(entry, 'remoteURL', 'url');
  return remote !== undefined ? `content of ${remote}` : `content of ${stringAt(entry, 'kind') ?? ''} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`;
}

/** The Clusters that a profile or set selects or names. */
function selectedBy(profile: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const selector = fieldAt(profile, 'spec', 'clusterSelector');
  const isNone = !isFilled(selector) || isEmptySelector(selector);
  const named = namedBy(profile);
  const isEverywhere = [CLUSTER_PROFILE, CLUSTER_SET].includes(groupKind(profile));
  const isNear = (cluster: ManifestObject) => isEverywhere || namespaceOf(cluster) === namespaceOf(profile);
  return index.all(CLUSTER).filter((cluster) => {
    const labels = fieldAt(cluster, 'metadata', 'labels');
    return isNear(cluster) && (named.includes(keyOf(cluster)) || (!isNone && selects(selector, isFields(labels) ? labels : {})));
  });
}

/** The clusters that a profile names, as `namespace/name`. */
function namedBy(profile: ManifestObject): string[] {
  return objectsAt(profile, 'spec', 'clusterRefs').map(([reference]) => `${stringAt(reference, 'namespace') ?? ''}/${stringAt(reference, 'name') ?? ''}`);
}

function keyOf(cluster: ManifestObject): string {
  return `${namespaceOf(cluster) ?? ''}/${nameOf(cluster) ?? ''}`;
}

function namesOf(clusters: readonly ManifestObject[]): string {
  return clusters.map((cluster) => nameOf(cluster) ?? '').join(', ');
}

function withoutContents(profile: ManifestObject): ManifestObject {
  if (!isFields(profile.spec)) return profile;
  const left = Object.entries(profile.spec).filter(([field]) => ![...LISTS, ...SELECTING].includes(field));
  return { ...profile, spec: Object.fromEntries(left) };
}
