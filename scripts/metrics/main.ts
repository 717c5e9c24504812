/**
 * Compares the metrics that alerts read with the sources of the programs that serve them: names and labels of metrics, and the fields that
 * kube-state-metrics is configured to read. Of the sources that are not there it names which.
 *
 *   node -r ts-node/register/transpile-only scripts/metrics/main.ts DIR
 *
 * DIR has a clone of each repository, as `owner+name` or `owner/name`, or as `repo` below that.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { alertMetrics } from '../../src/manifests/monitoring/declared-alerts';
import { CustomResourceMetric } from '../../src/manifests/rules/alerts/custom-resource-metrics';
import { Metric } from '../../src/manifests/rules/alerts/metrics';

/** Labels that Prometheus and kube-state-metrics add, and fields of every object. */
const EVERYWHERE = new Set(['namespace', 'pod', 'customresource_kind', 'metadata', 'spec', 'status', 'name', 'labels', 'type', 'conditions']);

/** A source as metrics cite it: `owner/name path, path, release`. */
const SOURCE = /^(?<repository>[\w.-]+\/[\w.-]+) (?<paths>.+), (?<release>[^,\s]+)$/;

function hasRelease(clone: string, release: string): boolean {
  try {
    execFileSync('git', ['-C', clone, 'rev-parse', '--verify', '--quiet', `${release}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function textOf(directory: string, source: string): string | undefined {
  const { repository, paths, release } = SOURCE.exec(source)?.groups ?? {};
  if (repository === undefined) throw new Error(`${source} names no repository, files and release`);
  const places = [repository.replace('/', '+'), repository].flatMap((name) => [join(directory, name, 'repo'), join(directory, name)]);
  const clone = places.find((place) => existsSync(place));
  if (clone === undefined || !hasRelease(clone, release)) return undefined;
  const [first, ...others] = paths.split(', ');
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  return [first, ...others.map((path) => (path.includes('/') ? path : folder + path))]
    .map((path) => execFileSync('git', ['-C', clone, 'show', `${release}:${path}`], { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'pipe'] })).join('\n');
}

/** True if a name is made of strings in a text, joined by "_", as namespace, subsystem and name of a metric are. */
function isJoined(name: string, text: string): boolean {
  if (text.includes(`"${name}"`) || text.includes(`| ${name} `)) return true;
  const cuts = [...name.matchAll(/_/g)].map(({ index }) => index);
  return cuts.some((cut) => text.includes(`"${name.slice(0, cut)}"`) && isJoined(name.slice(cut + 1), text));
}

/** The fields of objects that the configuration for a metric reads. */
function fieldsOf({ entry, resource }: CustomResourceMetric): string[] {
  const fields: string[] = [];
  const visit = (value: unknown, key: string): void => {
    if (Array.isArray(value) && key !== 'list') fields.push(...value.filter((part): part is string => typeof part === 'string'));
    else if (typeof value === 'object' && value !== null) Object.entries(value).forEach(([name, child]) => visit(child, name));
  };
  visit(entry, '');
  visit(resource.labels, '');
  return fields.filter((field) => !EVERYWHERE.has(field) && !field.startsWith('['));
}

function faultsOf(metric: Metric, text: string): string[] {
  if ('resource' in metric) {
    return fieldsOf(metric as CustomResourceMetric).filter((field) => ![`json:"${field}`, `"${field}"`, `[ ${field}`, `, ${field}`].some((form) => text.includes(form)))
      .map((field) => `the field ${field}`);
  }
  const labels = metric.labels.filter((label) => !EVERYWHERE.has(label) && !text.includes(`"${label}"`) && !text.includes(`\`${label}\``));
  return [...isJoined(metric.name, text) ? [] : ['its name'], ...labels.map((label) => `the label ${label}`)];
}

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('name a folder with clones of the repositories');
const absent = new Set<string>();
const faults = alertMetrics().flatMap((metric) => {
  const text = textOf(directory, metric.source);
  if (text === undefined) absent.add(metric.source);
  return text === undefined ? [] : faultsOf(metric, text).map((fault) => `${metric.name}: ${fault} is not in ${metric.source}`);
});
absent.forEach((source) => console.log(`not compared: ${source}`));
faults.forEach((fault) => console.error(fault));
console.log(`${alertMetrics().length} metrics, ${faults.length} differences, ${absent.size} sources not there`);
process.exitCode = faults.length > 0 ? 1 : 0;
