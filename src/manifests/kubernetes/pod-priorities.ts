import { deploymentText, pair } from './examples';
import { nameOf } from '../objects/manifest-object';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS, podOf } from '../rules/pod-objects';
import { stringAt } from '../values/fields';
import { misspelledName } from '../values/nearest-name';

const PRIORITY_CLASS = 'scheduling.k8s.io/PriorityClass';

/** Classes that each cluster has. */
const SYSTEM: readonly string[] = ['system-cluster-critical', 'system-node-critical'];
const SYSTEM_PREFIX = 'system-';

const known: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-POD-PRIORITY',
  title: 'The priority class of pods must exist: API servers refuse the pods otherwise.',
  source: 'kubernetes/kubernetes plugin/pkg/admission/priority/admission.go, pkg/apis/scheduling/types.go (SystemPriorityClassPrefix); cert-manager/approver-policy issue 403',
  kinds: POD_KINDS,
  trap: true,
  example: pair((name) => deploymentText('selector:\n  matchLabels: {app: web}\n', `priorityClassName: ${name}\n`), 'system-cluster-criticl', 'system-cluster-critical'),
  check: (object, index) => {
    const pod = podOf(object);
    const name = stringAt(pod?.spec, 'priorityClassName');
    if (!pod || name === undefined || name === '' || SYSTEM.includes(name)) return [];
    const classes = index.all(PRIORITY_CLASS).flatMap((one) => nameOf(one) ?? []);
    if (classes.includes(name)) return [];
    // Classes may come from elsewhere, but for those of the system, whose prefix no other may have.
    const near = misspelledName(name, [...SYSTEM, ...classes]);
    const isOfSystem = name.startsWith(SYSTEM_PREFIX);
    return near === undefined && !isOfSystem ? [] : [{
      path: [...pod.specPath, 'priorityClassName'],
      message: isOfSystem ? `names with "${SYSTEM_PREFIX}" are those of Kubernetes, and it has no class "${name}"` : `there is no PriorityClass "${name}" among the manifests that were read`,
      ...(isOfSystem && { accepted: SYSTEM.join(', ') }),
      fix: near === undefined ? 'write one of these' : `write "${near}"`,
    }];
  },
};

/** Rules over the priority of pods. */
export const POD_PRIORITIES: readonly ManifestRule[] = [known];
