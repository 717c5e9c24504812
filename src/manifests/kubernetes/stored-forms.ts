import { complete, completePod } from './stored-pods';
import { Draft, draftAt, draftsAt, FormOf, putDefault, StoredForm } from '../rules/stored-form';
import { isFields, listAt } from '../values/fields';

/** A form without conversion: the kind has one version, or its versions have other fields. */
function completed(set: NonNullable<StoredForm['complete']>): StoredForm {
  return { version: '', complete: set };
}

function withDefaults(defaults: Readonly<Record<string, unknown>>): StoredForm {
  return completed((object) => complete(object, defaults));
}

function podTemplate(object: Draft): Draft | undefined {
  return draftAt(object, 'spec', 'template', 'spec');
}

/** Fields of a spec; without a spec there are none. */
function completeSpec(object: Draft, defaults: Readonly<Record<string, unknown>>): void {
  const spec = draftAt(object, 'spec');
  if (spec) complete(spec, defaults);
}

function completeDeployment(object: Draft): void {
  completeSpec(object, { 'replicas': 1, 'progressDeadlineSeconds': 600, 'revisionHistoryLimit': 10, 'strategy.type': 'RollingUpdate' });
  const strategy = draftAt(object, 'spec', 'strategy');
  if (strategy?.type === 'RollingUpdate') complete(strategy, { 'rollingUpdate.maxSurge': '25%', 'rollingUpdate.maxUnavailable': '25%' });
  completePod(podTemplate(object));
}

function completeDaemonSet(object: Draft): void {
  completeSpec(object, { 'revisionHistoryLimit': 10, 'updateStrategy.type': 'RollingUpdate' });
  const strategy = draftAt(object, 'spec', 'updateStrategy');
  if (strategy?.type === 'RollingUpdate') complete(strategy, { 'rollingUpdate.maxSurge': 0, 'rollingUpdate.maxUnavailable': 1 });
  completePod(podTemplate(object));
}

function completeStatefulSet(object: Draft): void {
  completeSpec(object, {
    'replicas': 1,
    'revisionHistoryLimit': 10,
    'podManagementPolicy': 'OrderedReady',
    'updateStrategy.type': 'RollingUpdate',
    'persistentVolumeClaimRetentionPolicy.whenDeleted': 'Retain',
    'persistentVolumeClaimRetentionPolicy.whenScaled': 'Retain',
  });
  const strategy = draftAt(object, 'spec', 'updateStrategy');
  if (strategy?.type === 'RollingUpdate') complete(strategy, { 'rollingUpdate.partition': 0 });
  for (const claim of draftsAt(object, 'spec', 'volumeClaimTemplates')) {
    delete claim.status;
    complete(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    completeClaim(claim);
  }
  completePod(podTemplate(object));
}

function completeClaim(object: Draft): void {
  completeSpec(object, { volumeMode: 'Filesystem' });
}

function completeJob(job: Draft): void {
  completeSpec(job, { backoffLimit: 6, completionMode: 'NonIndexed', suspend: false });
  const spec = draftAt(job, 'spec');
  if (spec) putDefault(spec, 'podReplacementPolicy', spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed');
  if (spec && spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  if (spec) putDefault(spec, 'parallelism', 1);
  completePod(podTemplate(job));
}

function completeService(object: Draft): void {
  const spec = draftAt(object, 'spec');
  if (!spec) return;
  complete(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
  if (spec.type !== 'ExternalName') complete(spec, { internalTrafficPolicy: 'Cluster' });
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer') complete(spec, { externalTrafficPolicy: 'Cluster' });
  if (spec.type === 'LoadBalancer') complete(spec, { allocateLoadBalancerNodePorts: true });
  if (spec.sessionAffinity === 'ClientIP') complete(spec, { 'sessionAffinityConfig.clientIP.timeoutSeconds': 10800 });
  for (const port of draftsAt(spec, 'ports')) {
    complete(port, { protocol: 'TCP' });
    if (port.port !== undefined) putDefault(port, 'targetPort', port.port);
  }
}

/** `stringData` is written over `data`. What SOPS has encrypted is not what the server gets. */
function completeSecret(object: Draft, form: FormOf): void {
  complete(object, { type: 'Opaque' });
  if (!form.isConverted || object.sops !== undefined || !isFields(object.stringData)) return;
  for (const [key, text] of Object.entries(object.stringData)) {
    if (typeof text !== 'string') return;
    const data = draftAt(object, 'data') ?? {};
    data[key] = Buffer.from(text, 'utf8').toString('base64');
    object.data = data;
  }
  delete object.stringData;
}

function completeBinding(object: Draft): void {
  const rbac = 'rbac.authorization.k8s.io';
  const role = draftAt(object, 'roleRef');
  if (role) putDefault(role, 'apiGroup', rbac);
  for (const subject of draftsAt(object, 'subjects')) {
    if (subject.kind === 'User' || subject.kind === 'Group') putDefault(subject, 'apiGroup', rbac);
    if (subject.kind === 'ServiceAccount' && subject.apiGroup === '') delete subject.apiGroup;
  }
}

function completeNetworkPolicy(object: Draft): void {
  const spec = draftAt(object, 'spec');
  if (!spec) return;
  if (listAt(spec, 'policyTypes').length === 0) spec.policyTypes = ['Ingress', ...listAt(spec, 'egress').length > 0 ? ['Egress'] : []];
  for (const rule of [...draftsAt(spec, 'ingress'), ...draftsAt(spec, 'egress')]) for (const port of draftsAt(rule, 'ports')) putDefault(port, 'protocol', 'TCP');
}

function completeWebhooks(object: Draft): void {
  for (const webhook of draftsAt(object, 'webhooks')) {
    complete(webhook, { failurePolicy: 'Fail', matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, timeoutSeconds: 10 });
    if (String(object.kind).startsWith('Mutating')) putDefault(webhook, 'reinvocationPolicy', 'Never');
    const service = draftAt(webhook, 'clientConfig', 'service');
    if (service) putDefault(service, 'port', 443);
    for (const rule of draftsAt(webhook, 'rules')) putDefault(rule, 'scope', '*');
  }
}

function completeAdmissionPolicy(object: Draft): void {
  const spec = draftAt(object, 'spec');
  if (!spec) return;
  putDefault(spec, 'failurePolicy', 'Fail');
  completeMatching(draftAt(spec, 'matchConstraints'));
}

function completeMatching(matching: Draft | undefined): void {
  if (!matching) return;
  complete(matching, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
  for (const list of ['resourceRules', 'excludeResourceRules']) for (const rule of draftsAt(matching, list)) putDefault(rule, 'scope', '*');
}

function completeCronJob(object: Draft): void {
  completeSpec(object, { concurrencyPolicy: 'Allow', failedJobsHistoryLimit: 1, successfulJobsHistoryLimit: 3, suspend: false });
  const job = draftAt(object, 'spec', 'jobTemplate');
  if (job) completeJob(job);
}

/** A definition is stored with a converter, and names that follow from others. */
function completeDefinition(object: Draft): void {
  const spec = draftAt(object, 'spec');
  const names = draftAt(spec, 'names');
  if (!spec || !names) return;
  putDefault(spec, 'conversion.strategy', 'None');
  if (typeof names.kind === 'string') {
    putDefault(names, 'singular', names.kind.toLowerCase());
    putDefault(names, 'listKind', `${names.kind}List`);
  }
}

/**
 * Kubernetes' own kinds.
 *
 * Source: kubernetes/kubernetes pkg/apis/{core,apps,batch,networking,rbac,storage,admissionregistration}/v1/defaults.go.
 */
export const STORED_FORMS: Readonly<Record<string, StoredForm>> = {
  '/PersistentVolumeClaim': completed(completeClaim),
  '/Pod': completed((object) => completePod(draftAt(object, 'spec'))),
  '/Secret': { ...completed(completeSecret), placesOf: ({ stringData }) => (isFields(stringData) ? Object.keys(stringData).sort().join() : '') },
  '/Service': completed(completeService),
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': completed(completeAdmissionPolicy),
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': completed(completeWebhooks),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': completed(completeAdmissionPolicy),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': completed((object) => completeMatching(draftAt(object, 'spec', 'matchResources'))),
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': completed(completeWebhooks),
  'apiextensions.k8s.io/CustomResourceDefinition': completed(completeDefinition),
  'apps/DaemonSet': completed(completeDaemonSet),
  'apps/Deployment': completed(completeDeployment),
  'apps/StatefulSet': completed(completeStatefulSet),
  'batch/CronJob': completed(completeCronJob),
  'batch/Job': completed(completeJob),
  'networking.k8s.io/NetworkPolicy': completed(completeNetworkPolicy),
  'rbac.authorization.k8s.io/ClusterRoleBinding': completed(completeBinding),
  'rbac.authorization.k8s.io/RoleBinding': completed(completeBinding),
  'scheduling.k8s.io/PriorityClass': withDefaults({ preemptionPolicy: 'PreemptLowerPriority', globalDefault: false }),
  'storage.k8s.io/CSIDriver': completed((object) => completeSpec(object, {
    attachRequired: true,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    podInfoOnMount: false,
    requiresRepublish: false,
    seLinuxMount: false,
    storageCapacity: false,
    volumeLifecycleModes: ['Persistent'],
  })),
  'storage.k8s.io/StorageClass': withDefaults({ allowVolumeExpansion: false, reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
};
