import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULE_TOPICS } from '../../../../src/cli/explain/rule-topics';

const rules = RULE_TOPICS.filter(({ file }) => file.startsWith('src/constructs/control-planes/kamaji/')).flatMap((topic) => topic.rules);

test('every rule has an id of its own, a title and a source', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  expect(rules.filter(({ id, title, source }) => !/^TC-KAMAJI-[A-Z]+(-[A-Z]+)*$/.test(id) || !title.endsWith('.') || !source)).toEqual([]);
});

test('every rule has a negative test', () => {
  const tests = readdirSync(__dirname).filter((file) => file.endsWith('.test.ts') && file !== 'rules.test.ts');
  const text = tests.map((file) => readFileSync(join(__dirname, file), 'utf8')).join('\n');
  expect(rules.map(({ id }) => id).filter((id) => !new RegExp(`${id} `).test(text))).toEqual([]);
});
