import { containerText, deploymentText, pair, podText } from './examples';
import { apiValidation, boundsFault, fault, faultIf, fieldFaultIf, labelFault, repetitions, subdomainFault } from './findings';
import { groupKind } from '../objects/manifest-object';
import { ManifestRule } from '../rules/manifest-rule';
import { containersOf, PlacedContainer, POD_KINDS, podOf } from '../rules/pod-objects';
import { checkDnsLabel, checkDnsSubdomain } from '../values/dns';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../values/fields';
import { allOf, Finding, findingsAt } from '../values/finding';
import { checkResources } from '../values/resource-requirements';
import { DATA_KEYS, isDataKey } from '../values/secret-ref';

const FIELD = /^(metadata\.(name|namespace|uid|labels\['.*'\]|annotations\['.*'\])|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?))$/;

/** The fields of a pod that environment variables can have, as `accepted` of a problem. */
const POD_FIELDS = 'metadata.name, metadata.namespace, metadata.uid, metadata.labels[\'KEY\'], metadata.annotations[\'KEY\'], spec.nodeName, '
  + 'spec.serviceAccountName, status.hostIP, status.hostIPs, status.podIP, status.podIPs';

/**
 * True if an environment variable can have the value of a field of its pod.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (`validEnvDownwardAPIFieldPathExpressions`).
 */
function isPodField(fieldPath: string): boolean {
  return FIELD.test(fieldPath);
}

const SOURCE = apiValidation('core');
const HIGHEST_PORT = 65535;

/** Names of ports (RFC 6335): short, with a letter, and no two dashes in a row. */
const PORT_NAME = /^(?=.{1,15}$)(?=.*[a-z])(?!.*--)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** Fault of the name of a container's port. */
export function checkPortName(name: string): string | undefined {
  return PORT_NAME.test(name) ? undefined
    : `${JSON.stringify(name)} is not the name of a port; accepted are up to 15 lower-case letters, digits and single "-", a letter among them`;
}

const containerNames: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CONTAINER-NAME',
  title: 'A pod must have at least one container; container names must be unique DNS labels; restart rules require a restart policy.',
  source: `${SOURCE} (validateContainers, validateContainerRestartPolicy)`,
  kinds: POD_KINDS,
  example: pair(podText, 'containers:\n  - name: Web\n    image: registry.example.com/web:v1', 'containers:\n  - name: web\n    image: registry.example.com/web:v1'),
  check: (object) => {
    const containers = containersOf(object);
    const pod = podOf(object);
    const isEmpty = pod && Array.isArray(pod.spec.containers) && pod.spec.containers.length === 0;
    return allOf(
      isEmpty ? [fault([...pod.specPath, 'containers'], 'it is empty', 'write at least one container')] : [],
      containers.flatMap(({ container, path }) => (typeof container.name === 'string'
        ? fieldFaultIf(path, 'name', checkDnsLabel(container.name), 'write lower-case letters, digits and "-"') : [])),
      containers.filter(({ container }) => listAt(container, 'restartPolicyRules').length > 0 && !isSet(container, 'restartPolicy')).map(({ path }) => (
        fault([...path, 'restartPolicy'], 'rules of restarting need a policy for what they do not name', 'write restartPolicy', 'Always, Never, OnFailure'))),
      repetitions(firstInLists(containers), ({ container }) => stringAt(container, 'name'), ({ path }) => [...path, 'name'], 'the container'),
    );
  },
};

/** Containers without those whose name is in the same list before: the structure of lists forbids them. */
function firstInLists(containers: readonly PlacedContainer[]): PlacedContainer[] {
  return containers.filter(({ container, list }, index) => (
    containers.findIndex((other) => other.list === list && other.container.name === container.name) === index));
}

const images: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CONTAINER-IMAGE',
  title: 'A container must have an image, in a Pod without leading or trailing spaces.',
  source: `${SOURCE} (validateContainerCommon)`,
  kinds: POD_KINDS,
  example: pair(podText, 'containers:\n  - name: web', 'containers:\n  - name: web\n    image: registry.example.com/web:v1'),
  check: (object) => containersOf(object).flatMap(({ container, path }) => {
    const { image } = container;
    if (image === undefined || image === null || image === '') return [fault([...path, 'image'], 'the container has no image', 'name the image')];
    return groupKind(object) === POD ? spacesAround(image, path) : [];
  }),
};

const POD = '/Pod';

const imagesOfTemplates: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-CONTAINER-IMAGE',
  title: 'The image of a container in a template of pods must not have leading or trailing spaces: the server accepts the template, and refuses each pod of it.',
  source: `${SOURCE} (validateContainersOnlyForPod)`,
  kinds: POD_KINDS.filter((kind) => kind !== POD),
  trap: true,
  example: pair((image) => deploymentText('selector:\n  matchLabels: {app: web}').replace('registry.example.com/web:v1', `"${image}"`), ' registry.example.com/web:v1', 'registry.example.com/web:v1'),
  check: (object) => containersOf(object).flatMap(({ container, path }) => spacesAround(container.image, path)),
};

function spacesAround(image: unknown, path: FieldPath): Finding[] {
  return typeof image === 'string' && image !== '' && image !== image.trim() ? [fault([...path, 'image'], `${JSON.stringify(image)} has spaces around it`, 'remove them')] : [];
}

const ports: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CONTAINER-PORT',
  title: 'Container ports must be 1 to 65535, with short names that are unique in the container; host ports must be unique in the pod.',
  source: `${SOURCE} (validateContainerPorts, checkHostPortConflicts, validatePodHostNetworkDeps)`,
  kinds: POD_KINDS,
  example: pair(containerText, 'ports:\n  - name: http\n    containerPort: 80800', 'ports:\n  - name: http\n    containerPort: 8080'),
  check: (object) => {
    const isOnNode = podOf(object)?.spec.hostNetwork === true;
    const all = containersOf(object).flatMap(({ container, path }) => objectsAt(container, 'ports').map(([port, index]) => ({ port, path: [...path, 'ports', index] as const, owner: path })));
    if (all.length === 0) return [];
    return allOf(
      all.flatMap(({ port, path }) => allOf(
        boundsFault([...path, 'containerPort'], port.containerPort, 1, HIGHEST_PORT),
        port.hostPort === 0 ? [] : boundsFault([...path, 'hostPort'], port.hostPort, 1, HIGHEST_PORT),
        typeof port.name === 'string' && port.name !== '' ? fieldFaultIf(path, 'name', checkPortName(port.name), 'shorten it, or use other characters') : [],
        isOnNode && Number.isInteger(port.hostPort) && port.hostPort !== 0 && port.hostPort !== port.containerPort
          ? [fault([...path, 'hostPort'], 'it differs from containerPort, and the pod is in the network of its node', 'write the same port, or leave it out')] : [],
      )),
      containersOf(object).flatMap(({ container, path }) => repetitions(
        objectsAt(container, 'ports'), ([port]) => stringAt(port, 'name'), ([, index]) => [...path, 'ports', index, 'name'], 'the port')),
      repetitions(all.filter(({ port }) => Number.isInteger(port.hostPort) && port.hostPort !== 0), ({ port }) => (
        `${stringAt(port, 'protocol') ?? 'TCP'} ${stringAt(port, 'hostIP') ?? ''} ${String(port.hostPort)}`
      ), ({ path }) => [...path, 'hostPort'], 'the port of the node'),
    );
  },
};

const HEADER_NAME = /^[-A-Za-z0-9]+$/;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const PROBE_NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

const probes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-PROBE',
  title: 'A probe or hook must have exactly one action: exec, httpGet, tcpSocket, grpc, or sleep in hooks. Headers must have names; liveness and startup probes need one success.',
  source: `${SOURCE} (validateHandler, validateHTTPGetAction, validateProbe, validateLivenessProbe)`,
  kinds: POD_KINDS,
  example: pair(containerText, 'livenessProbe:\n  periodSeconds: 10', 'livenessProbe:\n  periodSeconds: 10\n  httpGet:\n    port: 8080'),
  check: (object) => containersOf(object).flatMap(({ container, path, list }) => allOf(
    list === 'initContainers' && container.restartPolicy !== 'Always' ? ['lifecycle', ...PROBES].filter((name) => isFields(container[name])).map((name) => (
      fault([...path, name], 'the container ends before others start', 'remove it, or write restartPolicy: Always for one that goes on'))) : [],
    PROBES.flatMap((name) => (isFields(container[name]) ? probeFaults(name, container[name], [...path, name]) : [])),
    isFields(container.lifecycle) ? hookFaults(container.lifecycle, [...path, 'lifecycle']) : [],
  )),
};

function probeFaults(name: typeof PROBES[number], probe: Fields, path: FieldPath): readonly Finding[] {
  const seconds = probe.terminationGracePeriodSeconds;
  return allOf(
    handlerFaults(probe, path),
    PROBE_NUMBERS.flatMap((field) => boundsFault([...path, field], probe[field], 0)),
    boundsFault([...path, 'terminationGracePeriodSeconds'], seconds, 1),
    name !== 'readinessProbe' ? boundsFault([...path, 'successThreshold'], probe.successThreshold || undefined, 1, 1) : [],
    name === 'readinessProbe' && Number.isInteger(seconds) ? [fault([...path, 'terminationGracePeriodSeconds'], 'a readiness probe ends nothing', 'remove it')] : [],
  );
}

function hookFaults(hooks: Fields, path: FieldPath): readonly Finding[] {
  return ['postStart', 'preStop'].flatMap((name) => {
    const hook = hooks[name];
    return isFields(hook) ? handlerFaults(hook, [...path, name]) : [];
  });
}

function handlerFaults(probe: Fields, path: FieldPath): readonly Finding[] {
  const written = HANDLERS.filter((name) => isFields(probe[name]));
  if (written.length !== 1) {
    return [fault(path, written.length === 0 ? 'it has no handler' : `it has several handlers: ${written.join(', ')}`, 'write one of them', HANDLERS.join(', '))];
  }
  const [name] = written;
  const action = probe[name] as Fields;
  const port = action.port;
  return allOf(
    name === 'exec' && listAt(action, 'command').length === 0 ? [fault([...path, name, 'command'], 'there is no command', 'write the program and its arguments')] : [],
    boundsFault([...path, name, 'port'], port, 1, HIGHEST_PORT),
    objectsAt(action, 'httpHeaders').flatMap(([header, index]) => (typeof header.name !== 'string' || HEADER_NAME.test(header.name) ? [] : [
      fault([...path, name, 'httpHeaders', index, 'name'], `${JSON.stringify(header.name)} is not the name of a header`, 'write letters, digits and "-", such as X-Header-Name'),
    ])),
    typeof port === 'string' && name !== 'exec' ? faultIf([...path, name, 'port'], checkPortName(port), 'name a port of the container, or write its number without quotes') : [],
  );
}

const SOURCES = ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'];

/** Printable characters without the equals sign. */
const VARIABLE_NAME = /^[ -<>-~]+$/;

const environment: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-ENV',
  title: 'An environment variable must have a name of printable characters without "=", and either a value or one source.',
  source: `${SOURCE} (ValidateEnv, ValidateEnvFrom)`,
  kinds: POD_KINDS,
  example: pair(containerText, `env:
  - name: KEY
    value: abc
    valueFrom:
      secretKeyRef: {name: web, key: key}`, `env:
  - name: KEY
    valueFrom:
      secretKeyRef: {name: web, key: key}`),
  check: (object) => containersOf(object).flatMap(({ container, path }) => allOf(
    objectsAt(container, 'env').flatMap(([variable, index]) => variableFaults(variable, [...path, 'env', index])),
    objectsAt(container, 'envFrom').flatMap(([entry, index]) => {
      const place = [...path, 'envFrom', index];
      const written = ['configMapRef', 'secretRef'].filter((name) => isSet(entry, name));
      return [
        ...(written.length === 1 ? [] : [fault(place, `it has ${written.length === 0 ? 'no source' : 'two sources'}`, 'write one of them', 'configMapRef or secretRef')]),
        ...written.flatMap((name) => (stringAt(entry, name, 'name') === undefined
          ? [fault([...place, name, 'name'], 'there is no name', 'name the object')] : subdomainFault([...place, name, 'name'], fieldAt(entry, name, 'name')))),
        ...(typeof entry.prefix === 'string' && entry.prefix !== '' && !VARIABLE_NAME.test(entry.prefix)
          ? [fault([...place, 'prefix'], `${JSON.stringify(entry.prefix)} cannot begin the name of a variable`, 'use printable characters without "="')] : []),
      ];
    }),
  )),
};

function variableFaults(variable: Fields, path: FieldPath): readonly Finding[] {
  const { name, valueFrom } = variable;
  const nameFaults = typeof name === 'string' && name !== '' && !VARIABLE_NAME.test(name)
    ? [fault([...path, 'name'], `${JSON.stringify(name)} is not the name of a variable`, 'use printable characters without "="')] : [];
  return isFields(valueFrom) ? [...nameFaults, ...sourceFaults(variable, valueFrom, path)] : nameFaults;
}

function sourceFaults(variable: Fields, valueFrom: Fields, path: FieldPath): readonly Finding[] {
  const from = SOURCES.filter((one) => isSet(valueFrom, one));
  return [
    ...(stringAt(variable, 'value') !== undefined ? [fault([...path, 'valueFrom'], 'it has a value, and a source of it', 'leave one of them out')] : []),
    ...(from.length !== 1
      ? [fault([...path, 'valueFrom'], `it has ${from.length === 0 ? 'no source' : 'several sources'}`, 'write one of them', SOURCES.join(', '))] : []),
    ...from.filter((one) => one.endsWith('KeyRef') && one !== 'fileKeyRef').flatMap((one) => {
      const key = fieldAt(valueFrom, one, 'key');
      const place = [...path, 'valueFrom', one];
      return [
        ...(typeof key === 'string' && key !== '' && !isDataKey(key) ? [fault([...place, 'key'], `${JSON.stringify(key)} cannot be a key`, 'correct it', DATA_KEYS)] : []),
        ...(stringAt(valueFrom, one, 'name') === undefined ? [fault([...place, 'name'], 'there is no name', 'name the object')]
          : subdomainFault([...place, 'name'], fieldAt(valueFrom, one, 'name'))),
      ];
    }),
    ...fieldFaults(fieldAt(valueFrom, 'fieldRef', 'fieldPath'), [...path, 'valueFrom', 'fieldRef', 'fieldPath']),
  ];
}

function fieldFaults(field: unknown, path: FieldPath): Finding[] {
  return typeof field !== 'string' || isPodField(field) ? [] : [fault(
    path, `${JSON.stringify(field)} is not a field of the pod that a variable can have`, 'write one of these', POD_FIELDS,
  )];
}

const resources: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RESOURCES',
  title: 'Requests of a container must not be negative or exceed limits; devices must be whole, with request equal to limit; huge pages require cpu or memory; claims must exist in the pod.',
  source: `${SOURCE} (validateResourceRequirements, ValidateResourceQuantityValue, validateResourceClaimNames, validatePodResourceClaims)`,
  kinds: POD_KINDS,
  example: pair(containerText, 'resources:\n  requests: {memory: 1Gi}\n  limits: {memory: 512Mi}', 'resources:\n  requests: {memory: 512Mi}\n  limits: {memory: 1Gi}'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const claims = objectsAt(pod.spec, 'resourceClaims');
    const names = claims.map(([claim]) => stringAt(claim, 'name'));
    return allOf(
      claims.flatMap(([claim, index]) => claimFaults(claim, [...pod.specPath, 'resourceClaims', index])),
      containersOf(object).flatMap(({ container, path }) => allOf(
        findingsAt([...path, 'resources'], checkResources(container.resources)),
        objectsAt(container, 'resources', 'claims').flatMap(([claim, index]) => usedClaimFaults(claim, names, [...path, 'resources', 'claims', index])),
      )),
    );
  },
};

const CLAIM_SOURCES = ['resourceClaimName', 'resourceClaimTemplateName'];

function claimFaults(claim: Fields, path: FieldPath): Finding[] {
  const written = CLAIM_SOURCES.filter((field) => isSet(claim, field));
  return [
    ...labelFault([...path, 'name'], claim.name),
    ...(written.length === 1 ? [] : [fault(path, `it has ${written.length === 0 ? 'no source' : 'two sources'}`, 'write one of them', CLAIM_SOURCES.join(', '))]),
    ...written.flatMap((field) => subdomainFault([...path, field], claim[field])),
  ];
}

function usedClaimFaults(claim: Fields, names: readonly (string | undefined)[], path: FieldPath): Finding[] {
  const name = stringAt(claim, 'name');
  return [
    ...(name === undefined || names.includes(name) ? [] : [fault([...path, 'name'], `the pod has no claim ${JSON.stringify(name)}`, 'name one of resourceClaims of the pod, or add it there')]),
    ...labelFault([...path, 'request'], claim.request),
  ];
}

const CONTRADICTION = 'allowPrivilegeEscalation is false, and it is';

const security: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SECURITY-CONTEXT',
  title: 'Security settings must not contradict each other: allowPrivilegeEscalation: false excludes privileged, and a Localhost profile must have a name.',
  source: `${SOURCE} (ValidateSecurityContext, validateSeccompProfileField, validatePodSpecSecurityContext)`,
  kinds: POD_KINDS,
  example: pair(containerText, 'securityContext:\n  seccompProfile:\n    type: Localhost',
    'securityContext:\n  seccompProfile:\n    type: Localhost\n    localhostProfile: profiles/web.json'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    return allOf(
      contextFaults(pod.spec.securityContext, [...pod.specPath, 'securityContext']),
      pod.spec.hostPID === true && pod.spec.shareProcessNamespace === true
        ? [fault([...pod.specPath, 'shareProcessNamespace'], 'the pod sees the processes of its node, and cannot share others', 'leave one of hostPID and shareProcessNamespace out')] : [],
      containersOf(object).flatMap(({ container, path }) => {
        const place = [...path, 'securityContext'];
        const context = container.securityContext;
        if (!isFields(context)) return [];
        const added = mapsOrTexts(fieldAt(context, 'capabilities', 'add'));
        const isHeld = context.allowPrivilegeEscalation === false;
        return allOf(
          contextFaults(context, place),
          context.procMount === 'Unmasked' && pod.spec.hostUsers !== false
            ? [fault([...place, 'procMount'], 'the container sees all of /proc, and the users of its node', 'write hostUsers: false in the pod, or remove it')] : [],
          isHeld && context.privileged === true ? [fault([...place, 'privileged'], `${CONTRADICTION} true`, 'leave one of them out')] : [],
          isHeld && added.includes('CAP_SYS_ADMIN')
            ? [fault([...place, 'capabilities', 'add'], `${CONTRADICTION} given CAP_SYS_ADMIN`, 'leave one of them out')] : [],
        );
      }),
    );
  },
};

function mapsOrTexts(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function contextFaults(context: unknown, path: FieldPath): readonly Finding[] {
  if (!isFields(context)) return [];
  const sysctls = objectsAt(context, 'sysctls');
  return allOf(
    ['runAsUser', 'runAsGroup', 'fsGroup'].flatMap((field) => {
      const id = context[field];
      return Number.isInteger(id) && ((id as number) < 0 || (id as number) > 2 ** 31 - 1)
        ? [fault([...path, field], `${String(id)} is not the number of a user or group`, 'write a number in these bounds', `0 to ${2 ** 31 - 1}`)] : [];
    }),
    windowsFaults(context.windowsOptions, [...path, 'windowsOptions']),
    ['seccompProfile', 'appArmorProfile'].flatMap((field) => {
      if (!isFields(context[field])) return [];
      const [type, profile] = [stringAt(context, field, 'type'), fieldAt(context, field, 'localhostProfile')];
      const place = [...path, field, 'localhostProfile'];
      if (type === 'Localhost') return !isSet(context, field, 'localhostProfile') ? [fault(place, 'there is no profile', 'name the file or the profile on the node')] : [];
      return type !== undefined && typeof profile === 'string' ? [fault(place, `a profile is only for the type Localhost, not ${type}`, 'remove it')] : [];
    }),
    sysctls.flatMap(([sysctl, index]) => (typeof sysctl.name === 'string'
      ? faultIf([...path, 'sysctls', index, 'name'], /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?([./][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/.test(sysctl.name) ? undefined
        : `${JSON.stringify(sysctl.name)} is not the name of a setting of the kernel`, 'write one such as net.core.somaxconn') : [])),
    repetitions(sysctls, ([{ name }]) => (typeof name === 'string' ? name.replaceAll('/', '.') : undefined), ([, index]) => [...path, 'sysctls', index, 'name'], 'the setting'),
  );
}

/** A user of Windows, and a domain before it, if wanted. */
const WINDOWS_USER = /^([^\x00-\x1f\x7f\\]{1,256}\\)?(?![. ]+$)[^\x00-\x1f\x7f"/\\:;|=,+*?<>@[\]]{1,104}$/;

function windowsFaults(options: unknown, path: FieldPath): readonly Finding[] {
  const [user, credentials] = ['runAsUserName', 'gmsaCredentialSpecName'].map((field) => fieldAt(options, field));
  return allOf(
    typeof user !== 'string' || WINDOWS_USER.test(user) ? []
      : [fault([...path, 'runAsUserName'], `${JSON.stringify(user.slice(0, 60))} is not the name of a user of Windows`, 'write USER or DOMAIN\\USER')],
    typeof credentials !== 'string' ? [] : faultIf([...path, 'gmsaCredentialSpecName'], checkDnsSubdomain(credentials), 'write the name of a GMSACredentialSpec'),
  );
}

/** Rules for the containers of pods. */
export const CONTAINERS: readonly ManifestRule[] = [containerNames, images, imagesOfTemplates, ports, probes, environment, resources, security];
