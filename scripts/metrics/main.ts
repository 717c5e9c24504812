/**
 * Compares the metrics that alerts read with the sources of the programs that serve them: names and labels of metrics, and the fields that
 * kube-state-metrics is configured to read. Of the sources that are not there it names which.
 *
 *   node -r ./scripts/esbuild-register.js scripts/metrics/main.ts DIR
 *
 * DIR has a clone of each repository, as `owner+name` or `owner/name`, or as `repo` below that. What a repository publishes as a Go module
 * of its `staging/src` is read from that module where no clone has the release; that needs Go.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

/** A file that a repository publishes as a part of a Go module, such as `staging/src/k8s.io/apiserver/pkg/audit/audit.go`. */
const STAGED = /^staging\/src\/(?<module>[\w.-]+\/[\w.-]+)\/(?<path>.+)$/;

/** The text of a file in the Go module that it is published in. */
function moduleText(path: string, release: string): string | undefined {
  const staged = STAGED.exec(path)?.groups;
  if (staged === undefined) return undefined;
  // Kubernetes releases its modules as v0.x.
  const version = staged.module.startsWith('k8s.io/') ? release.replace(/^v1\./, 'v0.') : release;
  try {
    const answer = execFileSync('go', ['mod', 'download', '-json', `${staged.module}@${version}`], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return readFileSync(join((JSON.parse(answer) as { Dir: string }).Dir, staged.path), 'utf8');
  } catch {
    return undefined;
  }
}

function textOf(directory: string, source: string): string | undefined {
  const { repository, paths, release } = SOURCE.exec(source)?.groups ?? {};
  if (repository === undefined) throw new Error(`${source} names no repository, files and release`);
  const [first, ...others] = paths.split(', ');
  const folder = first.slice(0, first.lastIndexOf('/') + 1);
  const files = [first, ...others.map((path) => (path.includes('/') ? path : folder + path))];
  const places = [repository.replace('/', '+'), repository].flatMap((name) => [join(directory, name, 'repo'), join(directory, name)]);
  const clone = places.find((place) => existsSync(place) && hasRelease(place, release));
  const texts = files.map((path) => (clone === undefined ? moduleText(path, release)
    : execFileSync('git', ['-C', clone, 'show', `${release}:${path}`], { encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'pipe'] })));
  return texts.includes(undefined) ? undefined : texts.join('\n');
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
