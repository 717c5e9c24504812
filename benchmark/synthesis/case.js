/**
 * Measures one synthesis, in a process of its own: `node case.js KIND WRITER TENANTS LIBRARY FOLDER`.
 */
const fs = require('node:fs');
const path = require('node:path');
const { measure } = require('../harness');
const { addObjects, addTenantClusters, libraries, renamed, tenantObjects } = require('./tenants');

const [kind, writer, number, root, folder] = process.argv.slice(2);
const tenants = Number(number);
const { cdk8s, library } = libraries(root);

/** Composites of a chain of dependencies, and the objects of each. */
const [COMPOSITES, OBJECTS] = [20, 10];

/** As many tenants that the code has been compiled by the time when it counts. */
const WARM = 100;
const FEW = 100;

const outputs = [];
let last;

/** A folder that nobody has written to. */
function freshFolder() {
  outputs.push(path.join(folder, `${process.pid}-${outputs.length}`));
  return outputs.at(-1);
}

/** Gives the memory of what was written back: taking more and more of it is slow on some virtual machines. */
function removeOutputs() {
  for (const output of outputs) fs.rmSync(output, { recursive: true, force: true });
}

/** The app that a writer is about. */
function newApp(outdir) {
  const { GitOpsApp, validation: { ManifestValidation } } = library;
  switch (writer) {
    case 'gitops':
      return new GitOpsApp({ outdir, quiet: true });
    case 'gitops-unvalidated':
      return new GitOpsApp({ outdir, quiet: true, validation: ManifestValidation.none('it is measured apart') });
    default:
      return new cdk8s.App({ outdir, yamlOutputType: cdk8s.YamlOutputType[writer] });
  }
}

/** Writes each tenant as JSON, which nobody does faster. */
function writeJson(all, outdir) {
  fs.mkdirSync(outdir);
  all.forEach((objects, index) => fs.writeFileSync(path.join(outdir, `${index}.json`), objects.map((object) => JSON.stringify(object)).join('\n')));
}

function floor(template, count) {
  return { all: Array.from({ length: count }, (_, index) => renamed(template, index)), synth() { writeJson(this.all, freshFolder()); } };
}

function chain(linked) {
  const { Construct } = require(require.resolve('constructs', { paths: [root] }));
  const app = newApp(freshFolder());
  const chart = new cdk8s.Chart(app, 'chain');
  let before;
  for (let number = 0; number < COMPOSITES; number++) {
    const composite = new Construct(chart, `composite-${number}`);
    for (let index = 0; index < OBJECTS; index++) {
      new cdk8s.ApiObject(composite, `object-${index}`, { apiVersion: 'v1', kind: 'ConfigMap', data: { composite: `${number}`, object: `${index}` } });
    }
    if (linked && before) composite.node.addDependency(before);
    before = composite;
  }
  return app;
}

/** What is made, for each kind of tenants. */
function maker() {
  if (kind === 'chained' || kind === 'unchained') return () => chain(kind === 'chained');
  if (kind === 'clusters') {
    return (count) => {
      const app = newApp(freshFolder());
      addTenantClusters(root, app, count);
      return app;
    };
  }
  const template = tenantObjects(root);
  if (writer === 'floor') return (count) => floor(template, count);
  return (count) => {
    const app = newApp(freshFolder());
    addObjects(root, app, template, count);
    return app;
  };
}

const make = maker();
make(Math.min(WARM, tenants)).synth();

// Objects are there before they are written; clusters make theirs, which is a part of what they cost.
const apart = kind !== 'clusters';
const prepare = () => {
  removeOutputs();
  last = undefined;
  return apart ? make(tenants) : undefined;
};
const work = (app) => {
  last = app ?? make(tenants);
  last.synth();
};
measure(work, { warmups: tenants <= FEW ? 1 : 0, runs: tenants <= FEW ? 5 : 1, prepare }).finally(removeOutputs);
