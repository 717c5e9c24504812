import { CLUSTER_NAME_LABEL, CORE_WEBHOOKS, MACHINE_DEPLOYMENT, MACHINE_SET } from './cluster-api-kinds';
import { membersOf } from './cluster-members';
import { poolYaml } from './example-manifests';
import { groupKind, ManifestObject, nameOf } from '../../objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { checkLabelValue } from '../../values/labels';
import { checkLabelSelector, isEmptySelector, labelsIn, SelectedObjects, selects } from '../label-selectors';
import { ManifestRule } from '../manifest-rule';

const NAME_LABEL = 'cluster.x-k8s.io/deployment-name';
const SET_LABEL = 'cluster.x-k8s.io/set-name';
const HASH_LABEL = 'machine-template-hash';
const WRITTEN_LABELS: readonly unknown[] = [NAME_LABEL, SET_LABEL, HASH_LABEL];
/** In place of a value that Cluster API generates: no label has it. */
const GENERATED = '<generated>';
const TEMPLATE_LABELS = ['spec', 'template', 'metadata', 'labels'];
const BY_LABELS = new SelectedObjects(machineLabelsOf);
const WEBHOOKS = `${CORE_WEBHOOKS}/{machinedeployment,machineset}.go`;

/** The grammar of selectors. */
const GRAMMAR: ManifestRule = {
  id: 'TC-ADMIT-POOL-SELECTOR',
  title: 'The selector of a pool must be valid.',
  source: WEBHOOKS,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET],
  example: {
    failing: poolYaml({ selector: 'matchExpressions:\n  - key: cluster.x-k8s.io/deployment-name\n    operator: In' }),
    corrected: poolYaml({ selector: 'matchExpressions:\n  - key: cluster.x-k8s.io/deployment-name\n    operator: In\n    values: [acme-general]' }),
  },
  check: (object) => checkLabelSelector(fieldAt(object, 'spec', 'selector'))
    .filter(({ path: [list, key] }) => list !== 'matchLabels' || clusterLabel(object)[String(key)] === undefined)
    .map((finding) => ({ ...finding, path: ['spec', 'selector', ...finding.path] })),
};

/** The pool's own machines. */
const MATCH: ManifestRule = {
  id: 'TC-ADMIT-POOL-SELECTOR-MATCH',
  title: 'The selector of a pool must match the labels of its machines.',
  source: WEBHOOKS,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET],
  example: {
    failing: poolYaml({ templateMetadata: 'labels:\n  cluster.x-k8s.io/deployment-name: acme-gpu' }),
    corrected: poolYaml({}),
  },
  check: (object) => {
    const selector = fieldAt(object, 'spec', 'selector');
    // A template that is not there is reported as such.
    if (!isSet(object, 'spec', 'template') || isEmptySelector(selector) || !isReadable(object) || selects(ownSelector(object), machineLabels(object))) return [];
    return [{
      path: TEMPLATE_LABELS,
      message: 'spec.selector does not select machines with these labels',
      accepted: labelsIn(selector).map(([key, value]) => `${key}: ${value}`).join(', ') || undefined,
      fix: 'give the template the labels that the selector asks for',
    }];
  },
};

/** Labels that Cluster API writes onto machines itself, over those of the template. */
const OVERWRITTEN: ManifestRule = {
  id: 'TC-TRAP-POOL-SELECTOR-OVERWRITTEN',
  title: 'The selector of a pool must not ask for a label that Cluster API overwrites on its machines: the pool never finds its machines, and creates machines without end.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_controller.go (machineLabelsFromMachineSet), v1.14.2',
  trap: true,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET],
  example: { failing: poolYaml({ name: 'acme-other' }), corrected: ownPool('acme-other') },
  check: overwrittenLabels,
};

/** Most pools that are reported for one. */
const MOST_OTHERS = 20;

/** Other pools' machines. */
const OVERLAP: ManifestRule = {
  id: 'TC-TRAP-POOL-SELECTOR-OVERLAP',
  title: 'A pool must not select the machines of another pool of its cluster: both would count them, and delete surplus machines.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/machinedeployment_controller.go',
  trap: true,
  kinds: [MACHINE_DEPLOYMENT],
  example: {
    failing: `${sharedPool('acme-general')}---\n${sharedPool('acme-gpu')}`,
    corrected: `${poolYaml({})}---\n${ownPool('acme-gpu')}`,
  },
  check: (object, index) => {
    if (!isReadable(object) || overwrittenLabels(object).length > 0) return [];
    const others = BY_LABELS.of(membersOf(object, index), effectiveSelector(object)).filter((other) => other !== object);
    return others.slice(0, MOST_OTHERS).map((other) => ({
      path: ['spec', 'selector'],
      message: `it selects the machines of the MachineDeployment ${JSON.stringify(nameOf(other))} too`,
      fix: `select by a label that only this pool's machines have, such as ${NAME_LABEL}`,
    }));
  },
};

export const POOL_SELECTORS: readonly ManifestRule[] = [GRAMMAR, MATCH, OVERWRITTEN, OVERLAP];

/**
 * Requirements of a pool's selector that none of its machines ever meets, since Cluster API writes another value over the template's label.
 * Such a pool creates machines without end.
 */
export function overwrittenLabels(pool: ManifestObject): readonly Finding[] {
  // The label of a longer name is a hash. A selector that does not match the template is refused.
  if (checkLabelValue(nameOf(pool) ?? '') !== undefined || !isReadable(pool) || !selects(ownSelector(pool), machineLabels(pool))) return [];
  const labels = machineLabelsOf(pool);
  const unmet = (key: unknown, requirement: Fields, path: FieldPath): Finding[] => {
    if (typeof key !== 'string' || !WRITTEN_LABELS.includes(key) || selects(requirement, labels)) return [];
    const value = labels[key] === GENERATED ? 'a generated value' : JSON.stringify(labels[key]);
    return [{
      path: ['spec', 'selector', ...path],
      message: `Cluster API gives each machine ${value} as ${key}, so that the pool does not find the machines that it has created, and creates machines without end`,
      fix: labels[key] === GENERATED ? `remove ${key} from spec.selector and spec.template.metadata.labels`
        : `write ${key}: ${String(labels[key])} into spec.selector and spec.template.metadata.labels`,
    }];
  };
  return [
    // The controller writes its own hash into matchLabels.
    ...labelsIn(fieldAt(pool, 'spec', 'selector')).filter(([key]) => key !== HASH_LABEL)
      .flatMap(([key, value]) => unmet(key, { matchLabels: { [key]: value } }, ['matchLabels', key])),
    ...objectsAt(pool, 'spec', 'selector', 'matchExpressions')
      .flatMap(([expression, at]) => unmet(expression.key, { matchExpressions: [expression] }, ['matchExpressions', at])),
  ];
}

/**
 * The labels of a pool's machines: those of the template, and what Cluster API writes over them.
 *
 * Sources: kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_controller.go (machineLabelsFromMachineSet),
 * core/reconcilers/machinedeployment/machinedeployment_rollout_planner.go (computeDesiredMS), v1.14.2.
 */
export function machineLabelsOf(pool: ManifestObject): Fields {
  const name = nameOf(pool) ?? '';
  if (groupKind(pool) === MACHINE_DEPLOYMENT) return { ...machineLabels(pool), [NAME_LABEL]: name, [SET_LABEL]: GENERATED, [HASH_LABEL]: GENERATED };
  const deployment = stringAt(pool, 'metadata', 'labels', NAME_LABEL);
  return { ...machineLabels(pool), [SET_LABEL]: name, ...(deployment !== undefined && { [NAME_LABEL]: deployment }) };
}

/**
 * True if a changed selector does not select the machines that a pool has: they stay as they are, and as many others are created. Labels that
 * are added with the selector do not help: Cluster API writes them onto the machines that it finds.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_controller.go (getAndAdoptMachinesForMachineSet, syncMachines), v1.14.2.
 */
export function losesMachines(before: ManifestObject, after: ManifestObject): boolean {
  const selector = effectiveSelector(after);
  return checkLabelSelector(selector).length === 0 && checkLabelSelector(effectiveSelector(before)).length === 0
    && selects(effectiveSelector(before), machineLabelsOf(before)) && !selects(selector, machineLabelsOf(before));
}

function sharedPool(name: string): string {
  return poolYaml({ name, selector: 'matchLabels:\n  example.com/role: worker', templateMetadata: 'labels:\n  example.com/role: worker' });
}

function ownPool(name: string): string {
  const label = `${NAME_LABEL}: ${name}`;
  return poolYaml({ name, selector: `matchLabels:\n  ${label}`, templateMetadata: `labels:\n  ${label}` });
}

function isReadable(object: ManifestObject): boolean {
  const selector = fieldAt(object, 'spec', 'selector');
  return isFields(selector) && checkLabelSelector(selector).length === 0;
}

/** The webhook writes the cluster's name into selector and labels of a MachineDeployment, and replaces other values. */
function clusterLabel(object: ManifestObject): Record<string, string> {
  const cluster = stringAt(object, 'spec', 'clusterName');
  return groupKind(object) === MACHINE_DEPLOYMENT && cluster !== undefined ? { [CLUSTER_NAME_LABEL]: cluster } : {};
}

function ownSelector(object: ManifestObject): Fields {
  const selector = fieldAt(object, 'spec', 'selector');
  return { ...(isFields(selector) && selector), matchLabels: { ...Object.fromEntries(labelsIn(selector)), ...clusterLabel(object) } };
}

function machineLabels(object: ManifestObject): Fields {
  const labels = fieldAt(object, ...TEMPLATE_LABELS);
  return { ...(isFields(labels) && labels), ...clusterLabel(object) };
}

/** A MachineDeployment without a selector selects by its name. */
function effectiveSelector(object: ManifestObject): Fields {
  if (isEmptySelector(fieldAt(object, 'spec', 'selector'))) return { matchLabels: { ...clusterLabel(object), [NAME_LABEL]: nameOf(object) ?? '' } };
  return ownSelector(object);
}
