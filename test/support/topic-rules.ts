import { RULE_TOPICS } from '../../src/cli/explain/rule-text';

/** The ids of the rules for constructs of a topic, each of which has a test. */
export function rulesOfTopic(topic: string): string[] {
  const ids = RULE_TOPICS.filter((entry) => entry.topic === topic).flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(ids).not.toEqual([]);
  return ids;
}
