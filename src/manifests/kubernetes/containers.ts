import { containerText, pair, podText } from './examples';
import { apiValidation, boundsFault, fault, faultIf, fieldFaultIf, repetitions } from './findings';
import { containersOf, PlacedContainer, POD_KINDS, podOf } from './pods';
import { allOf } from '../rules/all-of';
import { ManifestRule } from '../rules/manifest-rule';
import { checkDnsLabel } from '../values/dns';
import { FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

const SOURCE = apiValidation('core');
const HIGHEST_PORT = 65535;

/** Names of ports (RFC 6335): short, with a letter, and no two dashes in a row. */
const PORT_NAME = /^(?=.{1,15}$)(?=.*[a-z])(?!.*--)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** What is wrong with the name of a port of a container. */
export function checkPortName(name: string): string | undefined {
  return PORT_NAME.test(name) ? undefined
    : `${JSON.stringify(name)} is not the name of a port; accepted are up to 15 lower-case letters, digits and single "-", a letter among them`;
}

const names: ManifestRule = {
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
  title: 'A container must have an image, without leading or trailing spaces.',
  source: `${SOURCE} (validateContainerCommon)`,
  kinds: POD_KINDS,
  example: pair(podText, 'containers:\n  - name: web', 'containers:\n  - name: web\n    image: registry.example.com/web:v1'),
  check: (object) => containersOf(object).flatMap(({ container, path }) => {
    const { image } = container;
    if (image === undefined || image === null || image === '') return [fault([...path, 'image'], 'the container has no image', 'name the image')];
    return typeof image === 'string' && image !== image.trim() ? [fault([...path, 'image'], `${JSON.stringify(image)} has spaces around it`, 'remove them')] : [];
  }),
};

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

/** Containers: what they are called, run, offer, and are asked. */
export const CONTAINERS: readonly ManifestRule[] = [names, images, ports, probes];
