import { KUBEVIRT_RULES } from './rules';
import { checkAnnotations, checkLabels } from '../../../manifests/values/labels';
import { PropertyReport } from '../../app/problems/property-report';
import { PoolContext } from '../../contracts/node-pool/pool-context';

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
  report.addAll(KUBEVIRT_RULES.label, checkLabels(labels));
  report.addAll(KUBEVIRT_RULES.reservedLabel, Object.keys(labels).flatMap((key) => {
    const owner = ownerOf(key);
    return owner === undefined ? [] : [{ path: [key], message: `the label "${key}" belongs to ${owner}`, fix: 'use a label in a domain of your own' }];
  }));
}

/** Checks annotations for virtual machines or their pods. */
export function checkMachineAnnotations(report: PropertyReport, annotations: { [key: string]: string }): void {
  report.addAll(KUBEVIRT_RULES.annotation, checkAnnotations(annotations));
}

function ownerOf(key: string): string | undefined {
  return OWNERS.find(([, keys]) => keys.some((own) => (own.endsWith('/') ? key.startsWith(own) : key === own)))?.[0];
}
