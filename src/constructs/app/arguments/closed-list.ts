import { IConstruct } from 'constructs';
import { Rule } from '../../../manifests/values/problem';
import { Problems } from '../problems/problems';

const LIST_COPY_RULE: Rule = {
  id: 'TC-ARGUMENT-COPY',
  title: 'Lists that a construct returns must not be changed: they are copies.',
};

/**
 * A copy of a list that belongs to a construct. Reports additions to it, which would be lost.
 *
 * @param owner the construct
 * @param property its property that the list comes from
 * @param entries the entries
 * @param fix how to add one
 */
export function closedList<T>(owner: IConstruct, property: string, entries: readonly T[], fix: string): T[] {
  const refuse = () => {
    Problems.of(owner).add({ rule: LIST_COPY_RULE, property, message: 'the list is a copy: what is added to it is lost', fix });
    return entries.length;
  };
  return Object.defineProperties([...entries], { push: { value: refuse }, unshift: { value: refuse } });
}
