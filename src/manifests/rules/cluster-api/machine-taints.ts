import {
  CLUSTER, CLUSTER_CLASS, CORE_WEBHOOKS, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL,
  MACHINE_SET,
} from './cluster-api-kinds';
import { gateYaml, poolYaml } from './example-manifests';
import { isGateOn, turnOn } from './feature-gates';
import { taintPlaces } from './machine-places';
import { ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, stringAt } from '../../values/fields';
import { checkTaintOwner } from '../../values/taints';
import { ManifestRule } from '../manifest-rule';

const GATE = 'MachineTaintPropagation';
const IN_TEMPLATES = [CLUSTER, CLUSTER_CLASS, KUBEADM_CONTROL_PLANE, KUBEADM_CONTROL_PLANE_TEMPLATE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_SET];
const GATE_ON = gateYaml(GATE);
const TAINT = (key: string) => `taints:\n  - key: ${key}\n    effect: NoSchedule\n    propagation: Always`;
const FIX_BY_KUBELET = 'let the nodes register with the taint: nodeRegistration.taints of their KubeadmConfigTemplate';

/** Keys that controllers of Kubernetes or Cluster API use. */
const RESERVED: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-TAINT',
  title: 'Taints of machines must not have keys that controllers of Kubernetes or Cluster API use.',
  source: 'kubernetes-sigs/cluster-api internal/util/taints/validation.go, core/webhooks/admission/machine.go',
  kinds: IN_TEMPLATES,
  example: {
    failing: poolYaml({ machine: TAINT('node.kubernetes.io/unreachable') }) + GATE_ON,
    corrected: poolYaml({ machine: TAINT('example.com/dedicated') }) + GATE_ON,
  },
  check: (object) => taintPlaces(object).flatMap(({ path, workers }) => listed(fieldAt(object, ...path)).flatMap((taint, index) => {
    const message = checkTaintOwner(stringAt(taint, 'key') ?? '', workers);
    return message === undefined ? [] : [{ path: [...path, index, 'key'], message, fix: 'use a key of your own, or remove the taint' }];
  })),
};

/** Taints at all. */
const GATED: ManifestRule = {
  id: 'TC-ADMIT-MACHINE-TAINT-GATE',
  title: `Taints of machines require Cluster API's feature gate ${GATE}, which is off by default.`,
  source: 'kubernetes-sigs/cluster-api internal/util/taints/validation.go, feature/feature.go',
  warning: true,
  kinds: IN_TEMPLATES,
  example: { failing: poolYaml({ machine: TAINT('example.com/dedicated') }), corrected: poolYaml({ machine: TAINT('example.com/dedicated') }) + GATE_ON },
  // Once for each object: it is one gate.
  check: (object, index) => (isGateOn(GATE, index) ? [] : taintedPaths(object).slice(0, 1).map((path) => ({
    path, message: `a Cluster API without the feature gate ${GATE} refuses taints here`, fix: `${turnOn(GATE)}; or ${FIX_BY_KUBELET}`,
  }))),
};

/** Taints of a MachinePool, which no controller reads. */
const OF_MACHINE_POOL: ManifestRule = {
  id: 'TC-ADMIT-POOL-TAINTS',
  title: 'A MachinePool cannot have taints: Cluster API does not support them.',
  source: `${CORE_WEBHOOKS}/machinepool.go`,
  kinds: [MACHINE_POOL],
  example: { failing: poolYaml({ kind: 'MachinePool', machine: TAINT('example.com/dedicated') }), corrected: poolYaml({ kind: 'MachinePool' }) },
  check: (object) => taintedPaths(object).map((path) => ({
    path, message: 'taints are not supported in a MachinePool', fix: FIX_BY_KUBELET,
  })),
};

export const MACHINE_TAINTS: readonly ManifestRule[] = [RESERVED, GATED, OF_MACHINE_POOL];

function taintedPaths(object: ManifestObject): FieldPath[] {
  return taintPlaces(object).map(({ path }) => path).filter((path) => listed(fieldAt(object, ...path)).length > 0);
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
