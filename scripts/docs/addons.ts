import { ClassType, InterfaceType, isClassType } from '@jsii/spec';
import { boundAddon } from './bound-addon';
import CHART_CATALOGUE from '../../data/charts.json';
import { CHART_IMAGES } from '../../src/manifests/images/chart-image-entry';
import { fileOf, Library, shortName } from '../api-reference/library';
import { escaped, typeScript } from '../api-reference/words';

/** Addons for anything: their charts and manifests are the user's. */
const GENERAL: readonly string[] = ['HelmAddon', 'ManifestAddon', 'ManifestFileAddon'];

/** The pages of bundled addons and their index, by path below docs/. */
export function addonPages(library: Library): Map<string, string> {
  const names = [...library.types].filter(([name, type]) => isClassType(type) && fileOf(type).startsWith('src/constructs/addons/') && isAddon(library, name))
    .map(([name]) => shortName(name)).filter((name) => !GENERAL.includes(name)).sort();
  const pages = new Map(names.map((name) => [`addons/${pageName(name)}.md`, addonPage(library, name)]));
  return pages.set('addons/index.md', [
    '# Addons', '',
    'Programs that the library installs in a tenant, with values that fit the cluster. `acme.addAddon(…)` adds one; a pod network is the `cni` of the',
    'cluster. `HelmAddon` installs any other chart, `ManifestAddon` and `ManifestFileAddon` apply manifests.', '',
    '| addon | |', '|---|---|',
    ...names.map((name) => `| [${name}](${pageName(name)}.md) | ${cell(typeOf(library, name).docs?.summary ?? '')} |`), '',
  ].join('\n'));
}

function isAddon(library: Library, name: string): boolean {
  const type = library.types.get(name) as ClassType | undefined;
  if (type === undefined || type.abstract) return false;
  return type.base === 'cdk8s-cluster-api.Addon' || type.base === 'cdk8s-cluster-api.Cni';
}

function typeOf(library: Library, name: string): ClassType {
  return library.types.get(`cdk8s-cluster-api.${name}`) as ClassType;
}

/** `cert-manager` of `CertManager`. */
function pageName(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

function addonPage(library: Library, name: string): string {
  const { docs, initializer } = typeOf(library, name);
  const sample = docs?.example ?? '';
  const { summary = '', remarks } = docs ?? {};
  return [
    `# ${name}`, '',
    `<!-- keywords: ${pageName(name)}, ${pageName(name).replaceAll('-', ' ')} -->`, '',
    escaped(summary), '',
    ...(remarks ? [escaped(remarks), ''] : []),
    '```ts', sample.trimEnd(), '```', '',
    '## What it makes', '',
    ...makes(name, sample),
    '## Options', '',
    '| option | type | default | |', '|---|---|---|---|',
    ...(initializer?.parameters ?? []).flatMap(({ type }) => options(library, (type as { fqn: string }).fqn)), '',
  ].join('\n');
}

function makes(name: string, sample: string): string[] {
  const { addon, charts, gitManifests, objects } = boundAddon(name, sample);
  const ofCapability = (title: string, names: readonly string[]): string[] => (names.length === 0 ? [] : [`- ${title}: ${names.map((one) => `\`${one}\``).join(', ')}`]);
  return [
    'In the tenant, by the delivery of the cluster:', '',
    ...charts.map(({ chart, chartVersion, repository, namespace, releaseName }) => {
      const { appVersion } = CHART_CATALOGUE[chart as keyof typeof CHART_CATALOGUE] as { readonly appVersion?: string };
      const program = appVersion && appVersion !== chartVersion ? `, with version ${appVersion} of the program` : '';
      return `- The Helm release \`${releaseName}\` in the namespace \`${namespace}\`: chart \`${chart}\` ${chartVersion} of \`${repository}\`${program}`;
    }),
    ...gitManifests.map(({ repository, tag, path }) => `- The manifests in \`${path}\` of \`${repository}\`, tag \`${tag}\``),
    ...objects.map((object) => `- The object \`${object}\``),
    ...ofCapability('Provides', addon.provides),
    ...ofCapability('Needs', addon.requires),
    ...ofCapability('Cannot be together with', addon.conflictsWith),
    '',
    ...imagesOf(charts.map(({ chart }) => chart)),
  ];
}

function imagesOf(charts: readonly string[]): string[] {
  const images = charts.flatMap((chart) => (CHART_IMAGES[chart]?.images ?? []).map(({ repository, tag, suffix = '' }) => `${repository}${suffix}${tag === undefined ? '' : `:${tag}`}`));
  const listed = [...new Set(images)].sort().map((image) => `- \`${image}\``);
  return listed.length === 0 ? [] : ['Images that the charts can pull, with their default values:', '', ...listed, ''];
}

/** The options of a struct and of those that it extends. */
function options(library: Library, struct: string): string[] {
  const { properties = [], interfaces = [] } = library.types.get(struct) as InterfaceType;
  return [
    ...properties.map(({ name, type, optional, docs }) => {
      const by = docs?.default?.replace(/^-\s*/, '') ?? '';
      const isProse = docs?.default === undefined || docs.default.startsWith('-') || by.includes('`');
      return `| \`${name}\` | \`${cell(typeScript(type))}\` | ${optional ? cell(isProse ? by : `\`${by}\``) : 'required'} | ${cell(docs?.summary ?? '')} |`;
    }),
    ...interfaces.flatMap((base) => options(library, base)),
  ];
}

function cell(text: string): string {
  return escaped(text.replace(/;$/, '.')).replaceAll('|', '\\|').replaceAll('\n', ' ');
}
