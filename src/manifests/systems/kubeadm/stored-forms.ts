import {
  KUBEADM_CONFIG, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE,
} from '../../rules/cluster-api/cluster-api-kinds';
import { completeVersion, convertTimeouts } from '../../rules/cluster-api/stored-forms';
import { Draft, draftAt, draftsAt, FormOf, omittingEmpty, put, putDefault, seconds, StoredForm } from '../../rules/stored-form';
import { isFields } from '../../values/fields';

const VERSION = 'v1beta2';

/** Arguments by name, as a list in the order of their names. */
function argumentsOf(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, text]) => ({ name, value: text }));
}

/** Fields that are switches: of those of the older version, the stored one does not keep that they are off. */
function keepOnlyTrue(draft: Draft | undefined, field: string): void {
  if (draft?.[field] === false) delete draft[field];
}

function convertConfiguration(spec: Draft, form: FormOf): void {
  const [cluster, init, join] = ['clusterConfiguration', 'initConfiguration', 'joinConfiguration'].map((name) => draftAt(spec, name));
  const timeout = draftAt(cluster, 'apiServer')?.timeoutForControlPlane;
  if (cluster) convertCluster(cluster, form);
  for (const token of draftsAt(init, 'bootstrapTokens')) form.move(token, 'ttl', 'ttlSeconds', seconds);
  for (const part of [init, join]) {
    if (!part) continue;
    form.drop(part, 'apiVersion', 'kind');
    form.reshape(part, 'nodeRegistration.kubeletExtraArgs', argumentsOf);
  }
  if (join) form.move(join, 'discovery.timeout', 'timeouts.tlsBootstrapSeconds', seconds);
  form.drop(spec, 'useExperimentalRetryJoin');
  if (form.isConverted && timeout !== undefined) {
    for (const part of ['initConfiguration', 'joinConfiguration']) put(spec, `${part}.timeouts.controlPlaneComponentHealthCheckSeconds`, seconds(timeout));
  }
  keepOnlyTrue(draftAt(join, 'discovery', 'bootstrapToken'), 'unsafeSkipCAVerification');
  keepOnlyTrue(draftAt(join, 'discovery', 'file', 'kubeConfig', 'cluster'), 'insecureSkipTLSVerify');
  keepOnlyTrue(draftAt(join, 'discovery', 'file', 'kubeConfig', 'user', 'exec'), 'provideClusterInfo');
  keepOnlyTrue(draftAt(spec, 'ignition', 'containerLinuxConfig'), 'strict');
  for (const file of draftsAt(spec, 'files')) keepOnlyTrue(file, 'append');
}

function convertCluster(cluster: Draft, form: FormOf): void {
  form.drop(cluster, 'apiVersion', 'kind', 'clusterName', 'kubernetesVersion', 'networking');
  form.reshape(cluster, 'etcd.local.extraArgs', argumentsOf);
  for (const name of ['apiServer', 'controllerManager', 'scheduler']) {
    form.reshape(cluster, `${name}.extraArgs`, argumentsOf);
    for (const volume of draftsAt(cluster, name, 'extraVolumes')) keepOnlyTrue(volume, 'readOnly');
  }
  if (form.isConverted) form.drop(cluster, 'apiServer.timeoutForControlPlane');
  else form.move(cluster, 'apiServer.timeoutForControlPlane', 'apiServer.timeoutForControlPlane', seconds);
}

function convertControlPlane(spec: Draft, form: FormOf): void {
  const configuration = draftAt(spec, 'kubeadmConfigSpec');
  if (configuration) convertConfiguration(configuration, form);
  const machine = draftAt(spec, 'machineTemplate');
  if (machine) {
    form.refer(machine, 'infrastructureRef', 'spec.infrastructureRef');
    form.move(machine, 'readinessGates', 'spec.readinessGates');
    form.move(machine, 'taints', 'spec.taints');
    convertTimeouts(machine, form, 'spec.deletion');
  }
  form.move(spec, 'machineNamingStrategy', 'machineNaming');
  form.move(spec, 'rolloutAfter', 'rollout.after');
  form.move(spec, 'rolloutBefore', 'rollout.before');
  form.move(spec, 'rolloutStrategy', 'rollout.strategy');
  form.move(spec, 'remediationStrategy.maxRetry', 'remediation.maxRetry');
  for (const name of ['minHealthyPeriod', 'retryPeriod']) {
    form.move(spec, `remediationStrategy.${name}`, `remediation.${name}Seconds`, (value) => (seconds(value) === 0 ? undefined : seconds(value)));
  }
  if (form.isConverted) form.drop(spec, 'remediationStrategy');
}

/** Sets what controllers take for granted when they compare machines (ApplyPreviousKubeadmConfigDefaults). */
function completeConfiguration(spec: Draft | undefined): void {
  if (!spec) return;
  putDefault(spec, 'format', 'cloud-config');
  for (const part of ['initConfiguration', 'joinConfiguration']) putDefault(spec, `${part}.nodeRegistration.imagePullPolicy`, 'IfNotPresent');
}

function completeControlPlane(object: Draft, form: FormOf): void {
  const spec = draftAt(object, 'spec');
  if (!spec) return;
  putDefault(spec, 'replicas', 1);
  completeVersion(spec);
  const strategy = form.isConverted ? 'rollout.strategy' : 'rolloutStrategy';
  put(spec, `${strategy}.type`, 'RollingUpdate');
  putDefault(spec, `${strategy}.rollingUpdate.maxSurge`, 1);
  completeConfiguration(draftAt(spec, 'kubeadmConfigSpec'));
}

/** The spec in a template. */
function inTemplate(convert: (spec: Draft, form: FormOf) => void): (spec: Draft, form: FormOf) => void {
  return (spec, form) => {
    const inside = draftAt(spec, 'template', 'spec');
    if (inside) convert(inside, form);
  };
}

/**
 * Kubeadm's kinds.
 *
 * Sources: kubernetes-sigs/cluster-api api/bootstrap/kubeadm/v1beta1/conversion.go, api/controlplane/kubeadm/v1beta1/conversion.go,
 * {bootstrap,controlplane}/kubeadm/webhooks/{conversion,admission}, controlplane/kubeadm/pkg/filters.go (PrepareKubeadmConfigsForDiff), v1.14.0.
 */
export const STORED_FORMS: Readonly<Record<string, StoredForm>> = omittingEmpty({
  [KUBEADM_CONFIG]: { version: VERSION, conversions: { v1beta1: convertConfiguration } },
  [KUBEADM_CONFIG_TEMPLATE]: {
    version: VERSION,
    conversions: { v1beta1: inTemplate(convertConfiguration) },
    complete: (object) => completeConfiguration(draftAt(object, 'spec', 'template', 'spec')),
  },
  [KUBEADM_CONTROL_PLANE]: { version: VERSION, conversions: { v1beta1: convertControlPlane }, complete: completeControlPlane },
  [KUBEADM_CONTROL_PLANE_TEMPLATE]: { version: VERSION, conversions: { v1beta1: inTemplate(convertControlPlane) } },
});
