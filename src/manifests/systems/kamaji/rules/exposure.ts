import { controlPlaneExample } from './examples';
import {
  apiPort, controlPlaneFields, KAMAJI_CONTROL_PLANE_TEMPLATE, konnectivityPort, PROVIDER_KINDS, serviceTypeOf, TENANT_CONTROL_PLANE,
} from './kamaji-objects';
import { PROVIDER_CRD, SERVICE_BUILDER, TENANT_CRD } from './sources';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { checkCidr, Cidr } from '../../../values/cidr';
import { checkDnsLabel, checkPort } from '../../../values/dns';
import { isSet, listAt, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { allOf, Finding, findingsOf } from '../../../values/finding';
import { parseIp } from '../../../values/ip-address';
import { SERVICE_PORT_NAMES } from '../pod-ports';

const LOAD_BALANCER = 'LoadBalancer';
const MOST_SOURCE_RANGES = 16;
const TCP = 'TCP';

const loadBalancer: ManifestRule = {
  id: 'TC-ADMIT-KAMAJI-LOAD-BALANCER',
  title: 'Source ranges and a load balancer class require a Service of the type LoadBalancer.',
  source: `${PROVIDER_CRD} (x-kubernetes-validations)`,
  kinds: PROVIDER_KINDS,
  example: controlPlaneExample(`  network:
    serviceType: ClusterIP
    loadBalancerConfig:
      loadBalancerSourceRanges: [192.0.2.0/24]
`, `  network:
    serviceType: LoadBalancer
    loadBalancerConfig:
      loadBalancerSourceRanges: [192.0.2.0/24]
`),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const config = ['network', 'loadBalancerConfig'];
    if (serviceTypeOf(object) === LOAD_BALANCER) return [];
    return [
      ...(listAt(fields, ...config, 'loadBalancerSourceRanges').length > 0 ? ['loadBalancerSourceRanges'] : []),
      ...(isSet(fields, ...config, 'loadBalancerClass') ? ['loadBalancerClass'] : []),
    ].map((field) => ({
      path: [...path, ...config, field],
      message: `the Service has the type ${serviceTypeOf(object)}, and ${field} is for load balancers only`,
      fix: `remove ${field}, or set serviceType to LoadBalancer`,
    }));
  },
};

const ingressAndGateway: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-INGRESS-AND-GATEWAY',
  title: 'A control plane must not have both an Ingress and a Gateway: the provider accepts both, and Kamaji refuses the resulting object.',
  source: `${TENANT_CRD} (x-kubernetes-validations)`,
  kinds: PROVIDER_KINDS,
  trap: true,
  example: controlPlaneExample(`  network:
    serviceType: ClusterIP
    ingress:
      hostname: acme.example.com:443
    gateway:
      name: tenants
      namespace: gateways
      hostname: acme.example.com:6443
`, `  network:
    serviceType: ClusterIP
    gateway:
      name: tenants
      namespace: gateways
      hostname: acme.example.com:6443
`),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    return isSet(fields, 'network', 'ingress') && isSet(fields, 'network', 'gateway') ? [{
      path: [...path, 'network', 'ingress'],
      message: 'the control plane has an Ingress and a Gateway',
      fix: 'remove one of them',
    }] : [];
  },
};

const address: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-ADVERTISE-ADDRESS',
  title: 'The advertised address of the API server must be an IP address: the provider accepts any string, and Kamaji refuses the resulting object.',
  source: `${TENANT_CRD} (x-kubernetes-validations)`,
  kinds: PROVIDER_KINDS,
  trap: true,
  example: controlPlaneExample('  network:\n    advertiseAddress: api.acme.example.com\n', '  network:\n    advertiseAddress: 192.0.2.10\n'),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const given = stringAt(fields, 'network', 'advertiseAddress');
    return given === undefined || parseIp(given) ? [] : [{
      path: [...path, 'network', 'advertiseAddress'],
      message: `"${given}" is not an IP address`,
      accepted: 'an address such as "192.0.2.10" or "2001:db8::10"',
      fix: 'give the address itself; names belong into certSANs',
    }];
  },
};

const sourceRanges: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-SOURCE-RANGES',
  title: 'A load balancer must have at most 16 source ranges, each a CIDR block: the provider accepts any, and Kamaji refuses the resulting object.',
  source: `${TENANT_CRD} (x-kubernetes-validations)`,
  kinds: PROVIDER_KINDS,
  trap: true,
  example: controlPlaneExample(
    '  network:\n    loadBalancerConfig:\n      loadBalancerSourceRanges: [192.0.2.1]\n',
    '  network:\n    loadBalancerConfig:\n      loadBalancerSourceRanges: [192.0.2.1/32]\n',
  ),
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const list = ['network', 'loadBalancerConfig', 'loadBalancerSourceRanges'];
    const count = listAt(fields, ...list).length;
    return allOf<Finding>(
      stringsAt(fields, ...list).filter(([range]) => !Cidr.parse(range)).map(([range, position]) => ({
        path: [...path, ...list, position], message: checkCidr(range)!, fix: 'write the block, with "/32" behind a single address',
      })),
      count <= MOST_SOURCE_RANGES ? [] : [{
        path: [...path, ...list],
        message: `${count} source ranges are more than Kamaji takes`,
        accepted: `at most ${MOST_SOURCE_RANGES}`,
        fix: 'join neighbouring blocks, or leave the filtering to a firewall',
      }],
    );
  },
};

const servicePort: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-SERVICE-PORT',
  title: 'Additional ports of a control plane\'s Service must have valid names and numbers, none of them taken: kube-apiserver and konnectivity-server have theirs.',
  source: SERVICE_BUILDER,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  network:\n    additionalServicePorts:\n      - {name: kube-apiserver, port: 9443, targetPort: 9443}\n',
    '  network:\n    additionalServicePorts:\n      - {name: proxy, port: 9443, targetPort: 9443}\n',
  ),
  check: checkServicePorts,
};

/** Address and Service of the API server. */
export const EXPOSURE: readonly ManifestRule[] = [loadBalancer, ingressAndGateway, address, sourceRanges, servicePort];

function checkServicePorts(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const { fields, path } = controlPlaneFields(object);
  const list = isSet(fields, 'controlPlane') ? ['controlPlane', 'service', 'additionalPorts'] : ['network', 'additionalServicePorts'];
  const names = new Set(SERVICE_PORT_NAMES);
  const own = groupKind(object) === KAMAJI_CONTROL_PLANE_TEMPLATE ? [] : [apiPort(object, index), konnectivityPort(object)];
  const numbers = new Set(own.map((placed) => `${TCP} ${placed?.port}`));
  return objectsAt(fields, ...list).flatMap(([port, position]) => {
    const at = (field: string, message: string | undefined, fix: string): Finding[] => (
      findingsOf([...path, ...list, position, field], [message], fix)
    );
    const [name, number, target] = [stringAt(port, 'name'), numberAt(port, 'port'), numberAt(port, 'targetPort')];
    const badName = name === undefined ? undefined : checkDnsLabel(name);
    const badPort = number === undefined ? undefined : checkPort(number);
    const nameTaken = isTaken(names, name) && !badName;
    const portTaken = isTaken(numbers, number && `${stringAt(port, 'protocol') ?? TCP} ${number}`) && !badPort;
    return [
      ...at('name', badName, 'write a short name in lower case'),
      ...at('name', nameTaken ? `the name "${name}" is taken by another port of the Service` : undefined, 'choose another name'),
      ...at('port', badPort, 'give the port that clients connect to'),
      ...at('port', portTaken ? `port ${number} of the Service is taken already` : undefined, 'choose another port'),
      ...at('targetPort', target === undefined || target === number ? undefined : checkPort(target), 'give the port that the program in the pod listens on'),
    ];
  });
}

function isTaken<T>(taken: Set<T>, one: T | undefined): boolean {
  return one !== undefined && taken.size === taken.add(one).size;
}
