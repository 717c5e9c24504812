import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, ID, MACHINE_TEMPLATE, POOL_TEXT, VULTR_CLUSTER_TEXT } from './examples';
import { givenAt, idFindings, infrastructureOf, machineFields, regionFindings } from './machines';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER } from '../../../rules/cluster-api/cluster-api-kinds';
import { documents, replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { apiServerPort, clusterOf, partReference } from '../../../rules/references/object-references';
import { fieldAt, FieldPath, isSet, objectsAt, numberAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { KAMAJI_CONTROL_PLANE } from '../../kamaji/rules/kamaji-objects';
import { CLUSTER_CONTROLLER, INSTANCE, LOAD_BALANCER, VULTR_CLUSTER, VULTR_CLUSTER_TEMPLATE, VULTR_MACHINE_TEMPLATE } from '../vultr-objects';

const BALANCER = ['network', 'apiServerLoadbalancers'];
const DEFAULT_PORT = 6443;
const ALGORITHMS: readonly string[] = ['leastconn', 'roundrobin'];
const CLUSTER_KINDS: readonly string[] = [VULTR_CLUSTER, VULTR_CLUSTER_TEMPLATE];

const FIX = 'remove id from a new cluster: the provider creates a load balancer for it; a running one keeps its load balancer even without id: pause its '
  + 'VultrCluster before you delete it, and silence this';

/** Fields of a load balancer that the type has and the provider does not read. */
const IGNORED: readonly (readonly string[])[] = [
  ...['date_created', 'forwarding_rules', 'has_ssl', 'instances', 'ipv4', 'ipv6', 'label', 'nodes', 'region', 'status'].map((field) => [field]),
  ...['path', 'protocol'].map((field) => ['health_check', field]),
  ...['proxy_protocol', 'ssl_redirect', 'sticky_sessions', 'vpc'].map((field) => ['generic_info', field]),
];

const kamaji: ManifestRule = {
  id: 'TC-TRAP-VULTR-KAMAJI',
  title: 'The control plane of a Cluster at Vultr must run on its machines: the provider creates the endpoint itself, and overwrites that of Kamaji.',
  source: `${CLUSTER_CONTROLLER}, clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go`,
  kinds: [CLUSTER],
  trap: true,
  example: replaced(CLUSTER_TEXT, 'kind: KubeadmControlPlane', 'kind: KamajiControlPlane'),
  check: (object) => (partReference(object, 'infrastructureRef')?.kind === VULTR_CLUSTER && partReference(object, 'controlPlaneRef')?.kind === KAMAJI_CONTROL_PLANE ? [{
    path: ['spec', 'controlPlaneRef'], message: 'a VultrCluster makes a load balancer of its own and overwrites the endpoint of a hosted control plane', fix: 'use a KubeadmControlPlane',
  }] : []),
};

const codes: ManifestRule = {
  id: 'TC-TRAP-VULTR-CLUSTER',
  title: 'A cluster at Vultr must have a region code, a UUID as VPC, and a balancing algorithm that Vultr knows.',
  source: LOAD_BALANCER,
  kinds: CLUSTER_KINDS,
  trap: true,
  example: replaced(VULTR_CLUSTER_TEXT, 'region: ewr', 'region: "25"'),
  check: checkCluster,
};

const existing: ManifestRule = {
  id: 'TC-TRAP-VULTR-LOAD-BALANCER',
  title: 'A cluster at Vultr must not name an existing load balancer: the provider adds its machines to it, and deletes it with the cluster.',
  source: `${CLUSTER_CONTROLLER} (reconcileNormal, reconcileDelete), ${INSTANCE} (AddInstanceToVLB)`,
  kinds: CLUSTER_KINDS,
  trap: true,
  example: replaced(VULTR_CLUSTER_TEXT, '      health_check:', `      id: ${ID}\n      health_check:`),
  check: checkExisting,
};

const ignored: ManifestRule = {
  id: 'TC-TRAP-VULTR-IGNORED-FIELD',
  title: 'The load balancer of a cluster at Vultr must not have fields that the provider ignores.',
  source: LOAD_BALANCER,
  kinds: CLUSTER_KINDS,
  trap: true,
  example: replaced(VULTR_CLUSTER_TEXT, '        port: 6443', '        port: 6443\n        protocol: https'),
  check: (object) => {
    const { fields, path } = clusterFields(object);
    return IGNORED.filter((field) => isSet(fields, ...BALANCER, ...field)).map((field) => ({
      path: [...path, ...BALANCER, ...field], message: `the provider does not read ${field.join('.')}`, fix: 'remove it',
    }));
  },
};

const port: ManifestRule = {
  id: 'TC-TRAP-VULTR-PORT',
  title: 'The health check of a cluster at Vultr must use the port of the API server: the provider also uses it as the port of the endpoint.',
  source: CLUSTER_CONTROLLER,
  kinds: [VULTR_CLUSTER],
  trap: true,
  example: replaced(VULTR_CLUSTER_TEXT, 'port: 6443', 'port: 443', CLUSTER_TEXT),
  check: (object, index) => {
    const owner = clusterOf(object, index);
    const path = ['spec', ...BALANCER, 'health_check', 'port'];
    const given = numberAt(object, ...path) ?? DEFAULT_PORT;
    return !owner || given === apiServerPort(owner) ? [] : [{
      path, message: `the endpoint gets port ${given}, and the API server has port ${apiServerPort(owner)}`, fix: `write ${apiServerPort(owner)}`,
    }];
  },
};

const place: ManifestRule = {
  id: 'TC-TRAP-VULTR-PLACE',
  title: 'Machines at Vultr must be in the region and the VPC of their cluster: the load balancer reaches no others.',
  source: `${INSTANCE}, ${LOAD_BALANCER}`,
  kinds: [VULTR_MACHINE_TEMPLATE],
  trap: true,
  example: {
    failing: wholeCluster(MACHINE_TEMPLATE.replace('region: ewr', 'region: fra')),
    corrected: wholeCluster(MACHINE_TEMPLATE),
  },
  check: checkPlace,
};

/** Clusters. */
export const CLUSTERS: readonly ManifestRule[] = [kamaji, codes, existing, ignored, port, place];

function clusterFields(object: ManifestObject): { readonly fields: unknown; readonly path: FieldPath } {
  const path = groupKind(object) === VULTR_CLUSTER_TEMPLATE ? ['spec', 'template', 'spec'] : ['spec'];
  return { fields: fieldAt(object, ...path), path };
}

function checkCluster(object: ManifestObject): readonly Finding[] {
  const { fields, path } = clusterFields(object);
  const algorithm = stringAt(fields, ...BALANCER, 'generic_info', 'balancing_algorithm');
  return [
    ...regionFindings(givenAt(fields, 'region'), [...path, 'region']),
    ...idFindings(givenAt(fields, 'vpc_id'), [...path, 'vpc_id']),
    ...(algorithm === undefined || ALGORITHMS.includes(algorithm) ? [] : [{
      path: [...path, ...BALANCER, 'generic_info', 'balancing_algorithm'], message: `Vultr does not know "${algorithm}"`, accepted: ALGORITHMS.join(', '), fix: 'choose one of them',
    }]),
    ...objectsAt(fields, ...BALANCER, 'firewall_rules').filter(([rule]) => stringAt(rule, 'source') === undefined).map(([, position]) => ({
      path: [...path, ...BALANCER, 'firewall_rules', position, 'source'], message: 'the rule names no range', fix: 'write a range such as 203.0.113.0/24, or remove the rule',
    })),
  ];
}

/**
 * The provider writes the id of a load balancer that it has created into the spec, too: an object with a status may have it from there. Of a
 * running cluster it also stands in the status, so that nothing changes when it is removed.
 */
function checkExisting(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const { fields, path } = clusterFields(object);
  const id = stringAt(fields, ...BALANCER, 'id');
  if (!id) return [];
  const others = CLUSTER_KINDS.flatMap((kind) => index.all(kind)).filter((other) => other !== object && stringAt(clusterFields(other).fields, ...BALANCER, 'id') === id);
  const at = { path: [...path, ...BALANCER, 'id'], fix: FIX };
  if (others.length > 0) {
    const names = others.map((other) => `${stringAt(other, 'metadata', 'namespace') ?? ''}/${stringAt(other, 'metadata', 'name') ?? ''}`);
    return [{
      ...at,
      message: `the load balancer ${id} is also that of ${names.join(', ')}: API requests reach the machines of all these clusters, and the first of them that is `
        + 'deleted takes it from the others',
    }];
  }
  if (groupKind(object) === VULTR_CLUSTER && isSet(object, 'status')) return [];
  return [{
    ...at,
    message: `the provider adds its control plane machines to the load balancer ${id}, and deletes it, with its address, when the cluster is deleted`,
  }];
}

function checkPlace(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const { fields, path } = machineFields(object);
  const infrastructure = infrastructureOf(object, index);
  if (!infrastructure) return [];
  const [ownRegion, otherRegion] = [stringAt(fields, 'region'), stringAt(infrastructure, 'spec', 'region')];
  const [ownVpc, otherVpc] = [stringAt(fields, 'vpc_id'), stringAt(infrastructure, 'spec', 'vpc_id')];
  const only = fieldAt(fields, 'vpc_only') === true;
  return [
    ...(ownRegion === undefined || otherRegion === undefined || ownRegion === otherRegion ? [] : [{
      path: [...path, 'region'], message: `the machines are in ${ownRegion}, and the cluster is in ${otherRegion}`, fix: 'write the same region',
    }]),
    ...(only && otherVpc === undefined ? [{
      path: [...path, 'vpc_only'], message: 'the machines have no public address, and the load balancer of the cluster is in no VPC', fix: 'give the cluster a VPC, or the machines public addresses',
    }] : []),
    ...(ownVpc === undefined || otherVpc === undefined || ownVpc === otherVpc ? [] : [{
      path: [...path, 'vpc_id'], message: `the machines are in another VPC than the load balancer of the cluster, ${otherVpc}`, fix: 'write the same VPC',
    }]),
  ];
}

function wholeCluster(template: string): string {
  const ofControlPlane = MACHINE_TEMPLATE.replace('acme-general', 'acme-control-plane');
  return documents(template, BOOTSTRAP_TEXT, POOL_TEXT, ofControlPlane, CONTROL_PLANE_TEXT, CLUSTER_TEXT, VULTR_CLUSTER_TEXT);
}
