import { ApiObject, Duration } from 'cdk8s';
import { IConstruct } from 'constructs';
import { KubevirtCloudControllerManagerOptions, KubevirtLoadBalancerOptions, loadBalancersOf } from './kubevirt-cloud-controller-manager';
import { ManifestObject } from '../../../../manifests/objects/manifest-object';
import { instance, KUBEVIRT_MACHINE_TEMPLATE } from '../../../../manifests/systems/kubevirt/rules/kubevirt-objects';
import { checkCidr, Cidr } from '../../../../manifests/values/cidr';
import { compareReleases } from '../../../../manifests/values/component-facts';
import { objectsAt, stringAt } from '../../../../manifests/values/fields';
import { releaseOf } from '../../../../manifests/values/image-reference';
import { IpFamily } from '../../../../manifests/values/ip-address';
import { checkLabels } from '../../../../manifests/values/labels';
import { Problem, problemsOf, Rule } from '../../../../manifests/values/problem';
import { SecretRef } from '../../../../manifests/values/secret-ref';
import { imageName, KUBEVIRT_CLOUD_CONTROLLER_MANAGER } from '../../../../manifests/values/versions';
import { checkController } from '../../../addons/controllers/controller-checks';
import { checkWritten } from '../../../app/synth/synthesis';
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

const MANAGER_ACCESS_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-INFRA-CLUSTER',
  title: 'A cloud controller manager must use a kubeconfig from its own namespace for another cluster, and none for the management cluster.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go',
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
    ...checkInfraAccess(MANAGER_ACCESS_RULE, CLOUD_CONTROLLER_MANAGER_PROPERTY, options, namespace, infraCluster, 'write KubevirtCloudControllerManager.none()'),
    ...checkImageVersion(options, release),
    ...checkController(CLOUD_CONTROLLER_MANAGER_PROPERTY, options, { component: 'kubevirt-cloud-controller-manager', release, managed: MANAGED }),
  ];
}

const SHARED_NAMESPACE_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-SHARED-NAMESPACE',
  title: 'Load balancers with local traffic require a namespace of virtual machines per cluster: the controller handles all Services in it as its own.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/controller/kubevirteps/kubevirteps_controller.go',
};

/** Checks that no other cluster's cloud controller manager makes Services where this one takes all for its own. */
export function checkSharedNamespace(options: KubevirtCloudControllerManagerOptions, tenant: string, tenants: readonly string[]): Problem[] {
  const others = tenants.filter((other) => other !== tenant);
  return loadBalancersOf(options)._mode.enableEPSController === undefined || others.length === 0 ? [] : [{
    rule: SHARED_NAMESPACE_RULE,
    property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers`,
    message: `the machines of ${others.join(', ')} are in the same namespace, whose Services this cluster would take for its own`,
    fix: 'give each cluster a namespace of its own, or use KubevirtLoadBalancers.allNodes()',
  }];
}

/** Ranges of the machines of one tenant. */
interface TenantRanges {
  readonly tenant: string;
  readonly cidrs: readonly string[];
}

/** The ranges that machines have their addresses in. */
export function machineCidrsOf(options: KubevirtCloudControllerManagerOptions): readonly string[] {
  return loadBalancersOf(options)._machineCidrs;
}

const MACHINE_CIDR_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-MACHINE-CIDR',
  title: 'Ranges of machines behind load balancers with local traffic must be CIDR blocks without nodes, Services and pods of the management cluster and machines of other tenants.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/controller/kubevirteps/kubevirteps_controller.go',
};

/** Checks that ranges of machines do not overlap with those of tenants that came before. */
export function checkSharedRanges(tenant: string, tenants: readonly TenantRanges[]): Problem[] {
  const position = tenants.findIndex((entry) => entry.tenant === tenant);
  const others = tenants.slice(0, Math.max(position, 0))
    .flatMap((other) => other.cidrs.map((text) => ({ tenant: other.tenant, cidr: Cidr.parse(text) })));
  return (tenants[position]?.cidrs ?? []).flatMap((text, index): Problem[] => {
    const cidr = Cidr.parse(text);
    const other = cidr && others.find((entry) => entry.cidr?.overlaps(cidr));
    return other === undefined ? [] : [{
      rule: MACHINE_CIDR_RULE,
      property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers.machineCidrs[${index}]`,
      message: `"${text}" overlaps with ${other.cidr}, where machines of ${other.tenant} are: a guest could have its load balancer lead to them`,
      fix: 'give the machines of each tenant a network of their own, and state its range',
    }];
  });
}

const GUEST_ADDRESS_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-GUEST-ADDRESS',
  title: 'With load balancers of local traffic, machines must be on the pod network, or the ranges of their network must be stated: guests may choose their address elsewhere.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/controller/kubevirteps/kubevirteps_controller.go, '
    + 'kubevirt/kubevirt pkg/network/setup/netstat.go, CVE-2021-25740',
};

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
    rule: GUEST_ADDRESS_RULE,
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
    const at = { rule: MACHINE_CIDR_RULE, property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.loadBalancers.machineCidrs[${index}]` };
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

const IDLE_MANAGER_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-IDLE',
  title: 'A cloud controller manager must initialize nodes or create load balancers.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go',
};

const ZONES_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-ZONES',
  title: 'Zones require a cloud controller manager that initializes nodes.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/instances_v2.go',
};

function checkWork(options: KubevirtCloudControllerManagerOptions): Problem[] {
  if (options.initializeNodes ?? true) return [];
  const problems: Problem[] = [];
  if (loadBalancersOf(options)._mode.enabled === false) {
    problems.push({
      rule: IDLE_MANAGER_RULE,
      property: CLOUD_CONTROLLER_MANAGER_PROPERTY,
      message: 'it shall neither initialize nodes nor make load balancers, so that nothing is left to do',
      fix: 'write KubevirtCloudControllerManager.none()',
    });
  }
  if (options.zones) {
    problems.push({
      rule: ZONES_RULE,
      property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.zones`,
      message: 'zones are asked for, and nodes are not initialized',
      fix: 'remove zones, or initializeNodes: false',
    });
  }
  return problems;
}

const POLL_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-POLL',
  title: 'The wait for the address of a load balancer must be whole seconds from 1, with at least one poll in that time.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go',
};

function checkPolling(options: KubevirtLoadBalancerOptions): Problem[] {
  const { interval, timeout } = pollSeconds(options);
  const wrong = [['creationPollInterval', interval] as const, ['creationPollTimeout', timeout] as const].filter(([, value]) => !(Number.isSafeInteger(value) && value >= 1));
  const at = { rule: POLL_RULE };
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

const INFRA_LABEL_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-INFRA-LABEL',
  title: 'Additional labels of load balancer Services must be valid, and must not be labels by which the cloud controller manager finds them.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go',
};

function checkInfraLabels(labels: { readonly [key: string]: string }): Problem[] {
  return problemsOf(INFRA_LABEL_RULE, `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.infraLabels`, [
    ...checkLabels(labels),
    ...OWN_LABELS.filter((key) => labels[key] !== undefined).map((key) => ({
      path: [key], message: `"${key}" is set by the cloud controller manager, which finds its Services by it`, fix: 'remove the entry',
    })),
  ]);
}

const IMAGE_VERSION_RULE: Rule = {
  id: 'TC-KUBEVIRT-CCM-IMAGE-VERSION',
  title: 'Load balancers without a selector require version 0.6 of the cloud controller manager.',
  source: 'kubevirt/cloud-provider-kubevirt pkg/provider/cloud.go',
};

function checkImageVersion(options: KubevirtCloudControllerManagerOptions, release: string | undefined): Problem[] {
  const { selectorless, enableEPSController } = loadBalancersOf(options)._mode;
  if (!(selectorless || enableEPSController) || release === undefined || compareReleases(release, SELECTORLESS_SINCE) >= 0) return [];
  return [{
    rule: IMAGE_VERSION_RULE,
    property: `${CLOUD_CONTROLLER_MANAGER_PROPERTY}.image`,
    message: `"${options.image}" is older than ${SELECTORLESS_SINCE} and would give its load balancers a selector all the same`,
    fix: 'use a newer image, or KubevirtLoadBalancers.allNodes()',
  }];
}

const POLL_INTERVAL = Duration.seconds(5);
const POLL_TIMEOUT = Duration.minutes(1);

/** Interval and timeout in seconds. */
export function pollSeconds({ creationPollInterval, creationPollTimeout }: KubevirtLoadBalancerOptions): { interval: number; timeout: number } {
  return {
    interval: (creationPollInterval ?? POLL_INTERVAL).toSeconds({ integral: false }),
    timeout: (creationPollTimeout ?? POLL_TIMEOUT).toSeconds({ integral: false }),
  };
}
