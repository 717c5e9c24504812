import { packageFile } from '../../manifests/values/package-files';

let site: string | undefined;

/** Address of the page that explains a rule of manifests: what breaks it, and how that is put right. */
export function rulePage(id: string): string {
  return `${siteAddress()}rules/${id}.html`;
}

/** Address of the explanation of a rule for the input of constructs. */
export function constructRulePage(id: string, topic: string): string {
  return `${siteAddress()}${topicPage(topic).replace(/\.md$/, '.html')}#${id.toLowerCase()}`;
}

/** Path below docs/ of the page of a topic. */
export function topicPage(topic: string): string {
  return `construct-rules/${topic.toLowerCase().replaceAll(' ', '-')}.md`;
}

/** Address of the documentation site, with a slash at its end. */
export function siteAddress(): string {
  site ??= (JSON.parse(packageFile('package.json')) as { homepage: string }).homepage;
  return site;
}
