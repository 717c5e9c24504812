import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { KindRole } from '../../src/manifests/objects/known-kinds';
import { Provider } from '../../src/manifests/rules/provider';
import { structureOf } from '../../src/manifests/rules/structure/structures';
import { providers } from '../../src/manifests/systems/providers';

const ROOT = resolve(__dirname, '../..');
const CONSTRUCTS = ['control-planes', 'infrastructures', 'deliveries'];
const NAMES: Readonly<Partial<Record<KindRole, string>>> = { cluster: 'machines', controlPlane: 'control plane', bootstrapTemplate: 'bootstrap' };

/** The table of systems that pages write, and a sentence on those that only the command line knows. */
export function systemTable(): string {
  const known = [...providers()].sort(({ title: one }, { title: other }) => one.localeCompare(other, 'en', { sensitivity: 'base' }));
  const rows = known.filter(isWritten).map((provider) => [titleOf(provider), partsOf(provider).join(', '), fieldsOf(provider), countOf(provider)]);
  const head = ['system', 'part of a cluster', 'fields', 'rules'];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  const others = known.filter((provider) => !isWritten(provider) && countOf(provider) !== '').map(titleOf);
  return `${table}\nThe command line knows manifests of ${others.slice(0, -1).join(', ')} and ${others.at(-1)!}, too.\n`;
}

/** The title, with the guide of the system, if there is one. */
function titleOf({ name, title }: Provider): string {
  const guide = ['docs/guides', 'docs'].map((folder) => join(folder, folder === 'docs' ? `${name}.md` : `use-${name}.md`)).find((file) => existsSync(join(ROOT, file)));
  return guide === undefined ? title : `[${title}](${guide})`;
}

function partsOf({ kinds, deliveries = [], addressPools = {} }: Provider): string[] {
  const parts = Object.entries(NAMES).filter(([role]) => kinds.some((kind) => kind.role === role)).map(([, part]) => part);
  if (parts.length === 0 && Object.keys(addressPools).length > 0) return ['addresses of machines'];
  return deliveries.length > 0 ? [...parts, 'delivery'] : parts;
}

/** Systems that pages write have a folder of constructs of the same name. */
function isWritten({ name }: Provider): boolean {
  return CONSTRUCTS.some((folder) => readdirSync(join(ROOT, 'src/constructs', folder)).includes(name));
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
