/**
 * Synthesizes every folder of `examples/` into its `dist/`.
 *
 * Each example is a program of its own that a newcomer can copy: `main.ts`, importing the package by name. Here the name
 * resolves to the compiled library of this repository (the package's `exports`).
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

const ROOT = path.join(__dirname, '..', '..');
const EXAMPLES = path.join(ROOT, 'examples');

const names = fs.readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
for (const name of names) {
  const folder = path.join(EXAMPLES, name);
  fs.rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, ['-r', 'ts-node/register', 'main.ts'], {
    cwd: folder, stdio: 'inherit', env: { ...process.env, TS_NODE_PROJECT: path.join(EXAMPLES, 'tsconfig.json') },
  });
  if (status !== 0) process.exit(status ?? 1);
  const dist = path.join(folder, 'dist');
  const files = fs.readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name))).sort();
  const manifests = files.filter((file) => file.endsWith('.k8s.yaml'));
  for (const file of manifests) {
    const documents = fs.readFileSync(path.join(dist, file), 'utf8').split(/^---$/m).filter((text) => text.trim()).length;
    console.log(`examples/${name}/dist/${file}: ${documents} objects`);
  }
  if (files.length > manifests.length) console.log(`examples/${name}/dist: ${files.length - manifests.length} other files`);
}
