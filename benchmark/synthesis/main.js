/**
 * Measures synthesis: apps of cdk8s and of this library on the same objects, tenant clusters, chains of dependencies, the start of a program,
 * and what is written when one of many clusters changes.
 *
 * Usage: node benchmark/synthesis/main.js [--quick] [--tenants NUMBERS] [--json FILE] [--library FOLDER] [--seconds LIMIT]
 */
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { runCases } = require('../harness');

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false }, tenants: { type: 'string' }, json: { type: 'string' }, library: { type: 'string' },
    seconds: { type: 'string', default: '600' }, only: { type: 'string', default: '' },
  },
});
const root = path.resolve(values.library ?? path.join(__dirname, '..', '..'));
const seconds = Number(values.seconds);
const sizes = (values.tenants ?? (values.quick ? '10,100' : '10,100,500,1000,2000')).split(',').map(Number);

/** Memory, where the system has it as a folder: a disk would be what is measured. */
const memory = '/dev/shm';
const folder = fs.mkdtempSync(path.join(fs.existsSync(memory) ? memory : os.tmpdir(), 'benchmark-'));

/** The output types of cdk8s, the default one first. */
const STOCK = ['FILE_PER_CHART', 'FILE_PER_APP', 'FILE_PER_RESOURCE', 'FOLDER_PER_CHART_FILE_PER_RESOURCE'];

/** The other types are measured up to here: they take minutes, and tell nothing new. */
const MOST_OF_OTHER_TYPES = 500;

/** Up to here, several runs are measured in one process (case.js). */
const FEW = 100;

const synthesis = (name, kind, writer, tenants, limit = seconds) => ({
  name: `${name}, ${tenants} tenants`.replace(/, 0 tenants$/, ''),
  script: path.join(__dirname, 'case.js'),
  args: [kind, writer, `${tenants}`, root, folder],
  series: `${kind} ${writer}`,
  // Those with few tenants run several times in one; what takes a minute runs once.
  processes: kind === 'objects' && !STOCK.includes(writer) && tenants > FEW ? 3 : 1,
  // Ours end by themselves.
  seconds: STOCK.includes(writer) ? limit : undefined,
});
const start = (name, part, processes) => ({ name, script: path.join(__dirname, 'start.js'), args: [part, root, folder], processes });

const cases = [
  ...sizes.flatMap((tenants) => [
    synthesis('objects: JSON and files (floor)', 'objects', 'floor', tenants),
    synthesis('objects: GitOpsApp, not validated', 'objects', 'gitops-unvalidated', tenants),
    synthesis('objects: GitOpsApp', 'objects', 'gitops', tenants),
    ...STOCK.slice(0, tenants > MOST_OF_OTHER_TYPES ? 1 : undefined).map((type) => synthesis(`objects: App ${type}`, 'objects', type, tenants)),
  ]),
  ...sizes.flatMap((tenants) => [
    synthesis('TenantCluster: GitOpsApp, not validated', 'clusters', 'gitops-unvalidated', tenants),
    synthesis('TenantCluster: GitOpsApp', 'clusters', 'gitops', tenants),
    // It validates everything once for each chart, which is the square of them.
    synthesis('TenantCluster: App', 'clusters', 'FILE_PER_CHART', tenants),
  ]),
  synthesis('200 objects: GitOpsApp', 'unchained', 'gitops', 0),
  synthesis('200 objects, a chain of 20: GitOpsApp', 'chained', 'gitops', 0),
  synthesis('200 objects: App', 'unchained', 'FILE_PER_CHART', 0),
  synthesis('200 objects, a chain of 20: App', 'chained', 'FILE_PER_CHART', 0, Math.min(seconds, 60)),
  start('node', 'node', 11),
  start('node, cdk8s', 'cdk8s', 11),
  start('node, cdk8s and this library', 'library', 11),
  start('node app.js: one TenantCluster', 'tenant', 11),
  ...(values.quick ? [] : [
    start('node app.js: 1000 TenantClusters', 'first', 1),
    start('the same again', 'same', 1),
    start('one changed', 'changed', 1),
  ]),
];

try {
  runCases('synthesis', {}, cases.filter(({ name }) => name.includes(values.only)), values.json);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
