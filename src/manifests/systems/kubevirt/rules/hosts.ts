import { INSTANCE, machineDeployment, machineTemplate } from './examples';
import { instance, KUBEVIRT_MACHINE_TEMPLATE } from './kubevirt-objects';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK } from '../../../rules/cluster-api/cluster-api-kinds';
import { healthCheckYaml } from '../../../rules/cluster-api/example-manifests';
import { healthCheckLimits, healthChecksOf, HOSTS_ANNOTATION, lostWithOneHost, ownerSize } from '../../../rules/cluster-api/health-check-limits';
import { rolloutPaths } from '../../../rules/cluster-api/machine-places';
import { ManifestRule } from '../../../rules/manifest-rule';
import { machineOwners } from '../../../rules/references/object-references';
import { parseIntOrPercent } from '../../../values/counts';
import { fieldAt, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const HOST_NAME = 'kubernetes.io/hostname';
const POOL = machineDeployment('acme-general');
const SPREAD = machineTemplate() + POOL.replace('spec:\n', 'spec:\n  replicas: 4\n');

/** Sizes of a pool that are tried. */
const MOST_SIZES = 50;

const hostLoss: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-HOST-LOSS',
  title: 'The limit of a health check should allow all machines of one host, half of the pool if its hosts are not counted: Cluster API replaces none of them otherwise when it is drained or lost.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_controller.go (isAllowedRemediation, getMaxUnhealthy), v1.14.2',
  kinds: [CLUSTER, MACHINE_HEALTH_CHECK],
  trap: true,
  warning: true,
  example: { failing: `${SPREAD}---\n${limited(1)}`, corrected: `${SPREAD}---\n${limited(2)}` },
  check: (object, index) => healthCheckLimits(object, index).flatMap(({ path, limit, watched: [pool, ...others] }): Finding[] => {
    if (others.length > 0 || pool?.size === undefined || pool.templateKind !== KUBEVIRT_MACHINE_TEMPLATE.split('/')[1]) return [];
    const { minimum, maximum } = pool.size;
    const allowed = (machines: number) => (limit.isPercent ? Math.floor((machines * limit.amount) / 100) : limit.amount);
    const sizes = Array.from({ length: Math.min(Math.max(0, maximum - minimum), MOST_SIZES) + 1 }, (_, more) => minimum + more);
    const hosts = hostsOf(object);
    const machines = [...sizes, maximum].find((count) => allowed(count) < lostWithOneHost(count, hosts));
    // A limit of none is reported by another rule.
    if (machines === undefined || allowed(minimum) < 1) return [];
    return [{
      path,
      message: `of ${machines} machines, one of ${hosts ?? 'two'} hosts may hold ${lostWithOneHost(machines, hosts)}, and with more than ${allowed(machines)} unhealthy none is replaced`,
      fix: `write ${lostWithOneHost(maximum, hosts)}${hosts === undefined ? '' : ' or more: while another host is drained, there is one less'}`,
    }];
  }),
};

const hostSpread: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-HOST-SPREAD',
  title: 'Machines that must be spread over hosts should have a host each, also during a rollout: two share one otherwise, and may stay together.',
  source: 'kubernetes/kubernetes pkg/scheduler/framework/plugins/podtopologyspread/filtering.go',
  kinds: [KUBEVIRT_MACHINE_TEMPLATE],
  trap: true,
  warning: true,
  example: { failing: spreadOver(3, 3), corrected: spreadOver(3, 4) },
  check: (object, index) => {
    const { fields, path } = instance(object);
    const constraints = objectsAt(fields, 'topologySpreadConstraints')
      .filter(([constraint]) => stringAt(constraint, 'topologyKey') === HOST_NAME && stringAt(constraint, 'whenUnsatisfiable') === 'DoNotSchedule');
    const pools = constraints.length === 0 ? [] : machineOwners(object, index).filter((owner) => groupKind(owner) === MACHINE_DEPLOYMENT);
    return constraints.flatMap(([, at]) => pools.flatMap((pool): Finding[] => {
      const [hosts] = healthChecksOf(pool, index).flatMap((check) => hostsOf(check) ?? []);
      const machines = mostMachines(pool);
      return hosts === undefined || machines === undefined || machines <= hosts ? [] : [{
        path: [...path, 'topologySpreadConstraints', at, 'whenUnsatisfiable'],
        message: `there are up to ${machines} machines during a rollout, and ${hosts} ${hosts === 1 ? 'host' : 'hosts'} for them`,
        accepted: `up to ${hosts} machines`,
        fix: 'lower the size of the pool, write maxSurge 0 and maxUnavailable 1 in its rollout, or ScheduleAnyway',
      }];
    }));
  },
};

/** Largest number of machines of a pool at the same time; undefined if it is not known. */
function mostMachines(pool: ManifestObject): number | undefined {
  const size = ownerSize(pool);
  if (size === undefined || size.maximum === 0) return undefined;
  const surges = rolloutPaths(pool).filter((path) => stringAt(pool, ...path, 'type') !== 'OnDelete').map((path) => {
    // Without it, the webhook writes 1.
    const surge = parseIntOrPercent(fieldAt(pool, ...path, 'rollingUpdate', 'maxSurge') ?? 1);
    return surge?.isPercent ? Math.ceil((size.maximum * surge.amount) / 100) : surge?.amount ?? 0;
  });
  return size.maximum + Math.max(0, ...surges);
}

/** Number of hosts that the machines of a health check can be on; undefined if it does not state any. */
function hostsOf(check: ManifestObject): number | undefined {
  const text = stringAt(check, 'metadata', 'annotations', HOSTS_ANNOTATION);
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}

function spreadOver(machines: number, hosts: number): string {
  const spread = `              topologySpreadConstraints:\n                - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule}\n${INSTANCE}`;
  const check = limited(2).replace('metadata:\n', `metadata:\n  annotations:\n    ${HOSTS_ANNOTATION}: "${hosts}"\n`);
  const rollout = 'rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}}';
  return `${machineTemplate({ instance: spread })}${POOL.replace('spec:\n', `spec:\n  replicas: ${machines}\n  ${rollout}\n`)}---\n${check}`;
}

function limited(count: number): string {
  return healthCheckYaml(`remediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: ${count}`);
}

/** Rules for the hosts of machines. */
export const HOSTS: readonly ManifestRule[] = [hostLoss, hostSpread];
