import { controlPlaneExample } from './examples';
import {
  controlPlaneFields, DEPLOYMENT_BUILDER, placeOf, PROVIDER_CRD, PROVIDER_KINDS, PROVIDER_RECONCILER, TENANT_CONTROL_PLANE, WEBHOOKS,
} from './kamaji-objects';
import { ManifestObject } from '../../../objects/manifest-object';
import { ManifestRule } from '../../../rules/manifest-rule';
import { checkArguments, parseArgument } from '../../../values/component-arguments';
import { checkFlagValues, checkOidcFlags, PlacedFlag } from '../../../values/control-plane-flags';
import { checkDnsLabel } from '../../../values/dns';
import { FieldPath, isSet, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';
import { parseSemanticVersion } from '../../../values/semantic-version';

/** Plug-ins in the enumeration of Kamaji's schema, but no longer in any API server that Kamaji runs, which exits on an unknown name. */
const REMOVED: readonly string[] = ['DenyEscalatingExec', 'DenyExecOnPrivileged', 'PersistentVolumeLabel', 'PodSecurityPolicy', 'SecurityContextDeny'];

/** Plug-ins that do not start without a configuration. */
const CONFIGURED: readonly string[] = ['EventRateLimit', 'ImagePolicyWebhook'];

/** Flag of the API server that names the configuration of plug-ins. */
const CONFIGURATION_FLAG = 'admission-control-config-file';

// Source of everything here: clastix/kamaji internal/builders/controlplane/deployment.go.

const DATA_STORE = 'the data store';

const MOUNTED = 'it names the file that Kamaji mounts there';
const NETWORK = 'it follows from the network of the cluster';
const ONE_LEADER = 'without a leader the replicas would work against each other';
const PROBED = 'the probes ask at the default port';

const API_SERVER_FLAGS: readonly (readonly [flag: string, origin: string])[] = [
  ['advertise-address', 'the address of the control plane'],
  ['client-ca-file', ''],
  ['enable-admission-plugins', 'the list of admission plug-ins'],
  ['etcd-cafile', DATA_STORE],
  ['etcd-certfile', DATA_STORE],
  ['etcd-compaction-interval', DATA_STORE],
  ['etcd-keyfile', DATA_STORE],
  ['etcd-prefix', DATA_STORE],
  ['etcd-servers', DATA_STORE],
  ['kubelet-client-certificate', ''],
  ['kubelet-client-key', ''],
  ['kubelet-preferred-address-types', 'the preferred address types of the kubelet'],
  ['proxy-client-cert-file', ''],
  ['proxy-client-key-file', ''],
  ['requestheader-allowed-names', ''],
  ['requestheader-client-ca-file', ''],
  ['secure-port', 'the port of the control plane'],
  ['service-account-key-file', ''],
  ['service-account-signing-key-file', ''],
  ['service-cluster-ip-range', 'the network of the cluster'],
  ['tls-cert-file', ''],
  ['tls-private-key-file', ''],
];

/** Flags that Kamaji sets regardless of extra arguments, by component, each with the field that decides it. */
const DROPPED_FLAGS: Readonly<Partial<Record<string, ReadonlyMap<string, string>>>> = {
  apiServer: new Map(API_SERVER_FLAGS),
  scheduler: new Map(['authentication-kubeconfig', 'authorization-kubeconfig', 'bind-address', 'kubeconfig', 'leader-elect'].map((flag) => [flag, ''])),
};

/** Flags whose other values take the place of Kamaji's and break the control plane, by component, each with the reason. */
const KEPT_FLAGS: Readonly<Partial<Record<string, ReadonlyMap<string, string>>>> = {
  controllerManager: new Map([
    ...['authentication-kubeconfig', 'authorization-kubeconfig', 'client-ca-file', 'cluster-signing-cert-file', 'cluster-signing-key-file', 'kubeconfig',
      'requestheader-client-ca-file', 'root-ca-file', 'service-account-private-key-file'].map((flag) => [flag, MOUNTED] as const),
    ['cluster-cidr', NETWORK],
    ['leader-elect', ONE_LEADER],
    ['secure-port', PROBED],
    ['service-cluster-ip-range', NETWORK],
  ]),
  scheduler: new Map([['secure-port', PROBED]]),
};

/** Volumes of the control plane's pods that Kamaji makes (clastix/kamaji internal/builders/controlplane/deployment.go, konnectivity_server.go). */
const KAMAJI_VOLUMES: readonly string[] = [
  'controller-manager-kubeconfig', 'egress-selector-configuration', 'etc-ca-certificates', 'etc-kubernetes-pki', 'kine-certs', 'kine-config',
  'kine-uds', 'konnectivity-server-kubeconfig', 'konnectivity-uds', 'scheduler-kubeconfig', 'usr-local-share-ca-certificates',
  'usr-share-ca-certificates',
];

const PROGRAMS = { apiServer: 'kube-apiserver', controllerManager: 'kube-controller-manager', scheduler: 'kube-scheduler' } as const;
const COMPONENTS = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];

/** A placeholder that the tool that applies the manifest replaces. */
const TEMPLATE = /\{\{|\$\{/;

const probes: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-PROBES',
  title: 'Probes must be set for deployment, apiServer, controllerManager and scheduler, or for none: the provider drops all if one of the four has none.',
  source: PROVIDER_RECONCILER,
  kinds: PROVIDER_KINDS,
  trap: true,
  example: controlPlaneExample(
    '  apiServer:\n    probes:\n      startup: {failureThreshold: 30}\n',
    ['deployment', ...COMPONENTS].map((part) => `  ${part}:\n    probes:\n      startup: {failureThreshold: 30}\n`).join(''),
  ),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const parts = ['deployment', ...COMPONENTS];
    const without = parts.filter((part) => !isSet(fields, part, 'probes'));
    return without.length === 0 ? [] : parts.filter((part) => !without.includes(part)).map((part) => ({
      path: [...path, part, 'probes'],
      message: `the provider drops the probes, since ${without.join(', ')} ${without.length === 1 ? 'has' : 'have'} none`,
      fix: 'give probes to all four, the same if need be',
    }));
  },
};

const addonImage: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-ADDON-IMAGE',
  title: 'The tag of CoreDNS requires a repository beside it: Kamaji ignores it otherwise.',
  source: 'clastix/kamaji internal/resources/addons/coredns.go, internal/resources/kubeadm_utils.go',
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '      imageTag: v1.14.2\n',
    '      imageRepository: registry.k8s.io/coredns\n      imageTag: v1.14.2\n',
  ),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const addon = ['addons', 'coreDNS'];
    const tag = stringAt(fields, ...addon, 'imageTag');
    return tag === undefined || isSet(fields, ...addon, 'imageRepository') ? [] : [{
      path: [...path, ...addon, 'imageTag'],
      message: `Kamaji ignores the tag "${tag}", because there is no imageRepository beside it`,
      fix: 'give imageRepository as well, such as "registry.k8s.io/coredns", or remove imageTag',
    }];
  },
};

const konnectivityReplicas: ManifestRule = {
  id: 'TC-ADMIT-KAMAJI-KONNECTIVITY-REPLICAS',
  title: 'Konnectivity agents must have replicas from 1 in mode Deployment, and no replicas in mode DaemonSet.',
  source: `${PROVIDER_CRD} (x-kubernetes-validations)`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  example: controlPlaneExample(
    '    konnectivity:\n      agent: {mode: DaemonSet, replicas: 2}\n',
    '    konnectivity:\n      agent: {mode: Deployment, replicas: 2}\n',
  ),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const agent = ['addons', 'konnectivity', 'agent'];
    const [mode, replicas] = [stringAt(fields, ...agent, 'mode') ?? 'DaemonSet', numberAt(fields, ...agent, 'replicas')];
    if (replicas === undefined || (mode === 'DaemonSet' ? replicas === 0 : mode !== 'Deployment' || replicas >= 1)) return [];
    return [{
      path: [...path, ...agent, 'replicas'],
      message: `${replicas} agents are asked for in mode ${mode}`,
      fix: mode === 'DaemonSet' ? 'remove replicas, or set mode to Deployment' : 'ask for at least one, two for availability',
    }];
  },
};

const managedFlag: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-MANAGED-FLAG',
  title: 'Extra arguments must not be flags that Kamaji sets: Kamaji drops them silently, or the component does not work with another value.',
  source: DEPLOYMENT_BUILDER,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  apiServer:\n    extraArgs: [--tls-cert-file=/etc/acme/tls.crt]\n',
    '  apiServer:\n    extraArgs: [--tls-min-version=VersionTLS13]\n',
  ),
  check: (object) => COMPONENTS.flatMap((component) => argumentsOf(object, component).flatMap(([text, path]) => {
    const flag = parseArgument(text)?.name.replaceAll('_', '-') ?? '';
    const origin = DROPPED_FLAGS[component]?.get(flag);
    const reason = KEPT_FLAGS[component]?.get(flag);
    const message = origin === undefined ? reason && `--${flag} must keep Kamaji's value: ${reason}`
      : `Kamaji sets --${flag} itself${origin && `, by ${origin}`}, and the value here is lost`;
    return message === undefined ? [] : [{ path, message, fix: 'remove the argument' }];
  })),
};

const argument: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-ARGUMENT',
  title: 'Each extra argument must have the form --flag=value, and its component must know the flag and be able to parse the value: it does not start otherwise.',
  source: `${DEPLOYMENT_BUILDER}, kubernetes/kubernetes cmd/{kube-apiserver,kube-controller-manager,kube-scheduler}/app/options`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  scheduler:\n    extraArgs: ["--v 4"]\n',
    '  scheduler:\n    extraArgs: [--v=4]\n',
  ),
  check: (object) => COMPONENTS.flatMap((component) => [...argumentsOf(object, component).flatMap(([text, path]) => (parseArgument(text) ? [] : [{
    path, message: `"${text}" is not one flag`, accepted: '"--flag=value"', fix: 'write it so, every flag in an entry of its own',
  }])), ...unknownArguments(object, component)]),
};

const oidc: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-OIDC',
  title: 'Flags that start with --oidc- need issuer and client, and exclude --authentication-config: the API server exits otherwise.',
  source: 'kubernetes.io/docs/reference/access-authn-authz/authentication (using authentication configuration), '
    + 'kubernetes/kubernetes pkg/kubeapiserver/options/authentication.go',
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  apiServer:\n    extraArgs: [--authentication-config=/etc/acme/config.yaml, --oidc-client-id=acme]\n',
    '  apiServer:\n    extraArgs: [--authentication-config=/etc/acme/config.yaml]\n',
  ),
  check: (object) => checkOidcFlags(allFlagsOf(object, 'apiServer')),
};

const flagValue: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-FLAG-VALUE',
  title: 'The API server must answer anonymous requests, which its probes and joining machines send, and authorize by Node and RBAC; the controller manager must run bootstrapsigner and tokencleaner.',
  source: `${DEPLOYMENT_BUILDER}, kubernetes.io/docs/reference/access-authn-authz/authorization`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  apiServer:\n    extraArgs: [--authorization-mode=RBAC]\n',
    '  apiServer:\n    extraArgs: ["--authorization-mode=Node,RBAC"]\n',
  ),
  check: (object) => COMPONENTS.flatMap((component) => checkFlagValues(PROGRAMS[component], flagsOf(object, component))),
};

const volume: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-VOLUME',
  title: 'Names of extra volumes and containers of a control plane must be unique DNS labels, and mounts must name an existing volume.',
  source: `${WEBHOOKS}/tcp_deployment.go`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(`  apiServer:
    extraVolumeMounts: [{name: audit, mountPath: /etc/audit}]
`, `  apiServer:
    extraVolumeMounts: [{name: audit, mountPath: /etc/audit}]
  deployment:
    extraVolumes: [{name: audit, configMap: {name: audit}}]
`),
  check: checkVolumes,
};

/** Extra arguments of a component, each with its field. */
function argumentsOf(object: ManifestObject, component: string): (readonly [string, FieldPath])[] {
  const list = placeOf(object, component, 'extraArgs');
  return stringsAt(object, ...list).map(([text, index]) => [text, [...list, index]] as const);
}

/** Flags of a component without those that a tool still fills in. */
function flagsOf(object: ManifestObject, component: keyof typeof PROGRAMS): readonly PlacedFlag[] {
  return allFlagsOf(object, component).filter(({ name, value }) => !TEMPLATE.test(name + value));
}

function allFlagsOf(object: ManifestObject, component: keyof typeof PROGRAMS): readonly PlacedFlag[] {
  return argumentsOf(object, component).flatMap(([text, path]) => {
    const parsed = parseArgument(text);
    return parsed ? [{ ...parsed, path }] : [];
  });
}

function unknownArguments(object: ManifestObject, component: keyof typeof PROGRAMS): Finding[] {
  const version = parseSemanticVersion(stringAt(object, ...placeOf(object, 'version')) ?? '');
  const judged = flagsOf(object, component);
  return checkArguments(PROGRAMS[component], version && `${version.major}.${version.minor}`, judged)
    .map((finding) => ({ ...finding, path: judged[finding.path[0] as number].path }));
}

function checkVolumes(object: ManifestObject): readonly Finding[] {
  const [volumes, containers, initContainers] = ['extraVolumes', 'extraContainers', 'extraInitContainers'].map((field) => placeOf(object, 'deployment', field));
  const named = (list: readonly string[], taken: readonly string[]): Finding[] => {
    const seen = new Set(taken);
    return objectsAt(object, ...list).flatMap(([item, index]) => {
      const name = stringAt(item, 'name');
      if (name === undefined) return [];
      const at = [...list, index, 'name'];
      const fault = checkDnsLabel(name);
      if (fault !== undefined) return [{ path: at, message: fault, fix: 'write a short name in lower case' }];
      if (seen.size < seen.add(name).size) return [];
      return [{ path: at, message: KAMAJI_VOLUMES.includes(name) ? `the name "${name}" belongs to Kamaji` : `the name "${name}" is there twice`, fix: 'choose another name' }];
    });
  };
  const declared = objectsAt(object, ...volumes).flatMap(([item]) => stringAt(item, 'name') ?? []);
  const known = [...KAMAJI_VOLUMES, ...declared];
  const mounts = COMPONENTS.map((component) => placeOf(object, component, 'extraVolumeMounts'));
  return allOf(
    named(volumes, KAMAJI_VOLUMES),
    named(containers, []),
    named(initContainers, []),
    mounts.flatMap((list) => objectsAt(object, ...list).flatMap(([mount, index]) => {
      const name = stringAt(mount, 'name');
      return name === undefined || known.includes(name) ? [] : [{
        path: [...list, index, 'name'],
        message: `there is no volume "${name}"`,
        accepted: declared.length === 0 ? undefined : declared.map((one) => `"${one}"`).join(', '),
        fix: `declare it among the volumes of the deployment (${volumes.at(-1)})`,
      }];
    })),
  );
}

/** Admission plug-ins of the API server. */
const ADMISSION_PLUGINS: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-ADMISSION-PLUGIN',
  title: 'Admission plug-ins of a control plane must exist in Kubernetes, and must have a configuration if they require one: the API server exits otherwise.',
  source: `${PROVIDER_CRD}, kubernetes/kubernetes pkg/kubeapiserver/options/plugins.go`,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample('  admissionControllers: [NodeRestriction, PodSecurityPolicy]\n', '  admissionControllers: [NodeRestriction]\n'),
  check: (object) => {
    const list = placeOf(object, 'admissionControllers');
    const isConfigured = argumentsOf(object, 'apiServer').some(([text]) => parseArgument(text)?.name === CONFIGURATION_FLAG);
    return stringsAt(object, ...list).flatMap(([name, index]) => {
      const at = [...list, index];
      if (REMOVED.includes(name)) return [{ path: at, message: `Kubernetes has no admission plug-in ${name} any more, and the API server exits on it`, fix: `remove ${name}` }];
      return !CONFIGURED.includes(name) || isConfigured ? [] : [{
        path: at, message: `the API server exits, because ${name} has no configuration`, fix: `mount an AdmissionConfiguration by a volume of the deployment, and name its file in the argument --${CONFIGURATION_FLAG}`,
      }];
    });
  },
};

/** Rules for the programs of a control plane, and for the options of the API server. */
export const CONTROL_PLANE_COMPONENTS: readonly ManifestRule[] = [
  probes, addonImage, konnectivityReplicas, managedFlag, argument, flagValue, oidc, volume, ADMISSION_PLUGINS,
];
