import { KUBEVIRT_RULES } from './rules';
import { PoolContext } from '../cluster/node-pool/pool-context';
import { PropertyReport } from '../problems/property-report';
import { checkAnnotations, checkLabels } from '../values/labels';

const CLUSTER_NAME = 'cluster.x-k8s.io/cluster-name';
const DEPLOYMENT_NAME = 'cluster.x-k8s.io/deployment-name';
const ROLE = 'cluster.x-k8s.io/role';

/** Who sets which labels on virtual machines and their pods; a trailing slash stands for a whole domain. */
const OWNERS: readonly (readonly [owner: string, keys: readonly string[]])[] = [
  ['the KubeVirt provider', ['kubevirt.io/vm', 'name', ROLE, CLUSTER_NAME, 'capk.cluster.x-k8s.io/']],
  ['the pool', [DEPLOYMENT_NAME]],
  ['KubeVirt', [
    'kubevirt.io', 'kubevirt.io/created-by', 'kubevirt.io/migrationJobUID', 'kubevirt.io/nodeName',
    'kubevirt.io/migrationTargetNodeName', 'kubevirt.io/schedulable', 'kubevirt.io/install-strategy',
  ]],
];

/** Labels that the pods of a pool's or control plane's virtual machines can be told by. The KubeVirt provider sets name and role too. */
export function poolLabels({ cluster, name, controlPlane }: PoolContext): { [key: string]: string } {
  return { [CLUSTER_NAME]: cluster.name, ...(controlPlane ? { [ROLE]: 'control-plane' } : { [DEPLOYMENT_NAME]: name }) };
}

/** Checks labels for virtual machines or their pods. */
export function checkMachineLabels(report: PropertyReport, labels: { [key: string]: string }): void {
  for (const { key, message } of checkLabels(labels)) {
    report.entry(key).add(KUBEVIRT_RULES.label, { message, fix: 'correct the label' });
  }
  for (const key of Object.keys(labels)) {
    const owner = ownerOf(key);
    if (owner) {
      report.entry(key).add(KUBEVIRT_RULES.reservedLabel, { message: `the label "${key}" belongs to ${owner}`, fix: 'use a label in a domain of your own' });
    }
  }
}

/** Checks annotations for virtual machines or their pods. */
export function checkMachineAnnotations(report: PropertyReport, annotations: { [key: string]: string }): void {
  for (const { key, message } of checkAnnotations(annotations)) {
    report.entry(key).add(KUBEVIRT_RULES.annotation, { message, fix: 'correct the annotation' });
  }
}

function ownerOf(key: string): string | undefined {
  return OWNERS.find(([, keys]) => keys.some((own) => (own.endsWith('/') ? key.startsWith(own) : key === own)))?.[0];
}
