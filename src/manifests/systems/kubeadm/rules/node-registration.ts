import { argumentsAt, below, configTemplateYaml, KUBEADM_KINDS, kubeadmSpec } from './kubeadm-spec';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { KUBEADM_CONFIG, MACHINE_DEPLOYMENT, MACHINE_POOL } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { referrersOf } from '../../../rules/references/object-references';
import { flagName } from '../../../values/component-arguments';
import { fieldAt, FieldPath, listAt, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { findingsAt } from '../../../values/finding';
import { checkIp } from '../../../values/ip-address';
import { nearestName } from '../../../values/nearest-name';
import { checkTaints, Taint } from '../../../values/taints';

const PARTS: readonly string[] = ['initConfiguration', 'joinConfiguration'];
const REGISTRATION: readonly string[] = ['joinConfiguration', 'nodeRegistration'];

/**
 * A placeholder that the machine, or a tool before it, replaces. Providers replace names such as `PROVIDER_ID` in the bootstrap data.
 *
 * Source: tinkerbell/cluster-api-provider-tinkerbell controller/machine/scope.go (providerIDPlaceholder).
 */
const PLACEHOLDER = /[$<>%{}]|__|\.\.\.|^[A-Z]+(?:_[A-Z]+)+$/;
const KUBEADM_VALIDATION = 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go';

/** Arguments of the kubelet that differ from machine to machine, and what their value would be for all of them. */
const OF_ONE_MACHINE: Readonly<Record<string, string>> = {
  'hostname-override': 'the node',
  'node-ip': 'the address',
  'provider-id': 'the identifier at the provider',
};

const SHARED: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-SHARED-NAME',
  title: 'Machines that are made from one configuration must not share the name of a node, its address or its provider ID: all but the first fail to join.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/cmd/phases/join/kubelet.go (a node of that name that is ready already exists)',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: joining('name: worker-1'), corrected: joining("name: '{{ v1.local_hostname }}'") },
  check: (object, index) => {
    const spec = kubeadmSpec(object);
    const texts = replacedTexts(spec.value);
    const found = fixedFields(spec.value).filter(({ value }) => (
      value !== undefined && !PLACEHOLDER.test(value) && !texts.some((text) => text.includes(value))));
    return found.length === 0 || !makesSeveral(object, index) ? [] : found.map(({ path, value, what }) => ({
      path: below(spec, ...path),
      message: `${JSON.stringify(value)} is ${what} of every machine that is made from it: the second one cannot join, nor can one that replaces the first`,
      fix: what === 'the node' ? 'leave it out, or take the name of the machine: {{ v1.local_hostname }}'
        : 'leave it out, or take it from the data of the machine, such as {{ ds.meta_data.local_ipv4 }}',
    }));
  },
};

interface FixedField {
  readonly path: FieldPath;
  readonly value: string | undefined;
  readonly what: string;
}

function fixedFields(spec: unknown): FixedField[] {
  const address = ['joinConfiguration', 'controlPlane', 'localAPIEndpoint', 'advertiseAddress'];
  const isAddress = (value: string | undefined) => value !== undefined && checkIp(value) === undefined && !/^[0:.]+$/.test(value);
  return [
    { path: [...REGISTRATION, 'name'], value: stringAt(spec, ...REGISTRATION, 'name'), what: 'the node' },
    { path: address, value: stringAt(spec, ...address), what: 'the address' },
    ...argumentsAt(spec, [...REGISTRATION, 'kubeletExtraArgs']).filter((flag) => Object.hasOwn(OF_ONE_MACHINE, flagName(flag)))
      .map((flag) => ({ path: flag.path, value: flag.value, what: OF_ONE_MACHINE[flagName(flag)] })),
  ].filter(({ value, what }) => what !== 'the address' || isAddress(value));
}

/** Commands and files, which may replace a name in kubeadm's file before it runs. */
function replacedTexts(spec: unknown): string[] {
  return [
    ...['bootCommands', 'preKubeadmCommands'].flatMap((list) => stringsAt(spec, list).map(([text]) => text)),
    ...objectsAt(spec, 'files').flatMap(([file]) => stringAt(file, 'content') ?? []),
  ];
}

/** True if more than one machine is made from a configuration, or a second one while the first is there. */
function makesSeveral(object: ManifestObject, index: ManifestIndex): boolean {
  const owners = referrersOf(object, index).map(({ object: owner }) => owner);
  if (groupKind(object) === KUBEADM_CONFIG) return owners.some((owner) => groupKind(owner) === MACHINE_POOL);
  const isSingle = (owner: ManifestObject) => groupKind(owner) === MACHINE_DEPLOYMENT && numberAt(owner, 'spec', 'replicas') === 1
    && [['rollout', 'strategy'], ['strategy']].some((path) => numberAt(owner, 'spec', ...path, 'rollingUpdate', 'maxSurge') === 0);
  return owners.length === 0 || !owners.every(isSingle);
}

const TAINT: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-TAINT',
  title: 'The taints of a node must have a valid key, value and effect: the kubelet does not start otherwise.',
  source: 'kubernetes/kubernetes pkg/util/taints/taints.go',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: tainted('NoRun'), corrected: tainted('NoSchedule') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return PARTS.flatMap((part) => {
      const path = [part, 'nodeRegistration', 'taints'];
      const list = objectsAt(spec.value, ...path);
      const taints = list.map(([taint]) => taint as unknown).filter(isTaint);
      // The schema reports taints without a key or an effect.
      if (taints.length < list.length) return [];
      return findingsAt(below(spec, ...path), checkTaints(taints, { anyOwner: true }));
    });
  },
};

function isTaint(taint: unknown): taint is Taint {
  const [key, effect, value] = ['key', 'effect', 'value'].map((field) => fieldAt(taint, field));
  const isFinal = (text: unknown) => typeof text === 'string' && !PLACEHOLDER.test(text);
  return isFinal(key) && isFinal(effect) && (value === undefined || isFinal(value));
}

/** Sockets of programs that are no container runtimes of Kubernetes any more, with what they are. */
const GONE_SOCKETS: readonly (readonly [end: RegExp, what: string])[] = [
  [/\/dockershim\.sock$/, 'Kubernetes has had no dockershim since 1.24'],
  [/\/docker\.sock$/, 'Docker itself does not speak to the kubelet; cri-dockerd does'],
];

const SOCKET: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-CRI-SOCKET',
  title: 'The socket of the container runtime must be an absolute path, with unix:// before it, of a runtime that the kubelet speaks to.',
  source: `${KUBEADM_VALIDATION} (ValidateSocketPath)`,
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: joining('criSocket: /var/run/dockershim.sock'), corrected: joining('criSocket: unix:///run/containerd/containerd.sock') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return PARTS.flatMap((part) => {
      const path = [part, 'nodeRegistration', 'criSocket'];
      const message = socketFault(stringAt(spec.value, ...path));
      return message === undefined ? [] : [{ path: below(spec, ...path), message, fix: 'write the socket of the runtime in the image of the machine, such as unix:///run/containerd/containerd.sock' }];
    });
  },
};

function socketFault(socket: string | undefined): string | undefined {
  if (socket === undefined || PLACEHOLDER.test(socket)) return undefined;
  const gone = GONE_SOCKETS.find(([end]) => end.test(socket));
  if (gone) return `${JSON.stringify(socket)}: ${gone[1]}`;
  const scheme = /^([a-z]+):/i.exec(socket)?.[1];
  // The named pipes of Windows.
  if (scheme === 'npipe' || /^(unix:\/\/)?\//.test(socket)) return undefined;
  return scheme !== undefined && scheme !== 'unix' ? `kubeadm refuses the scheme ${JSON.stringify(scheme)}`
    : `${JSON.stringify(socket)} is not an absolute path`;
}

const CERTIFICATES = [
  'ca', 'apiserver', 'apiserver-kubelet-client', 'front-proxy-ca', 'front-proxy-client', 'etcd-ca', 'etcd-server', 'etcd-peer',
  'etcd-healthcheck-client', 'apiserver-etcd-client', 'sa',
];
const COMPONENTS = ['apiserver', 'controller-manager', 'scheduler'];

/** Phases by their parent, of all supported minors. */
const PHASES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  initConfiguration: {
    'preflight': [],
    'certs': CERTIFICATES,
    'kubeconfig': ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'],
    'etcd': ['local'],
    'control-plane': COMPONENTS,
    'kubelet-start': [],
    'wait-control-plane': [],
    'upload-config': ['kubeadm', 'kubelet'],
    'upload-certs': [],
    'mark-control-plane': [],
    'bootstrap-token': [],
    'kubelet-finalize': ['enable-client-cert-rotation', 'experimental-cert-rotation'],
    'addon': ['coredns', 'kube-proxy'],
    'show-join-command': [],
  },
  joinConfiguration: {
    'preflight': [],
    'control-plane-prepare': ['download-certs', 'certs', 'kubeconfig', 'control-plane'],
    'kubelet-start': [],
    'check-etcd': [],
    'etcd-join': [],
    'kubelet-wait-bootstrap': [],
    'control-plane-join': ['etcd', 'etcd-join', 'update-status', 'mark-control-plane'],
    'wait-control-plane': [],
  },
};

const PHASE: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-PHASE',
  title: 'Phases that kubeadm skips must exist: it ends before it does anything otherwise.',
  source: 'kubernetes/kubernetes cmd/kubeadm/app/cmd/phases/workflow/runner.go (computePhaseRunFlags)',
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: configTemplateYaml('joinConfiguration:\n  skipPhases: [pre-flight]'), corrected: configTemplateYaml('joinConfiguration:\n  skipPhases: [preflight]') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return PARTS.flatMap((part) => {
      const known = phasesOf(part);
      const unknown = stringsAt(spec.value, part, 'skipPhases').filter(([name]) => !known.includes(name) && !PLACEHOLDER.test(name));
      return unknown.map(([name, index]) => ({
        path: below(spec, part, 'skipPhases', index),
        message: `kubeadm ${part === PARTS[0] ? 'init' : 'join'} has no phase ${JSON.stringify(name)}`,
        fix: suggestion(known.find((one) => one.endsWith(`/${name}`)) ?? nearestName(name, known), 'remove it'),
      }));
    });
  },
};

function phasesOf(part: string): string[] {
  return Object.entries(PHASES[part]).flatMap(([name, inner]) => [name, ...(inner.length > 0 ? ['all', ...inner] : []).map((sub) => `${name}/${sub}`)]);
}

/** Names of checks, and what those start with that name a port, a file or a program. */
const CHECKS: readonly string[] = [
  'all', 'ContainerRuntimeVersion', 'CRI', 'ExternalEtcdVersion', 'Firewalld', 'Hostname', 'HTTPProxy', 'HTTPProxyCIDR', 'ImagePull', 'IsPrivilegedUser',
  'IsDockerSystemdCheck', 'KubeletVersion', 'KubernetesVersion', 'Mem', 'NumCPU', 'Swap', 'SystemVerification', 'ControlPlaneNodesReady', 'StaticPodManifest',
  'ControlPlaneEndpoint', 'CreateJob', 'CoreDNSMigration', 'CoreDNSUnsupportedPlugins',
];
const CHECK_PREFIX = /^(port|diravailable|fileavailable|fileexisting|filecontent|service)-/i;

const PREFLIGHT: ManifestRule = {
  id: 'TC-TRAP-KUBEADM-PREFLIGHT',
  title: 'Errors that kubeadm ignores must have the name of a check, and "all" must stand alone.',
  source: `${KUBEADM_VALIDATION} (ValidateIgnorePreflightErrors), cmd/kubeadm/app/preflight/checks.go`,
  trap: true,
  kinds: KUBEADM_KINDS,
  example: { failing: joining('ignorePreflightErrors: [SwapOn]'), corrected: joining('ignorePreflightErrors: [Swap]') },
  check: (object) => {
    const spec = kubeadmSpec(object);
    return PARTS.flatMap((part) => {
      const path = [part, 'nodeRegistration', 'ignorePreflightErrors'];
      const names = stringsAt(spec.value, ...path);
      if (listAt(spec.value, ...path).length > 1 && names.some(([name]) => name.toLowerCase() === 'all')) {
        return [{ path: below(spec, ...path), message: 'kubeadm refuses "all" beside other checks', fix: 'keep "all", or the other ones' }];
      }
      return names.filter(([name]) => !isCheck(name)).map(([name, index]) => ({
        path: below(spec, ...path, index),
        message: `kubeadm has no check ${JSON.stringify(name)}, so that no error is ignored`,
        fix: suggestion(nearestName(name, CHECKS), 'write the name that stands in brackets in the error, such as [ERROR NumCPU]'),
      }));
    });
  },
};

function isCheck(name: string): boolean {
  return PLACEHOLDER.test(name) || CHECK_PREFIX.test(name) || CHECKS.some((check) => check.toLowerCase() === name.toLowerCase());
}

function suggestion(near: string | undefined, otherwise: string): string {
  return near === undefined ? otherwise : `did you mean ${near}?`;
}

function joining(field: string): string {
  return configTemplateYaml(`joinConfiguration:\n  nodeRegistration:\n    ${field}`);
}

function tainted(effect: string): string {
  return joining(`taints:\n      - key: example.com/dedicated\n        effect: ${effect}`);
}

/** Rules for the way in which kubeadm registers a node. */
export const NODE_REGISTRATION: readonly ManifestRule[] = [SHARED, TAINT, SOCKET, PHASE, PREFLIGHT];
