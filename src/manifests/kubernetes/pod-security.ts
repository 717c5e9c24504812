import { clusterObjectText, deploymentText } from './examples';
import { fault } from './findings';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { containersOf, isWhole, PlacedContainer, POD_KINDS, podOf } from '../rules/pod-objects';
import { fieldAt, Fields, isFields, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';

// kubernetes/kubernetes staging/src/k8s.io/pod-security-admission/policy/check_capabilities_baseline.go
const BASELINE_CAPABILITIES: readonly string[] = [
  'AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE', 'SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT',
];

/** Types of volumes that the level restricted accepts (check_restrictedVolumes.go). */
const RESTRICTED_VOLUMES: readonly string[] = [
  'configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected', 'secret',
];

const HOST_NAMESPACES = ['hostNetwork', 'hostPID', 'hostIPC'] as const;
const SECCOMP: readonly unknown[] = ['RuntimeDefault', 'Localhost'];

/** A level of Pod Security, and its order. */
const LEVELS: readonly string[] = ['privileged', 'baseline', 'restricted'];
const ENFORCE = 'pod-security.kubernetes.io/enforce';

const NAMESPACES = new Lookup(['/Namespace'], (namespace) => [nameOf(namespace)]);

const NAMESPACE_TEXT = clusterObjectText('v1', 'Namespace', '', 'acme').replace('name: acme\n', `name: acme\n  labels: {${ENFORCE}: baseline}\n`);

const level: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-POD-SECURITY',
  title: 'Pods must meet the level of Pod Security that their namespace enforces: none is made otherwise.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/pod-security-admission/policy (check_*.go), v1.37.2',
  kinds: POD_KINDS,
  trap: true,
  example: replaced(documents(deploymentText('selector:\n  matchLabels: {app: web}', 'hostNetwork: false'), NAMESPACE_TEXT), 'hostNetwork: false', 'hostNetwork: true'),
  check: (object, index) => {
    const pod = podOf(object);
    const enforced = enforcedLevel(namespaceOf(object), index);
    if (!pod || enforced === 0) return [];
    const containers = containersOf(object);
    const refused = [
      ...baselineViolations(pod.spec, containers),
      // Webhooks that change pods before they are judged may add what the level restricted asks for.
      // Fields of Linux are not asked for in pods of Windows.
      ...(enforced > 1 && !podsAreChanged(index) ? restrictedViolations(pod.spec, containers.filter(isWhole), stringAt(pod.spec, 'os', 'name') === 'windows') : []),
    ];
    return refused.length === 0 ? [] : [fault(
      pod.specPath, `the namespace "${namespaceOf(object)!}" enforces the level "${LEVELS[enforced]}", which refuses ${refused.join('; ')}`,
      'change the pod, or the label of the namespace',
    )];
  },
};

/** Webhooks and policies that may change pods. */
const CHANGING = new Lookup(['MutatingWebhookConfiguration', 'MutatingAdmissionPolicy'].map((kind) => `admissionregistration.k8s.io/${kind}`), (object) => [
  String(rulesOf(object).some((rule) => ['pods', '*', '*/*'].some((one) => listAt(rule, 'resources').includes(one)))),
]);

function rulesOf(object: ManifestObject): Fields[] {
  return [
    ...objectsAt(object, 'webhooks').flatMap(([webhook]) => objectsAt(webhook, 'rules')), ...objectsAt(object, 'spec', 'matchConstraints', 'resourceRules'),
  ].map(([rule]) => rule);
}

function podsAreChanged(index: ManifestIndex): boolean {
  return CHANGING.find(index, 'true').length > 0;
}

/** The lowest level that namespaces of this name enforce: those of several clusters may differ. */
function enforcedLevel(name: string | undefined, index: ManifestIndex): number {
  const all = name === undefined ? [] : NAMESPACES.find(index, name);
  return all.length === 0 ? 0 : Math.max(0, Math.min(...all.map((one) => LEVELS.indexOf(stringAt(one, 'metadata', 'labels', ENFORCE) ?? ''))));
}

function baselineViolations(spec: Fields, containers: readonly PlacedContainer[]): string[] {
  const sysctls = objectsAt(spec, 'securityContext', 'sysctls').flatMap(([one]) => stringAt(one, 'name') ?? []);
  return [
    ...HOST_NAMESPACES.filter((field) => spec[field] === true),
    ...objectsAt(spec, 'volumes').filter(([volume]) => isFields(volume.hostPath)).map(([volume]) => `the hostPath volume "${stringAt(volume, 'name') ?? ''}"`),
    ...named('privileged', containers, (context) => context.privileged === true || fieldAt(context, 'windowsOptions', 'hostProcess') === true),
    ...named('further capabilities', containers, (context) => stringsAt(context, 'capabilities', 'add').some(([one]) => !BASELINE_CAPABILITIES.includes(one))),
    ...named('hostPort', containers, (_, container) => objectsAt(container, 'ports').some(([port]) => typeof port.hostPort === 'number' && port.hostPort !== 0)),
    ...named('an unmasked /proc', spec.hostUsers === false ? [] : containers, (context) => context.procMount === 'Unmasked'),
    ...(['seccompProfile', 'appArmorProfile'] as const).flatMap((field) => [
      ...(fieldAt(spec, 'securityContext', field, 'type') === 'Unconfined' ? [`${field} Unconfined`] : []),
      ...named(`${field} Unconfined`, containers, (context) => fieldAt(context, field, 'type') === 'Unconfined'),
    ]),
    ...sysctls.filter((name) => !/^(kernel\.shm_rmid_forced|net\.ipv4\.(ip_local_port_range|ip_local_reserved_ports|ip_unprivileged_port_start|tcp_syncookies|ping_group_range|tcp_keepalive_\w+|tcp_fin_timeout|tcp_[rw]mem|tcp_slow_start_after_idle|tcp_notsent_lowat))$/.test(name))
      .map((name) => `the sysctl ${name}`),
  ];
}

function restrictedViolations(spec: Fields, containers: readonly PlacedContainer[], isWindows: boolean): string[] {
  const ofPod = fieldAt(spec, 'securityContext');
  const hasOwnUsers = spec.hostUsers === false;
  const volumes = objectsAt(spec, 'volumes').filter(([volume]) => !isFields(volume.hostPath)
    && Object.keys(volume).some((field) => field !== 'name' && isFields(volume[field]) && !RESTRICTED_VOLUMES.includes(field)));
  return [
    ...volumes.map(([volume]) => `the type of the volume "${stringAt(volume, 'name') ?? ''}"`),
    ...(hasOwnUsers ? [] : [
      ...named('pods without runAsNonRoot: true', containers, (context) => (context.runAsNonRoot ?? fieldAt(ofPod, 'runAsNonRoot')) !== true),
      ...named('runAsUser: 0', containers, (context) => (context.runAsUser ?? fieldAt(ofPod, 'runAsUser')) === 0),
    ]),
    ...(isWindows ? [] : [
      ...named('pods without allowPrivilegeEscalation: false', containers, (context) => context.allowPrivilegeEscalation !== false),
      ...named('pods without a seccompProfile', containers, (context) => !SECCOMP.includes(fieldAt(context, 'seccompProfile', 'type') ?? fieldAt(ofPod, 'seccompProfile', 'type'))),
      ...named('pods that do not drop ALL capabilities', containers, (context) => !listAt(context, 'capabilities', 'drop').includes('ALL')),
    ]),
  ];
}

/** A violation with the names of its containers. */
function named(what: string, containers: readonly PlacedContainer[], violates: (context: Fields, container: Fields) => boolean): string[] {
  const names = containers.filter(({ container }) => violates(isFields(container.securityContext) ? container.securityContext : {}, container))
    .map(({ container }) => `"${stringAt(container, 'name') ?? ''}"`);
  return names.length === 0 ? [] : [`${what} (${names.join(', ')})`];
}

/** Rules over the levels of Pod Security. */
export const POD_SECURITY: readonly ManifestRule[] = [level];
