import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rulesOfTopic } from '../../../support/topic-rules';

const ids = rulesOfTopic('Kamaji control planes');

test('every rule has an id of its own', () => {
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^TC-KAMAJI-[A-Z]+(-[A-Z]+)*$/.test(id))).toEqual([]);
});

test('every rule has a negative test', () => {
  const tests = readdirSync(__dirname).filter((file) => file.endsWith('.test.ts') && file !== 'rules.test.ts');
  const text = tests.map((file) => readFileSync(join(__dirname, file), 'utf8')).join('\n');
  expect(ids.filter((id) => !new RegExp(`${id} `).test(text))).toEqual([]);
});
