import { checkPortName } from './containers';
import { objectText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf, labelFault, repetitions } from './findings';
import { ManifestRule } from '../rules/manifest-rule';
import { checkCidr } from '../values/cidr';
import { checkDnsSubdomain } from '../values/dns';
import { fieldAt, Fields, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';
import { parseIp } from '../values/ip-address';
import { checkLabelKey, checkLabelValue, checkQualifiedName } from '../values/labels';

const SOURCE = apiValidation('core');
const SERVICE = '/Service';
const HIGHEST_PORT = 65535;
const NONE = 'None';
const FROM_OUTSIDE: readonly (string | undefined)[] = ['NodePort', 'LoadBalancer'];

const ports: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SERVICE-PORT',
  title: 'A Service with a cluster IP must have ports from 1 to 65535, unique per protocol; several ports must have unique names.',
  source: `${SOURCE} (validateService, validateServicePort)`,
  kinds: [SERVICE],
  example: pair((names) => objectText('v1', 'Service', `spec:\n  selector: {app: web}\n  ports:\n${names}`),
    '    - port: 80\n    - port: 443\n', '    - name: http\n      port: 80\n    - name: https\n      port: 443\n'),
  check: (object) => {
    const type = stringAt(object, 'spec', 'type');
    const entries = objectsAt(object, 'spec', 'ports');
    if (entries.length === 0) {
      return !isFields(object.spec) || type === 'ExternalName' || isHeadless(object.spec) || listAt(object, 'spec', 'ports').length > 0 ? []
        : [fault(['spec', 'ports'], 'the Service has no ports', 'write them, or clusterIP: None for a Service without an address')];
    }
    const at = (index: number, field: string) => ['spec', 'ports', index, field];
    return [
      ...entries.flatMap(([port, index]) => [
        ...(entries.length > 1 && stringAt(port, 'name') === undefined ? [fault(at(index, 'name'), 'one of several ports has no name', 'name it')] : []),
        ...labelFault(at(index, 'name'), port.name),
        ...boundsFault(at(index, 'port'), port.port, 1, HIGHEST_PORT),
        ...(typeof port.targetPort === 'number' && port.targetPort !== 0 ? boundsFault(at(index, 'targetPort'), port.targetPort, 1, HIGHEST_PORT) : []),
        ...(typeof port.targetPort === 'string' && port.targetPort !== ''
          ? faultIf(at(index, 'targetPort'), checkPortName(port.targetPort), 'name a port of the pods, or write its number without quotes') : []),
        ...(typeof port.appProtocol === 'string' ? faultIf(at(index, 'appProtocol'), checkQualifiedName(port.appProtocol), 'write a name such as kubernetes.io/h2c') : []),
        ...(Number.isInteger(port.nodePort) && port.nodePort !== 0 && (type === undefined || type === 'ClusterIP')
          ? [fault(at(index, 'nodePort'), 'a Service of the type ClusterIP has no port of nodes', 'remove it, or write type: NodePort')] : []),
      ]),
      ...repetitions(entries, ([port]) => stringAt(port, 'name'), ([, index]) => at(index, 'name'), 'the port'),
      ...['port', 'nodePort'].flatMap((field) => repetitions(
        entries.filter(([port]) => Number.isInteger(port[field]) && port[field] !== 0),
        ([port]) => `${String(port[field])} ${stringAt(port, 'protocol') ?? 'TCP'}`, ([, index]) => at(index, field), field,
      )),
    ];
  },
};

const types: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SERVICE-TYPE',
  title: 'A Service must have only the fields of its type, such as externalTrafficPolicy, load balancer fields or externalName.',
  source: `${SOURCE} (validateService, validateServiceExternalTrafficPolicy, validateLoadBalancerClassField)`,
  kinds: [SERVICE],
  example: pair((fields) => objectText('v1', 'Service', `spec:\n${fields}  selector: {app: web}\n  ports:\n    - port: 80\n`),
    '  externalTrafficPolicy: Local\n', '  type: NodePort\n  externalTrafficPolicy: Local\n'),
  check: (object) => (isFields(object.spec) ? typeFaults(object.spec) : []),
};

const LOAD_BALANCER_FIELDS = ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'loadBalancerSourceRanges'];

function typeFaults(spec: Fields): Finding[] {
  const type = stringAt(spec, 'type') ?? 'ClusterIP';
  const isOutside = FROM_OUTSIDE.includes(type) || listAt(spec, 'externalIPs').length > 0 && type === 'ClusterIP';
  const name = stringAt(spec, 'externalName')?.replace(/\.$/, '');
  return [
    ...(FROM_OUTSIDE.includes(type) && isHeadless(spec) ? [fault(['spec', 'clusterIP'], `a Service of the type ${type} has an address`, 'remove it')] : []),
    ...(type === 'ExternalName' ? [
      ...(name === undefined || name === '' ? [fault(['spec', 'externalName'], 'there is no name outside', 'name the host')]
        : faultIf(['spec', 'externalName'], checkDnsSubdomain(name), 'write the name of a host')),
      ...['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter((field) => isSet(spec, field) && spec[field] !== '' && !isEmptyList(spec[field]))
        .map((field) => fault(['spec', field], 'a Service of the type ExternalName has no address', 'remove it')),
    ] : []),
    ...(isSet(spec, 'externalTrafficPolicy') && spec.externalTrafficPolicy !== '' && !isOutside
      ? [fault(['spec', 'externalTrafficPolicy'], `nothing comes from outside to a Service of the type ${type}`, 'remove it, or write another type', 'for NodePort and LoadBalancer')] : []),
    ...(Number.isInteger(spec.healthCheckNodePort) && spec.healthCheckNodePort !== 0 && !(type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local')
      ? [fault(['spec', 'healthCheckNodePort'], 'no load balancer probes this port', 'remove it', 'for the type LoadBalancer with externalTrafficPolicy: Local')] : []),
    ...(type === 'LoadBalancer' ? [] : LOAD_BALANCER_FIELDS.filter((field) => isSet(spec, field) && !isEmptyList(spec[field]))
      .map((field) => fault(['spec', field], `a Service of the type ${type} has no load balancer`, 'remove it, or write type: LoadBalancer'))),
    ...(spec.sessionAffinity === 'None' && isSet(spec, 'sessionAffinityConfig')
      ? [fault(['spec', 'sessionAffinityConfig'], 'sessions keep to no address', 'write sessionAffinity: ClientIP, or remove it')] : []),
    ...boundsFault(['spec', 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds'], fieldAt(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds'), 1, 86_400),
    ...(stringAt(spec, 'trafficDistribution') === undefined || DISTRIBUTIONS.includes(stringAt(spec, 'trafficDistribution')!) ? []
      : [fault(['spec', 'trafficDistribution'], `${JSON.stringify(spec.trafficDistribution)} is none of the choices`, 'write one of them', DISTRIBUTIONS.join(', '))]),
  ];
}

const DISTRIBUTIONS: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

const addresses: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SERVICE-ADDRESS',
  title: 'Addresses of a Service must be IP addresses of different families, ranges must be in CIDR notation, and its selector must have valid labels.',
  source: `${SOURCE} (ValidateServiceClusterIPsRelatedFields, validateService)`,
  kinds: [SERVICE],
  example: pair((address) => objectText('v1', 'Service', `spec:\n  externalIPs: [${address}]\n  selector: {app: web}\n  ports:\n    - port: 80\n`), '198.51.100.256', '198.51.100.10'),
  check: (object) => {
    const address = stringAt(object, 'spec', 'clusterIP');
    const all = stringsAt(object, 'spec', 'clusterIPs');
    const families = stringsAt(object, 'spec', 'ipFamilies');
    const ipFault = (path: (string | number)[], text: string) => (parseIp(text) ? [] : [fault(path, `${JSON.stringify(text)} is not an IP address`, 'correct it')]);
    return [
      ...(address === undefined || address === NONE ? [] : ipFault(['spec', 'clusterIP'], address)),
      ...all.filter(([text]) => text !== NONE).flatMap(([text, index]) => ipFault(['spec', 'clusterIPs', index], text)),
      ...(address !== undefined && all.length > 0 && all[0][0] !== address ? [fault(['spec', 'clusterIPs'], `the first address is not clusterIP, ${address}`, 'write clusterIP first')] : []),
      ...(all.length > 2 ? [fault(['spec', 'clusterIPs'], `there are ${all.length} addresses`, 'leave one for each family', 'up to 2')] : []),
      ...stringsAt(object, 'spec', 'externalIPs').flatMap(([text, index]) => ipFault(['spec', 'externalIPs', index], text)),
      ...stringsAt(object, 'spec', 'loadBalancerSourceRanges').flatMap(([text, index]) => (
        faultIf(['spec', 'loadBalancerSourceRanges', index], checkCidr(text.trim()), 'write the first address of the range and its prefix length'))),
      ...repetitions(families, ([family]) => family, ([, index]) => ['spec', 'ipFamilies', index], 'the family'),
      ...Object.entries(isFields(fieldAt(object, 'spec', 'selector')) ? fieldAt(object, 'spec', 'selector') as Fields : {}).flatMap(([key, value]) => [
        ...faultIf(['spec', 'selector', key], checkLabelKey(key), 'write the label as pods have it'),
        ...(typeof value === 'string' ? faultIf(['spec', 'selector', key], checkLabelValue(value), 'write the label as pods have it') : []),
      ]),
    ];
  },
};

/** Services. */
export const SERVICES: readonly ManifestRule[] = [ports, types, addresses];

function isHeadless(spec: unknown): boolean {
  return fieldAt(spec, 'clusterIP') === NONE || stringsAt(spec, 'clusterIPs').some(([text]) => text === NONE);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
