/** Refuses to pack a clone without the compiled library, which would be a package without code. */
const fs = require('node:fs');
const path = require('node:path');

if (!fs.existsSync(path.join(__dirname, '..', 'lib', 'index.js'))) {
  console.error('error: lib/ has no compiled library, so that the package would have no code\nrun "npm ci && npm run example" first');
  process.exitCode = 1;
}
