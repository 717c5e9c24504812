import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { changedLines, withChanges } from '../../../scripts/golden/changed-lines';
import { condensed, expanded, readGolden, staleGolden, writeGolden } from '../../../scripts/golden/golden-store';
import { amount } from '../../support/sample';

const POOL = `kind: MachineDeployment
metadata:
  name: general
  namespace: acme
spec:
  replicas: 1
  template:
    spec:
      bootstrap:
        name: a
      infrastructure:
        name: a
`;
const SECRET = 'kind: Secret\nmetadata:\n  name: token\n';

const OUTPUTS = {
  'a-later-one': {
    'cluster.yaml': `${SECRET}---\n${POOL.replace('      infrastructure:\n        name: a\n', '      infrastructure:\n        name: b\n')}`,
    'pools.yaml': POOL,
    'run.sh 0755': '#!/bin/sh\n# ---\n',
  },
  'example-diy-cloud': { 'cluster.yaml': `${POOL}---\n${SECRET}`, 'more/pools.yaml': POOL },
};

const TEXTS = {
  'example-diy-cloud': `# ==> cluster.yaml
---
${POOL}---
${SECRET}# ==> more/pools.yaml
--- # as in example-diy-cloud: MachineDeployment acme/general
`,
  'a-later-one': `# ==> cluster.yaml
--- # as in example-diy-cloud: Secret token
--- # changed from example-diy-cloud: MachineDeployment acme/general
 spec:
   template:
     spec:
       infrastructure:
-        name: a
+        name: b
# ==> pools.yaml (as in example-diy-cloud: more/pools.yaml)
# ==> run.sh 0755
---
#!/bin/sh
# ---
`,
};

test('each document is kept once, and the files come back as they were', () => {
  expect(condensed(OUTPUTS)).toEqual(TEXTS);
  expect(expanded(TEXTS)).toEqual(OUTPUTS);
});

test('a changed default is changed in one place', () => {
  const outputs = JSON.parse(JSON.stringify(OUTPUTS).replaceAll('replicas: 1', 'replicas: 2')) as typeof OUTPUTS;
  const texts = condensed(outputs);
  expect(texts).toEqual({ ...TEXTS, 'example-diy-cloud': TEXTS['example-diy-cloud'].replace('replicas: 1', 'replicas: 2') });
});

test('names are no changes, and a changed document is a base, too', () => {
  const pool = POOL.replace('spec:', '  labels:\n    cluster: acme\nspec:').replace('name: a\n', 'name: general-acme\n');
  const other = pool.replaceAll('acme', 'acme-blue').replaceAll('general', 'batch').replace('replicas: 1', 'replicas: 2');
  const outputs = { one: { 'a.yaml': pool }, three: { 'a.yaml': other }, two: { 'a.yaml': other.replace('name: a\n', 'name: b\n') } };
  const texts = condensed(outputs);
  expect(texts.three).toBe(`# ==> a.yaml
--- # changed from one with batch for general, acme-blue for acme: MachineDeployment acme/general
 spec:
-  replicas: 1
+  replicas: 2
`);
  expect(texts.two).toContain('--- # changed from three: MachineDeployment acme-blue/batch\n');
  expect(expanded(texts)).toEqual(outputs);
});

test('documents of a base are not kept again', () => {
  const { 'example-diy-cloud': base, ...others } = OUTPUTS;
  expect(condensed(others, { 'example-diy-cloud': base })).toEqual({ 'a-later-one': TEXTS['a-later-one'] });
});

const UNKEEPABLE = ['# ==> other.yaml\n', '--- # as in another one\n', 'no line break'];

test.each(UNKEEPABLE)('content that would not come back is refused: %j', (content) => {
  expect(() => condensed({ one: { 'a.txt': content, 'b.txt': 'b\n' } })).toThrow();
});

test('a folder has what was written last, and tells what is stale', () => {
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'golden-')), 'golden');
  try {
    writeGolden({ ...OUTPUTS, unused: { a: 'a\n' } }, folder);
    expect(staleGolden(OUTPUTS, folder)).toEqual(['unused.txt']);
    writeGolden(OUTPUTS, folder);
    expect(staleGolden(OUTPUTS, folder)).toEqual([]);
    expect(readGolden(folder)).toEqual(OUTPUTS);
    const changed = { ...OUTPUTS['a-later-one'], 'pools.yaml': SECRET };
    expect(staleGolden({ ...OUTPUTS, 'a-later-one': changed }, folder)).toEqual(['a-later-one.txt']);
  } finally {
    fs.rmSync(path.dirname(folder), { recursive: true });
  }
});

const lines = fc.array(fc.constantFrom('', 'a:', '  a:', '  b:', '    - a', '    - b', '-', '+', ' '), { maxLength: 20 });

test('changed lines give any text back', () => {
  fc.assert(fc.property(lines, lines, (base, text) => {
    expect(withChanges(base, changedLines(base, text))).toEqual(text);
  }), { numRuns: amount(2000, 300) });
  expect(() => withChanges(['a'], ['-b'])).toThrow('the base has no further line "b"');
});
