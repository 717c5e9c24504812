import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { COST_TITLES, costTable, table, totalCost } from './costs';
import { Cluster, Pool } from '../../src/manifests/landscape/cluster-model';
import { placedObjects } from '../../src/manifests/landscape/placed-objects';
import { readLandscape } from '../../src/manifests/landscape/read-landscape';
import { ManifestObject } from '../../src/manifests/objects/manifest-object';
import { withSection } from '../generated-section';
import { readGolden } from '../golden/golden-store';
import { sortFiles } from '../golden/sort-files';

const ROOT = resolve(__dirname, '../..');
const PAGES = 'docs/blueprints';
const EXAMPLE = 'blueprint-';

/** Deliveries that are no addons: namespaces of addons, and the user's own objects. */
const NO_ADDONS: readonly string[] = ['`namespaces`', '`workloads`'];

/** The names of blueprints as their examples and pages have them, e.g. `diy-cloud`. */
export function blueprintNames(): string[] {
  return readdirSync(join(ROOT, 'examples')).filter((name) => name.startsWith(EXAMPLE)).map((name) => name.slice(EXAMPLE.length)).sort();
}

/**
 * The pages of the blueprints by their path, with the program of the example, and tables of what it makes and costs. The rest of a page is
 * as it was.
 */
export function pages(): Map<string, string> {
  const names = blueprintNames();
  return new Map([
    ...names.map((name) => filled(`${PAGES}/${name}.md`, sectionsOf(name))),
    filled(`${PAGES}/index.md`, { overview: overview(names) }),
  ]);
}

/** Table of the resources that each blueprint takes in total. */
function overview(names: readonly string[]): string {
  return table(['example', 'control plane', 'machines', ...COST_TITLES], names.map((name) => {
    const { objects, cluster } = outputOf(name);
    const { controlPlane, pools } = cluster;
    const [least, most] = (['minimum', 'maximum'] as const).map((end) => pools.reduce((sum, { size }) => sum + size![end], 0));
    return [`[${name}](${name}.md)`, count(controlPlane!.replicas ?? 1, 'replica'), least === most ? `${most}` : `${least} to ${most}`, ...totalCost(objects, cluster)];
  }));
}

/** Output of the example of a blueprint: objects for the management cluster, and the cluster in it. */
function outputOf(name: string): { readonly objects: readonly ManifestObject[]; readonly cluster: Cluster } {
  const { management } = sortFiles(readGolden()[`example-${EXAMPLE}${name}`]);
  const { objects } = placedObjects([{ file: `${name}.yaml`, bytes: Buffer.from(management) }]);
  return { objects: objects.filter(({ pack }) => !pack).map(({ object }) => object), cluster: readLandscape({ objects }).clusters[0] };
}

function sectionsOf(name: string): Readonly<Record<string, string>> {
  const program = readFileSync(join(ROOT, 'examples', `${EXAMPLE}${name}`, 'main.ts'), 'utf8');
  const { objects, cluster } = outputOf(name);
  return {
    program: `\`\`\`ts\n${program.slice(program.indexOf('import '))}\`\`\`\n`,
    parts: partTable(cluster),
    costs: costTable(objects, cluster),
  };
}

function partTable({ name, version = '', controlPlane, pools, controllers, addons }: Cluster): string {
  const without = (text: string) => `\`${text.slice(text.startsWith(name) ? name.length + 1 : 0)}\``;
  return table(['part', ''], [
    ['Kubernetes', version],
    ['control plane', `\`${controlPlane!.kind}\`, ${count(controlPlane!.replicas ?? 1, 'replica')}`],
    ...pools.map((pool) => [`pool ${without(pool.name)}`, poolText(pool)]),
    ['controllers in the management cluster', controllers.map((one) => without(one.name)).join(', ') || 'none'],
    ['addons', [...new Set(addons.map((one) => without(one.name)))].filter((one) => !NO_ADDONS.includes(one)).join(', ')],
  ]);
}

function poolText({ size, machine, taints }: Pool): string {
  const { minimum, maximum } = size!;
  const gpus = machine?.gpus?.map(({ name, count: number }) => `${number} × \`${name}\``) ?? [];
  return [
    minimum === maximum ? count(minimum, 'machine') : `${minimum} to ${count(maximum, 'machine')}`,
    ...(machine?.instanceType === undefined ? [`${count(machine?.cpu ?? 0, 'CPU')} and ${(machine?.memory ?? 0) / 1024 ** 3} GiB each`] : [`plan \`${machine.instanceType}\``]),
    ...gpus,
    ...taints.map((taint) => `taint \`${taint}\``),
  ].join(', ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A page with its generated sections written anew. */
function filled(file: string, sections: Readonly<Record<string, string>>): [file: string, text: string] {
  const text = Object.entries(sections)
    .reduce((page, [name, section]) => withSection(page, 'npm run blueprints', name, section), readFileSync(join(ROOT, file), 'utf8'));
  return [file, text];
}
