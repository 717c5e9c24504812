import { machineTemplateText, METAL3_MACHINE_TEMPLATE } from './metal3-kinds';
import {
  CLUSTER_NAME_LABEL, documents, fieldAt, groupKind, HostMachine, isFields, isSet, KUBEADM_CONTROL_PLANE, labelsMeet, MachineHostFacts,
  machineOwnersOf, ManifestObject, ManifestRule, nameOf, namespaceOf, objectsAt, poolYaml, replaced, stringAt, stringsAt, TEMPLATE_FIELDS,
} from '../../rules/contract';

// Hosts as the provider chooses them for machines: metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (chooseHost).
// The failure domain of a machine is preferred, and power and automated cleaning are not looked at.

const HOST = 'metal3.io/BareMetalHost';

const UNHEALTHY: readonly string[] = ['capm3.metal3.io/unhealthy', 'capi.metal3.io/unhealthy'];
const PAUSED = 'baremetalhost.metal3.io/paused';
const DETACHED = 'baremetalhost.metal3.io/detached';

/** Label of a host that the machines of one pool or control plane get back. */
const REUSED_BY = 'infrastructure.cluster.x-k8s.io/node-reuse';

/** States that lead to an available host without a change of its manifest (metal3-io/baremetal-operator apis/metal3.io/v1alpha1/baremetalhost_types.go). */
const ON_THE_WAY: readonly string[] = ['', 'registering', 'match profile', 'inspecting', 'preparing', 'ready', 'available', 'deprovisioning'];

/** True if a host has one of the annotations, with any value. */
function isAnnotated(host: ManifestObject, ...names: readonly string[]): boolean {
  const annotations = fieldAt(host, 'metadata', 'annotations');
  return isFields(annotations) && names.some((name) => Object.hasOwn(annotations, name));
}

function unusable(host: ManifestObject): string | undefined {
  if (isSet(host, 'metadata', 'deletionTimestamp')) return 'is being deleted';
  if (isAnnotated(host, ...UNHEALTHY)) return 'is marked as unhealthy';
  if (isSet(host, 'spec', 'consumerRef')) {
    const kind = stringAt(host, 'spec', 'consumerRef', 'kind') ?? 'unknown';
    return kind === 'Metal3Machine' ? undefined : `belongs to a consumer of the kind ${kind}`;
  }
  if (isAnnotated(host, PAUSED)) return 'is paused';
  if (isAnnotated(host, DETACHED)) return 'is detached, and not provisioned';
  if (fieldAt(host, 'spec', 'externallyProvisioned') === true) return 'is provisioned by something else';
  if (isSet(host, 'spec', 'image', 'url') || isSet(host, 'spec', 'customDeploy', 'method')) return 'has an image of its own';
  if ((stringAt(host, 'status', 'errorMessage') ?? '') !== '') return 'has an error';
  const state = stringAt(host, 'status', 'provisioning', 'state') ?? '';
  return ON_THE_WAY.includes(state) ? undefined : `is in the state "${state}"`;
}

/** The consumer of a host. The provider labels the host with the cluster of the machine (setHostLabel), at each reconciliation. */
function machineOn(host: ManifestObject): HostMachine | undefined {
  const consumer = fieldAt(host, 'spec', 'consumerRef');
  const name = stringAt(consumer, 'name');
  if (name === undefined) return undefined;
  const group = (stringAt(consumer, 'apiVersion') ?? '').split('/')[0];
  const namespace = stringAt(consumer, 'namespace');
  const cluster = stringAt(host, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return {
    kind: `${group}/${stringAt(consumer, 'kind') ?? ''}`, name, ...(namespace !== undefined && { namespace }), ...(cluster !== undefined && { cluster }),
  };
}

function selects(template: ManifestObject, host: ManifestObject, owner: ManifestObject): boolean {
  const labels = fieldAt(host, 'metadata', 'labels');
  const own = isFields(labels) ? labels : {};
  const reusedBy = `${groupKind(owner) === KUBEADM_CONTROL_PLANE ? 'cp' : 'md'}-${nameOf(owner) ?? ''}`;
  if (Object.hasOwn(own, REUSED_BY) && own[REUSED_BY] !== reusedBy) return false;
  const selector = [...TEMPLATE_FIELDS, 'hostSelector'];
  const wanted = fieldAt(template, ...selector, 'matchLabels');
  return labelsMeet(own, [
    ...Object.entries(isFields(wanted) ? wanted : {}).map(([key, value]) => ({ key, operator: '=', values: [String(value)] })),
    ...objectsAt(template, ...selector, 'matchExpressions').map(([expression]) => ({
      key: stringAt(expression, 'key') ?? '', operator: stringAt(expression, 'operator') ?? '', values: stringsAt(expression, 'values').map(([value]) => value),
    })),
  ]);
}

const HOST_TEXT = `apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: host-1, namespace: tenant-acme, labels: {rack: r1}}
spec: {online: true, bootMACAddress: '52:54:00:12:34:56', bmc: {address: 'redfish://192.0.2.100/redfish/v1/Systems/1', credentialsName: host-1}}
`;

/** Hosts that machines can be made on. */
export const METAL3_HOST_RULE: ManifestRule = {
  id: 'TC-TRAP-METAL3-NO-HOST',
  title: 'The host selector of machines must select a BareMetalHost of their namespace, where there are some: the machines wait for a host otherwise.',
  source: 'metal3-io/cluster-api-provider-metal3 baremetal/metal3machine_manager.go (chooseHost)',
  trap: true,
  elsewhere: true,
  kinds: [METAL3_MACHINE_TEMPLATE],
  example: replaced(documents(machineTemplateText('', 'acme-general'), poolYaml({ template: 'Metal3MachineTemplate' }), HOST_TEXT), 'labels: {rack: r1}', 'labels: {rack: r9}'),
  check: (template, index) => {
    const hosts = index.allIn(HOST, namespaceOf(template));
    const owners = machineOwnersOf(template, index);
    return hosts.length === 0 || owners.length === 0 || owners.some((owner) => hosts.some((host) => selects(template, host, owner))) ? [] : [{
      path: [...TEMPLATE_FIELDS, 'hostSelector'], message: `none of the ${hosts.length} hosts of the namespace has the labels`, fix: 'correct the selector, or the labels of the hosts',
    }];
  },
};

/** Facts of the hosts of machines, by the kind of their template. */
export const METAL3_HOSTS: Readonly<Record<string, MachineHostFacts>> = {
  [METAL3_MACHINE_TEMPLATE]: {
    kind: HOST,
    zoneLabel: 'infrastructure.cluster.x-k8s.io/failure-domain',
    machineOn,
    unusable,
    selects,
  },
};
