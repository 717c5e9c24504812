import * as fs from 'node:fs';
import * as path from 'node:path';
import { packageSpec } from './package-spec';
import { ownVersion } from '../../values/own-version';
import { packageRoot } from '../../values/package-root';

/** The blueprints that an app may start from, each a file of `templates/blueprints/`. */
export const BLUEPRINTS: { readonly [name: string]: string } = {
  'diy-cloud': 'a private cloud: a pool that scales, a pool of fixed size, volumes, snapshots, isolation',
  'highly-available': 'survives the loss of a host or of a zone',
  'gpu-cluster': 'GPU nodes that exist only while pods need them',
  'small-edge': 'a place with little room',
  'platform-cluster': 'metrics, logs, policies and backup included',
  'vultr-starter': 'a first cluster at Vultr',
};

/** The file of the app with the cluster, which is the blueprint's. */
const TENANT_FILE = 'tenant.ts';

/** Names that begin with a dot in the app. npm leaves .gitignore out of packages, and tools obey the others where they are. */
const DOTTED = /^(editorconfig|gitattributes|github|gitignore)(?=$|\/)/;

const PLACEHOLDER = /__([A-Z][A-Z0-9_]*?)__/g;
const REPLACED = /^ *\/\/ Replace: (.*)\.$/;

/** A value of the app that only fits the example. */
export interface ValueToReplace {
  /** Where it stands, e.g. `tenant.ts:12`. */
  readonly place: string;

  /** What to write there. */
  readonly what: string;
}

/** An app as `init` writes it. */
export interface AppFiles {
  /** The texts, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly toReplace: readonly ValueToReplace[];
}

/**
 * The files of an app.
 *
 * @param folder absolute path of its folder
 * @param blueprint one of `BLUEPRINTS`
 */
export function appFiles(folder: string, blueprint: string): AppFiles {
  const templates = path.join(packageRoot(), 'templates');
  const tenant = fs.readFileSync(path.join(templates, 'blueprints', `${blueprint}.ts`), 'utf8');
  const toReplace = valuesToReplace(tenant);
  const values = new Map(Object.entries({
    NAME: appName(folder),
    PACKAGE: packageSpec(packageRoot(), folder),
    VERSION: ownVersion(),
    REPLACE: toReplace.map(({ place, what }) => `- \`${place}\`: ${what}`).join('\n'),
    ...peerVersions(),
  }));
  const app = path.join(templates, 'app');
  const names = fs.readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((name) => fs.statSync(path.join(app, name)).isFile()).sort();
  return {
    files: new Map([
      ...names.map((name) => [
        name.split(path.sep).join('/').replace(DOTTED, '.$1'),
        fs.readFileSync(path.join(app, name), 'utf8').replace(PLACEHOLDER, (text, key: string) => values.get(key) ?? text),
      ] as const),
      [TENANT_FILE, tenant],
    ]),
    toReplace,
  };
}

/** A name for package.json, from that of the folder. */
function appName(folder: string): string {
  return path.basename(folder).toLowerCase().replace(/[^a-z0-9._-]+/g, '-').replace(/^[._-]+|-+$/g, '') || 'clusters';
}

/** The versions of the peers that this package accepts: `CDK8S`, `CDK8S_PLUS_28`, `CONSTRUCTS`. */
function peerVersions(): { readonly [key: string]: string } {
  const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(packageRoot(), 'package.json'), 'utf8')) as { peerDependencies: { [name: string]: string } };
  return Object.fromEntries(Object.entries(peerDependencies).map(([name, range]) => [name.toUpperCase().replace(/\W/g, '_'), range]));
}

function valuesToReplace(tenant: string): ValueToReplace[] {
  return tenant.split('\n').flatMap((line, index) => {
    const what = REPLACED.exec(line)?.[1];
    // The value is on the line below.
    return what === undefined ? [] : [{ place: `${TENANT_FILE}:${index + 2}`, what }];
  });
}
