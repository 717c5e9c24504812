import { argumentsAt, below, BOOTSTRAP_SCHEMA, clusterConfigurationYaml, configTemplateYaml, KUBEADM_KINDS, kubeadmSpec, kubernetesMinor } from './kubeadm-spec';
import { ManifestObject } from '../../../objects/manifest-object';
import { isV1beta1 } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestRule } from '../../../rules/manifest-rule';
import { checkArguments, flagName } from '../../../values/component-arguments';
import { Component } from '../../../values/component-facts';
import { checkFlagValues, checkOidcFlags, PlacedFlag } from '../../../values/control-plane-flags';
import { isSet } from '../../../values/fields';
import { Finding } from '../../../values/finding';

/** Arguments, where they stand, and whose they are: undefined for etcd, whose flags differ with its image. */
interface ArgumentList {
  readonly path: readonly string[];
  readonly component?: Component;
}

const LISTS: readonly ArgumentList[] = [
  { path: ['clusterConfiguration', 'apiServer', 'extraArgs'], component: 'kube-apiserver' },
  { path: ['clusterConfiguration', 'controllerManager', 'extraArgs'], component: 'kube-controller-manager' },
  { path: ['clusterConfiguration', 'scheduler', 'extraArgs'], component: 'kube-scheduler' },
  { path: ['clusterConfiguration', 'etcd', 'local', 'extraArgs'] },
  { path: ['initConfiguration', 'nodeRegistration', 'kubeletExtraArgs'], component: 'kubelet' },
  { path: ['joinConfiguration', 'nodeRegistration', 'kubeletExtraArgs'], component: 'kubelet' },
];

const OIDC_TEXT = 'apiServer:\n  extraArgs:\n    - name: oidc-issuer-url\n      value: https://id.example.com';

/** A placeholder that the machine, or the tool that applies the manifest, replaces. */
const TEMPLATE = /\{\{|\{%|\$\{/;

const UNIQUE: ManifestRule = {
  id: 'TC-ADMIT-KUBEADM-ARGUMENT',
  title: 'The extra arguments of a component must be unique.',
  source: BOOTSTRAP_SCHEMA,
  kinds: KUBEADM_KINDS,
  example: { failing: joining('v: "2"', 'v: "4"'), corrected: joining('v: "4"') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return LISTS.flatMap(({ path }) => repeated(argumentsAt(spec.value, path)).map(({ name, path: at }) => ({
      path: below(spec, ...at, 'name'), message: `${JSON.stringify(name)} is listed twice`, fix: 'keep one of them; join the values of a list with commas',
    })));
  },
};

const KNOWN: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-ARGUMENT',
  title: 'A component must know its extra arguments and be able to parse their values: otherwise it does not start, and only its log shows the error.',
  source: 'kubernetes/kubernetes cmd/{kube-apiserver,kube-controller-manager,kube-scheduler,kubelet}/app/options',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: {
    failing: clusterConfigurationYaml('apiServer:\n  extraArgs:\n    - name: cloud-provider\n      value: external'),
    corrected: clusterConfigurationYaml('apiServer:\n  extraArgs:\n    - name: audit-log-maxage\n      value: "30"'),
  },
  check: (object, index) => {
    const spec = kubeadmSpec(object);
    return LISTS.flatMap(({ path, component }) => {
      const given = argumentsAt(spec.value, path);
      if (given.length === 0) return [];
      const twice = repeated(given);
      const judged = given.filter((argument) => !twice.includes(argument) && !TEMPLATE.test(argument.name + argument.value));
      if (component === undefined || judged.length === 0) return [];
      return checkArguments(component, kubernetesMinor(object, index), judged)
        .map((finding) => ({ ...finding, path: below(spec, ...judged[Number(finding.path[0])].path) }));
    });
  },
};

const API_SERVER = LISTS[0].path;

const FLAG_VALUE: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-FLAG-VALUE',
  title: 'The API server must answer anonymous requests, which its probes send, authorize by Node and RBAC, and keep NodeRestriction, which holds each kubelet to its own node; the controller manager must run bootstrapsigner and tokencleaner.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/controlplane/manifests.go, kubernetes.io/docs/reference/access-authn-authz/authorization',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: {
    failing: clusterConfigurationYaml('apiServer:\n  extraArgs:\n    - name: anonymous-auth\n      value: "false"'),
    corrected: clusterConfigurationYaml('apiServer:\n  extraArgs:\n    - name: anonymous-auth\n      value: "true"'),
  },
  check: (object) => LISTS.flatMap(({ path, component }) => {
    const flags = component === undefined ? [] : flagsAt(object, path);
    return [...checkFlagValues(component!, flags), ...(path === API_SERVER ? checkNodeRestriction(flags) : [])];
  }),
};

/** kubeadm switches NodeRestriction on, and a list of the user takes the place of its own. */
export function checkNodeRestriction(flags: readonly PlacedFlag[]): Finding[] {
  return flags.flatMap(({ value, path, ...flag }) => {
    const name = flagName(flag);
    const named = value.split(',').includes('NodeRestriction');
    const lost = (name === 'enable-admission-plugins' && !named) || (name === 'disable-admission-plugins' && named);
    return lost ? [{
      path,
      message: `with --${name}=${value} every kubelet may change other nodes and their pods`,
      accepted: 'lists that switch NodeRestriction on',
      fix: name.startsWith('enable') ? 'add NodeRestriction to the list' : 'remove NodeRestriction from the list',
    }] : [];
  });
}

const OIDC: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-OIDC',
  title: 'Flags that start with --oidc- need issuer and client, and exclude --authentication-config: the API server exits otherwise.',
  source: 'kubernetes/kubernetes pkg/kubeapiserver/options/authentication.go',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: {
    failing: clusterConfigurationYaml(OIDC_TEXT),
    corrected: clusterConfigurationYaml(`${OIDC_TEXT}\n    - name: oidc-client-id\n      value: acme`),
  },
  check: (object) => checkOidcFlags(allFlagsAt(object, API_SERVER)),
};

function allFlagsAt(object: ManifestObject, path: readonly string[]): readonly PlacedFlag[] {
  const spec = kubeadmSpec(object);
  return argumentsAt(spec.value, path).map((flag) => ({ ...flag, path: below(spec, ...flag.path) }));
}

/** Flags without those that the machine, or the tool that applies the manifest, still fills in. */
function flagsAt(object: ManifestObject, path: readonly string[]): readonly PlacedFlag[] {
  return allFlagsAt(object, path).filter(({ name, value }) => !TEMPLATE.test(name + value));
}

function joining(...args: string[]): string {
  const lines = args.map((arg) => arg.split(': ')).map(([name, value]) => `      - name: ${name}\n        value: ${value}`);
  return configTemplateYaml(`joinConfiguration:\n  nodeRegistration:\n    kubeletExtraArgs:\n${lines.join('\n')}`);
}

function repeated(args: readonly PlacedFlag[]): readonly PlacedFlag[] {
  if (args.length < 2) return [];
  const names = args.map(({ name }) => name);
  return args.filter(({ name }, index) => names.indexOf(name) < index);
}

const NETWORKING = ['clusterConfiguration', 'networking'];
const BY_CLUSTER = 'Cluster API takes it from the Cluster: write it into';

/** The fields, and what to do instead. */
const FIELDS: readonly (readonly [path: readonly string[], fix: string])[] = [
  ...['clusterConfiguration', 'initConfiguration', 'joinConfiguration'].flatMap((part) => ['apiVersion', 'kind']
    .map((field) => [[part, field], 'remove it: Cluster API writes the one that goes with the version of Kubernetes'] as const)),
  [['clusterConfiguration', 'clusterName'], 'remove it: Cluster API takes the name of the Cluster'],
  [['clusterConfiguration', 'kubernetesVersion'], 'remove it: Cluster API takes spec.version of the KubeadmControlPlane, and spec.template.spec.version of a pool'],
  [[...NETWORKING, 'podSubnet'], `${BY_CLUSTER} spec.clusterNetwork.pods.cidrBlocks of the Cluster, and remove it here`],
  [[...NETWORKING, 'serviceSubnet'], `${BY_CLUSTER} spec.clusterNetwork.services.cidrBlocks of the Cluster, and remove it here`],
  [[...NETWORKING, 'dnsDomain'], `${BY_CLUSTER} spec.clusterNetwork.serviceDomain of the Cluster, and remove it here`],
  [['useExperimentalRetryJoin'], 'remove it: there is nothing in its place'],
];

/** Fields that are gone. */
const REMOVED_FIELDS: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-REMOVED-FIELD',
  title: 'Fields of v1beta1 that v1beta2 does not have are lost when they are stored, and every apply shows them as a difference.',
  source: 'kubernetes-sigs/cluster-api tag v1.11.4, docs/book/src/developer/providers/migrations/v1.10-to-v1.11.md',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: configTemplateYaml('useExperimentalRetryJoin: true', 'v1beta1'), corrected: configTemplateYaml('format: cloud-config', 'v1beta1') },
  check: (object) => {
    if (!isV1beta1(object)) return [];
    const spec = kubeadmSpec(object);
    return FIELDS.filter(([path]) => isSet(spec.value, ...path)).map(([path, fix]) => ({
      path: below(spec, ...path), message: 'Cluster API from 1.11 does not keep this field', fix,
    }));
  },
};

/** Rules for extra arguments, and for fields that kubeadm no longer has. */
export const ARGUMENTS: readonly ManifestRule[] = [UNIQUE, KNOWN, FLAG_VALUE, OIDC, REMOVED_FIELDS];
