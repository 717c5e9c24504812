/**
 * Measures a program from the start of Node.js, in a process of its own: `node start.js PART LIBRARY FOLDER`.
 */
const path = require('node:path');
const { measureProcess } = require('../harness');
const { addTenantCluster, addTenantClusters, libraries } = require('./tenants');

const [part, root, folder] = process.argv.slice(2);
const loaded = libraries(root);
const outdir = path.join(folder, part === 'tenant' ? `start-${process.pid}` : 'again');

const PARTS = {
  'node': () => undefined,
  'cdk8s': () => loaded.cdk8s,
  'library': () => [loaded.cdk8s, loaded.library],
  // What `node app.js` does for a repository with one cluster.
  'tenant': () => {
    const app = new loaded.library.GitOpsApp({ outdir, quiet: true });
    addTenantCluster(root, app, { name: 'acme' });
    app.synth();
  },
  'first': () => many(false),
  'same': () => many(false),
  'changed': () => many(true),
};

function many(changed) {
  const app = new loaded.library.GitOpsApp({ outdir });
  addTenantClusters(root, app, 1000, changed);
  app.synth();
}

// The summary says how many files were written.
let said = '';
const write = process.stderr.write.bind(process.stderr);
process.stderr.write = (text, ...more) => {
  said += text;
  return write(text, ...more);
};
PARTS[part]();
const [files] = /files: [^;]*/.exec(said) ?? [];
measureProcess(files === undefined ? {} : { files: files.replace('files: ', '') });
