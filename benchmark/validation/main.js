/**
 * Measures validation of manifests: reading YAML, fields, rules, and the whole command.
 *
 * Usage: node benchmark/validation/main.js [--objects NUMBER] [--json FILE] [--library FOLDER]; needs a compiled library
 * (`npx projen compile && npx projen post-compile`).
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { runCases } = require('../harness');
const { writeTenants } = require('./tenants');

const { values } = parseArgs({ options: { objects: { type: 'string', default: '10000' }, json: { type: 'string' }, library: { type: 'string' } } });
const root = path.resolve(values.library ?? path.join(__dirname, '..', '..'));

/** Reading starts cold, as it does for users; the others are warmed up. */
const PARTS = [
  { part: 'read', name: 'read YAML', processes: 5 },
  { part: 'structure', name: 'fields', processes: 1 },
  { part: 'rules', name: 'rules', processes: 1 },
  { part: 'validate', name: 'fields and rules', processes: 1 },
];

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchmark-'));
try {
  const { objects, bytes } = writeTenants(root, folder, Number(values.objects));
  const parts = PARTS.map(({ part, name, processes }) => ({ name, script: path.join(__dirname, 'case.js'), args: [part, root, folder], processes }));
  const command = {
    name: 'cdk8s-cluster-api validate', script: path.join(__dirname, '..', 'command.js'), args: [root, folder, 'validate', '.'], processes: 5,
  };
  runCases('validation', { objects, MiB: (bytes / 1024 / 1024).toFixed(1) }, [...parts, command], values.json);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
