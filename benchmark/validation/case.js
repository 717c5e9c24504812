/**
 * Measures one part of validation, in a process of its own: `node case.js PART LIBRARY FOLDER`.
 */
const path = require('node:path');
const { buildSync } = require('esbuild');
const { measure } = require('../harness');

const [part, root, folder] = process.argv.slice(2);

/** A module of the compiled library, bundled by itself. */
function inside(file) {
  const outfile = path.join(root, 'lib', 'benchmark', file);
  buildSync({ entryPoints: [path.join(root, 'lib', 'src', file)], bundle: true, platform: 'node', packages: 'external', outfile });
  return require(outfile);
}

const SURROUNDINGS = { cwd: folder, env: {}, readInput: async () => Buffer.alloc(0), out: () => undefined, err: () => undefined };

async function objects() {
  const { objects: read } = await inside('cli/manifests/read-manifests.js').readManifests([folder], SURROUNDINGS);
  return read.map(({ object }) => object);
}

/** What each part is; the objects are read before. */
const PARTS = {
  'read': async () => objects,
  'structure': async () => {
    const { STRUCTURE_CHECK } = inside('manifests/validation/manifest-rules.js');
    const all = await objects();
    return () => all.forEach((object) => STRUCTURE_CHECK.check(object));
  },
  'rules': async () => {
    const { ManifestValidator } = inside('manifests/validation/validate-manifests.js');
    const { MANIFEST_RULES } = inside('manifests/validation/manifest-rules.js');
    const validator = new ManifestValidator(MANIFEST_RULES, { rules: [], knows: () => true, check: () => [] });
    const all = await objects();
    return () => validator.validate([all], { silences: [], strict: false });
  },
  'validate': async () => {
    const { ManifestValidator } = inside('manifests/validation/validate-manifests.js');
    const all = await objects();
    return () => new ManifestValidator().validate([all], { silences: [], strict: false });
  },
};

// The memory of a part is what it needs in one run, the objects included.
const repetition = part === 'read' ? { warmups: 0, runs: 1 } : { warmups: 2, runs: 7 };
PARTS[part]().then((work) => measure(work, repetition));
