/**
 * Measures a command as users run it, from the start of Node.js, in a process of its own: `node command.js LIBRARY FOLDER ARGUMENT...`.
 */
const path = require('node:path');
const { measureProcess } = require('./harness');

const [root, folder, ...args] = process.argv.slice(2);
process.chdir(folder);
process.argv.splice(2, Infinity, ...args);
require(path.join(root, 'lib', 'program')).runProgram().then(() => {
  if (process.exitCode) throw new Error(`${args.join(' ')} ended with ${process.exitCode}`);
  measureProcess();
});
