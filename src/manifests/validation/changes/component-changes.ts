import { ManifestObject } from '../../objects/manifest-object';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { ComponentFacts, upgradeText, ValueRule } from '../../rules/components';
import { changedText } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { providers } from '../../systems/providers';
import { fieldAt, FieldPath } from '../../values/fields';
import { findingsAt } from '../../values/finding';
import { changedComponents, chartInstalledBy, installedVersions, installingKinds } from '../installed-components';

/** The rule for upgrades of a component. */
function upgradeRule({ title: component, upgrades }: ComponentFacts & { readonly upgrades: NonNullable<ComponentFacts['upgrades']> }): TransitionRule {
  const { faultOf, ...rule } = upgrades;
  return {
    ...rule,
    get kinds() { return installingKinds(); },
    check: ({ before, after, old, now }) => {
      const own = after && changedComponents(before, after, old, now).find(({ component: { title } }) => title === component);
      const fault = own && faultOf(own);
      return fault ? [{ path: own.path, ...fault }] : [];
    },
  };
}

/** A rule for changes of the values of a component's charts, by any kind of delivery. */
function valueRule({ charts = {} }: ComponentFacts, { faultsOf, ...rule }: ValueRule): TransitionRule {
  return {
    ...rule,
    get kinds() { return installingKinds(); },
    check: ({ before, after, old, now }) => {
      if (!before || !after) return [];
      const [former, later] = [chartInstalledBy(before, old), chartInstalledBy(after, now)];
      if (former?.name !== later?.name || !later || !Object.hasOwn(charts, later.name)) return [];
      const path = later.values[0] ?? ['spec'];
      const valuesOf = (object: ManifestObject, [place]: readonly FieldPath[] = []) => (place ? fieldAt(object, ...place) : undefined);
      return findingsAt(path, faultsOf(valuesOf(before, former?.values), valuesOf(after, later.values)));
    },
  };
}

/** Rules for components: for upgrades, each by the statement of its project, and for values of their charts. */
export function componentRules(): TransitionRule[] {
  return providers().flatMap(({ components = [] }) => components).flatMap((facts) => [
    ...facts.upgrades ? [upgradeRule({ ...facts, upgrades: facts.upgrades })] : [],
    ...(facts.valueChanges ?? []).map((rule) => valueRule(facts, rule)),
  ]);
}

const TOGETHER = new WeakMap<ManifestIndex, readonly { readonly title: string; readonly text: string }[]>();

/** The components whose version differs, by title. */
function upgradesBetween(old: ManifestIndex, now: ManifestIndex): readonly { readonly title: string; readonly text: string }[] {
  const known = TOGETHER.get(old);
  if (known) return known;
  const found = [...installedVersions(now)].flatMap(([title, versions]) => {
    const former = installedVersions(old).get(title);
    if (!former || former.join() === versions.join()) return [];
    return [{ title, text: upgradeText(title, { from: former.join(' and '), to: versions.join(' and ') }) }];
  });
  TOGETHER.set(old, found);
  return found;
}

const HELM = `apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: AddonProvider
metadata:
  name: helm
  namespace: caaph-system
spec:
  version: v0.6.3
`;

const INFRASTRUCTURE = HELM.replace('AddonProvider', 'InfrastructureProvider').replace('name: helm', 'name: kubevirt').replace('caaph', 'capk').replace('v0.6.3', 'v0.11.1');

/** Several components at a time. */
export const COMPONENTS_TOGETHER: TransitionRule = {
  id: 'TC-CHANGE-COMPONENTS',
  title: 'Components of a management cluster should be upgraded one at a time: what fails, or restarts, has one cause then.',
  source: 'docs/guides/upgrade-the-management-cluster.md',
  get kinds() { return installingKinds(); },
  warning: true,
  example: changedText(`${HELM}---\n${INFRASTRUCTURE}`, { 'v0.6.3': 'v0.6.4', 'v0.11.1': 'v0.11.2' }, { 'v0.11.1': 'v0.11.2' }),
  check: ({ before, after, old, now }) => {
    const changed = after ? changedComponents(before, after, old, now) : [];
    if (changed.length === 0) return [];
    const [first, ...others] = upgradesBetween(old, now);
    // One finding tells of all.
    const own = changed.find(({ component: { title } }) => title === first?.title);
    return !own || others.length === 0 ? [] : [{
      path: own.path,
      message: `${first.text}, and in the same change ${others.map(({ text }) => text).join(', ')}`,
      fix: 'merge one upgrade, wait until its component is ready, and merge the next one',
    }];
  },
};
