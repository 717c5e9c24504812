import { isCloudController } from './controller-config';
import { NamedPart, partsIn, unpaired } from './disks';
import { cloudControllerManager, DEVICES, domainWith, INSTANCE, machineExample, machineTemplate } from './examples';
import { instance, MACHINE_KINDS, machineFields } from './kubevirt-objects';
import { ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { POD_KINDS } from '../../../rules/pod-objects';
import { isSet, objectsAt, stringAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';

const INTERFACE_WEBHOOK = 'kubevirt/kubevirt pkg/network/admitter/netiface.go';

const DISCONTINUED: readonly string[] = ['macvtap', 'passt', 'slirp'];
const BINDINGS: readonly string[] = ['binding', 'bridge', 'masquerade', 'passtBinding', 'sriov', ...DISCONTINUED];
const INTERFACE_NAME = /^[A-Za-z0-9_-]+$/;
const POD_ONLY: readonly string[] = ['masquerade', 'passtBinding'];

const PROBE_TEXT = '              readinessProbe:\n                httpGet: {path: /healthz, port: 10256}\n';

const binding: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-BINDING',
  title: 'Every interface of a machine must have one binding, which KubeVirt still supports and which fits its network: KubeVirt refuses the machine otherwise.',
  source: `${INTERFACE_WEBHOOK}, pkg/network/admitter/discontinued.go`,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ domain: domainWith(DEVICES.replace('bridge: {}', 'passt: {}')) }),
  check: checkBindings,
};

const pairs: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-NETWORKS',
  title: 'Every interface of a machine must have a unique, valid name and a network of that name, and every network an interface; at most one can be the pod network.',
  source: INTERFACE_WEBHOOK,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ instance: INSTANCE.replace('{name: default, pod: {}}', '{name: storage, multus: {networkName: storage}}') }),
  check: checkPairs,
};

const probe: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-PROBE',
  title: 'Probes of a machine by HTTP or TCP require the pod network: KubeVirt refuses the machine otherwise.',
  source: 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go',
  kinds: MACHINE_KINDS,
  trap: true,
  example: {
    failing: machineTemplate({ instance: `${INSTANCE.replace('pod: {}', 'multus: {networkName: storage}')}${PROBE_TEXT}` }),
    corrected: machineTemplate({ instance: `${INSTANCE}${PROBE_TEXT}` }),
  },
  check: (object) => {
    const { fields, path } = instance(object);
    if (objectsAt(fields, 'networks').length === 0 || objectsAt(fields, 'networks').some(([network]) => isSet(network, 'pod'))) return [];
    return ['readinessProbe', 'livenessProbe'].flatMap((name) => ['httpGet', 'tcpSocket'].filter((by) => isSet(fields, name, by)).map((by) => ({
      path: [...path, name, by], message: 'no network of the machine is the pod network, by which the host would probe it', fix: 'remove the probe, or have it run a command in the guest (exec)',
    })));
  },
};

const masquerade: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-MASQUERADE',
  title: 'Interfaces of nodes must not use masquerade: every guest then has the address 10.0.2.2, and so has every node.',
  source: 'kubevirt.io/user-guide/network/interfaces_and_networks, openshift/hypershift pull request 1050',
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ domain: domainWith(DEVICES.replace('bridge: {}', 'masquerade: {}')) }),
  check: (object) => interfacesOf(object).filter(({ fields }) => isSet(fields, 'masquerade')).map(({ path }) => ({
    path: [...path, 'masquerade'], message: 'behind masquerade all nodes of the cluster have the same address', fix: 'write bridge: {} instead',
  })),
};

const named: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DEFAULT-INTERFACE',
  title: 'With KubeVirt\'s cloud controller manager, machines must have an interface named default, from which it reads the addresses of nodes.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/instances_v2.go',
  kinds: MACHINE_KINDS,
  trap: true,
  example: {
    failing: `${machineTemplate({
      domain: domainWith(DEVICES.replace('name: default', 'name: pod')), instance: INSTANCE.replace('name: default', 'name: pod'),
    })}---\n${cloudControllerManager('acme')}`,
    corrected: `${machineTemplate()}---\n${cloudControllerManager('acme')}`,
  },
  check: (object, index) => {
    const interfaces = interfacesOf(object);
    if (interfaces.length === 0 || interfaces.some(({ fields }) => fields.name === 'default') || !hasManager(object, index)) return [];
    const { path } = instance(object);
    return [{
      path: [...path, 'domain', 'devices', 'interfaces'],
      message: 'no interface is named default, and the cloud controller manager finds no address of the nodes',
      fix: 'name the first interface, and its network, default',
    }];
  },
};

const place: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-MACHINE-NAMESPACE',
  title: 'With KubeVirt\'s cloud controller manager, virtual machines must be in its namespace: it reads no other.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go, kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go',
  kinds: MACHINE_KINDS,
  trap: true,
  example: replaced(
    machineTemplate().replace('      virtualMachineTemplate:\n', '      virtualMachineTemplate:\n        metadata: {namespace: tenant-acme}\n'),
    'metadata: {namespace: tenant-acme}', 'metadata: {namespace: machines}', cloudControllerManager('acme'),
  ),
  check: (object, index) => {
    const { fields, path } = machineFields(object);
    const inner = ['virtualMachineTemplate', 'metadata', 'namespace'];
    const given = stringAt(fields, ...inner);
    return given === undefined || given === namespaceOf(object) || !hasManager(object, index) || isConfigured(object, given, index) ? [] : [{
      path: [...path, ...inner],
      message: `the machines are in the namespace "${given}", and the cloud controller manager of "${namespaceOf(object)}" does not find them`,
      fix: `remove the namespace, or write namespace: ${given} into the configuration of the cloud controller manager`,
    }];
  },
};

/** Rules of KubeVirt for the networks of any virtual machine. */
export const REFUSED_NETWORKS: readonly ManifestRule[] = [binding, pairs, probe];

/** Interfaces and networks, and where machines are looked for. */
export const NETWORK: readonly ManifestRule[] = [binding, pairs, probe, masquerade, named, place];

function interfacesOf(object: ManifestObject): NamedPart[] {
  return partsIn(instance(object), 'domain', 'devices', 'interfaces');
}

function checkBindings(object: ManifestObject): readonly Finding[] {
  const networks = new Map(objectsAt(instance(object).fields, 'networks').map(([network]) => [network.name, network]));
  return interfacesOf(object).flatMap(({ fields, path }) => {
    const given = BINDINGS.filter((name) => isSet(fields, name));
    if (given.length !== 1) {
      return [{ path, message: given.length === 0 ? 'the interface has no binding' : `the interface has ${given.length} bindings: ${given.join(', ')}`, fix: 'give it one, such as bridge: {}' }];
    }
    const [name] = given;
    if (DISCONTINUED.includes(name)) {
      return [{ path: [...path, name], message: `KubeVirt has no ${name} since 1.3`, fix: 'write bridge: {}, or the binding of a plug-in' }];
    }
    const network = networks.get(fields.name);
    return POD_ONLY.includes(name) && network && !isSet(network, 'pod') ? [{
      path: [...path, name], message: `${name} works on the pod network only, and this interface is on another one`, fix: 'write bridge: {} instead',
    }] : [];
  });
}

function checkPairs(object: ManifestObject): readonly Finding[] {
  const interfaces = interfacesOf(object);
  const networks = partsIn(instance(object), 'networks');
  const podNetworks = networks.filter(({ fields }) => isSet(fields, 'pod'));
  return allOf(
    unpaired(interfaces, networks, 'network'),
    unpaired(networks, interfaces, 'interface'),
    interfaces.filter(({ fields: { name } }) => typeof name === 'string' && !INTERFACE_NAME.test(name)).map(({ fields, path }) => ({
      path: [...path, 'name'], message: `"${fields.name}" does not name an interface`, accepted: 'letters, digits, "-" and "_"', fix: 'choose a name such as "storage"',
    })),
    podNetworks.slice(1).map(({ path }) => ({ path, message: 'it is the second pod network', fix: 'keep one' })),
  );
}

/** True if some configuration beside the machines names a namespace, as that of the cloud controller manager does. */
function isConfigured(object: ManifestObject, namespace: string, index: ManifestIndex): boolean {
  return index.allIn('/ConfigMap', namespaceOf(object))
    .some((config) => (JSON.stringify(config.data) ?? '').includes(`namespace: ${namespace}`));
}

const MANAGED = new WeakMap<ManifestIndex, ReadonlySet<string | undefined>>();

/** True if the cloud controller manager runs beside the machines. */
function hasManager(object: ManifestObject, index: ManifestIndex): boolean {
  let namespaces = MANAGED.get(index);
  if (!namespaces) {
    namespaces = new Set(POD_KINDS.flatMap((kind) => index.all(kind)).filter(isCloudController).map(namespaceOf));
    MANAGED.set(index, namespaces);
  }
  return namespaces.has(namespaceOf(object));
}
