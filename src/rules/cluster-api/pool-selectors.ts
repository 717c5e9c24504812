import { CLUSTER_NAME_LABEL, CORE_WEBHOOKS, MACHINE_DEPLOYMENT, MACHINE_SET } from './cluster-api-kinds';
import { membersOf } from './cluster-members';
import { poolYaml } from './example-manifests';
import { groupKind, ManifestObject, nameOf } from '../../manifests/manifest-object';
import { fieldAt, Fields, isFields, isSet, stringAt } from '../../values/fields';
import { checkLabelSelector, isEmptySelector, labelsIn, selects } from '../label-selectors';
import { ManifestRule } from '../manifest-rule';
import { SelectedObjects } from '../selected-objects';

const NAME_LABEL = 'cluster.x-k8s.io/deployment-name';
const TEMPLATE_LABELS = ['spec', 'template', 'metadata', 'labels'];
const BY_LABELS = new SelectedObjects(effectiveLabels);
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
    if (!isReadable(object)) return [];
    return BY_LABELS.of(membersOf(object, index), effectiveSelector(object)).filter((other) => other !== object).map((other) => ({
      path: ['spec', 'selector'],
      message: `it selects the machines of the MachineDeployment ${JSON.stringify(nameOf(other))} too`,
      fix: `select by a label that only this pool's machines have, such as ${NAME_LABEL}`,
    }));
  },
};

export const POOL_SELECTORS: readonly ManifestRule[] = [GRAMMAR, MATCH, OVERLAP];

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

/** A MachineDeployment without a selector selects by its name, and labels its machines with it. */
function nameLabel(object: ManifestObject): Record<string, string> {
  return isEmptySelector(fieldAt(object, 'spec', 'selector')) ? { [NAME_LABEL]: nameOf(object) ?? '' } : {};
}

function effectiveSelector(object: ManifestObject): Fields {
  const selector = ownSelector(object);
  return { ...selector, matchLabels: { ...(selector.matchLabels as Fields), ...nameLabel(object) } };
}

function effectiveLabels(object: ManifestObject): Fields {
  return { ...machineLabels(object), ...nameLabel(object) };
}
