import { LocatedFinding } from './check-files';
import { objectName } from '../../manifests/objects/manifest-object';
import { fixSentence } from '../../manifests/values/problem';

/** Object and field of a finding, and the field that packs them; empty for a finding about no object. */
export function whereWords({ kind, namespace, name, field, place }: LocatedFinding): string {
  const object = kind === undefined ? '' : objectName({ kind, metadata: { namespace, name } });
  return [object, field, place?.inside === undefined ? '' : `(${place.inside})`].filter((part) => part !== '').join(' ');
}

/** The text of a finding, without its rule. */
export function findingWords(finding: LocatedFinding): string {
  const where = whereWords(finding);
  return `${where === '' ? '' : `${where}: `}${faultWords(finding)} ${fixSentence(finding.fix)}`;
}

/** Fault, and accepted values. */
export function faultWords({ message, accepted }: LocatedFinding): string {
  return `${message}.${accepted === undefined ? '' : ` Accepted: ${accepted}.`}`;
}
