import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { removedClusters } from '../../../src/constructs/repository/removed-clusters';

const CLUSTER = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata:\n  name: a\n';
const OTHER = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n  labels:\n    cluster.x-k8s.io/provider: Cluster\n';
const FOLDER = 'clusters/tenant-a/a';
const FILE = `${FOLDER}/cluster.yaml`;
const LISTS = new Map([[FOLDER, new Map([[FILE, new Set<string>()]])]]);

let outdir: string;

beforeEach(() => {
  outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'removed-'));
});

afterEach(() => {
  fs.rmSync(outdir, { recursive: true, force: true });
});

/** True if a cluster is kept whose file holds a string. */
function isKept(text: string): boolean {
  const file = path.join(outdir, FILE);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  const removed = removedClusters(outdir, LISTS, new Set());
  if (removed.length > 0) expect(removed).toEqual([{ folder: 'clusters/tenant-a/a', files: [FILE] }]);
  return removed.length > 0;
}

test.each([
  ['as it was written', CLUSTER],
  ['after others', `${OTHER}---\n${CLUSTER}`],
  ['with quotes', CLUSTER.replace('Cluster', '"Cluster"').replace('cluster.x-k8s.io/v1beta2', '\'cluster.x-k8s.io/v1beta2\'')],
  ['with a comment', CLUSTER.replace('Cluster', 'Cluster # prod')],
  ['with more blanks', CLUSTER.replace('kind: ', 'kind:   ')],
  ['on a line of its own', CLUSTER.replace('kind: ', 'kind:\n  ')],
  ['with lines of Windows', `${OTHER}---\n${CLUSTER}`.replaceAll('\n', '\r\n')],
  ['as JSON', '{"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Cluster","metadata":{"name":"a"}}'],
  ['with another separator', `${OTHER}--- # the cluster\n${CLUSTER}`],
])('a cluster lives that is in the files %s', (_, text) => {
  expect(isKept(text)).toBe(true);
});

test.each([
  ['a conflict', `<<<<<<< HEAD\n${CLUSTER}=======\n${CLUSTER}>>>>>>> other\n`],
  ['a field that is there twice', `${CLUSTER}kind: Cluster\n`],
  ['an alias without an anchor', `${CLUSTER}spec: *nowhere\n`],
  ['another document that is broken', `${CLUSTER}---\na: [\n`],
])('what cannot be read counts as living: %s', (_, text) => {
  expect(isKept(text)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['other objects', OTHER],
  ['a broken file about something else', 'a: [\n'],
  ['a Cluster of another API', CLUSTER.replace('cluster.x-k8s.io', 'postgresql.example.com').concat('  labels: {cluster.x-k8s.io/watch: a}\n')],
  ['another kind that ends in its group', CLUSTER.replace('cluster.x-k8s.io', 'infrastructure.cluster.x-k8s.io')],
  ['a reference to it', `${OTHER}  ownerReferences:\n    - apiVersion: cluster.x-k8s.io/v1beta2\n      kind: Cluster\n      name: a\n`],
  ['a comment about it', `${OTHER}# ${CLUSTER.replaceAll('\n', '\n# ')}\n`],
  ['a string with it', `${OTHER}data:\n  text: |\n    ${CLUSTER.replaceAll('\n', '\n    ')}\n`],
  ['no object', 'Cluster of cluster.x-k8s.io/v1beta2\n---\n---\n- Cluster\n'],
])('a cluster is gone whose files hold %s', (_, text) => {
  expect(isKept(text)).toBe(false);
});

test('a cluster is gone whose files somebody has deleted, or has put folders in place of', () => {
  fs.mkdirSync(path.join(outdir, FILE), { recursive: true });
  expect(removedClusters(outdir, new Map([...LISTS, ['clusters/tenant-b/b', new Map([['clusters/tenant-b/b/cluster.yaml', new Set<string>()]])]]), new Set())).toEqual([]);
});

test('a cluster that is wanted is not gone', () => {
  expect(isKept(CLUSTER)).toBe(true);
  expect(removedClusters(outdir, LISTS, new Set([FOLDER]))).toEqual([]);
});
