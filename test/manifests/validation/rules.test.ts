import * as fs from 'node:fs';
import * as path from 'node:path';
import { homepage } from '../../../package.json';
import { rulePages } from '../../../scripts/rules/pages';
import { RULE_TOPICS } from '../../../src/cli/explain/rule-text';
import { constructRulePage, rulePage, topicPage } from '../../../src/cli/validate/rule-page';
import { reportedRules } from '../../../src/manifests/validation/manifest-rules';

const RULES = RULE_TOPICS.flatMap(({ rules, ...topic }) => rules.map(({ report, ...rule }) => (
  { ...topic, ...rule, reports: report === undefined ? [] : [report] })));
const TOPICS = [...new Set(RULES.map(({ topic }) => topic))];

test('no two topics share a page', () => {
  const files = TOPICS.map(topicPage);

  expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
});

test('a page has no more rules than one reads', () => {
  expect(TOPICS.filter((topic) => RULES.filter((rule) => rule.topic === topic).length > 50)).toEqual([]);
});

test('no two rules have one id', () => {
  const ids = RULES.map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each(RULES.map((rule) => [rule.id, rule] as const))('%s has an id that stays, and says what it demands', (id, { title }) => {
  expect(id).toMatch(/^TC(-[A-Z0-9]+)+$/);
  expect(title).toMatch(/^[A-Z].{10,}\.$/);
});

test('every rule has a test that names it', () => {
  const folder = path.join(__dirname, '../../constructs');
  const files = fs.readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.ts'));
  const named = new Set(files.flatMap((file) => fs.readFileSync(path.join(folder, file), 'utf8').match(/TC(-[A-Z0-9]+)+/g) ?? []));

  expect(RULES.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
});

test('the site has a page, or a section of one, at the address of every rule', () => {
  const pages = rulePages(RULES);
  const addresses = [
    ...reportedRules().map(({ id }) => ({ heading: `# ${id}`, address: rulePage(id) })),
    ...RULES.map(({ id, topic }) => ({ heading: `## ${id}`, address: constructRulePage(id, topic) })),
  ];

  expect(addresses.length).toBeGreaterThan(900);
  expect(addresses.filter(({ heading, address }) => {
    const page = address?.replace(homepage, '').replace(/\.html(#.*)?$/, '.md');
    return page === undefined || !pages.get(page)?.split('\n').includes(heading);
  })).toEqual([]);
});
