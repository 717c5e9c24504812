import { LocatedFinding } from './check-files';
import { objectName } from '../../manifests/objects/manifest-object';
import { fixSentence } from '../../manifests/values/problem';

/** What a finding is about: object, field, and what they are packed in; empty where it is about none. */
export function whereWords({ kind, namespace, name, field, place }: LocatedFinding): string {
  const object = kind === undefined ? '' : objectName({ kind, metadata: { namespace, name } });
  return [object, field, place?.inside === undefined ? '' : `(${place.inside})`].filter((part) => part !== '').join(' ');
}

/** The text of a finding, without its rule. */
export function findingWords(finding: LocatedFinding): string {
  const where = whereWords(finding);
  return `${where === '' ? '' : `${where}: `}${faultWords(finding)} ${fixSentence(finding.fix)}`;
}

/** What is wrong, and what would have been accepted. */
export function faultWords({ message, accepted }: LocatedFinding): string {
  return `${message}.${accepted === undefined ? '' : ` Accepted: ${accepted}.`}`;
}
