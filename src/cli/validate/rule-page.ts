import * as fs from 'node:fs';
import * as path from 'node:path';
import { packageRoot } from '../../values/package-root';

let folder: string | undefined;

/** Address of the page that explains a rule of manifests: what breaks it, and how that is put right. */
export function rulePage(id: string): string {
  folder ??= pagesFolder();
  return `${folder}/${id}.md`;
}

function pagesFolder(): string {
  const { repository } = JSON.parse(fs.readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as { repository: { url: string } };
  return `${repository.url.replace(/\.git$/, '')}/blob/main/docs/rules`;
}
