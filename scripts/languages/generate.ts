/*
 * Writes the library for Python and Go into `dist/`, from the compiled library: `dist/python/`, which pip installs, and `dist/go/`, a Go module
 * for each package, with those of cdk8s and cdk8s-plus-28 in the versions that are installed here.
 */
import * as path from 'node:path';
import { generatePackages } from './packages';

const DIST = path.join(__dirname, '..', '..', 'dist');

void generatePackages(DIST).then(() => console.log(`${path.join(DIST, 'python')} and ${path.join(DIST, 'go')} are written`));
