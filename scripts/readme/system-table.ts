import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KindRole } from '../../src/manifests/objects/known-kinds';
import { Provider } from '../../src/manifests/rules/provider';
import { structureOf } from '../../src/manifests/rules/structure/structures';
import { providers } from '../../src/manifests/validation/providers';

const ROOT = resolve(__dirname, '../..');
const CONSTRUCTS = ['control-planes', 'infrastructures', 'deliveries'];
const NAMES: Readonly<Partial<Record<KindRole, string>>> = { cluster: 'machines', controlPlane: 'control plane', bootstrapTemplate: 'bootstrap' };

/** The table of systems: what pages write of each, and what the command line knows of its manifests. */
export function systemTable(): string {
  const known = [...providers()].sort(({ title: one }, { title: other }) => one.localeCompare(other, 'en', { sensitivity: 'base' }));
  const rows = known.filter((provider) => partsOf(provider).length > 0).map((provider) => [
    titleOf(provider), partsOf(provider).join(', '), writtenBy(provider), fieldsOf(provider), countOf(provider),
  ]);
  const head = ['system', 'part of a cluster', 'pages write it', 'fields are checked', 'rules'];
  const others = known.filter((provider) => partsOf(provider).length === 0 && countOf(provider) !== '').map(titleOf);
  return `${[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')}\nRules are also about ${others.slice(0, -1).join(', ')} and ${others.at(-1)!}.\n`;
}

/** The title, with the guide of the system, if there is one. */
function titleOf({ name, title }: Provider): string {
  const guide = ['docs/guides', 'docs'].map((folder) => join(folder, folder === 'docs' ? `${name}.md` : `use-${name}.md`)).find((file) => existsSync(join(ROOT, file)));
  return guide === undefined ? title : `[${title}](${guide})`;
}

function partsOf({ kinds, deliveries = [] }: Provider): string[] {
  const parts = Object.entries(NAMES).filter(([role]) => kinds.some((kind) => kind.role === role)).map(([, part]) => part);
  return deliveries.length > 0 ? [...parts, 'delivery'] : parts;
}

/** Systems have a folder of constructs of the same name. */
function writtenBy({ name }: Provider): string {
  return CONSTRUCTS.some((folder) => readdirSync(join(ROOT, 'src/constructs', folder)).includes(name)) ? 'yes' : '';
}

/** The release that the definitions of its kinds are from, without its project. */
function fieldsOf({ kinds }: Provider): string {
  const releases = kinds.flatMap(({ kind }) => {
    const [group, name] = kind.split('/');
    return structureOf(group, name)?.release.split(' ').at(-1) ?? [];
  });
  return releases.length > 0 ? `as of ${[...new Set(releases)].join(', ')}` : 'with your definitions';
}

function countOf({ rules = [], chartRules = [], referenceRules = [], changes = [] }: Provider): string {
  return String(rules.length + chartRules.length + referenceRules.length + changes.length || '');
}
