import { IConstruct } from 'constructs';
import { ARGUMENT_RULES } from './rules';
import { Problems } from '../problems/problems';

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
    Problems.of(owner).add({ rule: ARGUMENT_RULES.copy, property, message: 'the list is a copy: what is added to it is lost', fix });
    return entries.length;
  };
  return Object.defineProperties([...entries], { push: { value: refuse }, unshift: { value: refuse } });
}
