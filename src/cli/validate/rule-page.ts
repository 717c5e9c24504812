import * as fs from 'node:fs';
import * as path from 'node:path';
import { packageRoot } from '../../values/package-root';

let folder: string | undefined;

/** Address of the page that explains a rule of manifests: what breaks it, and how that is put right. */
export function rulePage(id: string): string {
  folder ??= pagesFolder();
  return `${folder}/rules/${id}.md`;
}

/** Address of the explanation of a rule for the input of constructs. */
export function constructRulePage(id: string, topic: string): string {
  folder ??= pagesFolder();
  return `${folder}/${topicPage(topic)}#${id.toLowerCase()}`;
}

/** Path below docs/ of the page of a topic. */
export function topicPage(topic: string): string {
  return `construct-rules/${topic.toLowerCase().replaceAll(' ', '-')}.md`;
}

function pagesFolder(): string {
  const { repository } = JSON.parse(fs.readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as { repository: { url: string } };
  return `${repository.url.replace(/\.git$/, '')}/blob/main/docs`;
}
