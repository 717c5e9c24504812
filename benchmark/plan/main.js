/**
 * Measures the command `plan` in a repository of many clusters: nothing differs from the last commit, one cluster does, all do.
 *
 * Usage: node benchmark/plan/main.js [--tenants NUMBER] [--json FILE] [--library FOLDER]; needs a compiled library and Git.
 */
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { runCases } = require('../harness');
const { addTenantClusters, libraries } = require('../synthesis/tenants');

const { values } = parseArgs({ options: { tenants: { type: 'string', default: '1000' }, json: { type: 'string' }, library: { type: 'string' } } });
const root = path.resolve(values.library ?? path.join(__dirname, '..', '..'));
const tenants = Number(values.tenants);

/** Memory, where the system has it as a folder: a disk would be what is measured. */
const memory = '/dev/shm';
const folder = fs.mkdtempSync(path.join(fs.existsSync(memory) ? memory : os.tmpdir(), 'benchmark-'));
const output = path.join(folder, 'dist');

/** A field of each pool. */
const [FORMER, LATER] = ['maxSurge: 1', 'maxSurge: 2'];

try {
  const { library } = libraries(root);
  const app = new library.GitOpsApp({ outdir: output });
  addTenantClusters(root, app, tenants);
  app.synth();
  const git = (...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'All tenants');
  const files = fs.readdirSync(output, { recursive: true, encoding: 'utf8' }).map((file) => path.join(output, file)).filter((file) => fs.statSync(file).isFile());
  const pools = files.filter((file) => fs.readFileSync(file, 'utf8').includes(FORMER));
  const change = (changed) => changed.forEach((file) => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(FORMER, LATER)));
  const states = { 'nothing differs': [], 'one pool differs': pools.slice(0, 1), 'all pools differ': pools };
  runCases('plan', { tenants, files: files.length }, Object.entries(states).map(([name, changed]) => (
    { name, script: path.join(__dirname, '..', 'command.js'), args: [root, folder, 'plan'], processes: 3, prepare: () => change(changed) })), values.json);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
