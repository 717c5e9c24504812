import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Files, readGolden } from './golden-store';
import { sortFiles } from './sort-files';

/**
 * Writes the golden output in full, a file for each scenario.
 *
 * @param folder where the files go
 * @param isWanted whether a scenario is written
 * @returns the folder with the manifests for management clusters
 */
export function writeSorted(folder: string, isWanted: (scenario: string) => boolean = () => true): string {
  for (const [scenario, files] of Object.entries(readGolden()).filter(([name]) => isWanted(name))) {
    const { management, tenants, hosts } = sortFiles(files);
    write(join(folder, 'management', `${scenario}.yaml`), management);
    write(join(folder, 'tenants', `${scenario}.yaml`), joined(tenants, '---\n'));
    write(join(folder, 'hosts', `${scenario}.txt`), joined(hosts, '\n'));
  }
  return join(folder, 'management');
}

function joined(files: Files, separator: string): string {
  return Object.entries(files).map(([file, text]) => `# ${file}\n${text}`).join(separator);
}

function write(file: string, text: string): void {
  if (text === '') return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
