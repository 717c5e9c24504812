import { checkAuditLog, checkAuditLogVolume, checkVolumes, KubeadmHostPathVolume, volumeFields } from './volumes';
import { checkNodeRestriction } from '../../../../manifests/systems/kubeadm/rules/arguments';
import { kubeadmMounts } from '../../../../manifests/systems/kubeadm/static-pod-mounts';
import { checkArguments, checkManagedFlags, ComponentArgument, flagName } from '../../../../manifests/values/component-arguments';
import type { Component } from '../../../../manifests/values/component-facts';
import { checkFlagValues, checkOidcFlags } from '../../../../manifests/values/control-plane-flags';
import { checkFeatureGates, formatFeatureGates } from '../../../../manifests/values/flag-values';
import { KubernetesVersion } from '../../../../manifests/values/kubernetes-version';
import { Problem, problemsOf, Rule } from '../../../../manifests/values/problem';
import { NODE_MASK_FLAGS } from '../../../contracts/network/cluster-network';

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
   * Rules: `TC-TRAP-KUBEADM-ARGUMENT`, `TC-ADMIT-KUBEADM-ARGUMENT`, `TC-TRAP-KUBEADM-FLAG-VALUE`, `TC-TRAP-KUBEADM-OIDC`,
   * `TC-KUBEADM-CP-ARGUMENT`, `TC-KUBEADM-CP-MOUNTED-FILE`, `TC-TRAP-KUBEADM-ARGUMENT-FILE`, `TC-KUBEADM-CP-AUDIT-LOG`.
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];

  /**
   * Feature gates to switch on or off, written as one `--feature-gates` flag (`TC-TRAP-KUBEADM-ARGUMENT`).
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
 * Property by field of a component.
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
  return componentUses(components).flatMap((use) => checkComponent(use, version, etcdFiles));
}

/**
 * Checks flags of a control plane that no manifest describes, as rules over manifests check those of a KubeadmControlPlane.
 *
 * @param components their options
 * @param version Kubernetes version of the cluster
 */
export function checkUnseenFlags(components: KubeadmComponents, version: KubernetesVersion): Problem[] {
  return componentUses(components).flatMap(({ component, property, options: { extraArgs = [], featureGates = {} }, managed }) => {
    const flags = extraArgs.map((argument, index) => ({ ...argument, path: [index] })).filter((flag) => !Object.hasOwn(managed, flagName(flag)));
    const unknown = checkArguments(component, version.minorVersion, flags, { unique: true });
    return [
      ...problemsOf(ARGUMENT_RULE, `${property}.extraArgs`, [
        ...unknown.map((finding) => ({ ...finding, path: flags[Number(finding.path[0])].path })),
        ...checkFlagValues(component, flags),
        ...(component === 'kube-apiserver' ? [...checkNodeRestriction(flags), ...checkOidcFlags(flags)] : []),
      ]),
      ...problemsOf(ARGUMENT_RULE, `${property}.featureGates`, checkFeatureGates(version.minorVersion, featureGates)),
    ];
  });
}

function componentUses({ apiServer, controllerManager, scheduler }: KubeadmComponents): ComponentUse[] {
  return [
    { component: 'kube-apiserver', property: 'controlPlane.apiServer', options: apiServer ?? {}, managed: API_SERVER_FLAGS },
    { component: 'kube-controller-manager', property: 'controlPlane.controllerManager', options: controllerManager ?? {}, managed: CONTROLLER_MANAGER_FLAGS },
    { component: 'kube-scheduler', property: 'controlPlane.scheduler', options: scheduler ?? {}, managed: SCHEDULER_FLAGS },
  ];
}

export const ARGUMENT_RULE: Rule = {
  id: 'TC-KUBEADM-CP-ARGUMENT',
  title: 'A component must know each argument in the cluster\'s Kubernetes version and work with it, and no other option may set it.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/manifests.go',
};

function checkComponent(use: ComponentUse, version: KubernetesVersion, etcdFiles: readonly string[]): Problem[] {
  const { component, property, options } = use;
  const { extraArgs = [], featureGates = {}, extraVolumes = [], extraEnvs = {} } = options;
  const hasGates = Object.keys(featureGates).length > 0;
  const managed = { ...use.managed, ...(hasGates && { 'feature-gates': `${property}.featureGates sets it` }) };
  const at = `${property}.extraArgs`;
  const flexVolumes = extraArgs.find((argument) => flagName(argument) === 'flex-volume-plugin-dir')?.value;
  const ofKubeadm = kubeadmMounts(component, { flexVolumes, etcdFiles });
  return [
    ...problemsOf(ARGUMENT_RULE, at, checkManagedFlags(component, extraArgs, managed)),
    ...(component === 'kube-apiserver' ? [
      ...checkAuditLogVolume(at, extraArgs, { ofKubeadm, extra: extraVolumes }), ...checkAuditLog(at, extraArgs, version),
    ] : []),
    ...checkVolumes(`${property}.extraVolumes`, extraVolumes, ofKubeadm),
    ...checkVariables(`${property}.extraEnvs`, Object.keys(extraEnvs)),
  ];
}

const ENVIRONMENT_RULE: Rule = {
  id: 'TC-KUBEADM-CP-ENVIRONMENT',
  title: 'Names of environment variables are printable and have no "=".',
  source: 'kubernetes/apimachinery pkg/util/validation/validation.go',
};

function checkVariables(property: string, names: readonly string[]): Problem[] {
  const rule = ENVIRONMENT_RULE;
  return names.filter((name) => !VARIABLE.test(name)).map((name) => ({
    rule, property: `${property}["${name}"]`, message: `${JSON.stringify(name)} is not the name of an environment variable`, fix: 'write printable characters without "="',
  }));
}

// Source of everything here: kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/manifests.go. kubeadm
// lets extra arguments win over its own, so that these would break the control plane.

const FILE = 'kubeadm names the file that it or Cluster API writes';
const ETCD = 'controlPlane.etcd decides it';
const NETWORK = 'it follows from the network of the cluster';
const EACH_MACHINE = 'it differs from machine to machine, and kubeadm sets it';
const ONE_LEADER = 'without a leader the machines would work against each other';
const PROBED = 'the probes ask at its default port';
const KUBELETS_ALONE = 'only kubelets need to know that the cluster has a cloud controller manager';

/** Flags of the API server that extra arguments cannot carry, each with the reason. */
const API_SERVER_FLAGS: Readonly<Record<string, string>> = {
  'advertise-address': EACH_MACHINE,
  'allow-privileged': 'kube-proxy and pod networks run privileged containers',
  'client-ca-file': FILE,
  'cloud-provider': KUBELETS_ALONE,
  'enable-bootstrap-token-auth': 'machines join with such a token',
  'etcd-cafile': ETCD,
  'etcd-certfile': ETCD,
  'etcd-keyfile': ETCD,
  'etcd-servers': ETCD,
  'kubelet-client-certificate': FILE,
  'kubelet-client-key': FILE,
  'proxy-client-cert-file': FILE,
  'proxy-client-key-file': FILE,
  'requestheader-client-ca-file': FILE,
  'secure-port': 'the load balancer of the infrastructure leads to port 6443',
  'service-account-key-file': FILE,
  'service-account-signing-key-file': FILE,
  'service-cluster-ip-range': NETWORK,
  'tls-cert-file': FILE,
  'tls-private-key-file': FILE,
};

/** Flags of the controller manager that extra arguments cannot carry. */
const CONTROLLER_MANAGER_FLAGS: Readonly<Record<string, string>> = {
  'authentication-kubeconfig': FILE,
  'authorization-kubeconfig': FILE,
  'client-ca-file': FILE,
  'cloud-provider': KUBELETS_ALONE,
  'cluster-cidr': NETWORK,
  'cluster-name': 'it is the name of the cluster',
  'cluster-signing-cert-file': FILE,
  'cluster-signing-key-file': FILE,
  'kubeconfig': FILE,
  'leader-elect': ONE_LEADER,
  ...NODE_MASK_FLAGS,
  'requestheader-client-ca-file': FILE,
  'root-ca-file': FILE,
  'secure-port': PROBED,
  'service-account-private-key-file': FILE,
  'service-cluster-ip-range': NETWORK,
};

/** Flags of the scheduler that extra arguments cannot carry. */
const SCHEDULER_FLAGS: Readonly<Record<string, string>> = {
  'authentication-kubeconfig': FILE,
  'authorization-kubeconfig': FILE,
  'kubeconfig': FILE,
  'leader-elect': ONE_LEADER,
  'secure-port': PROBED,
};
