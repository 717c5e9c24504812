import { namedControlPlane } from './examples';
import { KAMAJI_CONTROL_PLANE, placeOf, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { CLUSTER_TEXT } from '../../../rules/references/examples';
import { stringAt } from '../../../values/fields';
import { parseQuantity } from '../../../values/quantity';
import { ControlPlaneComponent, expectedMemory, MEASURED_MEMORY, mostNodesOf } from '../control-plane-memory';

const COMPONENTS: readonly ControlPlaneComponent[] = ['apiServer', 'controllerManager', 'scheduler'];

const MEBIBYTE = parseQuantity('1Mi')!;

/** Control planes whose containers are ended for lack of memory. */
export const MEMORY: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-MEMORY',
  title: 'The memory limits of a control plane should have room for what was measured with as many nodes as its pools may have.',
  source: 'conformance/README.md and docs/guides/size-the-management-cluster.md (measured with Kubernetes v1.37.2)',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  warning: true,
  example: replaced(namedControlPlane('  apiServer:\n    resources:\n      limits: {memory: 1Gi}\n'), '1Gi', '64Mi', CLUSTER_TEXT),
  check: (controlPlane, index) => {
    const nodes = Math.max(mostNodesOf(controlPlane, index), MEASURED_MEMORY[0].nodes);
    return COMPONENTS.flatMap((component) => {
      const limit = placeOf(controlPlane, component, 'resources', 'limits', 'memory');
      const text = stringAt(controlPlane, ...limit);
      const amount = text === undefined ? undefined : parseQuantity(text);
      const expected = expectedMemory(component, nodes);
      return amount === undefined || amount >= BigInt(expected) * MEBIBYTE ? [] : [{
        path: limit,
        message: `${text} is less than the ${expected}Mi that ${component} is expected to hold with ${nodes} nodes, so that it is ended again and again`,
        fix: 'raise request and limit, or leave the resources out and set the size of the control plane (KamajiControlPlane: size)',
      }];
    });
  },
};
