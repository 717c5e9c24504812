import {
  AnnotationFact, AnnotationForm, BOOLEAN_FORM, DURATION_FORM, listForm, NUMBER_FORM, oneOfForm, QUANTITY_FORM, SystemAnnotations, WHOLE_NUMBER_FORM,
} from '../../rules/annotation-facts';
import { CAPACITY, MAX_SIZE, MIN_SIZE } from '../../rules/cluster-api/autoscaler-annotations';
import { MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from '../../rules/cluster-api/cluster-api-kinds';
import { checkLabelKey, checkLabelValue } from '../../values/labels';

const POOLS: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET];
const OPTIONS = 'cluster.x-k8s.io/autoscaling-options-';
const OWN = 'cluster-autoscaler.kubernetes.io/';

/** Effects that a taint may have: the autoscaler does not check them. */
const EFFECTS: readonly string[] = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

/** Offers of the nodes of a pool, as far as the infrastructure does not tell them. */
const CAPACITIES: Readonly<Record<string, AnnotationForm | undefined>> = {
  'cpu': QUANTITY_FORM,
  'memory': QUANTITY_FORM,
  'ephemeral-disk': QUANTITY_FORM,
  'gpu-count': WHOLE_NUMBER_FORM,
  'gpu-type': undefined,
  'maxPods': WHOLE_NUMBER_FORM,
  'labels': listForm({ accepted: 'labels such as "pool=gpu,zone=a"', fits: isLabel }),
  'taints': listForm({ accepted: 'taints such as "dedicated=gpu:NoSchedule,spot:NoExecute"', fits: isTaint }),
  'dra-driver': undefined,
  'csi-driver': listForm({ accepted: 'drivers and numbers of volumes, such as "csi.example.com=25"', fits: (entry) => /^[^=\s]+\s*=\s*\+?\d+$/.test(entry) }),
};

/** Flags of the autoscaler that a pool sets for itself. */
const POOL_OPTIONS: Readonly<Record<string, AnnotationForm>> = {
  scaledownutilizationthreshold: NUMBER_FORM,
  scaledowngpuutilizationthreshold: NUMBER_FORM,
  scaledownunneededtime: DURATION_FORM,
  scaledownunreadytime: DURATION_FORM,
  maxnodeprovisiontime: DURATION_FORM,
  maxnodestartuptime: DURATION_FORM,
};

/** Keys of pods and nodes that the autoscaler reads. */
const OF_PODS: readonly AnnotationFact[] = [
  { key: `${OWN}safe-to-evict`, kinds: ['/Pod'], form: oneOfForm(['true', 'false', 'on-completion']) },
  { key: `${OWN}safe-to-evict-local-volumes`, kinds: ['/Pod'] },
  { key: `${OWN}enable-ds-eviction`, kinds: ['/Pod', 'apps/DaemonSet'], form: BOOLEAN_FORM },
  { key: `${OWN}daemonset-pod`, kinds: ['/Pod'], form: BOOLEAN_FORM },
  { key: `${OWN}pod-scale-up-delay`, kinds: ['/Pod'], form: DURATION_FORM },
  { key: `${OWN}consume-provisioning-request`, kinds: ['/Pod'] },
  { key: `${OWN}provisioning-class-name`, kinds: ['/Pod'] },
  { key: `${OWN}scale-down-disabled`, kinds: ['*'], form: BOOLEAN_FORM },
  { key: `${OWN}resource-not-ready`, kinds: ['*'] },
  { key: `${OWN}last-updated`, kinds: ['*'] },
  { key: `${OWN}startup-taint`, kinds: ['*'] },
  { key: `${OWN}template-node`, kinds: ['*'] },
];

/** Annotations by which pools and pods steer the cluster autoscaler. */
export const AUTOSCALER_ANNOTATIONS: SystemAnnotations = {
  reader: 'the cluster autoscaler',
  owned: [CAPACITY, OPTIONS, 'cluster.x-k8s.io/cluster-api-autoscaler-'],
  facts: [
    { key: MIN_SIZE, kinds: POOLS },
    { key: MAX_SIZE, kinds: POOLS },
    ...Object.entries(CAPACITIES).map(([name, form]) => ({ key: `${CAPACITY}${name}`, kinds: POOLS, form })),
    ...Object.entries(POOL_OPTIONS).map(([name, form]) => ({ key: `${OPTIONS}${name}`, kinds: POOLS, form })),
    ...OF_PODS,
  ],
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_{utils,unstructured,nodegroup}.go, '
    + 'config/const.go, utils/drain/drain.go, v1.36.1',
};

function isLabel(entry: string): boolean {
  const [key, ...value] = entry.split('=');
  return value.length > 0 && checkLabelKey(key) === undefined && checkLabelValue(value.join('=')) === undefined;
}

function isTaint(entry: string): boolean {
  const [pair, effect, ...more] = entry.split(':');
  const [key, value = '', ...rest] = pair.split('=');
  const isWhole = more.length === 0 && rest.length === 0;
  return isWhole && EFFECTS.includes(effect) && checkLabelKey(key) === undefined && checkLabelValue(value) === undefined;
}
