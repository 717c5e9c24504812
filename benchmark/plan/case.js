/**
 * Measures `plan` from the start of Node.js, in a process of its own: `node case.js LIBRARY FOLDER`.
 */
const path = require('node:path');
const { measureProcess } = require('../harness');

const [root, folder] = process.argv.slice(2);
process.chdir(folder);
process.argv.splice(2, Infinity, 'plan');
require(path.join(root, 'lib', 'program')).runProgram().then(() => measureProcess());
