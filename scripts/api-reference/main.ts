/**
 * Writes API.md: the reference of the library's own constructs, with its submodules at the end.
 *
 * The typed resources of `imports/` are named but not listed: they have the fields of their upstream definitions and would be
 * 60,000 lines.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const SUBMODULES = /^## Submodules [\s\S]*?(?=^## )/m;
const TYPED = /^export \* as (\w+) from '\.\.\/(imports\/([^']+))';$/gm;

const INDEX = fs.readFileSync(path.join(ROOT, 'src', 'index.ts'), 'utf8');
const OWN = [...INDEX.matchAll(/^export \* as (\w+) from '\.\/.*';$/gm)].map(([, name]) => name);

/** The section that stands in for the list of submodules. */
function typedResources(): string {
  return [
    `Submodules: ${OWN.map((name) => `[\`${name}\`](#cdk8s-cluster-api.${name})`).join(', ')}.`,
    '',
    '## Typed resources',
    '',
    'Classes for the custom resources of these API groups, one submodule for each. Their fields are those of the upstream definitions;',
    'the docstring of a class links to the release that it was made from.',
    '',
    '| submodule | API group |',
    '|---|---|',
    ...[...INDEX.matchAll(TYPED)].map(([, name, file, group]) => `| \`${name}\` | [${group}](${file}.ts) |`),
    '',
    '',
  ].join('\n');
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'api-reference-'));
try {
  execFileSync(path.join(ROOT, 'node_modules', '.bin', 'jsii-docgen'), ['--output', path.join(folder, 'API'), '--split-by-submodule'], { cwd: ROOT, stdio: 'inherit' });
  const reference = fs.readFileSync(path.join(folder, 'API.md'), 'utf8');
  if (!SUBMODULES.test(reference)) throw new Error('the reference has no section of submodules to replace');
  const submodules = OWN.map((name) => fs.readFileSync(path.join(folder, `${name}.md`), 'utf8').replaceAll(/^#{1,5} /gm, '#$&').trimEnd());
  fs.writeFileSync(path.join(ROOT, 'API.md'), `${[reference.replace(SUBMODULES, typedResources()).trimEnd(), ...submodules].join('\n\n')}\n`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
