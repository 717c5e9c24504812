/**
 * Rewrites the compiled library: `lib/src/index.js` and `lib/src/program.js` load what is used, from `lib/chunks/`. These are the files of
 * the package; the other compiled modules stay in the repository.
 */
import * as path from 'node:path';
import { bundle } from './bundle';

bundle({
  folder: path.join(__dirname, '..', '..', 'lib'),
  entries: ['src/index', 'src/program'],
  core: ['GitOpsApp', 'TenantCluster'],
});
