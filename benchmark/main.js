/**
 * Measures everything: `npm run benchmark -- [--quick] [--json FILE]`, with a compiled library.
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, json: { type: 'string' }, library: { type: 'string' } } });
const library = values.library === undefined ? [] : ['--library', values.library];

const PARTS = [
  { part: 'synthesis', args: values.quick ? ['--quick'] : [] },
  { part: 'validation', args: values.quick ? ['--objects', '1000'] : [] },
  { part: 'plan', args: values.quick ? ['--tenants', '100'] : [] },
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchmark-results-'));
try {
  const results = PARTS.map(({ part, args }) => {
    const file = path.join(folder, `${part}.json`);
    const { status } = spawnSync(process.execPath, [path.join(__dirname, part, 'main.js'), ...args, ...library, '--json', file], { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  });
  if (values.json !== undefined) fs.writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
