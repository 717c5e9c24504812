import * as fs from 'node:fs';
import * as path from 'node:path';
import { ownVersion } from '../../manifests/values/package-root';
import { CommandError } from '../command';

const FILE = 'file:';

/** The folder of the app for packages that no registry has. */
const VENDOR = 'vendor';

/** Source from which an app installs this package. */
export interface PackageSource {
  /** The dependency in package.json. */
  readonly spec: string;

  /** A tarball that becomes a file of the app: its path there, and its content. */
  readonly tarball?: { readonly place: string; readonly content: Buffer };

  /** The folder that the dependency leads to. */
  readonly linkedTo?: string;
}

/**
 * The source of this package for an app: the release, or the tarball or folder that it was installed from. A tarball is copied, because a clone of
 * the app must have it.
 *
 * @param root folder of this package
 * @param app folder of the app
 */
export function packageSource(root: string, app: string): PackageSource {
  const modules = path.dirname(root);
  // A clone, or a link to one.
  if (path.basename(modules) !== 'node_modules') return linked(root, app);
  const resolved = installedFrom(modules, path.basename(root));
  if (!resolved?.startsWith(FILE)) return { spec: ownVersion() };
  const source = path.resolve(modules, '..', resolved.slice(FILE.length));
  if (!fs.existsSync(source)) {
    throw new CommandError([`this program was installed from ${source}, which is gone`], 'install it again from a tarball that exists; the app gets a copy of it');
  }
  if (fs.statSync(source).isDirectory()) return linked(source, app);
  const place = `${VENDOR}/${path.basename(source)}`;
  return { spec: `${FILE}${place}`, tarball: { place, content: fs.readFileSync(source) } };
}

/** Source of a package as npm has recorded it; undefined for other package managers. */
function installedFrom(modules: string, name: string): string | undefined {
  const lock = path.join(modules, '.package-lock.json');
  if (!fs.existsSync(lock)) return undefined;
  const { packages } = JSON.parse(fs.readFileSync(lock, 'utf8')) as { packages?: { [folder: string]: { resolved?: string } | undefined } };
  return packages?.[`node_modules/${name}`]?.resolved;
}

function linked(folder: string, app: string): PackageSource {
  return { spec: `${FILE}${path.relative(app, folder).split(path.sep).join('/')}`, linkedTo: folder };
}
