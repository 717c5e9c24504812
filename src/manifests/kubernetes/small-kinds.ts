import { clusterObjectText, objectText, pair } from './examples';
import { apiValidation, fault, faultIf, labelFault } from './findings';
import { ManifestRule } from '../rules/manifest-rule';
import { checkDnsLabel, checkDnsSubdomain } from '../values/dns';
import { fieldAt, listAt, objectsAt, numberAt, stringAt, stringsAt } from '../values/fields';
import { findingsAt } from '../values/finding';
import { parseIp } from '../values/ip-address';
import { checkToleration } from '../values/tolerations';

const LEVELS: readonly string[] = ['privileged', 'baseline', 'restricted'];
const MODES = ['enforce', 'audit', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}`);

const podSecurity: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-POD-SECURITY',
  title: 'Labels of Pod Security must have a level that exists, and a version of Kubernetes.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/pod-security-admission/api/helpers.go (PolicyToEvaluate)',
  kinds: ['/Namespace'],
  example: pair((level) => clusterObjectText('v1', 'Namespace', '').replace('name: web\n', `name: web\n  labels:\n    pod-security.kubernetes.io/enforce: ${level}\n`), 'strict', 'restricted'),
  check: (object) => MODES.flatMap((label) => {
    const [level, version] = [label, `${label}-version`].map((key) => fieldAt(object, 'metadata', 'labels', key));
    const path = ['metadata', 'labels'];
    return [
      ...(typeof level !== 'string' || LEVELS.includes(level) ? [] : [fault([...path, label], `${JSON.stringify(level)} is no level`, 'write one of them', LEVELS.join(', '))]),
      ...(typeof version !== 'string' || /^(latest|v1\.(0|[1-9]\d*))$/.test(version) ? []
        : [fault([...path, `${label}-version`], `${JSON.stringify(version)} is no version`, 'write one such as v1.36', 'latest, v1.MINOR')]),
    ];
  }),
};

const HIGHEST_PRIORITY = 1_000_000_000;
const SYSTEM = ['system-cluster-critical', 'system-node-critical'];

const priorities: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-PRIORITY-CLASS',
  title: 'The value of a PriorityClass must not exceed 1000000000, and its name must not be reserved by Kubernetes.',
  source: `${apiValidation('scheduling')} (ValidatePriorityClass)`,
  kinds: ['scheduling.k8s.io/PriorityClass'],
  example: pair((value) => clusterObjectText('scheduling.k8s.io/v1', 'PriorityClass', `value: ${value}\n`), '2000000000', '1000000000'),
  check: (object) => {
    const [name, value] = [stringAt(object, 'metadata', 'name') ?? '', numberAt(object, 'value') ?? 0];
    if (SYSTEM.includes(name)) return [];
    return [
      ...(name.startsWith('system-') ? [fault(['metadata', 'name'], 'names with "system-" are those of the system', 'choose another name')] : []),
      ...(value > HIGHEST_PRIORITY && !name.startsWith('system-') ? [fault(['value'], `${value} is for the system`, 'write a smaller number', `up to ${HIGHEST_PRIORITY}`)] : []),
    ];
  },
};

const runtimes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RUNTIME-CLASS',
  title: 'The handler of a RuntimeClass must be a DNS label, and its tolerations must be valid tolerations of pods.',
  source: `${apiValidation('node')} (ValidateRuntimeClass)`,
  kinds: ['node.k8s.io/RuntimeClass'],
  example: pair((handler) => clusterObjectText('node.k8s.io/v1', 'RuntimeClass', `handler: ${handler}\n`), 'kata_qemu', 'kata-qemu'),
  check: (object) => [
    ...(typeof object.handler === 'string' ? faultIf(['handler'], checkDnsLabel(object.handler), 'write the name as the container runtime has it') : []),
    ...objectsAt(object, 'scheduling', 'tolerations').flatMap(([toleration, index]) => findingsAt(['scheduling', 'tolerations', index], checkToleration(toleration))),
  ],
};

const MOST_ADDRESSES = 100;

const slices: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-ENDPOINT-SLICE',
  title: 'Each endpoint of an EndpointSlice must have addresses of its addressType.',
  source: `${apiValidation('discovery')} (validateEndpoints)`,
  kinds: ['discovery.k8s.io/EndpointSlice'],
  example: pair((address) => objectText('discovery.k8s.io/v1', 'EndpointSlice', `addressType: IPv4\nendpoints:\n  - addresses: [${address}]\n`), 'web.example.com', '192.0.2.10'),
  check: (object) => {
    const type = stringAt(object, 'addressType');
    return objectsAt(object, 'endpoints').flatMap(([endpoint, index]) => {
      const path = ['endpoints', index, 'addresses'];
      const count = listAt(endpoint, 'addresses').length;
      return [
        ...(count === 0 || count > MOST_ADDRESSES ? [fault(path, `there are ${count} addresses`, 'write the addresses', `1 to ${MOST_ADDRESSES}`)] : []),
        ...stringsAt(endpoint, 'addresses').flatMap(([address, position]) => {
          const isRight = type === 'FQDN' ? checkDnsSubdomain(address) === undefined : parseIp(address)?.family === type;
          return type === undefined || isRight ? [] : [fault([...path, position], `${JSON.stringify(address)} is not of the type ${type}`, 'write another address, or another type')];
        }),
        ...labelFault(['endpoints', index, 'hostname'], endpoint.hostname),
      ];
    });
  },
};

/** Kinds with few rules. */
export const SMALL_KINDS: readonly ManifestRule[] = [podSecurity, priorities, runtimes, slices];
