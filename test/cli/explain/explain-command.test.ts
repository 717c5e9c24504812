import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode } from '../../../src/cli/command';
import { RULE_TOPICS } from '../../../src/cli/explain/rule-text';
import { registerProvider } from '../../../src/manifests/systems/providers';
import { reportedRules } from '../../../src/manifests/validation/manifest-rules';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

test('a rule for manifests is explained by a wrong and a right manifest', async () => {
  const { code, out } = await workplace.run(['explain', 'TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT']);

  expect(code).toBe(ExitCode.OK);
  expect(out).toMatch(/^TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT \(warning\)\n  A machine that is always restarted must start from a persistent disk/);
  expect(out).toContain('Source:   kubernetes-sigs/cluster-api-provider-kubevirt issue 70');
  expect(out).toMatch(/\nWrong:\n[^]*runStrategy: Always[^]*\nReported as:\n\n  spec\.template[^]*\n  Fix: set runStrategy[^]*\nRight:\n[^]*runStrategy: Once/);
  expect(out).toContain("--silence 'TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT=REASON'");
});

test('a rule about a change shows what differs from the former manifest', async () => {
  const { out } = await workplace.run(['explain', 'TC-CHANGE-DATA-STORE']);

  expect(out).toMatch(/\nWrong:\n[^]*\n +- +driver: PostgreSQL\n +\+ +driver: MySQL\n[^]*\nRight:\n/);
});

test('a rule for constructs names its topic and its page, and what becomes of the input', async () => {
  const { out } = await workplace.run(['explain', 'TC-ADDON-CYCLE']);

  expect(out).toBe([
    'TC-ADDON-CYCLE (error)', '  Addon dependencies must not form a cycle.', '',
    'Topic:    Addons', 'Checked:  at synthesis, in the input of constructs (src/constructs/addons/addon-plan.ts)', 'Source:   this library',
    'Page:     https://cdk8s-cluster-api.github.io/cdk8s-cluster-api/construct-rules/addons.html#tc-addon-cycle', '',
    'Reported as (… stands for a value):', '', '  each of these comes after the next: ….', '  Fix: remove one of these dependencies.', '',
    'Synthesis fails and writes nothing. The error names the construct, the property, its value, the', 'accepted values and the fix.', '',
  ].join('\n'));
});

test.each(['TC-POOL-REMEDIATION-OFF', 'TC-OBJECT-PATCH', 'TC-CLUSTER-NAME'])('%s is not explained by the words of one case, or by none', async (id) => {
  expect((await workplace.run(['explain', id])).out).not.toContain('Reported as');
});

test('a rule for changes shows what changes, without the objects that stay as they are', async () => {
  const { out } = await workplace.run(['explain', 'TC-CHANGE-KAMAJI-DATA-STORE']);

  expect(out).toContain('\n  -   dataStoreName: tenants\n  +   dataStoreName: spare\n');
  expect(out).toContain('(3 more objects do not change)');
  expect(out).not.toContain('kind: DataStore');
  expect(out.split('\n').length).toBeLessThan(65);
});

test('a rule about validation itself cannot be silenced', async () => {
  expect((await workplace.run(['explain', 'TC-VALIDATE-FILE'])).out).toContain('cannot be silenced');
});

test('several rules are explained one after the other, by ids in any case and without prefix', async () => {
  const { out } = await workplace.run(['explain', 'addon-cycle', 'tc-addon-late']);

  expect(out).toMatch(/^TC-ADDON-CYCLE \(error\)[^]*\n\nTC-ADDON-LATE \(error\)/);
});

test.each([
  [[], 'explain needs the id of a rule'],
  [['TC-ADDON-CYCEL'], 'there is no rule "TC-ADDON-CYCEL"; did you mean TC-ADDON-CYCLE'],
  [['ephemeral'], 'did you mean TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT'],
  [['TC-XYZZY'], 'there is no rule "TC-XYZZY"\n'],
])('%j is refused', async (ids, fault) => {
  const { code, out, err } = await workplace.run(['explain', ...ids]);

  expect({ code, out }).toEqual({ code: ExitCode.FAILED, out: '' });
  expect(err).toContain(fault);
});

test('the examples of the help name rules', async () => {
  const { out } = await workplace.run(['explain', '--help']);
  const ids = [...out.matchAll(/cdk8s-cluster-api explain (?!ID)(\S+)$/gm)].map(([, id]) => id);

  expect(ids).toHaveLength(2);
  expect((await workplace.run(['explain', ...ids])).code).toBe(ExitCode.OK);
});

test('every rule for constructs is known', () => {
  const folder = join(__dirname, '..', '..', '..', 'src', 'constructs');
  const texts = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.ts')).map((file) => readFileSync(join(folder, file), 'utf8'));
  const ids = texts.flatMap((text) => [...text.matchAll(/\bid: '(TC-[A-Z0-9-]+)'/g)].map(([, id]) => id));
  const known = new Set(RULE_TOPICS.flatMap(({ rules }) => rules).map(({ id }) => id));

  expect(ids.length).toBeGreaterThan(450);
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
});

test('every rule is explained, in lines that fit', async () => {
  const ids = [...reportedRules(), ...RULE_TOPICS.flatMap(({ rules }) => rules)].map(({ id }) => id);
  const { code, out } = await workplace.run(['explain', ...ids]);

  expect(code).toBe(ExitCode.OK);
  for (const id of ids) expect(out).toContain(`${id} (`);
});

test('a rule of a registered provider is explained by its own id, in any case', async () => {
  const text = 'apiVersion: example.com/v1\nkind: Site\nmetadata: {name: a}\n';
  registerProvider({
    name: 'example',
    title: 'Example',
    kinds: [{ kind: 'example.com/Site' }],
    rules: [{
      id: 'ACME-SITE', title: 'A site must have an owner.', source: 'example/site site.go', kinds: ['example.com/Site'], example: { failing: text, corrected: text }, check: () => [],
    }],
  });

  const { out } = await workplace.run(['explain', 'ACME-SITE', 'acme-site']);

  expect(out).toMatch(/^ACME-SITE \(error\)[^]*\nACME-SITE \(error\)/);
  // The site has no page of it.
  expect(out).not.toContain('Page:');
  expect((await workplace.run(['explain', 'ACME-SITES'])).err).toContain('did you mean ACME-SITE');
});
