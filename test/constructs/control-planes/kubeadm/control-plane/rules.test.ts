import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULE_TOPICS } from '../../../../../src/cli/explain/rule-topics';
import { Rule } from '../../../../../src/manifests/values/problem';

const rules: Rule[] = RULE_TOPICS.filter(({ file }) => file.startsWith('src/constructs/control-planes/kubeadm/control-plane/')).flatMap((topic) => topic.rules);

test('every rule has an id of its own and a title', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  expect(rules.filter(({ id, title }) => !/^TC-KUBEADM-CP-[A-Z]+(-[A-Z]+)*$/.test(id) || !title.endsWith('.'))).toEqual([]);
});

test('every rule has a negative test', () => {
  const tests = readdirSync(__dirname).filter((file) => file.endsWith('.test.ts') && file !== 'rules.test.ts');
  const text = tests.map((file) => readFileSync(join(__dirname, file), 'utf8')).join('\n');
  expect(rules.map(({ id }) => id).filter((id) => !new RegExp(`${id}[ ']`).test(text))).toEqual([]);
});
