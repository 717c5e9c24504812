import { controlPlaneExample } from './examples';
import { controlPlaneFields, PROVIDER_KINDS, serviceTypeOf, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { PROVIDER_CRD, SERVICE_BUILDER, TENANT_CRD } from './sources';
import { ManifestObject } from '../../../objects/manifest-object';
import { allOf } from '../../../rules/all-of';
import { ManifestRule } from '../../../rules/manifest-rule';
import { checkCidr, Cidr } from '../../../values/cidr';
import { isSet, listAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { parseIp } from '../../../values/ip-address';
import { SERVICE_PORT_NAMES } from '../pod-ports';

const LOAD_BALANCER = 'LoadBalancer';
const MOST_SOURCE_RANGES = 16;

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
  title: 'Names of additional Service ports of a control plane must be unique; kube-apiserver and konnectivity-server are reserved.',
  source: SERVICE_BUILDER,
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(
    '  network:\n    additionalServicePorts:\n      - {name: kube-apiserver, port: 9443, targetPort: 9443}\n',
    '  network:\n    additionalServicePorts:\n      - {name: proxy, port: 9443, targetPort: 9443}\n',
  ),
  check: (object) => checkServicePorts(object),
};

/** Address and Service of the API server. */
export const EXPOSURE: readonly ManifestRule[] = [loadBalancer, ingressAndGateway, address, sourceRanges, servicePort];

function checkServicePorts(object: ManifestObject): readonly Finding[] {
  const { fields, path } = controlPlaneFields(object);
  const list = isSet(fields, 'controlPlane') ? ['controlPlane', 'service', 'additionalPorts'] : ['network', 'additionalServicePorts'];
  const taken = new Set(SERVICE_PORT_NAMES);
  return objectsAt(fields, ...list).flatMap(([port, position]) => {
    const given = stringAt(port, 'name');
    if (given === undefined) return [];
    if (!taken.has(given)) {
      taken.add(given);
      return [];
    }
    return [{ path: [...path, ...list, position, 'name'], message: `the name "${given}" is taken by another port of the Service`, fix: 'choose another name' }];
  });
}
