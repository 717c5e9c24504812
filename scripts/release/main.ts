/**
 * Prints what the workflow "release" asks for: `version` and `notes` of the release that CHANGELOG.md begins with, or the `sbom` of the package, as
 * CycloneDX.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BillOfMaterials, bundledOnly } from './bill-of-materials';
import { firstRelease } from './notes';
import { run } from '../package/run';

const ROOT = join(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

function sbom(): string {
  const all = JSON.parse(run('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=library'], ROOT)) as BillOfMaterials;
  const { name } = JSON.parse(read('package.json')) as { name: string };
  return `${JSON.stringify(bundledOnly(all, read('lib/THIRD-PARTY-LICENSES'), name, firstRelease(read('CHANGELOG.md')).version), undefined, 2)}\n`;
}

const PRINTED: { readonly [what: string]: () => string } = {
  version: () => firstRelease(read('CHANGELOG.md')).version,
  notes: () => firstRelease(read('CHANGELOG.md')).notes,
  sbom,
};

process.stdout.write(PRINTED[process.argv[2]]());
