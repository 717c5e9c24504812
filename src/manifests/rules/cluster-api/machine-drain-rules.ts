import { CORE_WEBHOOKS, MACHINE_DRAIN_RULE } from './cluster-api-kinds';
import { ManifestObject } from '../../objects/manifest-object';
import { canonicalJson } from '../../values/content-hash';
import { fieldAt, FieldPath, isSet, listAt, objectsAt, stringAt } from '../../values/fields';
import { findingsAt } from '../../values/finding';
import { replaced } from '../example-text';
import { checkLabelSelector } from '../label-selectors';
import { ManifestRule } from '../manifest-rule';

const SOURCE = `${CORE_WEBHOOKS}/machinedrainrules.go`;

/** Behaviors with which pods are not drained at all, and have no turn. */
const WITHOUT_TURN: readonly string[] = ['Skip', 'WaitCompleted'];

const SELECTORS: Readonly<Record<string, readonly string[]>> = { machines: ['selector', 'clusterSelector'], pods: ['selector', 'namespaceSelector'] };

const DRAIN_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDrainRule
metadata:
  name: databases
  namespace: tenant-acme
spec:
  drain: {behavior: Drain, order: 10}
  machines:
    - selector: {matchLabels: {cluster.x-k8s.io/deployment-name: acme-general}}
  pods:
    - selector: {matchLabels: {app: database}}
`;

const ORDER: ManifestRule = {
  id: 'TC-ADMIT-DRAIN-ORDER',
  title: 'A MachineDrainRule can only order pods that are drained: not with the behavior Skip or WaitCompleted.',
  source: SOURCE,
  kinds: [MACHINE_DRAIN_RULE],
  example: replaced(DRAIN_TEXT, 'behavior: Drain', 'behavior: WaitCompleted'),
  check: (object) => {
    const behavior = stringAt(object, 'spec', 'drain', 'behavior');
    return behavior === undefined || !WITHOUT_TURN.includes(behavior) || !isSet(object, 'spec', 'drain', 'order') ? [] : [{
      path: ['spec', 'drain', 'order'], message: `with the behaviour ${behavior} pods are not drained, and have no turn`, fix: 'remove order, or write behavior: Drain',
    }];
  },
};

const SELECTOR: ManifestRule = {
  id: 'TC-ADMIT-DRAIN-SELECTOR',
  title: 'The selectors of a MachineDrainRule must be valid.',
  source: SOURCE,
  kinds: [MACHINE_DRAIN_RULE],
  example: replaced(DRAIN_TEXT, '{matchLabels: {app: database}}', '{matchExpressions: [{key: app, operator: In}]}'),
  check: (object) => Object.entries(SELECTORS).flatMap(([list, fields]) => objectsAt(object, 'spec', list).flatMap(([item, index]) => fields.flatMap((field) => (
    findingsAt(['spec', list, index, field], checkLabelSelector(fieldAt(item, field)))
  )))),
};

const UNIQUE: ManifestRule = {
  id: 'TC-ADMIT-DRAIN-UNIQUE',
  title: 'The entries for machines and pods in a MachineDrainRule must be unique.',
  source: 'kubernetes-sigs/cluster-api core/config/crd/bases/cluster.x-k8s.io_machinedrainrules.yaml (x-kubernetes-validations)',
  kinds: [MACHINE_DRAIN_RULE],
  example: replaced(DRAIN_TEXT, '  pods:\n', '  pods:\n    - selector: {matchLabels: {app: database}}\n'),
  check: (object) => Object.keys(SELECTORS).flatMap((list) => repeated(object, ['spec', list])),
};

/** In which order, and whether, pods leave a machine. */
export const MACHINE_DRAIN_RULES: readonly ManifestRule[] = [ORDER, SELECTOR, UNIQUE];

function repeated(object: ManifestObject, path: FieldPath) {
  const first = new Map<string, number>();
  return listAt(object, ...path.map(String)).flatMap((item, index) => {
    const identity = canonicalJson(item);
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, index);
    return earlier === undefined ? [] : [{ path: [...path, index], message: `it says the same as entry ${earlier}`, fix: 'remove it' }];
  });
}
