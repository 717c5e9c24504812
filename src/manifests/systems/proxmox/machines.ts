import { clustersOf, PROXMOX_API_VERSION, PROXMOX_MACHINE, PROXMOX_MACHINE_TEMPLATE } from './proxmox-objects';
import {
  clusterYaml, documents, fieldAt, FieldPath, Fields, Finding, groupSize, isSet, KUBEADM_CONFIG_TEMPLATE, machineOwnersOf, machineRules,
  ManifestIndex, ManifestObject, ManifestRule, nameOf, namespaceOf, numberAt, objectsAt, poolYaml, providerYaml, referencesOf, replaced,
  specPath, stringAt, TEMPLATE_FIELDS, templateProviderId, templateYaml,
} from '../../rules/contract';

const WEBHOOKS = 'ionos-cloud/cluster-api-provider-proxmox internal/webhook';
const DEVICES = 'network: {networkDevices: [{name: net0, bridge: vmbr0, model: virtio, mtu: 1500}]}\n';

function templateText(fields: string): string {
  const machine = `templateID: 110\nfull: true\nnumCores: 4\nnumSockets: 1\nmemoryMiB: 16384\n${DEVICES}`;
  return templateYaml(PROXMOX_API_VERSION, 'ProxmoxMachineTemplate', `${fields}sourceNode: pve1\n${machine}`, 'acme-general-3f9a1c42');
}

const PROVIDER_ID = templateProviderId('TC-ADMIT-PROXMOX-PROVIDER-ID', PROXMOX_MACHINE_TEMPLATE, `${WEBHOOKS}/proxmoxmachinetemplate_webhook.go`, {
  failing: templateText('providerID: proxmox://6c3fa683-bef9-4425-b413-eaa45a9d6191\n'), corrected: templateText(''),
});

const NETWORK = machineRules({
  templates: {
    id: 'TC-TRAP-PROXMOX-NETWORK',
    title: 'Network devices of Proxmox machines must be net0, net1 and so on to net9, with one default device for each address family, an MTU of 1280 or more, and policies that name a table.',
    source: `${WEBHOOKS}/proxmoxmachine_webhook.go: a template is accepted, and each machine of it refused`,
    kinds: [PROXMOX_MACHINE_TEMPLATE],
    example: replaced(templateText(''), 'name: net0', 'name: net1'),
  },
  machines: {
    id: 'TC-ADMIT-PROXMOX-NETWORK',
    title: 'Network devices of a ProxmoxMachine must be net0, net1 and so on to net9, as those of its template must be.',
    source: `${WEBHOOKS}/proxmoxmachine_webhook.go (validateNetworks)`,
    kinds: [PROXMOX_MACHINE],
    example: replaced(providerYaml(PROXMOX_API_VERSION, 'ProxmoxMachine', `sourceNode: pve1\ntemplateID: 110\n${DEVICES}`, 'acme-general-1'), 'name: net0', 'name: net1'),
  },
  check: checkNetwork,
});

/** Checks what the webhook of machines checks, in a machine or its template. */
function checkNetwork(object: object, machinePath: FieldPath): Finding[] {
  const place = [...machinePath, 'network'];
  const devices = objectsAt(object, ...place, 'networkDevices').map(([fields, index]) => ({ fields, path: [...place, 'networkDevices', index] }));
  return [
    ...checkNames(devices),
    ...['defaultIPv4', 'defaultIPv6'].flatMap((field) => devices.filter(({ fields }) => fields[field] === true).slice(1).map(({ path }) => ({
      path: [...path, field], message: 'another device is the default one already', fix: `keep ${field} on one device`,
    }))),
    ...devices.flatMap((device) => [...checkSize(device), ...checkRouting(device, undefined)]),
    ...objectsAt(object, ...place, 'vrfs').flatMap(([fields, index]) => (
      checkRouting({ fields, path: [...place, 'vrfs', index] }, numberAt(fields, 'table') ?? 0))),
  ];
}

interface Device {
  readonly fields: Fields;
  readonly path: FieldPath;
}

/** Checks that the names, sorted as strings, count from net0: net10 comes before net2, so that no machine has more than ten. */
function checkNames(devices: readonly Device[]): Finding[] {
  const names = devices.map(({ fields, path }) => ({ path: [...path, 'name'], name: fields.name ?? 'net0' }));
  const sorted = names.filter(({ name }) => typeof name === 'string').sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1));
  // The webhook reads the number: net00 is net0.
  const wrong = sorted.findIndex(({ name }, index) => !/^net\d+$/.test(String(name)) || Number(String(name).slice(3)) !== index);
  return wrong < 0 || !/^net\d+$/.test(String(sorted[wrong].name)) ? [] : [{
    path: sorted[wrong].path, message: `"${String(sorted[wrong].name)}" stands where net${wrong} is expected`, accepted: 'net0 to net9 without a gap', fix: 'number the devices from net0',
  }];
}

function checkSize({ fields, path }: Device): Finding[] {
  return ['mtu', 'linkMtu'].flatMap((field) => {
    const size = numberAt(fields, field);
    return size === undefined || size >= 1280 || (field === 'mtu' && size === 1) ? [] : [{
      path: [...path, field], message: `${size} bytes break IPv6`, accepted: `1280 and more${field === 'mtu' ? ', or 1 for that of the bridge' : ''}`, fix: 'write a larger size',
    }];
  });
}

/**
 * Checks policies and routes of a device.
 *
 * @param table the table of a VRF; undefined for a network device
 */
function checkRouting({ fields, path }: Device, table: number | undefined): Finding[] {
  const policies = objectsAt(fields, 'routingPolicy').flatMap(([policy, index]): Finding[] => {
    const at = [...path, 'routingPolicy', index];
    const given = numberAt(policy, 'table');
    const isOther = table === undefined ? !isSet(policy, 'table') : given !== undefined && given !== table;
    return [
      ...(isOther ? [{
        path: [...at, 'table'], message: table === undefined ? 'the policy names no table' : `the table of the VRF is ${table}, not ${given}`, fix: table === undefined ? 'set table' : `write ${table}`,
      }] : []),
      ...checkTarget(at, policy, ['to', 'from'], ['to', 'from']),
    ];
  });
  return [...policies, ...objectsAt(fields, 'routes').flatMap(([route, index]) => checkTarget([...path, 'routes', index], route, ['to'], ['via']))];
}

/** Checks that the address family of a target follows from another field, or is stated. */
function checkTarget(path: FieldPath, fields: Fields, targets: readonly string[], others: readonly string[]): Finding[] {
  const isAny = (field: string): boolean => fields[field] === 'default' || fields[field] === 'all';
  const isKnown = others.some((field) => stringAt(fields, field) !== undefined && !isAny(field));
  return !targets.some(isAny) || isKnown || isSet(fieldAt(fields, 'is6')) ? [] : [{
    path, message: `"default" and "all" are of both address families, and ${others.join(' and ')} name${others.length > 1 ? '' : 's'} none`, fix: 'set is6 to true or false',
  }];
}

const CLUSTER_TEXT = providerYaml(PROXMOX_API_VERSION, 'ProxmoxCluster', `controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
dnsServers: [192.0.2.2]
ipv4Config: {addresses: [192.0.2.11-192.0.2.60], gateway: 192.0.2.1, metric: 100, prefix: 24}
zoneConfig: [{zone: room-2, dnsServers: [203.0.113.2], ipv4Config: {addresses: [203.0.113.11-203.0.113.60], gateway: 203.0.113.1, metric: 100, prefix: 24}}]
`);
const GROUP_TEXT = poolYaml({ template: 'ProxmoxMachineTemplate', spec: 'replicas: 3\n', bootstrap: 'dataSecretName: acme-general' });
const placed = (fields: string): string => documents(
  clusterYaml('infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ProxmoxCluster, name: acme}\n'), CLUSTER_TEXT, GROUP_TEXT, templateText(fields).replace('acme-general-3f9a1c42', 'acme-general'));

const ZONE: ManifestRule = {
  id: 'TC-TRAP-PROXMOX-ZONE',
  title: 'The zone of machines must be one of the zones of their ProxmoxCluster: they get no address otherwise.',
  source: 'ionos-cloud/cluster-api-provider-proxmox pkg/kubernetes/ipam/ipam.go (GetInClusterPools)',
  trap: true,
  kinds: [PROXMOX_MACHINE_TEMPLATE],
  example: replaced(placed('').replace('network: {', 'network: {zone: room-2, '), 'network: {zone: room-2', 'network: {zone: room-3'),
  check: (template, index) => {
    const path = [...TEMPLATE_FIELDS, 'network', 'zone'];
    const zone = stringAt(template, ...path);
    if (zone === undefined || zone === 'default') return [];
    return clustersOf(template, index).flatMap((cluster): Finding[] => {
      const zones = objectsAt(cluster, 'spec', 'zoneConfig').flatMap(([one]) => stringAt(one, 'zone') ?? []);
      return zones.includes(zone) ? [] : [{
        path,
        message: `"${zone}" is no zone of the ProxmoxCluster "${nameOf(cluster)}", so that the machines get no address`,
        accepted: zones.length > 0 ? zones.map((name) => `"${name}"`).join(', ') : 'no zone: the cluster has none',
        fix: 'add it to the zones of the cluster, or correct the name',
      }];
    });
  },
};

const TEMPLATE: ManifestRule = {
  id: 'TC-TRAP-PROXMOX-TEMPLATE',
  title: 'Machines should be cloned from a template by its ID or by its tags: beside the ID, tags are not read.',
  source: 'ionos-cloud/cluster-api-provider-proxmox internal/service/vmservice/vm.go (createVM)',
  trap: true,
  warning: true,
  kinds: [PROXMOX_MACHINE, PROXMOX_MACHINE_TEMPLATE],
  example: { failing: templateText('templateSelector: {matchTags: [ubuntu]}\n'), corrected: templateText('') },
  check: (object) => {
    const path = specPath(object);
    return isSet(object, ...path, 'templateID') && isSet(object, ...path, 'templateSelector')
      ? [{ path: [...path, 'templateSelector'], message: 'the machines are cloned from the template of templateID', fix: 'remove one of both' }] : [];
  },
};

const ID_RANGE: ManifestRule = {
  id: 'TC-TRAP-PROXMOX-ID-RANGE',
  title: 'A range of IDs must have one for each machine at the largest size of its groups, and for those that a rollout adds: others are never made.',
  source: 'ionos-cloud/cluster-api-provider-proxmox internal/service/vmservice/vm.go (getNextFreeVMIDfromRange)',
  trap: true,
  kinds: [PROXMOX_MACHINE_TEMPLATE],
  example: replaced(placed('vmIDRange: {start: 200, end: 203}\n'), 'end: 203', 'end: 202'),
  check: (template, index) => {
    const range = idRange(template);
    if (!range) return [];
    const inside = index.all(PROXMOX_MACHINE_TEMPLATE).filter((one) => {
      const other = idRange(one);
      return other && range.start <= other.start && other.end <= range.end;
    });
    const groups = new Map(inside.flatMap((one) => machineOwnersOf(one, index).map((owner) => [owner, groupSize(owner)] as const)));
    const [ids, needed] = [range.end - range.start + 1, [...groups.values()].reduce((sum, { machines, surge }) => sum + machines + surge, 0)];
    return needed <= ids ? [] : [{
      path: [...TEMPLATE_FIELDS, 'vmIDRange', 'end'],
      message: `the range has ${ids} IDs, and ${[...groups.keys()].map((owner) => nameOf(owner)).join(', ')} may have ${needed} machines, with those of a rollout`,
      fix: 'enlarge the range',
    }];
  },
};

const CLOUD_INIT_FIELD: FieldPath = [...TEMPLATE_FIELDS, 'checks', 'skipCloudInitStatus'];
const CLOUD_INIT_TEXT = documents(
  poolYaml({ template: 'ProxmoxMachineTemplate', spec: 'replicas: 3\n' }),
  templateYaml('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfigTemplate', 'format: cloud-config\n', 'acme-general'),
  templateText('').replace('acme-general-3f9a1c42', 'acme-general'),
);

const CLOUD_INIT: ManifestRule = {
  id: 'TC-TRAP-PROXMOX-CLOUD-INIT',
  title: 'Machines with Ignition must skip the check of cloud-init, which their images do not have: the provider waits for it otherwise, and the machines are never ready.',
  source: 'ionos-cloud/cluster-api-provider-proxmox internal/service/vmservice/vm.go (checkCloudInitStatus), templates/cluster-template-flatcar.yaml',
  trap: true,
  kinds: [PROXMOX_MACHINE_TEMPLATE],
  example: replaced(CLOUD_INIT_TEXT, 'cloud-config', 'ignition'),
  check: (template, index) => {
    if (!isSet(template, ...TEMPLATE_FIELDS) || fieldAt(template, ...CLOUD_INIT_FIELD) === true) return [];
    return machineOwnersOf(template, index).filter((owner) => bootstrapFormats(owner, index).includes('ignition')).slice(0, 1).map((owner) => ({
      path: CLOUD_INIT_FIELD, message: `the machines of "${nameOf(owner)}" have Ignition, and the provider waits for cloud-init on them`, accepted: 'true', fix: 'set it to true',
    }));
  },
};

/** Formats of the bootstrap data of machines with kubeadm. */
function bootstrapFormats(owner: ManifestObject, index: ManifestIndex): unknown[] {
  const templates = referencesOf(owner).flatMap(({ reference: { kind, name } }) => (
    kind === KUBEADM_CONFIG_TEMPLATE ? index.find(kind, namespaceOf(owner), name) ?? [] : []));
  return [fieldAt(owner, 'spec', 'kubeadmConfigSpec', 'format'), ...templates.map((one) => fieldAt(one, ...TEMPLATE_FIELDS, 'format'))];
}

/** Rules over templates of Proxmox machines. */
export const PROXMOX_MACHINE_RULES: readonly ManifestRule[] = [PROVIDER_ID, ...NETWORK, ZONE, TEMPLATE, ID_RANGE, CLOUD_INIT];

function idRange(template: ManifestObject): { readonly start: number; readonly end: number } | undefined {
  const [start, end] = ['start', 'end'].map((field) => numberAt(template, ...TEMPLATE_FIELDS, 'vmIDRange', field));
  return start === undefined || end === undefined || start > end ? undefined : { start, end };
}
