import { packageFile } from '../../manifests/values/package-files';

let site: string | undefined;

const OWN_PREFIX = 'TC-';

/**
 * Address of the page that explains a rule of manifests: what breaks it, and how that is put right. Undefined for a rule of a registered
 * provider, which the site does not have.
 */
export function rulePage(id: string): string | undefined {
  return id.startsWith(OWN_PREFIX) ? `${siteAddress()}rules/${id}.html` : undefined;
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
