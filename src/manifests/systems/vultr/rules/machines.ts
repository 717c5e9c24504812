import { BOOTSTRAP_TEXT, CONTROL_PLANE_TEXT, MACHINE_TEMPLATE, POOL_TEXT } from './examples';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { CAPACITY, MAX_SIZE, MIN_SIZE, missingCapacity } from '../../../rules/cluster-api/autoscaler-annotations';
import { KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_SET } from '../../../rules/cluster-api/cluster-api-kinds';
import { ignoredFailureDomain } from '../../../rules/cluster-api/failure-domains';
import { documents, replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { clusterOfOwner, machineOwners, partOf, referencesOf, referrersOf } from '../../../rules/references/object-references';
import { fieldAt, FieldPath, isFields, isSet, stringAt, stringsAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';
import {
  BARE_METAL, CONTROL_PLANE_MARK, GPU_PLAN, INSTANCE, MACHINE_CONTROLLER, PLAN, REGION, RUN_COMMANDS, VULTR_CLUSTER, VULTR_MACHINE,
  VULTR_MACHINE_TEMPLATE,
} from '../vultr-objects';

const MACHINE_KINDS: readonly string[] = [VULTR_MACHINE_TEMPLATE, VULTR_MACHINE];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const machine: ManifestRule = {
  id: 'TC-TRAP-VULTR-MACHINE',
  title: 'A machine at Vultr must have codes and UUIDs for region, plan and snapshot; the numbers of Vultr\'s first API are no longer valid.',
  source: `${INSTANCE}, vultr/cluster-api-provider-vultr docs/getting-started.md`,
  kinds: MACHINE_KINDS,
  trap: true,
  example: replaced(MACHINE_TEMPLATE, 'planID: vc2-2c-4gb', 'planID: "203"'),
  check: checkMachine,
};

const ignoredVpc: ManifestRule = {
  id: 'TC-TRAP-VULTR-VPC2',
  title: 'The VPC of a machine must be in vpc_id: vpc2_id has no effect.',
  source: INSTANCE,
  kinds: MACHINE_KINDS,
  trap: true,
  example: replaced(MACHINE_TEMPLATE, '      planID', '      vpc2_id: cb676a46-66fd-4dfb-b839-443f2e6c0b60\n      planID'),
  check: (object) => {
    const { fields, path } = machineFields(object);
    return isSet(fields, 'vpc2_id') ? [{ path: [...path, 'vpc2_id'], message: 'the provider attaches nothing for vpc2_id', fix: 'name the VPC in vpc_id' }] : [];
  },
};

const providerId: ManifestRule = {
  id: 'TC-TRAP-VULTR-PROVIDER-ID',
  title: 'A template must not have a providerID, which all machines would share: the provider writes it.',
  source: MACHINE_CONTROLLER,
  kinds: [VULTR_MACHINE_TEMPLATE],
  trap: true,
  example: replaced(MACHINE_TEMPLATE, '      planID', '      providerID: vultr://cb676a46-66fd-4dfb-b839-443f2e6c0b60\n      planID'),
  check: (object) => {
    const { fields, path } = machineFields(object);
    return isSet(fields, 'providerID') ? [{ path: [...path, 'providerID'], message: 'all machines would have the same providerID', fix: 'remove it' }] : [];
  },
};

const names: ManifestRule = {
  id: 'TC-TRAP-VULTR-MACHINE-NAME',
  title: `Names of control plane machines, and only those, must contain "${CONTROL_PLANE_MARK}", by which the provider finds the machines that serve the API.`,
  source: MACHINE_CONTROLLER,
  kinds: [KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_SET],
  trap: true,
  example: replaced(CONTROL_PLANE_TEXT, 'name: acme-control-plane\n', 'name: acme\n'),
  check: checkNames,
};

const userData: ManifestRule = {
  id: 'TC-TRAP-VULTR-USER-DATA',
  title: `Machines at Vultr must be bootstrapped by cloud-init, without "${RUN_COMMANDS}" in other strings: the provider inserts a command after its first occurrence.`,
  source: INSTANCE,
  kinds: [KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE],
  trap: true,
  example: replaced(BOOTSTRAP_TEXT, 'mode: fast', 'runcmd: []', POOL_TEXT),
  check: checkUserData,
};

const scaleFromZero: ManifestRule = {
  id: 'TC-TRAP-VULTR-SCALE-FROM-ZERO',
  title: 'A pool at Vultr that can scale to zero must have the annotations of its capacity: the autoscaler has no other source.',
  source: 'vultr/cluster-api-provider-vultr config/crd/bases/infrastructure.cluster.x-k8s.io_vultrmachinetemplates.yaml (no status)',
  kinds: [MACHINE_DEPLOYMENT],
  trap: true,
  example: {
    failing: pool(''),
    corrected: pool(`    ${CAPACITY}cpu: "2"\n    ${CAPACITY}memory: 4Gi\n`),
  },
  check: (object) => (usesVultr(object) ? missingCapacity(object) : []),
};

const GPU_POOL_TEXT = pool(`    ${CAPACITY}cpu: "2"\n    ${CAPACITY}memory: 8Gi\n`);
const GPU_ANNOTATIONS = `    ${CAPACITY}gpu-count: "1"\n    ${CAPACITY}gpu-type: nvidia.com/gpu\n`;
const GPU_TEMPLATE = MACHINE_TEMPLATE.replace('vc2-2c-4gb', 'vcg-a16-2c-8g-2vram');

const gpus: ManifestRule = {
  id: 'TC-TRAP-VULTR-GPU-CAPACITY',
  title: 'A pool of a GPU plan at Vultr that can scale to zero must have the annotations of its GPUs: otherwise the autoscaler adds no node for pods that need one.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md (scale from zero), www.vultr.com/api, operation list-plans (vcg)',
  kinds: [MACHINE_DEPLOYMENT],
  trap: true,
  example: {
    failing: documents(GPU_TEMPLATE, GPU_POOL_TEXT),
    corrected: documents(GPU_TEMPLATE, GPU_POOL_TEXT.replace('spec:\n', `${GPU_ANNOTATIONS}spec:\n`)),
  },
  check: (object, index) => {
    const annotations = fieldAt(object, 'metadata', 'annotations');
    if (stringAt(annotations, MIN_SIZE) !== '0' || isSet(annotations, `${CAPACITY}gpu-count`)) return [];
    const template = referencesOf(object).map(({ reference }) => reference).find(({ kind }) => kind === VULTR_MACHINE_TEMPLATE);
    const plan = template && stringAt(index.find(template.kind, namespaceOf(object), template.name), 'spec', 'template', 'spec', 'planID');
    return plan?.startsWith(GPU_PLAN) ? [{
      path: ['metadata', 'annotations'],
      message: `the plan "${plan}" has GPUs, and the autoscaler does not know of them: it adds no node for a pod that needs one`,
      fix: `add ${CAPACITY}gpu-type, such as nvidia.com/gpu, and ${CAPACITY}gpu-count; in a page, gpus of the capacity`,
    }] : [];
  },
};

/** Machines, and what is put on them. */
const failureDomain = ignoredFailureDomain({
  id: 'TC-TRAP-VULTR-FAILURE-DOMAIN',
  source: INSTANCE,
  provider: 'Vultr',
  templateKind: VULTR_MACHINE_TEMPLATE,
  fix: 'remove it: machines are in the region of their template',
  example: { failing: `${POOL_TEXT}      failureDomain: ewr\n`, corrected: POOL_TEXT },
});

export const MACHINES: readonly ManifestRule[] = [machine, ignoredVpc, providerId, names, userData, scaleFromZero, gpus, failureDomain];

/** Fields of a machine; of a template, those of its machines. */
export function machineFields(object: ManifestObject): { readonly fields: unknown; readonly path: FieldPath } {
  const path = groupKind(object) === VULTR_MACHINE_TEMPLATE ? ['spec', 'template', 'spec'] : ['spec'];
  return { fields: fieldAt(object, ...path), path };
}

/** Fault of a UUID of a resource at Vultr. */
export function idFindings(id: string | undefined, path: FieldPath): Finding[] {
  return id === undefined || UUID.test(id) ? [] : [{
    path,
    message: `"${id}" is not the UUID of anything at Vultr`,
    accepted: '32 hexadecimal digits in lower case, as in "cb676a46-66fd-4dfb-b839-443f2e6c0b60"',
    fix: 'copy the id, not the name, from the customer portal or from vultr-cli',
  }];
}

/** True if machines are made from a template of Vultr's. */
function usesVultr(owner: ManifestObject): boolean {
  return referencesOf(owner).some(({ reference }) => reference.kind === VULTR_MACHINE_TEMPLATE);
}

/** The string at a path, also an empty one, which is no code and no id. */
export function givenAt(value: unknown, ...path: FieldPath): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** Fault of the code of a region. */
export function regionFindings(region: string | undefined, path: FieldPath): Finding[] {
  return region === undefined || REGION.test(region) ? [] : [{
    path, message: `"${region}" is not the code of a region`, accepted: 'three lower-case letters, such as "ewr"', fix: 'write the code that the regions API of Vultr lists',
  }];
}

/** The VultrCluster of the machines that are made from a template. */
export function infrastructureOf(template: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const clusters = machineOwners(template, index).map((owner) => clusterOfOwner(owner, index)).filter((one) => one !== undefined);
  return clusters.map((one) => partOf(one, 'infrastructureRef', index)).find((one) => one !== undefined && groupKind(one) === VULTR_CLUSTER);
}

function checkMachine(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const { fields, path } = machineFields(object);
  if (!isFields(fields)) return [];
  const infrastructure = infrastructureOf(object, index);
  // Fields that machines have in common with their cluster are reported once, for the cluster.
  const own = (field: string): string | undefined => {
    const value = givenAt(fields, field);
    return value === givenAt(infrastructure, 'spec', field) ? undefined : value;
  };
  return allOf(
    regionFindings(own('region'), [...path, 'region']),
    idFindings(own('vpc_id'), [...path, 'vpc_id']),
    checkPlan(stringAt(fields, 'planID'), [...path, 'planID']),
    stringAt(fields, 'snapshot_id') === undefined ? [{ path: [...path, 'snapshot_id'], message: 'no snapshot is given, and machines start from nothing else', fix: 'give the UUID of the snapshot' }] : [],
    ['snapshot_id', 'firewall_group_id'].flatMap((field) => idFindings(givenAt(fields, field), [...path, field])),
    stringsAt(fields, 'sshKey').flatMap(([id, position]) => idFindings(id, [...path, 'sshKey', position])),
  );
}

function checkPlan(plan: string | undefined, path: FieldPath): Finding[] {
  const accepted = 'a code such as "vc2-2c-4gb"';
  if (plan?.startsWith(BARE_METAL)) return [{ path, message: `"${plan}" is a plan of bare metal, and the provider makes instances only`, accepted, fix: 'choose the plan of an instance' }];
  return plan !== undefined && PLAN.test(plan) ? [] : [{
    path, message: plan === undefined ? 'no plan is given' : `"${plan}" is not the code of a plan`, accepted, fix: 'write the code that the plans API of Vultr lists',
  }];
}

/** The definition accepts 256 characters. */
const LONGEST_TEMPLATE = 1000;

function checkNames(object: ManifestObject): readonly Finding[] {
  const name = nameOf(object);
  if (name === undefined || !usesVultr(object)) return [];
  const controlPlane = groupKind(object) === KUBEADM_CONTROL_PLANE;
  const field = ['spec', 'machineNaming', 'template'];
  const template = stringAt(object, ...field);
  const machines = (template ?? '').slice(0, LONGEST_TEMPLATE).replace(/\{\{[^}]*\.(kubeadmControlPlane|machineSet)\.name[^}]*\}\}/g, name);
  const has = (template === undefined ? name : machines).includes(CONTROL_PLANE_MARK);
  return has === controlPlane ? [] : [{
    path: template === undefined ? ['metadata', 'name'] : field,
    message: `the machines are named after "${template ?? name}", and the provider would ${controlPlane ? 'not send' : 'send'} API requests to them`,
    accepted: `"${CONTROL_PLANE_MARK}" in the names of control plane machines, and of no others`,
    fix: 'rename it',
  }];
}

function checkUserData(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const plane = groupKind(object) === KUBEADM_CONTROL_PLANE;
  const users = plane ? [object] : referrersOf(object, index, MACHINE_DEPLOYMENT, MACHINE_SET).map((referrer) => referrer.object);
  if (!users.some(usesVultr)) return [];
  const path = plane ? ['spec', 'kubeadmConfigSpec'] : ['spec', 'template', 'spec'];
  const config = fieldAt(object, ...path);
  return allOf(
    stringAt(config, 'format') === 'ignition' ? [{ path: [...path, 'format'], message: 'the provider changes user data as if it were that of cloud-init', fix: 'remove format' }] : [],
    textPaths(config, path).map((place) => ({
      path: place, message: `the text contains "${RUN_COMMANDS}", behind which the provider writes a command of its own`, fix: 'write it otherwise, or bring the file in another way',
    })),
  );
}

/** Paths of texts with the mark that the provider looks for. */
function textPaths(value: unknown, path: FieldPath): FieldPath[] {
  if (typeof value === 'string') return value.includes(RUN_COMMANDS) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, position) => textPaths(item, [...path, position]));
  return isFields(value) ? Object.entries(value).flatMap(([key, item]) => textPaths(item, [...path, key])) : [];
}

function pool(capacity: string): string {
  return POOL_TEXT.replace('  replicas: 3\n', '').replace('spec:\n', `  annotations:\n    ${MIN_SIZE}: "0"\n    ${MAX_SIZE}: "5"\n${capacity}spec:\n`);
}
