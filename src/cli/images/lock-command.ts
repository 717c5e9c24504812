import * as fs from 'node:fs';
import * as path from 'node:path';
import { isAccepted, NOT_KNOWN_OPTIONS, notKnownHelp, withCommand } from './not-known-options';
import { isRegistry, LOCK_VERSION, parseImageName, readLockFile as readLock, tagAndDigest } from '../../manifests/images/image-lock-file';
import { ImageResolver } from '../../manifests/images/image-resolver';
import { findDockerCredentials } from '../../manifests/images/registry/docker-credentials';
import { RegistryClient } from '../../manifests/images/registry/registry-client';
import { RegistryError } from '../../manifests/images/registry/registry-request';
import { NotKnown, takeInventory } from '../../manifests/landscape/image-inventory';
import { compareTexts } from '../../manifests/landscape/place';
import { hostAndPath } from '../../manifests/values/image-reference';
import { printable } from '../../manifests/values/printable';
import { readArguments } from '../arguments';
import { BUILD_OPTION } from '../build/kustomize';
import { Command, CommandError, ExitCode } from '../command';
import { STANDARD_INPUT } from '../manifests/read-files';
import { readOn } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

/** Content of a lock file. */
interface LockContent {
  /** Digests by the names of images in their long form, with their tags. */
  readonly images: ReadonlyMap<string, string>;

  /** Digests of charts, which are kept as they are. */
  readonly charts?: unknown;
}

/** Reads a lock file; an empty one if there is none yet. */
function readLockFile(file: string): LockContent {
  if (!fs.existsSync(file)) return { images: new Map() };
  const faults = readLock(file).faults;
  if (faults.length > 0) throw new CommandError(faults, 'correct the lock, or remove it and run this again');
  const { images, charts } = JSON.parse(fs.readFileSync(file, 'utf8')) as { images: { [image: string]: string }; charts?: unknown };
  return { images: new Map(Object.entries(images).map(([image, digest]) => [longName(image), digest])), charts };
}

/** Writes a sorted lock file atomically: other processes never read half of it. */
function writeLockFile(file: string, { images, charts }: LockContent): void {
  const sorted = Object.fromEntries([...images].sort(([one], [other]) => compareTexts(one, other)));
  const text = `${JSON.stringify({ version: LOCK_VERSION, images: sorted, charts }, undefined, 2)}\n`;
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  try {
    const handle = fs.openSync(temporary, 'wx', 0o666);
    try {
      fs.writeSync(handle, text);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw new CommandError([`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`]);
  }
}

/** The name that the lock knows an image by. */
export function longName(image: string): string {
  const parsed = parseImageName(image);
  return parsed === undefined ? image : `${parsed.name}${tagAndDigest(parsed)}`;
}

/** An image that manifests name with a digest. */
interface PinnedImage {
  /** Repository with its registry. */
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

/** The entry of a lock that a pinned image has its digest from. */
export interface FoundEntry {
  /** Name and tag, as the lock has them. */
  readonly key: string;

  /** True if the lock has another digest now. */
  readonly differs: boolean;
}

/**
 * Finds the entries that manifests were written with. A lock speaks of images by the names that they have without a mirror, and manifests
 * by those that they are pulled by: a registry for all images keeps the path, an override need not keep anything but the tag.
 */
class LockEntries {
  private readonly byTag = new Map<string, { readonly key: string; readonly path: string; readonly digest: string }[]>();

  /**
   * @param images digests by the names of images in their long form, with their tags
   */
  public constructor(private readonly images: ReadonlyMap<string, string>) {
    for (const [key, digest] of images) {
      const colon = key.lastIndexOf(':');
      const tag = key.slice(colon + 1);
      this.byTag.set(tag, [...this.byTag.get(tag) ?? [], { key, path: hostAndPath(key.slice(0, colon)).path, digest }]);
    }
  }

  /** The entries that may have given an image its digest; none if it is not from the lock. */
  public of({ name, tag, digest }: PinnedImage): FoundEntry[] {
    const own = this.images.get(`${name}:${tag}`);
    if (own !== undefined) return [{ key: `${name}:${tag}`, differs: own !== digest }];
    const sameTag = this.byTag.get(tag) ?? [];
    const samePath = sameTag.filter((entry) => name.endsWith(`/${entry.path}`));
    const candidates = samePath.length > 0 ? samePath : sameTag.filter((entry) => entry.digest === digest);
    // Images of several registries may have the same path.
    const same = candidates.filter((entry) => entry.digest === digest);
    return (same.length > 0 ? same : candidates).map((entry) => ({ key: entry.key, differs: entry.digest !== digest }));
  }
}

/** Images to lock, in the files of the arguments. */
interface ImagesToLock {
  /** Names of images, in their long form with their tags. */
  readonly images: readonly string[];

  /** Images that have a digest in the manifests already. */
  readonly pinned: readonly PinnedImage[];

  /** Images that cannot be locked, and why. */
  readonly faults: readonly string[];
  readonly notKnown: readonly NotKnown[];
}

const DEFAULT_FOLDER = 'dist';

/**
 * Finds out which images a lock is for.
 *
 * @param args files, folders, `-`, and names of images with their tags
 * @param build whether kustomizations and charts are built
 */
async function imagesToLock(args: readonly string[], build: boolean, surroundings: Surroundings): Promise<ImagesToLock> {
  const isPath = (arg: string) => arg === STANDARD_INPUT || fs.existsSync(path.resolve(surroundings.cwd, arg));
  const names = args.filter((arg) => !isPath(arg));
  const wrong = names.filter((arg) => parseImageName(arg)?.tag === undefined);
  if (wrong.length > 0) {
    throw new CommandError(wrong.map((arg) => `there is no file or folder ${arg}, nor is it an image with a tag`),
      'images are named like quay.io/cilium/cilium:v1.18.0');
  }
  const paths = args.length === 0 ? [DEFAULT_FOLDER] : args.filter(isPath);
  const { images, notKnown } = takeInventory(await readOn(paths, surroundings, { build }));
  const lockable = images.filter(({ tag, takesDigest }) => tag !== undefined && takesDigest);
  const open = lockable.filter(({ digest }) => digest === undefined).map(({ image }) => image);
  return {
    images: [...new Set([...open, ...names.map(withoutDigest)])],
    pinned: lockable.flatMap(({ name, tag, digest }) => (tag === undefined || digest === undefined ? [] : [{ name, tag, digest }])),
    faults: images.filter(({ tag, digest }) => tag === undefined && digest === undefined)
      .map(({ image }) => `${image} has no tag, so that nothing can be locked`),
    notKnown,
  };
}

function withoutDigest(image: string): string {
  return longName(image).split('@')[0];
}

const NAME = 'images lock';
const BACKOFF_MILLISECONDS = 1000;

const OPTIONS = {
  'lock': { type: 'string', default: 'images.lock.json' },
  'check': { type: 'boolean', default: false },
  'update': { type: 'boolean', default: false },
  'prune': { type: 'boolean', default: false },
  ...NOT_KNOWN_OPTIONS,
  ...BUILD_OPTION,
  'mirror': { type: 'string' },
  'insecure-registry': { type: 'string', multiple: true, default: [] as string[] },
  'timeout': { type: 'string', default: '30' },
} as const;

const HELP = `cdk8s-cluster-api images lock: asks registries for the digests of images, and writes them to a lock file

Usage: npx cdk8s-cluster-api images lock [OPTION…] [FILE, FOLDER or IMAGE…]

Finds images as "images" does (default: the folder dist), or takes those that are named, each with its tag. Give the file to
ImageSources as lock: ImageLock.fromFile('images.lock.json'), and keep it in the repository: then a tag means the same image
for ever. Entries stay as they are until --update or --prune.

  --lock FILE               the lock (default: images.lock.json)
  --check                   query no registry and write nothing; fail when an image has no entry
  --update                  ask again for images that have an entry, and take what their tags mean now
  --prune                   drop entries of images that are not used; nothing is dropped while that cannot be told of all
${notKnownHelp(28)}
  --no-build                run neither kustomize nor Helm
  --mirror REGISTRY         ask this registry instead, under the names that ImageSources.imageRegistry would write
  --insecure-registry HOST  speak plain http with this host, e.g. localhost:5000; may be repeated
  --timeout SECONDS         for each request (default: 30)

Credentials are those of docker login: auths, credHelpers and credsStore in ~/.docker/config.json, or in $DOCKER_CONFIG.
A registry gets them only when it asks, and so does the token server that it names; no other host gets them.
Authorities of your own: NODE_EXTRA_CA_CERTS=FILE.
Proxies: NODE_USE_ENV_PROXY=1 with HTTPS_PROXY, from Node 22.21 or 24.0 on. Each digest is computed from what the registry sends.

Ends with 0 when the lock is complete, 1 when it is not (what could be found is written), 2 when it could not run.

Examples:
  npx cdk8s-cluster-api images lock
  npx cdk8s-cluster-api images lock --check dist
  npx cdk8s-cluster-api images lock --update quay.io/cilium/cilium:v1.18.0
`;

type Options = ReturnType<typeof readOptions>['values'];

/** Writes digests of images to a lock file. */
export const IMAGES_LOCK_COMMAND: Command = {
  name: NAME,
  summary: 'ask registries for the digests of these images, and write them to a lock file',
  help: HELP,
  options: OPTIONS,
  async run(args, surroundings) {
    const { values, positionals } = readOptions(args);
    const timeoutSeconds = checkOptions(values);
    const file = path.resolve(surroundings.cwd, values.lock);
    const lock = readLockFile(file);
    const wanted = await imagesToLock(positionals, !values['no-build'], surroundings);
    const findings = values.check
      ? check(lock, wanted, values.lock)
      : await write(file, lock, wanted, { values, timeoutSeconds, surroundings });
    findings.push(...wanted.faults);
    for (const thing of wanted.notKnown) {
      const text = `not known, and not locked: ${withCommand(thing)}`;
      if (values.strict && !isAccepted(thing, values.accept)) findings.push(text);
      else surroundings.err(`note: ${text}\n`);
    }
    findings.forEach((finding) => surroundings.err(`found: ${finding}\n`));
    return findings.length > 0 ? ExitCode.FINDINGS : ExitCode.OK;
  },
};

function readOptions(args: readonly string[]) {
  return readArguments(NAME, args, OPTIONS);
}

function checkOptions({ check: checks, update, prune, mirror, timeout }: Options): number {
  if (checks && (update || prune)) throw new CommandError([`--check writes nothing, and --${update ? 'update' : 'prune'} does`], 'leave one of them out');
  if (mirror !== undefined && !isRegistry(mirror)) {
    throw new CommandError([`--mirror ${JSON.stringify(mirror)} is not a registry`], 'write a host with a dot or a port, with or without a path, and no scheme');
  }
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= 3600)) throw new CommandError([`--timeout ${JSON.stringify(timeout)} is not a number of seconds up to 3600`]);
  return seconds;
}

function check(lock: LockContent, { images, pinned }: ImagesToLock, name: string): string[] {
  const entries = new LockEntries(lock.images);
  return [
    ...images.filter((image) => !lock.images.has(image)).map((image) => `${image} has no entry in ${name}`),
    ...pinned.flatMap((image) => entries.of(image).filter(({ differs }) => differs).map(({ key }) => (
      `${nameOf(image)} has ${image.digest} in the manifests, and ${key === nameOf(image) ? '' : `as ${key} `}${lock.images.get(key)} in ${name}; synthesize again`))),
  ];
}

function nameOf({ name, tag }: PinnedImage): string {
  return `${name}:${tag}`;
}

/** Reasons for which the unused entries of the lock file are unknown. */
function unsure({ pinned, notKnown }: ImagesToLock, entries: LockEntries, { accept }: Options): string[] {
  return [
    ...pinned.filter((image) => entries.of(image).length === 0).map((image) => `${nameOf(image)} has a digest in the manifests, and none of the lock's`),
    ...notKnown.filter(({ takesDigest }) => takesDigest).map(({ what }) => `not known: ${printable(what)}`),
  ].filter((what) => !accept.some((text) => what.includes(text)));
}

interface Task {
  readonly values: Options;
  readonly timeoutSeconds: number;
  readonly surroundings: Surroundings;
}

async function write(file: string, lock: LockContent, wanted: ImagesToLock, task: Task): Promise<string[]> {
  const { values, surroundings } = task;
  const known = new LockEntries(lock.images);
  // Manifests that were written with the lock have its digests.
  const used = new Set([...wanted.images, ...wanted.pinned.flatMap((image) => known.of(image).map(({ key }) => key))]);
  const unused = values.prune ? [...lock.images.keys()].filter((image) => !used.has(image)) : [];
  const doubts = unused.length === 0 ? [] : unsure(wanted, known, values);
  const asked = [...used].filter((image) => values.update || !lock.images.has(image)).sort();
  const results = await requestDigests(asked, lock, task);

  const entries = new Map([...lock.images].filter(([image]) => doubts.length > 0 || !unused.includes(image)));
  results.forEach((digest, index) => {
    if (typeof digest === 'string') entries.set(asked[index], digest);
  });
  const changes = changesBetween(lock.images, entries);
  if (changes.length > 0) writeLockFile(file, { ...lock, images: entries });
  surroundings.out(changes.map((line) => `${line}\n`).join(''));
  surroundings.out(`${values.lock}: ${count(entries.size, 'image', 'images')}, ${changes.length === 0 ? 'nothing changed' : `${changes.length} changed`}\n`);
  return [
    ...results.flatMap((error, index) => (typeof error === 'string' ? [] : [`${asked[index]} is not locked: ${error.message}\n       ${error.fix}`])),
    ...(doubts.length === 0 ? [] : [`nothing is dropped, because ${count(unused.length, 'entry', 'entries')} may be used after all:\n       ${doubts.join('\n       ')}`
      + '\n       --accept TEXT says of each that it is not from the lock; or prune with manifests that are synthesized without ImageSources']),
  ];
}

function requestDigests(images: readonly string[], lock: LockContent, task: Task): Promise<(string | RegistryError)[]> {
  const { values, timeoutSeconds, surroundings: { env, err, progress } } = task;
  const sources = new ImageResolver({ imageRegistry: values.mirror });
  const client = new RegistryClient({
    timeoutSeconds,
    backoffMilliseconds: BACKOFF_MILLISECONDS,
    insecureHosts: new Set(values['insecure-registry']),
    env,
    credentials: (registry) => findDockerCredentials(registry, env),
    warn: (text) => err(`note: ${text}\n`),
  });
  if (images.length > 0) err(`asking for ${count(images.length, 'image', 'images')} …\n`);
  const requests = images.map((image) => ({ image: sources.resolve(image).image, known: lock.images.get(image) }));
  return client.digestsOf(requests, (answered) => progress?.at('Asking', answered, requests.length));
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((image) => {
    const [old, now] = [before.get(image), after.get(image)];
    if (old === now) return [];
    if (old === undefined) return [`locked   ${image} ${now}`];
    return [now === undefined ? `dropped  ${image}` : `changed  ${image} ${now}, was ${old}`];
  });
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
