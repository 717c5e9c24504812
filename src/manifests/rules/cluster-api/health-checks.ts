import { CLUSTER, CLUSTER_CLASS, CLUSTER_NAME_LABEL, CORE_WEBHOOKS, lacksSpec, MACHINE_HEALTH_CHECK } from './cluster-api-kinds';
import { healthCheckYaml } from './example-manifests';
import { healthChecks, startupSeconds } from './health-check-places';
import { fieldAt, objectsAt, stringAt } from '../../values/fields';
import { findingsAt } from '../../values/finding';
import { allOf } from '../all-of';
import { parseIntOrPercent } from '../int-or-percent';
import { checkLabelSelector, isEmptySelector } from '../label-selectors';
import { ManifestRule } from '../manifest-rule';

const KINDS = [CLUSTER, CLUSTER_CLASS, MACHINE_HEALTH_CHECK];
const WEBHOOKS = `${CORE_WEBHOOKS}/{machinehealthcheck,cluster,clusterclass}.go`;
const SCHEMA = 'kubernetes-sigs/cluster-api core/config/crd/bases/cluster.x-k8s.io_machinehealthchecks.yaml (x-kubernetes-validations)';
const SHORTEST_STARTUP_SECONDS = 30;
const DERIVED_CONDITIONS = ['Ready', 'Available', 'HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated'];

const SELECTOR: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-SELECTOR',
  title: 'The selector of a MachineHealthCheck must be valid and not empty.',
  source: `${CORE_WEBHOOKS}/machinehealthcheck.go`,
  kinds: [MACHINE_HEALTH_CHECK],
  example: { failing: healthCheckYaml('', 'matchLabels: {}'), corrected: healthCheckYaml('') },
  check: (object) => {
    const selector = lacksSpec(object) ? {} : fieldAt(object, 'spec', 'selector');
    return allOf(
      findingsAt(['spec', 'selector'], checkLabelSelector(selector)),
      isEmptySelector(selector) ? [{
        path: ['spec', 'selector'], message: 'it is empty', fix: 'select the machines of one pool by cluster.x-k8s.io/deployment-name',
      }] : [],
    );
  },
};

const OWN_CLUSTER: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-CLUSTER',
  title: 'A MachineHealthCheck must select machines of its own cluster.',
  source: `${CORE_WEBHOOKS}/machinehealthcheck.go`,
  kinds: [MACHINE_HEALTH_CHECK],
  example: {
    failing: healthCheckYaml('', `matchLabels:\n  ${CLUSTER_NAME_LABEL}: acme-2`),
    corrected: healthCheckYaml('', `matchLabels:\n  ${CLUSTER_NAME_LABEL}: acme`),
  },
  check: (object) => {
    const selected = stringAt(object, 'spec', 'selector', 'matchLabels', CLUSTER_NAME_LABEL);
    const own = stringAt(object, 'spec', 'clusterName');
    return selected === undefined || own === undefined || selected === own ? [] : [{
      path: ['spec', 'selector', 'matchLabels', CLUSTER_NAME_LABEL],
      message: `it selects machines of ${JSON.stringify(selected)}, and spec.clusterName is ${JSON.stringify(own)}`,
      fix: 'leave this label out, or name the cluster that spec.clusterName names',
    }];
  },
};

const STARTUP: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-STARTUP',
  title: 'The node startup timeout must be 0, which means no limit, or at least 30 seconds.',
  source: WEBHOOKS,
  kinds: KINDS,
  example: {
    failing: healthCheckYaml('checks:\n  nodeStartupTimeoutSeconds: 20'),
    corrected: healthCheckYaml('checks:\n  nodeStartupTimeoutSeconds: 1200'),
  },
  check: (object) => healthChecks(object).flatMap((place) => {
    const seconds = startupSeconds(object, place);
    return seconds === undefined || seconds === 0 || seconds >= SHORTEST_STARTUP_SECONDS ? [] : [{
      path: place.startup, message: `${seconds} seconds is too short`, accepted: '0, or 30 seconds and more', fix: 'give machines the time that they need to boot and join, such as 20 minutes',
    }];
  }),
};

const LIMIT: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-LIMIT',
  title: 'The limit of unhealthy machines must be a whole number or a percentage.',
  source: WEBHOOKS,
  kinds: KINDS,
  example: { failing: limited('"2"'), corrected: limited('2') },
  check: (object) => healthChecks(object).flatMap(({ limit }) => {
    const value = fieldAt(object, ...limit);
    return typeof value !== 'string' || parseIntOrPercent(value) ? [] : [{
      path: limit, message: `${JSON.stringify(value)} is neither a number nor a percentage`, accepted: 'a number such as 2, or a string such as "40%"', fix: 'write a number without quotes, or a percentage with them',
    }];
  }),
};

const CONDITION: ManifestRule = {
  id: 'TC-ADMIT-HEALTH-CHECK-CONDITION',
  title: 'A health check must not watch machine conditions that are derived from its result.',
  source: SCHEMA,
  kinds: KINDS,
  example: { failing: watching('Ready'), corrected: watching('NodeHealthy') },
  check: (object) => healthChecks(object).flatMap(({ machineConditions }) => (
    objectsAt(object, ...machineConditions).filter(([condition]) => DERIVED_CONDITIONS.includes(stringAt(condition, 'type') ?? '')).map(([condition, index]) => ({
      path: [...machineConditions, index, 'type'],
      message: `"${stringAt(condition, 'type')}" follows from the health check itself`,
      accepted: `conditions of machines other than ${DERIVED_CONDITIONS.join(', ')}`,
      fix: 'watch the condition that lies behind it, or the node\'s Ready condition',
    }))
  )),
};

export const HEALTH_CHECKS: readonly ManifestRule[] = [SELECTOR, OWN_CLUSTER, STARTUP, LIMIT, CONDITION];

function limited(limit: string): string {
  return healthCheckYaml(`remediation:\n  triggerIf:\n    unhealthyLessThanOrEqualTo: ${limit}`);
}

function watching(type: string): string {
  return healthCheckYaml(`checks:\n  unhealthyMachineConditions:\n    - type: ${type}\n      status: "False"\n      timeoutSeconds: 300`);
}
