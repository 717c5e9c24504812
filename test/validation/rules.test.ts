import * as fs from 'node:fs';
import * as path from 'node:path';
import { pages } from '../../scripts/rules/pages';
import { reportsOfRules } from '../../scripts/rules/reports';
import { CONSTRUCT_RULES } from '../../src/cli/explain/rules-of-constructs';
import { topicPage } from '../../src/cli/validate/rule-page';

const RULES = CONSTRUCT_RULES.flatMap(({ rules }) => rules);

test('no two topics share a page', () => {
  const files = CONSTRUCT_RULES.map(({ topic }) => topicPage(topic));

  expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
});

test('a page has no more rules than one reads', () => {
  expect(CONSTRUCT_RULES.filter(({ rules }) => rules.length > 50).map(({ topic }) => topic)).toEqual([]);
});

test('no two rules have one id', () => {
  const ids = RULES.map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each(RULES.map((rule) => [rule.id, rule] as const))('%s has an id that stays, and says what it demands', (id, { title }) => {
  expect(id).toMatch(/^TC(-[A-Z0-9]+)+$/);
  expect(title).toMatch(/^[A-Z].{10,}\.$/);
});

test.each([...pages(reportsOfRules())])('%s is what the code says', (page, text) => {
  expect(fs.readFileSync(path.join(__dirname, '..', '..', 'docs', page), 'utf8')).toBe(text);
});
