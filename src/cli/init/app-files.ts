import * as fs from 'node:fs';
import * as path from 'node:path';
import DESCRIPTIONS from '../../../templates/blueprints.json';
import { WorkTreePlace } from '../../manifests/objects/git/work-tree';
import { ownVersion, packageFile, packageFilesIn, packageFolder } from '../../manifests/values/package-files';
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
 * @param root folder of this package; undefined for the program in a single file
 * @param app folder of the app
 */
export function packageSource(root: string | undefined, app: string): PackageSource {
  if (root === undefined) return { spec: ownVersion() };
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

/** The blueprints that an app may start from, each a file of `templates/blueprints/`, with what they are for. */
export const BLUEPRINTS: { readonly [name: string]: string } = DESCRIPTIONS;

/** The folder of the package with all other files of an app. */
const TEMPLATE = 'templates/app';

/** The folder of the package with files of apps that `adopt` writes, in place of those of other apps. */
const ADOPTED_TEMPLATE = 'templates/adopted';

/** The file of the app with the cluster, which is the blueprint's. */
const TENANT_FILE = 'tenant.ts';

/** Names that begin with a dot in the app. npm leaves .gitignore out of packages, and tools obey the others where they are. */
const DOTTED = /^(editorconfig|gitattributes|github|gitignore)(?=$|\/)/;

/** Files that are only read at the top of a repository. */
const AT_TOP = /^(?:\.github\/|renovate\.json$)/;

/** Lines of a template that an app at the top of its repository does without. */
const IN_SUBFOLDER = / +# In a subfolder$/;

/** Lines of a template that an app without silences does without. */
const WITH_SILENCES = / +# With silences$/;

const PLACEHOLDER = /__([A-Z][A-Z0-9_]*?)__/g;
const REPLACED = /^ *\/\/ Replace: (.*)\.$/;

/** Paths that Flux and the workflow accept. */
const PATH = /^[A-Za-z0-9._/-]*$/;

/** A value of the app that only fits the example. */
export interface ValueToReplace {
  /** Place of the value, e.g. `tenant.ts:12`. */
  readonly place: string;

  /** Description of the value to write there. */
  readonly what: string;
}

/** An app as `init` writes it. */
export interface AppFiles {
  /** The contents, by path relative to the folder of the app. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly toReplace: readonly ValueToReplace[];

  /** Path of the manifests, relative to the top of the repository. */
  readonly output: string;

  /** The folder that the app takes the package from, if it is neither a release nor a tarball: a clone of the repository does not have it. */
  readonly linkedTo?: string;
}

/**
 * The files of an app that starts from a blueprint.
 *
 * @param folder absolute path of its folder
 * @param tree the repository that the folder is in; undefined outside of one, where the folder becomes the top of a repository
 * @param blueprint one of `BLUEPRINTS`
 */
export function appFiles(folder: string, tree: WorkTreePlace | undefined, blueprint: string): AppFiles {
  const tenant = packageFile(`templates/blueprints/${blueprint}.ts`);
  return filesOfApp(folder, tree, { templates: [TEMPLATE], own: new Map([[TENANT_FILE, tenant]]), toReplace: valuesToReplace(tenant) });
}

/**
 * The files of an app whose clusters are known.
 *
 * @param folder absolute path of its folder
 * @param tree the repository that the folder is in
 * @param own the files that are its own, by their paths in the app
 * @param silences the findings that `validate` ignores, as `ID=REASON`
 */
export function adoptedAppFiles(
  folder: string, tree: WorkTreePlace | undefined, own: ReadonlyMap<string, string>, silences: readonly string[],
): AppFiles {
  return filesOfApp(folder, tree, { templates: [TEMPLATE, ADOPTED_TEMPLATE], own, toReplace: [], silences });
}

/** Properties that set an app apart from others. */
interface AppContent {
  /** Folders of the package with files of the app; those of a later folder count before those of an earlier one. */
  readonly templates: readonly string[];

  /** Files that are in no folder, which count before all others. */
  readonly own: ReadonlyMap<string, string>;
  readonly toReplace: readonly ValueToReplace[];

  /**
   * Findings that `validate` ignores, as `ID=REASON`.
   *
   * @default - none
   */
  readonly silences?: readonly string[];
}

function filesOfApp(folder: string, tree: WorkTreePlace | undefined, { templates, own, toReplace, silences = [] }: AppContent): AppFiles {
  const within = tree?.within ?? '';
  if (!PATH.test(within)) {
    throw new CommandError([`${JSON.stringify(within)} is a path with characters other than letters, digits, ".", "_", "-" and "/"`],
      'name another folder: its path below the top of the repository becomes the path that Flux or Argo CD reads');
  }
  const { spec, tarball, linkedTo } = packageSource(packageFolder(), folder);
  const name = appName(path.basename(folder));
  // Two apps of a repository may have the same last folder.
  const workflow = within === '' ? name : appName(within);
  const output = path.posix.join(within, 'dist');
  const values = new Map(Object.entries({
    NAME: name,
    WORKFLOW: workflow,
    REPOSITORY: tree ? appName(path.basename(tree.top)) : name,
    FOLDER: within,
    OUTPUT: output,
    MODULES: path.posix.join(within, 'node_modules'),
    PACKAGE: spec,
    VERSION: ownVersion(),
    // In a string of package.json, for the shells of all systems.
    SILENCE_OPTIONS: silences.map((silence) => ` --silence \\"${silence}\\"`).join(''),
    SILENCE_ENTRIES: silences.map((silence) => silence.split('=')).map(([rule, reason]) => `{ rule: ${rule}, reason: ${reason} }`).join(', '),
    SILENCE_LINES: ['|', ...silences.map((silence) => `            ${silence}`)].join('\n'),
    REPLACE: toReplace.map(({ place, what }) => `- \`${place}\`: ${what}`).join('\n'),
    ...peerVersions(),
  }));
  const text = (file: string): string => packageFile(file).split('\n')
    .filter((line) => (within !== '' || !IN_SUBFOLDER.test(line)) && (silences.length > 0 || !WITH_SILENCES.test(line)))
    .map((line) => line.replace(IN_SUBFOLDER, '').replace(WITH_SILENCES, '')).join('\n').replace(/\n{3,}/g, '\n\n')
    .replace(PLACEHOLDER, (placeholder, key: string) => values.get(key) ?? placeholder);
  const up = within.split('/').filter((part) => part !== '').map(() => '..');
  return {
    files: new Map<string, string | Buffer>([
      ...templates.flatMap((template) => packageFilesIn(template).map((file) => [placeOf(file, workflow, up), text(`${template}/${file}`)] as const)),
      ...own,
      ...tarball ? [[tarball.place, tarball.content] as const] : [],
    ]),
    toReplace,
    output,
    linkedTo,
  };
}

/** The path of a file of the template, relative to the folder of the app. A repository may have several apps, and a workflow for each. */
function placeOf(file: string, workflow: string, up: readonly string[]): string {
  const own = file.replace(DOTTED, '.$1').replace(/(?<=^\.github\/workflows\/)app(?=\.yml$)/, workflow);
  return AT_TOP.test(own) ? path.posix.join(...up, own) : own;
}

/** A name for package.json or a workflow, from that of a folder or its path. */
function appName(folder: string): string {
  return folder.toLowerCase().replace(/[^a-z0-9._-]+/g, '-').replace(/^[._-]+|-+$/g, '') || 'clusters';
}

/** The versions of the peers that this package accepts: `CDK8S`, `CDK8S_PLUS_28`, `CONSTRUCTS`. */
function peerVersions(): { readonly [key: string]: string } {
  const { peerDependencies } = JSON.parse(packageFile('package.json')) as { peerDependencies: { [name: string]: string } };
  return Object.fromEntries(Object.entries(peerDependencies).map(([name, range]) => [name.toUpperCase().replace(/\W/g, '_'), range]));
}

function valuesToReplace(tenant: string): ValueToReplace[] {
  return tenant.split('\n').flatMap((line, index) => {
    const what = REPLACED.exec(line)?.[1];
    // The value is on the line below.
    return what === undefined ? [] : [{ place: `${TENANT_FILE}:${index + 2}`, what }];
  });
}
