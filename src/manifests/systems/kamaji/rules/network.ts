import { cluster, controlPlane, controlPlaneExample, namedControlPlane, tenantControlPlane } from './examples';
import {
  apiPort, controlPlaneFields, DEFAULT_SERVICE_CIDR, KAMAJI_CONTROL_PLANE, KAMAJI_CONTROL_PLANE_TEMPLATE, konnectivityPort, placeOf, PROVIDER_CRD,
  PROVIDER_KINDS, PROVIDER_RECONCILER, SERVICE_BUILDER, serviceTypeOf, TENANT_CONTROL_PLANE, TENANT_CRD, WEBHOOKS,
} from './kamaji-objects';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER } from '../../../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { clusterOf, partReference } from '../../../rules/references/object-references';
import { checkCidr, Cidr, DNS_SERVICE_INDEX } from '../../../values/cidr';
import { checkDnsLabel, checkPort } from '../../../values/dns';
import { fieldAt, FieldPath, isFields, isSet, listAt, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { allOf, Finding, findingsOf } from '../../../values/finding';
import { checkIp, isSameIp, parseIp } from '../../../values/ip-address';
import { SERVICE_PORT_NAMES } from '../control-plane-pods';

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

/** Annotations for the load balancers of AWS, which have names and no fixed addresses. */
const AWS = 'service.beta.kubernetes.io/aws-load-balancer-';

const hostName: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-HOST-NAME',
  title: 'A load balancer of a control plane must have an IP address, which those of AWS get by a stated address only: Kamaji takes no host name.',
  source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_funcs.go (getLoadBalancerAddress), issue 1019, 26.8.2-edge',
  kinds: [...PROVIDER_KINDS, TENANT_CONTROL_PLANE],
  trap: true,
  example: controlPlaneExample(`  network:
    serviceType: LoadBalancer
    serviceAnnotations: {${AWS}scheme: internet-facing}
`, `  network:
    serviceType: LoadBalancer
    serviceAddress: 192.0.2.10
    serviceAnnotations: {${AWS}scheme: internet-facing}
`),
  check: (object) => {
    const path = placeOf(object, 'network', 'serviceAnnotations');
    const annotations = fieldAt(object, ...path);
    const name = isFields(annotations) ? Object.keys(annotations).find((one) => one.startsWith(AWS)) : undefined;
    const isStated = ['serviceAddress', 'advertiseAddress'].some((field) => isSet(object, ...placeOf(object, 'network', field)));
    return name === undefined || isStated || serviceTypeOf(object) !== LOAD_BALANCER ? [] : [{
      path: [...path, name],
      message: 'AWS gives the load balancer a host name, at which Kamaji fails for ever',
      fix: 'state an address of your own (serviceAddress, or networkProfile.address of a TenantControlPlane), and give it to the load balancer by its annotation for Elastic IPs',
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

const LAST_SINGLE_STACK = 'v0.20.0';

/** A later release passes on all ranges. */
export const DUAL_STACK: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DUAL-STACK',
  title: `A Cluster with a KamajiControlPlane should have one range of pods and one of Services: the provider up to ${LAST_SINGLE_STACK} passes on the first of each, and drops the others.`,
  source: `${PROVIDER_RECONCILER} (${LAST_SINGLE_STACK}), pull request 381`,
  kinds: [CLUSTER],
  trap: true,
  warning: true,
  example: {
    failing: cluster('    pods:\n      cidrBlocks: [10.243.0.0/16, "fd00:1::/56"]\n').replace('---\n', ''),
    corrected: cluster('    pods:\n      cidrBlocks: [10.243.0.0/16]\n').replace('---\n', ''),
  },
  check: (object) => {
    if (partReference(object, 'controlPlaneRef')?.kind !== KAMAJI_CONTROL_PLANE) return [];
    const list = ['pods', 'services'].map((name) => ['spec', 'clusterNetwork', name, 'cidrBlocks']).find((path) => stringsAt(object, ...path).length > 1);
    return list === undefined ? [] : [{
      path: [...list, 1],
      message: 'the provider passes on the first range of each list only, and drops the others without an error',
      fix: 'keep the ranges of one address family, or install a later release of the provider and silence this',
    }];
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
export const EXPOSURE: readonly ManifestRule[] = [loadBalancer, ingressAndGateway, address, hostName, sourceRanges, DUAL_STACK, servicePort];

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

/** The range of Services where nothing states one. */
const MOST_ADDRESSES = 8;

const addresses: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DNS-SERVICE-IP',
  title: 'The addresses of the DNS service, at most 8, must lie in a service CIDR of the cluster: Kamaji refuses others only while reconciling.',
  source: `${WEBHOOKS}/tcp_dns.go, ${TENANT_CRD}`,
  kinds: PROVIDER_KINDS,
  trap: true,
  example: {
    failing: namedControlPlane('') + cluster('    services:\n      cidrBlocks: [10.95.0.0/16]\n'),
    corrected: namedControlPlane('').replace('10.96.0.10', '10.95.0.10') + cluster('    services:\n      cidrBlocks: [10.95.0.0/16]\n'),
  },
  check: (object, index) => {
    const { fields, path } = controlPlaneFields(object);
    const list = dnsList(fields);
    const count = listAt(fields, ...list).length;
    return allOf(
      outside(stringsAt(fields, ...list), [...path, ...list], serviceRanges(object, index)),
      count <= MOST_ADDRESSES ? [] : [{
        path: [...path, ...list], message: `${count} addresses are more than Kamaji takes`, accepted: `at most ${MOST_ADDRESSES}`, fix: 'keep one for each address family',
      }],
    );
  },
};

const missing: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DNS-MISSING',
  title: 'A KamajiControlPlane must have the address of the DNS service: the provider clears the address that Kamaji chose, and joining kubelets then have none.',
  source: PROVIDER_RECONCILER,
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  example: {
    failing: controlPlane('  addons:\n    coreDNS: {}\n  network:\n    dnsServiceIPs: [10.96.0.10]\n'),
    corrected: namedControlPlane(''),
  },
  check: (object) => {
    const { fields, path } = controlPlaneFields(object);
    const list = dnsList(fields);
    const [other] = ['network', 'addons'].filter((part) => part !== list[0]);
    return listAt(fields, ...list).length > 0 ? [] : [{
      path: [...path, ...list],
      message: other === 'network' && listAt(fields, 'network', 'dnsServiceIPs').length > 0
        ? 'addons.coreDNS has no addresses, and those of network.dnsServiceIPs do not count beside it'
        : 'nodes are not told the address of the DNS service',
      fix: 'write the tenth address of the range of Services of the cluster: that of 10.96.0.0/16 is 10.96.0.10',
    }];
  },
};

const tenantAddresses: ManifestRule = {
  id: 'TC-ADMIT-TCP-DNS-SERVICE-IP',
  title: 'The addresses of the DNS service of a TenantControlPlane must lie in its service CIDRs.',
  source: `${WEBHOOKS}/tcp_dns.go`,
  kinds: [TENANT_CONTROL_PLANE],
  example: {
    failing: tenantControlPlane('  kubernetes:\n    version: v1.35.4\n    kubelet: {cgroupfs: systemd}\n  networkProfile:\n    dnsServiceIPs: [10.95.0.10]\n'),
    corrected: tenantControlPlane('  kubernetes:\n    version: v1.35.4\n    kubelet: {cgroupfs: systemd}\n  networkProfile:\n    dnsServiceIPs: [10.96.0.10]\n'),
  },
  check: (object, index) => {
    const path = ['spec', 'networkProfile', 'dnsServiceIPs'];
    return outside(stringsAt(object, ...path), path, serviceRanges(object, index));
  },
};

const tenth: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DNS-TENTH',
  title: 'With addons.coreDNS, the first address of the DNS service must be the tenth address of the range of Services: Kamaji installs the Service there, and gives kubelets the address that is written.',
  source: 'clastix/kamaji internal/kubeadm/{addon,uploadconfig}.go, internal/resources/addons/coredns.go, internal/webhook/handlers/tcp_defaults.go; kubernetes/kubernetes cmd/kubeadm/app/constants/constants.go (GetDNSIP)',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: {
    failing: namedControlPlane('').replace('10.96.0.10', '10.96.0.53') + cluster('    services:\n      cidrBlocks: [10.96.0.0/16]\n'),
    corrected: namedControlPlane('') + cluster('    services:\n      cidrBlocks: [10.96.0.0/16]\n'),
  },
  check: (object, index) => {
    const { fields, path } = controlPlaneFields(object);
    const [range] = serviceRanges(object, index) ?? [];
    const right = range?.nth(DNS_SERVICE_INDEX);
    if (!range || right === undefined || !isSet(fields, 'addons', 'coreDNS')) return [];
    const isTenant = groupKind(object) === TENANT_CONTROL_PLANE;
    const list = dnsList(fields);
    const given = stringsAt(fields, ...list)[0]?.[0] ?? (isTenant ? range.nth(DEFAULT_DNS_INDEX[range.family]) : undefined);
    // An address outside the range is reported as such.
    return given === undefined || !range.contains(given) || isSameIp(given, right) ? [] : [{
      path: [...path, ...list, ...listAt(fields, ...list).length > 0 ? [0] : []],
      message: `nodes look for the DNS service at ${given}${listAt(fields, ...list).length > 0 ? '' : ', which Kamaji fills in'}, and it is at ${right}: no pod resolves a name`,
      fix: `write ${right} first; for another address, remove addons.coreDNS and install CoreDNS with that address`,
    }];
  },
};

/** Addresses of the DNS service. */
export const DNS: readonly ManifestRule[] = [addresses, missing, tenantAddresses, tenth];

/** Position of the address that Kamaji fills in for a new TenantControlPlane (internal/webhook/handlers/tcp_defaults.go). */
const DEFAULT_DNS_INDEX = { IPv4: 10, IPv6: 16 } as const;

/** The ranges of Services of a control plane; undefined where its Cluster is not known, or a range cannot be read. */
function serviceRanges(object: ManifestObject, index: ManifestIndex): Cidr[] | undefined {
  if (groupKind(object) === TENANT_CONTROL_PLANE) {
    const plural = stringsAt(object, 'spec', 'networkProfile', 'serviceCidrs');
    const singular = stringAt(object, 'spec', 'networkProfile', 'serviceCidr');
    return rangesOf(plural.length > 0 || singular === undefined ? plural : [[singular, 0]]);
  }
  const owner = groupKind(object) === KAMAJI_CONTROL_PLANE ? clusterOf(object, index) : undefined;
  return owner && rangesOf(stringsAt(owner, 'spec', 'clusterNetwork', 'services', 'cidrBlocks'));
}

/** The list that counts: the addon's replaces the network's, even where it is empty. */
export function dnsList(fields: unknown): string[] {
  if (isSet(fields, 'networkProfile')) return ['networkProfile', 'dnsServiceIPs'];
  return isSet(fields, 'addons', 'coreDNS') ? ['addons', 'coreDNS', 'dnsServiceIPs'] : ['network', 'dnsServiceIPs'];
}

/** The ranges of Services; undefined where one of them cannot be read, which others report. */
function rangesOf(texts: readonly (readonly [string, number])[]): Cidr[] | undefined {
  const ranges = (texts.length > 0 ? texts.map(([text]) => text) : [DEFAULT_SERVICE_CIDR]).map((text) => Cidr.parse(text));
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

function outside(texts: readonly (readonly [string, number])[], path: FieldPath, ranges: readonly Cidr[] | undefined): Finding[] {
  return texts.flatMap(([text, position]) => {
    if (!parseIp(text)) return [{ path: [...path, position], message: checkIp(text)!, fix: 'write an address of the range of Services' }];
    return !ranges || ranges.some((range) => range.contains(text)) ? [] : [{
      path: [...path, position],
      message: `"${text}" is not in the range of Services, ${ranges.join(', ')}`,
      fix: `write ${ranges.map((range) => range.nth(10)).join(' or ')}, the tenth address of the range`,
    }];
  });
}
