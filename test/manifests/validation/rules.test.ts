import { homepage } from '../../../package.json';
import { rulePages } from '../../../scripts/rules/pages';
import { CONSTRUCT_RULES } from '../../../scripts/rules/rules-of-constructs';
import { constructRulePage, rulePage, topicPage } from '../../../src/cli/validate/rule-page';
import { reportedRules } from '../../../src/manifests/validation/manifest-rules';

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

test('the site has a page, or a section of one, at the address of every rule', () => {
  const pages = rulePages();
  const addresses = [
    ...reportedRules().map(({ id }) => ({ heading: `# ${id}`, address: rulePage(id) })),
    ...CONSTRUCT_RULES.flatMap(({ topic, rules }) => rules.map(({ id }) => ({ heading: `## ${id}`, address: constructRulePage(id, topic) }))),
  ];

  expect(addresses.length).toBeGreaterThan(900);
  expect(addresses.filter(({ heading, address }) => {
    const page = address.replace(homepage, '').replace(/\.html(#.*)?$/, '.md');
    return !pages.get(page)?.split('\n').includes(heading);
  })).toEqual([]);
});
