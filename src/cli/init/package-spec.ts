import * as fs from 'node:fs';
import * as path from 'node:path';
import { ownVersion } from '../../values/own-version';

const FILE = 'file:';

/**
 * How an app depends on this package: by the version, or by the tarball or folder that it was installed from.
 *
 * @param root folder of this package
 * @param app folder of the app
 */
export function packageSpec(root: string, app: string): string {
  const modules = path.dirname(root);
  // A clone, or a link to one.
  if (path.basename(modules) !== 'node_modules') return fileSpec(root, app);
  const resolved = installedFrom(modules, path.basename(root));
  return resolved?.startsWith(FILE) ? fileSpec(path.resolve(modules, '..', resolved.slice(FILE.length)), app) : ownVersion();
}

/** What npm has written of the source of a package; undefined for other package managers. */
function installedFrom(modules: string, name: string): string | undefined {
  const lock = path.join(modules, '.package-lock.json');
  if (!fs.existsSync(lock)) return undefined;
  const { packages } = JSON.parse(fs.readFileSync(lock, 'utf8')) as { packages?: { [folder: string]: { resolved?: string } | undefined } };
  return packages?.[`node_modules/${name}`]?.resolved;
}

function fileSpec(target: string, app: string): string {
  return `${FILE}${path.relative(app, target).split(path.sep).join('/')}`;
}
