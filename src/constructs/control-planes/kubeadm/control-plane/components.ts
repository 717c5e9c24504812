import { kubeadmMounts } from './kubeadm-mounts';
import { API_SERVER_FLAGS, CONTROLLER_MANAGER_FLAGS, SCHEDULER_FLAGS } from './managed-flags';
import { checkAuditLog, checkMountedFiles } from './mounted-files';
import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { checkVolumes, KubeadmHostPathVolume, volumeFields } from './volumes';
import { checkArguments, ComponentArgument } from '../../../../manifests/values/component-arguments';
import type { Component } from '../../../../manifests/values/component-facts';
import { checkFeatureGates, formatFeatureGates } from '../../../../manifests/values/feature-gates';
import { KubernetesVersion } from '../../../../manifests/values/kubernetes-version';
import { Problem, problemsOf } from '../../../../manifests/values/problem';
import { checkComponentValue, flagName } from '../../../contracts/component-values';
import { checkOidcFlags } from '../../../contracts/oidc-flags';

/** Options of one component of the control plane: API server, controller manager or scheduler. A change replaces the machines. */
export interface KubeadmComponent {
  /**
   * Further flags, each once; they win over those that kubeadm sets. They are checked against the component's flags in the cluster's
   * Kubernetes minor and against those that kubeadm or another property decides; at most 100, with values of at most 1024 characters
   * (Cluster API: `TC-ADMIT-FIELD-VALUE`).
   *
   * A file that a flag leads to must be in a volume, and old audit logs must be deleted some day. Refused is what breaks or opens the
   * cluster.
   *
   * Rules: `TC-KUBEADM-CP-ARGUMENT`, `TC-KUBEADM-CP-MOUNTED-FILE`, `TC-KUBEADM-CP-AUDIT-LOG`, `TC-KUBEADM-CP-ANONYMOUS-ACCESS`,
   * `TC-KUBEADM-CP-AUTHORIZATION-MODE`, `TC-KUBEADM-CP-NODE-RESTRICTION`, `TC-KUBEADM-CP-CONTROLLERS`.
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];

  /**
   * Feature gates to switch on or off, written as one `--feature-gates` flag (`TC-KUBEADM-CP-FEATURE-GATE`).
   *
   * @default - Kubernetes' defaults
   */
  readonly featureGates?: { [name: string]: boolean };

  /**
   * Files and folders of the machine that the component sees, at most 100. `files` writes them.
   *
   * Rules: `TC-KUBEADM-CP-VOLUME`, `TC-ADMIT-FIELD-VALUE`.
   *
   * @default - those that kubeadm mounts
   */
  readonly extraVolumes?: KubeadmHostPathVolume[];

  /**
   * Environment variables, by name; at most 100.
   *
   * Rules: `TC-KUBEADM-CP-ENVIRONMENT`, `TC-ADMIT-FIELD-VALUE`.
   *
   * @default - the proxy variables that kubeadm finds in its own environment
   */
  readonly extraEnvs?: { [name: string]: string };
}

// Printable ASCII without "=" (IsRelaxedEnvVarName).
const VARIABLE = /^[ -<>-~]+$/;

/** One component with everything that its check needs. */
interface ComponentUse {
  readonly component: Component;
  readonly property: string;
  readonly options: KubeadmComponent;
  readonly managed: Readonly<Record<string, string>>;
}

/** The components of a control plane. */
export interface KubeadmComponents {
  readonly apiServer?: KubeadmComponent;
  readonly controllerManager?: KubeadmComponent;
  readonly scheduler?: KubeadmComponent;
}

/**
 * The fields of one component in kubeadm's cluster configuration; empty if nothing is set.
 *
 * @param component the user's options
 * @param added flags that follow from the cluster
 */
export function componentFields(component: KubeadmComponent, added: readonly ComponentArgument[] = []) {
  const { extraArgs = [], featureGates = {}, extraVolumes = [], extraEnvs = {} } = component;
  const gates = formatFeatureGates(featureGates);
  const args = [
    ...added,
    ...(gates === '' ? [] : [{ name: 'feature-gates', value: gates }]),
    ...extraArgs.map(({ name, value }) => ({ name, value })),
  ];
  const variables = Object.entries(extraEnvs).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...(args.length > 0 && { extraArgs: args }),
    ...(variables.length > 0 && { extraEnvs: variables.map(([name, value]) => ({ name, value })) }),
    ...(extraVolumes.length > 0 && { extraVolumes: extraVolumes.map(volumeFields) }),
  };
}

/**
 * Which property each field of a component came from.
 *
 * @param path where the component is in its object
 * @param property the property that holds the options
 * @param component the user's options
 * @param added how many flags follow from the cluster
 */
export function componentSources(path: string, property: string, component: KubeadmComponent, added = 0): { [field: string]: string } {
  const { extraArgs = [], featureGates = {} } = component;
  const before = formatFeatureGates(featureGates) === '' ? added : added + 1;
  return {
    [`${path}.extraArgs`]: `${property}.extraArgs`,
    ...(before > added && { [`${path}.extraArgs[${added}]`]: `${property}.featureGates` }),
    ...Object.fromEntries(extraArgs.map((_, index) => [`${path}.extraArgs[${before + index}].**`, `${property}.extraArgs[${index}].**`])),
    [`${path}.extraEnvs`]: `${property}.extraEnvs`,
    [`${path}.extraVolumes.**`]: `${property}.extraVolumes.**`,
  };
}

/**
 * Checks all components.
 *
 * @param components their options
 * @param version Kubernetes version of the cluster
 * @param etcdFiles files of an external etcd's certificates, which kubeadm has the API server see
 */
export function checkComponents(components: KubeadmComponents, version: KubernetesVersion, etcdFiles: readonly string[] = []): Problem[] {
  const { apiServer, controllerManager, scheduler } = components;
  const uses: ComponentUse[] = [
    { component: 'kube-apiserver', property: 'controlPlane.apiServer', options: apiServer ?? {}, managed: API_SERVER_FLAGS },
    { component: 'kube-controller-manager', property: 'controlPlane.controllerManager', options: controllerManager ?? {}, managed: CONTROLLER_MANAGER_FLAGS },
    { component: 'kube-scheduler', property: 'controlPlane.scheduler', options: scheduler ?? {}, managed: SCHEDULER_FLAGS },
  ];
  return uses.flatMap((use) => checkComponent(use, version, etcdFiles));
}

function checkComponent(use: ComponentUse, version: KubernetesVersion, etcdFiles: readonly string[]): Problem[] {
  const minor = version.minorVersion;
  const { component, property, options } = use;
  const { extraArgs = [], featureGates = {}, extraVolumes = [], extraEnvs = {} } = options;
  const hasGates = Object.keys(featureGates).length > 0;
  const managed = { ...use.managed, ...(hasGates && { 'feature-gates': `${property}.featureGates sets it` }) };
  const at = `${property}.extraArgs`;
  const flexVolumes = extraArgs.find((argument) => flagName(argument) === 'flex-volume-plugin-dir')?.value;
  const ofKubeadm = kubeadmMounts(component, flexVolumes, etcdFiles);
  return [
    ...problemsOf(KUBEADM_CONTROL_PLANE_RULES.argument, at, checkArguments(component, minor, extraArgs, { managed, unique: true })),
    ...extraArgs.flatMap((argument, index) => [
      ...checkComponentValue(component, argument, `${at}[${index}]`, KUBEADM_CONTROL_PLANE_RULES),
      ...checkAdmissionPlugins(component, argument, `${at}[${index}]`),
    ]),
    ...problemsOf(KUBEADM_CONTROL_PLANE_RULES.featureGate, `${property}.featureGates`, checkFeatureGates(minor, featureGates)),
    ...checkMountedFiles(component, at, extraArgs, { ofKubeadm, extra: extraVolumes }),
    ...(component === 'kube-apiserver' ? checkAuditLog(at, extraArgs, version) : []),
    ...(component === 'kube-apiserver' ? checkOidcFlags(at, extraArgs, KUBEADM_CONTROL_PLANE_RULES.argument) : []),
    ...checkVolumes(`${property}.extraVolumes`, extraVolumes, ofKubeadm),
    ...checkVariables(`${property}.extraEnvs`, Object.keys(extraEnvs)),
  ];
}

/** kubeadm switches NodeRestriction on, and a list of the user takes the place of its own. */
function checkAdmissionPlugins(component: Component, argument: ComponentArgument, property: string): Problem[] {
  const name = flagName(argument);
  const named = argument.value.split(',').includes('NodeRestriction');
  const lost = (name === 'enable-admission-plugins' && !named) || (name === 'disable-admission-plugins' && named);
  return component !== 'kube-apiserver' || !lost ? [] : [{
    rule: KUBEADM_CONTROL_PLANE_RULES.nodeRestriction,
    property,
    message: `with --${name}=${argument.value} every kubelet may change other nodes and their pods`,
    accepted: 'lists that switch NodeRestriction on',
    fix: name.startsWith('enable') ? 'add NodeRestriction to the list' : 'remove NodeRestriction from the list',
  }];
}

function checkVariables(property: string, names: readonly string[]): Problem[] {
  const rule = KUBEADM_CONTROL_PLANE_RULES.environment;
  return names.filter((name) => !VARIABLE.test(name)).map((name) => ({
    rule, property: `${property}["${name}"]`, message: `${JSON.stringify(name)} is not the name of an environment variable`, fix: 'write printable characters without "="',
  }));
}
