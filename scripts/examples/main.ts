/**
 * Synthesizes every example in TypeScript into its `dist/`.
 *
 * Each example is a program of its own that a newcomer can copy: `main.ts`, importing the package by name. Here the name
 * resolves to the compiled library of this repository (the package's `exports`).
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { EXAMPLES, runExample } from './run-example';

// Examples in Python and Go are run by `npm run check:languages`.
const names = fs.readdirSync(EXAMPLES).filter((name) => fs.existsSync(path.join(EXAMPLES, name, 'main.ts'))).sort();
for (const name of names) {
  const folder = path.join(EXAMPLES, name);
  fs.rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  const code = runExample(name);
  if (code !== 0) process.exit(code);
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
