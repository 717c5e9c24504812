import * as fs from 'node:fs';
import * as path from 'node:path';
import { packageRoot } from './package-root';

/** The version of this package. */
export function ownVersion(): string {
  return (JSON.parse(fs.readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
}
