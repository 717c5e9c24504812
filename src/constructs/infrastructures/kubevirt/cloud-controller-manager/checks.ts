import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { loadBalancersOf, pollSeconds } from './cloud-config';
import { KubevirtCloudControllerManagerOptions } from './kubevirt-cloud-controller-manager';
import { KubevirtLoadBalancerOptions } from './kubevirt-load-balancers';
import { CLOUD_CONTROLLER_MANAGER_RULES } from './rules';
import { ManifestObject } from '../../../../manifests/objects/manifest-object';
import { instance, KUBEVIRT_MACHINE_TEMPLATE } from '../../../../manifests/systems/kubevirt/rules/kubevirt-objects';
import { checkCidr, Cidr } from '../../../../manifests/values/cidr';
import { objectsAt, stringAt } from '../../../../manifests/values/fields';
import { compareReleases } from '../../../../manifests/values/history';
import { IpFamily } from '../../../../manifests/values/ip-address';
import { checkLabels } from '../../../../manifests/values/labels';
import { Problem, problemsOf } from '../../../../manifests/values/problem';
import { SecretRef } from '../../../../manifests/values/secret-ref';
import { imageName, KUBEVIRT_CLOUD_CONTROLLER_MANAGER } from '../../../../manifests/values/versions';
import { checkController, releaseOf } from '../../../addons/controllers/controller-checks';
import { checkWritten } from '../../../app/synth/written-manifest';
import { ClusterContext } from '../../../contracts/cluster-context';
import { checkInfraAccess } from '../infra-kubeconfig';
import { PRIMARY_INTERFACE } from '../network';

/** Name of the property of a cluster that holds the options. */
export const CLOUD_CONTROLLER_MANAGER_PROPERTY = 'infrastructure.cloudControllerManager';

const OWN_LABELS = ['cluster.x-k8s.io/cluster-name', 'cluster.x-k8s.io/tenant-service-name', 'cluster.x-k8s.io/tenant-service-namespace'];

/** A shorter prefix is no network of one tenant: all of 10.0.0.0/8 is the largest private one. */
const SHORTEST_PREFIX: Readonly<Record<IpFamily, number>> = { IPv4: 8, IPv6: 32 };

/** The first release that can leave the selector out. */
const SELECTORLESS_SINCE = '0.6';

const FROM_CLOUD_CONFIG = 'the library writes the configuration';
const PROBED = 'its probes ask at the default port';
const ELECTION = 'its Lease is in the tenant, and an update starts a second instance before the first one is gone';

const MANAGED: Readonly<Record<string, string>> = {
  'authentication-skip-lookup': 'it has no permission to look up authentication in the management cluster',
  'bind-address': PROBED,
  'cloud-config': FROM_CLOUD_CONFIG,
  'cloud-provider': 'its machines run on KubeVirt',
  'configure-cloud-routes': 'the provider has no routes',
  'cluster-name': 'it is the name of the cluster, by which load balancers find their machines',
  'kubeconfig': 'it works on the tenant',
  'leader-elect': ELECTION,
  'leader-elect-resource-namespace': ELECTION,
  'master': 'it works on the tenant',
  'secure-port': PROBED,
};

/** Checks the options of the cloud controller manager. */
export function checkCloudControllerManager(
  options: KubevirtCloudControllerManagerOptions, context: ClusterContext, infraCluster: SecretRef | undefined,
): Problem[] {
  const { namespace, versions } = context;
  const release = releaseOf(options.image ?? imageName(KUBEVIRT_CLOUD_CONTROLLER_MANAGER, versions));
  return [
    ...checkWork(options),
    ...checkPolling(loadBalancersOf(options)._options),
    ...checkMachineCidrs(loadBalancersOf(options)._machineCidrs, context),
    ...checkInfraLabels(options.infraLabels ?? {}),
    ...checkInfraAccess(CLOUD_CONTROLLER_MANAGER_RULES.infraCluster, CLOUD_CONTROLLER_MANAGER_PROPERTY, options, namespace, infraCluster, 'write KubevirtCloudControllerManager.none()'),
    ...checkImageVersion(options, release),
    ...checkController(CLOUD_CONTROLLER_MANAGER_PROPERTY, options, { component: 'kubevirt-cloud-controller-manager', release, managed: MANAGED }),
  ];
}

/** Checks that no other cluster's cloud controller manager makes Services where this one takes all for its own. */
export function checkSharedNamespace(options: KubevirtCloudControllerManagerOptions, tenant: string, tenants: readonly string[]): Problem[] {
  const others = tenants.filter((other) => other !== tenant);
  return loadBalancersOf(options)._mode.enableEPSController === undefined || others.length === 0 ? [] : [{
    rule: CLOUD_CONTROLLER_MANAGER_RULES.sharedNamespace,
    property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers`,
    message: `the machines of ${others.join(', ')} are in the same namespace, whose Services this cluster would take for its own`,
    fix: 'give each cluster a namespace of its own, or use KubevirtLoadBalancers.allNodes()',
  }];
}

/** Ranges of the machines of one tenant. */
export interface TenantRanges {
  readonly tenant: string;
  readonly cidrs: readonly string[];
}

/** The ranges that machines have their addresses in. */
export function machineCidrsOf(options: KubevirtCloudControllerManagerOptions): readonly string[] {
  return loadBalancersOf(options)._machineCidrs;
}

/** Checks that ranges of machines do not overlap with those of tenants that came before. */
export function checkSharedRanges(tenant: string, tenants: readonly TenantRanges[]): Problem[] {
  const position = tenants.findIndex((entry) => entry.tenant === tenant);
  const others = tenants.slice(0, Math.max(position, 0))
    .flatMap((other) => other.cidrs.map((text) => ({ tenant: other.tenant, cidr: Cidr.parse(text) })));
  return (tenants[position]?.cidrs ?? []).flatMap((text, index): Problem[] => {
    const cidr = Cidr.parse(text);
    const other = cidr && others.find((entry) => entry.cidr?.overlaps(cidr));
    return other === undefined ? [] : [{
      rule: CLOUD_CONTROLLER_MANAGER_RULES.machineCidr,
      property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers.machineCidrs[${index}]`,
      message: `"${text}" overlaps with ${other.cidr}, where machines of ${other.tenant} are: a guest could have its load balancer lead to them`,
      fix: 'give the machines of each tenant a network of their own, and state its range',
    }];
  });
}

/**
 * Checks that load balancers with local traffic do not lead to addresses that guests make up.
 *
 * @param cluster the chart with the templates of the machines
 */
export function checkGuestAddresses(cluster: IConstruct, options: KubevirtCloudControllerManagerOptions): Problem[] {
  const { _mode: mode, _machineCidrs: cidrs } = loadBalancersOf(options);
  if (!mode.enableEPSController || cidrs.length > 0) return [];
  const templates = cluster.node.findAll().filter((construct) => ApiObject.isApiObject(construct))
    .filter(({ apiGroup, kind }) => `${apiGroup}/${kind}` === KUBEVIRT_MACHINE_TEMPLATE);
  const networks = templates.flatMap((template) => {
    const names: string[] = [];
    checkWritten(template, (manifest) => {
      const [primary] = objectsAt(instance(manifest as ManifestObject).fields, 'networks').filter(([network]) => network.name === PRIMARY_INTERFACE);
      const name = stringAt(primary?.[0], 'multus', 'networkName');
      if (name !== undefined) names.push(name);
      return [];
    });
    return names;
  });
  return networks.length === 0 ? [] : [{
    rule: CLOUD_CONTROLLER_MANAGER_RULES.guestAddress,
    property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers`,
    message: `load balancers lead to the address that a machine reports, and on the network ${[...new Set(networks)].map((name) => `"${name}"`).join(', ')} a guest may `
      + 'report one of another tenant or of a node',
    accepted: 'machines on the pod network, or machineCidrs',
    fix: 'write KubevirtLoadBalancers.localTraffic({ machineCidrs: […] }) with the ranges of that network, or use KubevirtLoadBalancers.allNodes()',
  }];
}

function checkMachineCidrs(cidrs: readonly string[], { management = {} }: ClusterContext): Problem[] {
  const { nodeCidrs = [], serviceCidrs = [], podCidrs = [] } = management;
  const others = [...nodeCidrs, ...serviceCidrs, ...podCidrs].flatMap((text) => Cidr.parse(text) ?? []);
  return cidrs.flatMap((text, index): Problem[] => {
    const at = { rule: CLOUD_CONTROLLER_MANAGER_RULES.machineCidr, property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers.machineCidrs[${index}]` };
    const fault = checkCidr(text);
    if (fault !== undefined) return [{ ...at, message: fault, fix: 'write a range such as "192.0.2.0/24"' }];
    const cidr = Cidr.parse(text)!;
    const shortest = SHORTEST_PREFIX[cidr.family];
    if (cidr.prefixLength < shortest) {
      return [{
        ...at, message: `"${text}" is larger than the network of a tenant`, accepted: `prefixes of at least ${shortest} bits`, fix: 'write the range of the network that the machines are in',
      }];
    }
    const other = others.find((range) => range.overlaps(cidr));
    return other === undefined ? [] : [{
      ...at,
      message: `"${text}" overlaps with ${other}, where nodes, Services or pods of the management cluster are: a guest could have its load balancer lead to them`,
      fix: 'give machines a network of their own, and state its range; leave machineCidrs out for machines on the pod network',
    }];
  });
}

function checkWork(options: KubevirtCloudControllerManagerOptions): Problem[] {
  if (options.initializeNodes ?? true) return [];
  const problems: Problem[] = [];
  if (loadBalancersOf(options)._mode.enabled === false) {
    problems.push({
      rule: CLOUD_CONTROLLER_MANAGER_RULES.idle,
      property: CLOUD_CONTROLLER_MANAGER_PROPERTY,
      message: 'it shall neither initialize nodes nor make load balancers, so that nothing is left to do',
      fix: 'write KubevirtCloudControllerManager.none()',
    });
  }
  if (options.zones) {
    problems.push({
      rule: CLOUD_CONTROLLER_MANAGER_RULES.zones,
      property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.zones`,
      message: 'zones are asked for, and nodes are not initialized',
      fix: 'remove zones, or initializeNodes: false',
    });
  }
  return problems;
}

function checkPolling(options: KubevirtLoadBalancerOptions): Problem[] {
  const { interval, timeout } = pollSeconds(options);
  const wrong = [['creationPollInterval', interval] as const, ['creationPollTimeout', timeout] as const].filter(([, value]) => !(Number.isSafeInteger(value) && value >= 1));
  const at = { rule: CLOUD_CONTROLLER_MANAGER_RULES.poll };
  if (wrong.length > 0) {
    return wrong.map(([name, value]) => ({
      ...at, property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers.${name}`, message: `${value} seconds is not such a time`, accepted: 'whole seconds from 1', fix: 'correct the time, or leave it out',
    }));
  }
  return interval <= timeout ? [] : [{
    ...at,
    property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers.creationPollInterval`,
    message: `after ${interval} seconds the first look comes later than the end, after ${timeout} seconds`,
    fix: 'lower the interval, or raise creationPollTimeout',
  }];
}

function checkInfraLabels(labels: { readonly [key: string]: string }): Problem[] {
  return problemsOf(CLOUD_CONTROLLER_MANAGER_RULES.infraLabel, `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.infraLabels`, [
    ...checkLabels(labels),
    ...OWN_LABELS.filter((key) => labels[key] !== undefined).map((key) => ({
      path: [key], message: `"${key}" is set by the cloud controller manager, which finds its Services by it`, fix: 'remove the entry',
    })),
  ]);
}

function checkImageVersion(options: KubevirtCloudControllerManagerOptions, release: string | undefined): Problem[] {
  const { selectorless, enableEPSController } = loadBalancersOf(options)._mode;
  if (!(selectorless || enableEPSController) || release === undefined || compareReleases(release, SELECTORLESS_SINCE) >= 0) return [];
  return [{
    rule: CLOUD_CONTROLLER_MANAGER_RULES.imageVersion,
    property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.image`,
    message: `"${options.image}" is older than ${SELECTORLESS_SINCE} and would give its load balancers a selector all the same`,
    fix: 'use a newer image, or KubevirtLoadBalancers.allNodes()',
  }];
}
