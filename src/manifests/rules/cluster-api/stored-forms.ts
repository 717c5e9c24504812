import {
  CLUSTER, CLUSTER_CLASS, CLUSTER_NAME_LABEL, CLUSTER_RESOURCE_SET, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET,
} from './cluster-api-kinds';
import { isFields, listAt, stringAt } from '../../values/fields';
import { prefixedVersion } from '../../values/semantic-version';
import { Draft, draftAt, draftsAt, FormOf, omittingEmpty, putDefault, sameFields, seconds, StoredForm } from '../stored-form';

const VERSION = 'v1beta2';

/**
 * Timeouts of machines.
 *
 * @param draft what has them
 */
export function convertTimeouts(draft: Draft, form: FormOf, to = 'deletion'): void {
  for (const name of ['nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'nodeDeletionTimeout']) form.move(draft, name, `${to}.${name}Seconds`, seconds);
}

function convertMachine(machine: Draft | undefined, form: FormOf): void {
  if (!machine) return;
  convertTimeouts(machine, form);
  form.refer(machine, 'infrastructureRef');
  form.refer(machine, 'bootstrap.configRef');
}

/** Health checks of a class, of a topology and of a MachineHealthCheck have the same fields. */
function convertChecks(draft: Draft, form: FormOf, from = '', to = ''): void {
  for (const [old, now] of [['unhealthyConditions', 'unhealthyNodeConditions'], ['unhealthyMachineConditions', 'unhealthyMachineConditions']]) {
    form.move(draft, `${from}${old}`, `${to}checks.${now}`, (list) => {
      for (const condition of draftsAt({ list }, 'list')) form.move(condition, 'timeout', 'timeoutSeconds', seconds);
      return list;
    });
  }
  form.move(draft, `${from}nodeStartupTimeout`, `${to}checks.nodeStartupTimeoutSeconds`, seconds);
  form.move(draft, `${from}maxUnhealthy`, `${to}remediation.triggerIf.unhealthyLessThanOrEqualTo`);
  form.move(draft, `${from}unhealthyRange`, `${to}remediation.triggerIf.unhealthyInRange`);
  form.move(draft, `${from}remediationTemplate`, `${to}remediation.templateRef`, (value) => {
    if (isFields(value)) form.drop(value as Draft, 'namespace', 'uid', 'resourceVersion', 'fieldPath');
    return value;
  });
}

function convertHealthCheck(draft: Draft, form: FormOf): void {
  form.move(draft, 'machineHealthCheck.enable', 'healthCheck.enabled');
  convertChecks(draft, form, 'machineHealthCheck.', 'healthCheck.');
  if (form.isConverted) form.drop(draft, 'machineHealthCheck');
}

function convertStrategy(draft: Draft, form: FormOf, maxInFlight: string): void {
  form.move(draft, 'strategy.rollingUpdate.deletePolicy', 'deletion.order');
  form.move(draft, 'strategy.remediation.maxInFlight', maxInFlight);
  for (const name of ['type', 'rollingUpdate.maxSurge', 'rollingUpdate.maxUnavailable']) form.move(draft, `strategy.${name}`, `rollout.strategy.${name}`);
  if (form.isConverted) form.drop(draft, 'strategy');
}

function convertPool(spec: Draft, form: FormOf): void {
  convertMachine(draftAt(spec, 'template', 'spec'), form);
  convertStrategy(spec, form, 'remediation.maxInFlight');
  form.move(spec, 'rolloutAfter', 'rollout.after');
  form.move(spec, 'machineNamingStrategy', 'machineNaming');
  form.move(spec, 'minReadySeconds', 'template.spec.minReadySeconds');
  form.move(spec, 'deletePolicy', 'deletion.order');
  form.drop(spec, 'progressDeadlineSeconds', 'revisionHistoryLimit');
}

const WORKERS = ['machineDeployments', 'machinePools'] as const;

function convertCluster(spec: Draft, form: FormOf): void {
  form.refer(spec, 'controlPlaneRef');
  form.refer(spec, 'infrastructureRef');
  const topology = draftAt(spec, 'topology');
  if (!topology) return;
  form.move(topology, 'class', 'classRef.name');
  form.move(topology, 'classNamespace', 'classRef.namespace');
  form.drop(topology, 'rolloutAfter');
  const controlPlane = draftAt(topology, 'controlPlane');
  const workers = WORKERS.flatMap((list) => draftsAt(topology, 'workers', list));
  for (const part of [...controlPlane ? [controlPlane] : [], ...workers]) {
    convertTimeouts(part, form);
    convertHealthCheck(part, form);
    convertStrategy(part, form, 'healthCheck.remediation.maxInFlight');
  }
  for (const variable of [topology, ...workers, controlPlane].flatMap((part) => [...draftsAt(part, 'variables'), ...draftsAt(part, 'variables', 'overrides')])) {
    form.drop(variable, 'definitionFrom');
  }
}

/** A template of a class; its reference keeps the version of the API. */
function convertTemplate(draft: Draft, form: FormOf, from: string, to: string): void {
  form.move(draft, from, to, (value) => {
    if (isFields(value)) form.drop(value as Draft, 'namespace', 'uid', 'resourceVersion', 'fieldPath');
    return value;
  });
}

function convertClass(spec: Draft, form: FormOf): void {
  convertTemplate(spec, form, 'infrastructure.ref', 'infrastructure.templateRef');
  form.move(spec, 'infrastructureNamingStrategy', 'infrastructure.naming');
  convertTemplate(spec, form, 'controlPlane.ref', 'controlPlane.templateRef');
  convertTemplate(spec, form, 'controlPlane.machineInfrastructure.ref', 'controlPlane.machineInfrastructure.templateRef');
  const controlPlane = draftAt(spec, 'controlPlane');
  const workers = WORKERS.flatMap((list) => draftsAt(spec, 'workers', list));
  for (const part of [...controlPlane ? [controlPlane] : [], ...workers]) {
    form.move(part, 'namingStrategy', 'naming');
    convertTimeouts(part, form);
    convertHealthCheck(part, form);
  }
  for (const worker of workers) {
    convertStrategy(worker, form, 'healthCheck.remediation.maxInFlight');
    form.move(worker, 'template.metadata', 'metadata');
    for (const name of ['bootstrap', 'infrastructure']) convertTemplate(worker, form, `template.${name}.ref`, `${name}.templateRef`);
    if (form.isConverted) form.drop(worker, 'template');
  }
  for (const patch of draftsAt(spec, 'patches')) {
    form.move(patch, 'external.generateExtension', 'external.generatePatchesExtension');
    form.move(patch, 'external.validateExtension', 'external.validateTopologyExtension');
  }
  for (const variable of draftsAt(spec, 'variables')) form.move(variable, 'metadata', 'deprecatedV1Beta1Metadata');
}

/** Sets what webhooks set in all objects of a cluster. */
function completeMember(object: Draft): void {
  const cluster = draftAt(object, 'spec')?.clusterName;
  if (typeof cluster !== 'string') return;
  putDefault(object, 'metadata.labels', {});
  const labels = draftAt(object, 'metadata', 'labels');
  if (labels) labels[CLUSTER_NAME_LABEL] = cluster;
}

/** Adds the `v` that webhooks add to versions. */
export function completeVersion(draft: Draft | undefined): void {
  if (typeof draft?.version === 'string') draft.version = prefixedVersion(draft.version);
}

function completePool(object: Draft): void {
  completeMember(object);
  completeVersion(draftAt(object, 'spec', 'template', 'spec'));
}

/** Puts variables in the order of their names, by which they are looked up. */
function sortVariables(topology: Draft | undefined): void {
  const parts = [draftAt(topology, 'controlPlane'), ...WORKERS.flatMap((list) => draftsAt(topology, 'workers', list))];
  for (const list of [listAt(topology, 'variables'), ...parts.map((part) => listAt(part, 'variables', 'overrides'))]) {
    // The draft has lists of its own.
    (list as unknown[]).sort((one, other) => ((stringAt(one, 'name') ?? '') < (stringAt(other, 'name') ?? '') ? -1 : 1));
  }
}

/** Replicas are left out: what they become where they are unset depends on those that there are. */
function completeMachines(object: Draft, label: string): void {
  completePool(object);
  const spec = draftAt(object, 'spec');
  if (!spec) return;
  putDefault(spec, 'selector.matchLabels', {});
  putDefault(spec, 'template.metadata.labels', {});
  const [selected, labels] = [draftAt(spec, 'selector', 'matchLabels'), draftAt(spec, 'template', 'metadata', 'labels')];
  const name = draftAt(object, 'metadata')?.name;
  if (selected && labels && typeof name === 'string' && Object.keys(selected).length === 0 && draftsAt(spec, 'selector', 'matchExpressions').length === 0) {
    selected[label] = name;
    labels[label] = name;
  }
}

function completeDeployment(object: Draft, form: FormOf): void {
  completeMachines(object, 'cluster.x-k8s.io/deployment-name');
  const spec = draftAt(object, 'spec');
  if (!spec) return;
  for (const part of [['selector', 'matchLabels'], ['template', 'metadata', 'labels']]) {
    const labels = draftAt(spec, ...part);
    if (labels && typeof spec.clusterName === 'string') labels[CLUSTER_NAME_LABEL] = spec.clusterName;
  }
  putDefault(spec, 'paused', false);
  const strategy = form.isConverted ? 'rollout.strategy' : 'strategy';
  putDefault(spec, `${strategy}.type`, 'RollingUpdate');
  if (draftAt(spec, ...strategy.split('.'))?.type !== 'RollingUpdate') return;
  putDefault(spec, `${strategy}.rollingUpdate.maxSurge`, 1);
  putDefault(spec, `${strategy}.rollingUpdate.maxUnavailable`, 0);
}

const HTTPS = 443;
const TEN_SECONDS = 10;
const TEN_MINUTES = 600;

/** Completes a timeout, which has another name in the older version. */
function completeTimeout(draft: Draft | undefined, form: FormOf, old: string, now: string, value: number): void {
  if (draft) putDefault(draft, form.isConverted ? now : old, value);
}

/**
 * The kinds of Cluster API's core.
 *
 * Sources: kubernetes-sigs/cluster-api api/core/v1beta1/conversion.go, core/webhooks/conversion and core/webhooks/admission (Default), v1.14.0.
 */
const FORMS: Readonly<Record<string, StoredForm>> = {
  [CLUSTER]: {
    version: VERSION,
    conversions: { v1beta1: convertCluster },
    complete: (object) => {
      const topology = draftAt(object, 'spec', 'topology');
      completeVersion(topology);
      sortVariables(topology);
      putDefault(object, 'spec.paused', false);
    },
  },
  [CLUSTER_CLASS]: { version: VERSION, conversions: { v1beta1: convertClass } },
  [MACHINE]: {
    version: VERSION,
    conversions: { v1beta1: convertMachine },
    complete: (object, form) => {
      completeMember(object);
      const spec = draftAt(object, 'spec');
      completeVersion(spec);
      completeTimeout(spec, form, 'nodeDeletionTimeout', 'deletion.nodeDeletionTimeoutSeconds', TEN_SECONDS);
    },
  },
  [MACHINE_DEPLOYMENT]: { version: VERSION, conversions: { v1beta1: convertPool }, complete: completeDeployment },
  [MACHINE_SET]: {
    version: VERSION, conversions: { v1beta1: convertPool }, complete: (object) => completeMachines(object, 'cluster.x-k8s.io/set-name'),
  },
  [MACHINE_POOL]: {
    version: VERSION,
    conversions: { v1beta1: convertPool },
    complete: (object, form) => {
      completePool(object);
      completeTimeout(draftAt(object, 'spec', 'template', 'spec'), form, 'nodeDeletionTimeout', 'deletion.nodeDeletionTimeoutSeconds', TEN_SECONDS);
    },
  },
  [MACHINE_HEALTH_CHECK]: {
    version: VERSION,
    conversions: { v1beta1: convertChecks },
    complete: (object, form) => {
      completeMember(object);
      completeTimeout(draftAt(object, 'spec'), form, 'nodeStartupTimeout', 'checks.nodeStartupTimeoutSeconds', TEN_MINUTES);
    },
  },
  'cluster.x-k8s.io/MachineDrainRule': sameFields(VERSION, 'v1beta1'),
  [CLUSTER_RESOURCE_SET]: {
    ...sameFields(VERSION, 'v1beta1'), complete: (object) => putDefault(object, 'spec.strategy', 'ApplyOnce'),
  },
  'addons.cluster.x-k8s.io/ClusterResourceSetBinding': sameFields(VERSION, 'v1beta1'),
  'ipam.cluster.x-k8s.io/IPAddress': sameFields(VERSION, 'v1alpha1', 'v1beta1'),
  'ipam.cluster.x-k8s.io/IPAddressClaim': sameFields(VERSION, 'v1alpha1', 'v1beta1'),
  'runtime.cluster.x-k8s.io/ExtensionConfig': {
    ...sameFields(VERSION, 'v1alpha1'),
    complete: (object) => {
      putDefault(object, 'spec.namespaceSelector', {});
      const service = draftAt(object, 'spec', 'clientConfig', 'service');
      if (service) putDefault(service, 'port', HTTPS);
    },
  },
};

/** The forms of the kinds of Cluster API's core, whose webhooks all read objects into Go's types. */
export const STORED_FORMS: Readonly<Record<string, StoredForm>> = omittingEmpty(FORMS);
