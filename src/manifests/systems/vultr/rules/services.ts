import { SERVICE_TEXT } from './examples';
import { SERVICES, VOLUMES } from './vultr-kinds';
import { ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { Cidr } from '../../../values/cidr';
import { checkDnsSubdomain } from '../../../values/dns';
import { fieldAt, isFields, objectsAt, numberAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { parseGoBool } from '../../../values/flag-values';
import { isNodeCount, isWholeFrom1, PREFIX, PROTOCOLS } from '../service-annotations';

const SERVICE = '/Service';
const STORAGE_CLASS = 'storage.k8s.io/StorageClass';

/** Name of Vultr's CSI driver. */
export const CSI_DRIVER = 'block.csi.vultr.com';

const WHOLE = /^\d+$/;

/** What each storage can be on. */
const DISKS: Readonly<Record<string, readonly string[]>> = { block: ['nvme', 'hdd'], vfs: ['nvme'] };
const LEGACY: readonly string[] = ['high_perf', 'storage_opt'];

type Check = readonly [fits: (value: string) => boolean, accepted: string];

const BOOL: Check = [(value) => parseGoBool(value) !== undefined, 'true, false'];
const COUNT: Check = [(value) => WHOLE.test(value) && isWholeFrom1(Number(value)), 'whole numbers from 1'];

const VALUES: Readonly<Record<string, Check>> = {
  'create': BOOL,
  'protocol': [(value) => PROTOCOLS.includes(value), PROTOCOLS.join(', ')],
  'backend-protocol': [(value) => PROTOCOLS.includes(value), PROTOCOLS.join(', ')],
  'https-ports': [(value) => /^\d+(,\d+)*$/.test(value), 'ports joined by "," without spaces'],
  'ssl-pass-through': BOOL,
  'ssl-redirect': BOOL,
  'proxy-protocol': BOOL,
  'http2': BOOL,
  'http3': BOOL,
  'timeout': COUNT,
  'healthcheck-protocol': [(value) => ['http', 'tcp', 'udp'].includes(value), 'http, tcp, udp'],
  'healthcheck-check-interval': COUNT,
  'healthcheck-response-timeout': COUNT,
  'healthcheck-unhealthy-threshold': COUNT,
  'healthcheck-healthy-threshold': COUNT,
  'algorithm': [(value) => ['least_connections', 'roundrobin'].includes(value), 'roundrobin, least_connections'],
  'sticky-session-enabled': [(value) => ['off', 'on'].includes(value), 'on, off'],
  'firewall-rules': [(value) => value.split(';').filter((part) => part !== '').every(isFirewallRule), '"range,port" or "cloudflare,port", joined by ";"'],
  'vpc': BOOL,
  'private-network': BOOL,
  'node-count': [(value) => WHOLE.test(value) && isNodeCount(Number(value)), 'odd numbers'],
  'hostname': [(value) => checkDnsSubdomain(value) === undefined, 'a DNS name'],
};

const annotation: ManifestRule = {
  id: 'TC-TRAP-VULTR-SERVICE-VALUE',
  title: 'Load balancer annotations of a Service at Vultr must have values that the cloud controller manager knows: it refuses others in an event, or applies the default.',
  source: SERVICES,
  kinds: [SERVICE],
  trap: true,
  example: replaced(SERVICE_TEXT, 'node-count: "3"', 'node-count: "2"'),
  check: (object) => annotationsOf(object).flatMap(([name, value]) => {
    const check = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
    return !check || check[0](value) ? [] : [{
      path: ['metadata', 'annotations', `${PREFIX}${name}`], message: `the cloud controller manager does not know the value "${value}"`, accepted: check[1], fix: 'correct the value, or remove the annotation',
    }];
  }),
};

const combination: ManifestRule = {
  id: 'TC-TRAP-VULTR-SERVICE-COMBINATION',
  title: 'Load balancer annotations of a Service at Vultr must be consistent with each other and with the Service.',
  source: SERVICES,
  kinds: [SERVICE],
  trap: true,
  example: replaced(SERVICE_TEXT, '  type: LoadBalancer', '  type: LoadBalancer\n  allocateLoadBalancerNodePorts: false'),
  check: checkCombination,
};

const storageClass: ManifestRule = {
  id: 'TC-TRAP-VULTR-STORAGE-CLASS',
  title: 'A StorageClass of Vultr\'s CSI driver must have a valid combination of storage and disk: block on nvme or hdd, vfs on nvme.',
  source: VOLUMES,
  kinds: [STORAGE_CLASS],
  trap: true,
  example: { failing: vultrClass('vfs', 'hdd'), corrected: vultrClass('vfs', 'nvme') },
  check: (object) => {
    if (object.provisioner !== CSI_DRIVER) return [];
    const [storage, disk, legacy] = ['storage_type', 'disk_type', 'block_type'].map((field) => stringAt(object, 'parameters', field));
    if (storage === undefined && disk === undefined && legacy !== undefined && LEGACY.includes(legacy)) return [];
    return storage !== undefined && disk !== undefined && Object.hasOwn(DISKS, storage) && DISKS[storage].includes(disk) ? [] : [{
      path: ['parameters'],
      message: `there is no storage "${storage ?? ''}" on "${disk ?? ''}"`,
      accepted: 'storage_type block with disk_type nvme or hdd, storage_type vfs with disk_type nvme',
      fix: 'correct storage_type and disk_type',
    }];
  },
};

/** Services and volumes of tenants at Vultr. */
export const TENANT_OBJECTS: readonly ManifestRule[] = [annotation, combination, storageClass];

function annotationsOf(object: ManifestObject): readonly (readonly [string, string])[] {
  const annotations = fieldAt(object, 'metadata', 'annotations');
  return Object.entries(isFields(annotations) ? annotations : {})
    .flatMap(([key, value]) => (key.startsWith(PREFIX) && typeof value === 'string' ? [[key.slice(PREFIX.length), value] as const] : []));
}

function isFirewallRule(text: string): boolean {
  const [source, port, ...more] = text.split(',');
  return more.length === 0 && port !== undefined && WHOLE.test(port) && (source === 'cloudflare' || Cidr.parse(source) !== undefined);
}

function checkCombination(object: ManifestObject): readonly Finding[] {
  const given = new Map(annotationsOf(object));
  if (given.size === 0) return [];
  const at = (name: string): string[] => ['metadata', 'annotations', `${PREFIX}${name}`];
  const [front, back = front] = [given.get('protocol') ?? 'tcp', given.get('backend-protocol')];
  const http = (protocol: string | undefined): boolean => protocol === 'http' || protocol === 'https';
  const first = objectsAt(object, 'spec', 'ports').map(([port]) => numberAt(port, 'port'))[0];
  const checked = given.get('healthcheck-port');
  const findings: [wrong: boolean, path: string[], message: string, fix: string][] = [
    [fieldAt(object, 'spec', 'allocateLoadBalancerNodePorts') === false, ['spec', 'allocateLoadBalancerNodePorts'], 'the load balancer sends to node ports, and there are none', 'remove the field'],
    [given.get('sticky-session-enabled') === 'on' && !given.get('sticky-session-cookie-name'), at('sticky-session-enabled'), 'sticky sessions have no cookie', 'add sticky-session-cookie-name'],
    [given.has('vpc') && given.has('private-network'), at('private-network'), 'vpc and private-network are both given', 'remove private-network'],
    [given.has('firewall-rules') && given.has('firewall-rules-cm'), at('firewall-rules'), 'the rules of the ConfigMap are taken, and these are not', 'remove one of the two'],
    [front !== 'tcp' && http(front) !== http(back), at('backend-protocol'), `clients speak ${front}, and pods cannot speak ${back}`, 'leave backend-protocol out'],
    [checked !== undefined && first !== undefined && checked !== `${first}`, at('healthcheck-port'), `health is checked at the first port only, ${first}`, 'remove it'],
  ];
  return findings.filter(([wrong]) => wrong).map(([, path, message, fix]) => ({ path, message, fix }));
}

/** A StorageClass of Vultr's CSI driver. */
export function vultrClass(storage: string, disk: string): string {
  return `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: shared
provisioner: ${CSI_DRIVER}
parameters:
  storage_type: ${storage}
  disk_type: ${disk}
`;
}
