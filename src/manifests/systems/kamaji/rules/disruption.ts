import { namedControlPlane } from './examples';
import { KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { groupKind, namespaceOf } from '../../../objects/manifest-object';
import { blockingField } from '../../../rules/disruption-budgets';
import { documents, replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { numberAt, stringAt } from '../../../values/fields';

/** Label of the pods of a control plane (clastix/kamaji internal/builders/controlplane/deployment.go). */
const POD_LABEL = 'kamaji.clastix.io/name';

const DEFAULT_REPLICAS = 2;

const BUDGET_TEXT = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: acme
  namespace: tenant-acme
spec:
  minAvailable: 1
  selector:
    matchLabels:
      ${POD_LABEL}: acme
`;

/** Control planes that keep their host from being drained. */
export const DISRUPTION: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-DISRUPTION-BUDGET',
  title: 'A PodDisruptionBudget must allow one pod of a control plane to be evicted: the drain of its host never ends otherwise.',
  source: 'kubernetes.io/docs/tasks/run-application/configure-pdb, kubernetes/kubernetes pkg/controller/disruption/disruption.go (getExpectedPodCount)',
  kinds: ['policy/PodDisruptionBudget'],
  trap: true,
  example: replaced(documents(BUDGET_TEXT, namedControlPlane('  replicas: 2\n')), 'replicas: 2', 'replicas: 1'),
  check: (object, index) => {
    const name = stringAt(object, 'spec', 'selector', 'matchLabels', POD_LABEL);
    const plane = name === undefined ? undefined
      : [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE].map((kind) => index.find(kind, namespaceOf(object), name)).find((one) => one !== undefined);
    if (!plane) return [];
    const path = groupKind(plane) === TENANT_CONTROL_PLANE ? ['spec', 'controlPlane', 'deployment', 'replicas'] : ['spec', 'replicas'];
    const replicas = numberAt(plane, ...path) ?? DEFAULT_REPLICAS;
    const field = blockingField(object, replicas);
    return field === undefined ? [] : [{
      path: ['spec', field],
      message: `the control plane "${name}" has ${replicas} ${replicas === 1 ? 'pod' : 'pods'}, and none of them may be evicted`,
      fix: 'write maxUnavailable: 1, or raise the replicas of the control plane',
    }];
  },
};
