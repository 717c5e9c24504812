/**
 * Measures what `require('cdk8s-cluster-api')` costs beyond `require('cdk8s')`: the median of fresh processes, alternating.
 *
 * Usage: node scripts/measure-require.js [runs]; needs a compiled library (`npx projen compile && npx projen post-compile`).
 */
const { execFileSync } = require('node:child_process');
const path = require('node:path');

const runs = Number(process.argv[2] ?? 21);
const root = path.join(__dirname, '..');
const entry = path.join(root, require(path.join(root, 'package.json')).main);

const programs = {
  'cdk8s': 'require("cdk8s")',
  'cdk8s and cdk8s-cluster-api': `require("cdk8s"); require(${JSON.stringify(entry)})`,
  'cdk8s and TenantCluster': `require("cdk8s"); require(${JSON.stringify(entry)}).TenantCluster`,
};

function milliseconds(program) {
  const code = `const start = process.hrtime.bigint(); ${program}; console.log(Number(process.hrtime.bigint() - start) / 1e6)`;
  return Number(execFileSync(process.execPath, ['-e', code], { cwd: root, encoding: 'utf8' }));
}

const samples = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
for (let run = 0; run < runs; run++) {
  for (const [name, program] of Object.entries(programs)) samples[name].push(milliseconds(program));
}
for (const [name, values] of Object.entries(samples)) {
  const sorted = values.sort((a, b) => a - b);
  console.log(`${name.padEnd(30)} median ${sorted[Math.floor(runs / 2)].toFixed(1)} ms, fastest ${sorted[0].toFixed(1)} ms, of ${runs} runs`);
}
