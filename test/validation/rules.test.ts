import * as fs from 'node:fs';
import * as path from 'node:path';
import { ruleRooms } from '../../scripts/rules/catalog';
import { pages } from '../../scripts/rules/pages';

const ROOMS = ruleRooms();
const RULES = ROOMS.flatMap(({ rules }) => rules);

test('every room of the library with rules is found', () => {
  expect(ROOMS.map(({ file }) => file)).toEqual(expect.arrayContaining([
    'src/kubeadm/bootstrap/rules.ts', 'src/kamaji/rules.ts', 'src/kubevirt/rules.ts', 'src/cluster/network/rules.ts',
    'src/cluster/node-pool/rules.ts', 'src/tenant-cluster/rules.ts',
  ]));
});

test('no two rules have one id', () => {
  const ids = RULES.map(({ id }) => id);

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each(RULES.map((rule) => [rule.id, rule] as const))('%s has an id that stays, and says what it demands', (id, { title }) => {
  expect(id).toMatch(/^TC(-[A-Z0-9]+)+$/);
  expect(title).toMatch(/^[A-Z].{10,}\.$/);
});

test.each([...pages()])('%s is what the code says', (page, text) => {
  expect(fs.readFileSync(path.join(__dirname, '..', '..', 'docs', page), 'utf8')).toBe(text);
});
