import { ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { CLAIM_KINDS, claimsOf } from '../../../rules/volume-claims';
import { Cidr } from '../../../values/cidr';
import { checkDnsSubdomain } from '../../../values/dns';
import { fieldAt, isFields, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { parseGoBool } from '../../../values/flag-values';
import { isNodeCount, isWholeFrom1, PREFIX, PROTOCOLS, SERVICES, VOLUMES } from '../vultr-objects';

const SERVICE = '/Service';
const PROTOCOL_TEXT = serviceText({ 'protocol': 'http', 'backend-protocol': 'http' });
const TLS_TEXT = serviceText({ 'https-ports': '"80"', 'ssl': 'web-tls' });
const SERVICE_TEXT = serviceText({ 'node-count': '"3"' });
const STORAGE_CLASS = 'storage.k8s.io/StorageClass';

/** Name of Vultr's CSI driver. */
const CSI_DRIVER = 'block.csi.vultr.com';

const WHOLE = /^\d+$/;
const HTTPS_PORTS = /^\d+(,\d+)*$/;

/** Seconds between health checks, and for an answer, unless told otherwise. */
const HEALTH_CHECK_SECONDS = { interval: 15, response: 5 };

/** Disk types of each storage type. */
const DISKS: Readonly<Record<string, readonly string[]>> = { block: ['nvme', 'hdd'], vfs: ['nvme'] };
const LEGACY: readonly string[] = ['high_perf', 'storage_opt'];

type Check = readonly [fits: (value: string) => boolean, accepted: string];

const BOOL: Check = [(value) => parseGoBool(value) !== undefined, 'true, false'];
const NAME: Check = [(value) => checkDnsSubdomain(value) === undefined, 'a DNS name'];
const COUNT: Check = [(value) => WHOLE.test(value) && isWholeFrom1(Number(value)), 'whole numbers from 1'];

const VALUES: Readonly<Record<string, Check>> = {
  'create': BOOL,
  'protocol': [(value) => PROTOCOLS.includes(value), PROTOCOLS.join(', ')],
  'backend-protocol': [(value) => PROTOCOLS.includes(value), PROTOCOLS.join(', ')],
  'https-ports': [(value) => HTTPS_PORTS.test(value), 'ports joined by "," without spaces'],
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
  'healthcheck-path': [(value) => value === '' || value.startsWith('/'), 'a path from the root, which begins with "/"'],
  'sticky-session-cookie-name': [(value) => /^[A-Za-z0-9_-]+$/.test(value), 'letters, digits, hyphens and underscores'],
  'label': [(value) => value.trim() !== '', 'a name'],
  'ssl': NAME,
  'auto-ssl': NAME,
  'firewall-rules-cm': NAME,
  'hostname': NAME,
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

/** A Service that the cloud controller manager publishes. */
interface PublishedService {
  readonly given: ReadonlyMap<string, string>;
  readonly ports: readonly ServicePort[];

  /** Ports that take HTTPS by name, and whether connections to them go to the pods as they are. */
  readonly httpsPorts: readonly number[];
  readonly passedThrough: boolean;

  /** Protocol of clients on other ports. */
  readonly protocol: string;
}

interface ServicePort {
  readonly port: number;
  readonly udp: boolean;

  /** Protocol of clients on the port. */
  readonly front: string;
}

/** Annotation, message and fix. */
type Mistake = readonly [name: string, message: string, fix: string, accepted?: string];

const protocols: ManifestRule = {
  id: 'TC-TRAP-VULTR-SERVICE-PROTOCOL',
  title: 'At Vultr, HTTP and HTTPS must go to HTTP or HTTPS, TCP to TCP, and UDP, which requires its own Service, to UDP: the cloud controller manager silently changes other combinations.',
  source: `${SERVICES} (buildForwardingRules)`,
  kinds: [SERVICE],
  trap: true,
  example: replaced(PROTOCOL_TEXT, 'backend-protocol: http', 'backend-protocol: tcp'),
  check: (object) => mistakesOf(object, (service) => [...udpMistakes(service), ...backendMistakes(service), ...httpMistakes(service)]),
};

function udpMistakes({ given, ports, protocol, httpsPorts }: PublishedService): readonly Mistake[] {
  const udp = ports.filter((port) => port.udp);
  if (udp.length > 0 && udp.length < ports.length) {
    return [['protocol', `port ${udp[0].port} is UDP and others are not, and a load balancer speaks UDP on all ports or on none`, 'give the UDP ports a Service of their own']];
  }
  if (protocol === 'udp') {
    if (udp.length === 0) return [['protocol', 'the Service has no UDP port', 'remove it, or make the ports UDP']];
    return httpsPorts.length > 0 ? [['https-ports', 'clients speak udp, which carries no HTTPS here', 'remove it']] : [];
  }
  // An unknown protocol is reported by itself.
  return udp.length === 0 || !PROTOCOLS.includes(given.get('protocol') ?? 'tcp') ? []
    : [['protocol', `the ports of the Service are UDP, and clients speak ${protocol}`, 'write udp']];
}

function backendMistakes({ given, ports }: PublishedService): readonly Mistake[] {
  const back = given.get('backend-protocol');
  if (back === undefined || !PROTOCOLS.includes(back)) return [];
  // TCP ports forward unread, so that any protocol of pods does, as long as it applies to some other port.
  const wrong = ports.find(({ front }) => (isHttp(front) ? !isHttp(back) : front === 'udp' && back !== front))
    ?? (ports.some(({ front }) => isHttp(front) || front === back) ? undefined : ports[0]);
  return wrong === undefined ? [] : [[
    'backend-protocol', `clients speak ${wrong.front} on port ${wrong.port}, and pods ${back}`, 'correct backend-protocol, protocol or https-ports', isHttp(wrong.front) ? 'http, https' : wrong.front,
  ]];
}

/** Mistakes of settings that only HTTP has. */
function httpMistakes({ given, ports, httpsPorts, passedThrough }: PublishedService): readonly Mistake[] {
  if (ports.some(({ front }) => isHttp(front)) || (httpsPorts.length > 0 && !passedThrough)) return [];
  const settings = ['http2', 'http3'].filter((name) => parseGoBool(given.get(name) ?? '') === true);
  return [...settings, ...(given.get('sticky-session-enabled') === 'on' ? ['sticky-session-enabled'] : [])]
    .map((name) => [name, 'no port takes HTTP or HTTPS, and nothing else has it', 'set protocol to http, or name the ports that take HTTPS in https-ports; or remove it']);
}

const tls: ManifestRule = {
  id: 'TC-TRAP-VULTR-SERVICE-TLS',
  title: 'HTTPS ports of a load balancer at Vultr must be ports of the Service, and must have one certificate unless TLS is passed through; other ports must have none.',
  source: `${SERVICES} (buildForwardingRules, GetSSL, GetAutoSSL)`,
  kinds: [SERVICE],
  trap: true,
  example: replaced(TLS_TEXT, 'https-ports: "80"', 'https-ports: "443"'),
  check: (object) => mistakesOf(object, tlsMistakes),
};

function tlsMistakes({ given, ports, httpsPorts, passedThrough }: PublishedService): readonly Mistake[] {
  // Ports that are named and not there are reported for themselves.
  const https = ports.some(({ front }) => front === 'https') || (httpsPorts.length > 0 && !passedThrough);
  const certificates = ['ssl', 'auto-ssl'].filter((name) => given.has(name));
  const mistakes: readonly (Mistake | false)[] = [
    ...httpsPorts.map((port): Mistake | false => !ports.some((other) => other.port === port)
      && ['https-ports', `the Service has no port ${port}`, 'name a port of the Service', ports.map((other) => other.port).join(', ')]),
    passedThrough && httpsPorts.length === 0 && ['ssl-pass-through', 'no port is named that would be passed through', 'name the ports in https-ports'],
    certificates.length > 1 && ['auto-ssl', 'there is a certificate of your own, too', 'keep one of ssl and auto-ssl'],
    ...(https ? [] : certificates.map((name): Mistake => [
      name, `${passedThrough ? 'connections are passed through' : 'no port takes HTTPS'}, and the certificate would never be used`, 'name the ports in https-ports, or remove the certificate',
    ])),
    https && certificates.length === 0 && [
      given.has('https-ports') ? 'https-ports' : 'protocol', 'clients speak HTTPS, and there is no certificate', 'add ssl or auto-ssl, or pass all HTTPS ports through',
    ],
    parseGoBool(given.get('ssl-redirect') ?? '') === true && !https && httpsPorts.length === 0 && ['ssl-redirect', 'no port takes HTTPS', 'name the ports in https-ports'],
  ];
  return mistakes.filter((mistake) => mistake !== false);
}

const combination: ManifestRule = {
  id: 'TC-TRAP-VULTR-SERVICE-COMBINATION',
  title: 'Load balancer annotations of a Service at Vultr must be consistent with each other and with the Service.',
  source: SERVICES,
  kinds: [SERVICE],
  trap: true,
  example: replaced(SERVICE_TEXT, '  type: LoadBalancer', '  type: LoadBalancer\n  allocateLoadBalancerNodePorts: false'),
  check: (object) => [
    ...mistakesOf(object, (service) => [...firewallMistakes(service), ...otherMistakes(service)]),
    ...(annotationsOf(object).length > 0 && fieldAt(object, 'spec', 'allocateLoadBalancerNodePorts') === false ? [{
      path: ['spec', 'allocateLoadBalancerNodePorts'], message: 'the load balancer sends to node ports, and there are none', fix: 'remove the field',
    }] : []),
  ],
};

function firewallMistakes({ given, ports }: PublishedService): readonly Mistake[] {
  const texts = given.get('firewall-rules')?.split(';') ?? [];
  return texts.filter(isFirewallRule).flatMap((text, index): Mistake[] => {
    const port = Number(text.split(',')[1]);
    return [
      ...(ports.some((other) => other.port === port) ? [] : [
        ['firewall-rules', `"${text}" is for a port that the Service does not have`, 'name a port of the Service', ports.map((other) => other.port).join(', ')],
      ] satisfies Mistake[]),
      ...(texts.indexOf(text) < index ? [['firewall-rules', `"${text}" is there twice`, 'keep it once']] satisfies Mistake[] : []),
    ];
  });
}

function otherMistakes({ given, ports }: PublishedService): readonly Mistake[] {
  const [checked, path, interval, response] = ['port', 'path', 'check-interval', 'response-timeout'].map((name) => given.get(`healthcheck-${name}`));
  const [every, least] = [Number(interval ?? HEALTH_CHECK_SECONDS.interval), Number(response ?? HEALTH_CHECK_SECONDS.response)];
  const mistakes: readonly (Mistake | false)[] = [
    given.get('sticky-session-enabled') === 'on' && !given.get('sticky-session-cookie-name') && ['sticky-session-enabled', 'sticky sessions have no cookie', 'add sticky-session-cookie-name'],
    given.has('vpc') && given.has('private-network') && ['private-network', 'vpc and private-network are both given', 'remove private-network'],
    given.has('firewall-rules') && given.has('firewall-rules-cm') && ['firewall-rules', 'the rules of the ConfigMap are taken, and these are not', 'remove one of the two'],
    checked !== undefined && ports.length > 0 && checked !== `${ports[0].port}` && ['healthcheck-port', `health is checked at the first port only, ${ports[0].port}`, 'remove it'],
    path !== undefined && given.get('healthcheck-protocol') === 'tcp' && ['healthcheck-path', 'a TCP connection has no path', 'remove it, or set healthcheck-protocol to http'],
    least >= every && every >= 1 && [
      response === undefined ? 'healthcheck-check-interval' : 'healthcheck-response-timeout',
      `an answer may take ${least} seconds, and the next check starts after ${every}`,
      'shorten healthcheck-response-timeout or lengthen healthcheck-check-interval',
    ],
  ];
  return mistakes.filter((mistake) => mistake !== false);
}

const classParameters: ManifestRule = {
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

function annotationsOf(object: ManifestObject): readonly (readonly [string, string])[] {
  const annotations = fieldAt(object, 'metadata', 'annotations');
  return Object.entries(isFields(annotations) ? annotations : {})
    .flatMap(([key, value]) => (key.startsWith(PREFIX) && typeof value === 'string' ? [[key.slice(PREFIX.length), value] as const] : []));
}

function isFirewallRule(text: string): boolean {
  const [source, port, ...more] = text.split(',');
  return more.length === 0 && port !== undefined && WHOLE.test(port) && (source === 'cloudflare' || Cidr.parse(source) !== undefined);
}

function mistakesOf(object: ManifestObject, check: (service: PublishedService) => readonly Mistake[]): readonly Finding[] {
  const annotations = annotationsOf(object);
  if (annotations.length === 0) return [];
  const given = new Map(annotations);
  const httpsPorts = HTTPS_PORTS.test(given.get('https-ports') ?? '') ? given.get('https-ports')!.split(',').map(Number) : [];
  const passedThrough = parseGoBool(given.get('ssl-pass-through') ?? '') === true;
  const protocol = given.get('protocol') ?? 'tcp';
  const ports = objectsAt(object, 'spec', 'ports').map(([fields]) => {
    const port = numberAt(fields, 'port') ?? 0;
    return { port, udp: stringAt(fields, 'protocol') === 'UDP', front: !httpsPorts.includes(port) ? protocol : passedThrough ? 'tcp' : 'https' };
  });
  return check({ given, ports, httpsPorts, passedThrough, protocol }).map(([name, message, fix, accepted]) => (
    { path: ['metadata', 'annotations', `${PREFIX}${name}`], message, ...(accepted === undefined ? {} : { accepted }), fix }
  ));
}

function isHttp(protocol: string): boolean {
  return protocol === 'http' || protocol === 'https';
}

/** A Service that Vultr publishes. */
export function serviceText(annotations: Readonly<Record<string, string>>): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  annotations:
${Object.entries(annotations).map(([name, value]) => `    ${PREFIX}${name}: ${value}\n`).join('')}spec:
  type: LoadBalancer
  ports:
    - {port: 80}
`;
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

/** Access modes of volumes, by their storage type. */
const ACCESS_MODES: Readonly<Record<string, string>> = { block: 'ReadWriteOnce', vfs: 'ReadWriteMany' };

const CLAIM_TEXT = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: shop
spec:
  accessModes: [ReadWriteMany]
  resources: {requests: {storage: 40Gi}}
  storageClassName: shared
`;

/** Volumes that are asked for. */
const CLAIMS: ManifestRule = {
  id: 'TC-TRAP-VULTR-CLAIM',
  title: 'A volume at Vultr must be mounted by one node on the storage block, or by many on the storage vfs: the driver provisions no others.',
  source: VOLUMES,
  kinds: CLAIM_KINDS,
  trap: true,
  example: replaced(CLAIM_TEXT, '[ReadWriteMany]', '[ReadWriteOnce]', vultrClass('vfs', 'nvme')),
  check: (object, index) => claimsOf(CSI_DRIVER, object, index).flatMap(({ spec, path, storageClass }) => {
    const storage = stringAt(storageClass, 'parameters', 'storage_type') ?? '';
    const possible = Object.hasOwn(ACCESS_MODES, storage) ? ACCESS_MODES[storage] : undefined;
    return stringsAt(spec, 'accessModes').filter(([mode]) => possible !== undefined && mode !== possible).map(([mode, at]) => ({
      path: [...path, 'accessModes', at], message: `volumes of the storage ${storage} cannot be ${mode}`, accepted: possible, fix: `write ${possible}, or choose another StorageClass`,
    }));
  }),
};

const ADDRESS_TEXT = serviceText({ protocol: 'http' });

/** Other cloud controller managers honour the field. */
const address: ManifestRule = {
  id: 'TC-TRAP-VULTR-LOAD-BALANCER-IP',
  title: 'A Service cannot choose the address of its load balancer at Vultr: the cloud controller manager ignores loadBalancerIP.',
  source: `${SERVICES}; vultr/vultr-cloud-controller-manager issue 229`,
  kinds: [SERVICE],
  trap: true,
  example: replaced(ADDRESS_TEXT, '  type: LoadBalancer\n', '  type: LoadBalancer\n  loadBalancerIP: 192.0.2.10\n'),
  check: (object) => {
    const given = stringAt(object, 'spec', 'loadBalancerIP') ?? '';
    return given === '' || annotationsOf(object).length === 0 ? [] : [{
      path: ['spec', 'loadBalancerIP'], message: `the load balancer gets any address, and not ${given}`, fix: 'remove it, and take the address from status.loadBalancer',
    }];
  },
};

/** Rules for Services, StorageClasses and claims of tenants. */
export const TENANT_OBJECTS: readonly ManifestRule[] = [address, annotation, protocols, tls, combination, classParameters, CLAIMS];
