import { ConformanceCase } from './conformance-case';
import { refuses } from './refusing-rules';
import { ABSENT, documentsOf } from './rule-cases';
import { storedFor } from './stored-objects';
import { groupKind, ManifestObject, objectName } from '../../src/manifests/objects/manifest-object';
import { TransitionRule } from '../../src/manifests/rules/changes/transition-rule';
import { ManifestIndex } from '../../src/manifests/rules/manifest-index';
import { KindDefinitions } from '../../src/manifests/rules/structure/kind-definitions';
import { withDefinedKinds } from '../../src/manifests/rules/structure/structures';
import { isProgramFile } from '../../src/manifests/validation/manifest-rules';
import { stringAt } from '../../src/manifests/values/fields';

/** The examples of a rule of changes, object by object. What is only removed, and files of programs, are nothing that a server is asked to judge. */
export function transitionCases(rule: TransitionRule): ConformanceCase[] {
  const before = documentsOf(rule.example.before);
  return (['failing', 'corrected'] as const).flatMap((side) => {
    const after = documentsOf(rule.example[side]);
    const [old, now] = [new ManifestIndex(before), new ManifestIndex(after)];
    return after.flatMap((object, number): ConformanceCase[] => {
      const previous = before.find((other) => keyOf(other) === keyOf(object));
      if (isProgramFile(object) || ABSENT.has(groupKind(object)) || JSON.stringify(previous) === JSON.stringify(object)) return [];
      const check = () => rule.check({ before: previous, after: object, old, now });
      const breaks = isFor(rule, object) && withDefinedKinds(new KindDefinitions(after), check).length > 0;
      if (side === 'failing' && !breaks) return [];
      return [{
        id: `${rule.id}:${side}${number === 0 ? '' : `-${number + 1}`}`,
        origin: 'transition',
        row: rule.id,
        words: `${objectName(object)}: ${side} example`,
        expected: side === 'failing' && refuses(rule) ? 'refused' : 'accepted',
        set: storedFor(object, before.filter((other) => other !== previous)),
        before: previous && JSON.stringify(previous),
        text: JSON.stringify(object),
        aroundBefore: before.filter((other) => other !== previous),
        around: after.filter((other) => other !== object),
      }];
    });
  });
}

/** True if a rule looks at objects of the kind. */
export function isFor({ kinds, kindSuffix }: TransitionRule, object: ManifestObject): boolean {
  return kinds.includes(groupKind(object)) || (kindSuffix !== undefined && groupKind(object).endsWith(kindSuffix));
}

function keyOf(object: ManifestObject): string {
  return [groupKind(object), stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].join(' ');
}
