import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

const lines = (text: string, rule: string) => text.split('\n').filter((line) => line.includes(`  ${rule}  `));

let workplace: Workplace;
afterEach(() => workplace.remove());
beforeEach(() => {
  workplace = new Workplace();
  const map = (number: number) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a${number}, namespace: a}\ndata: {a: ${number}}\nextra: ${number}\n`;
  workplace.write(Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`${String(number).padStart(2, '0')}.yaml`, map(number)])));
  workplace.write({ 'zz.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Z, namespace: a}\n' });
});

test('shows the first findings of each rule, says how many there are, and where the rest is', async () => {
  const { code, out } = await workplace.run(['validate', '.']);

  expect(code).toBe(ExitCode.FINDINGS);
  expect(lines(out, 'TC-ADMIT-FIELD-TYPE')).toHaveLength(20);
  expect(lines(out, 'TC-ADMIT-FIELD-METADATA')).toHaveLength(1);
  expect(out).not.toContain('25.yaml');
  expect(out).toContain('\n10 more of TC-ADMIT-FIELD-TYPE, 30 in all, which --all shows\n10 more of TC-ADMIT-FIELD-UNKNOWN, 30 in all, which --all shows\n\n61 errors in 31 objects\n');
});

test('shows all of them where that is asked for', async () => {
  const { out } = await workplace.run(['validate', '--all', '.']);

  expect(lines(out, 'TC-ADMIT-FIELD-TYPE')).toHaveLength(30);
  expect(out).not.toContain('--all');
});
