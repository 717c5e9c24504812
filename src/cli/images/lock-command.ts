import * as path from 'node:path';
import { ImagesToLock, imagesToLock } from './images-to-lock';
import { LockContent, readLockFile, writeLockFile } from './lock-file';
import { isAccepted, notKnownHelp, NOT_KNOWN_OPTIONS } from './not-known-options';
import { isRegistry } from '../../images/image-name';
import { ImageSources } from '../../images/image-sources';
import { DockerConfig } from '../../images/registry/docker-config';
import { RegistryClient } from '../../images/registry/registry-client';
import { DigestResult, resolveDigests } from '../../images/registry/resolve-digests';
import { readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';
import { Surroundings } from '../surroundings';

const NAME = 'images lock';
const BACKOFF_MILLISECONDS = 1000;

const OPTIONS = {
  'lock': { type: 'string', default: 'images.lock.json' },
  'check': { type: 'boolean', default: false },
  'update': { type: 'boolean', default: false },
  'prune': { type: 'boolean', default: false },
  ...NOT_KNOWN_OPTIONS,
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
  --check                   ask nobody and write nothing; fail when an image has no entry
  --update                  ask again for images that have an entry, and take what their tags mean now
  --prune                   drop entries of images that are not used
${notKnownHelp(28)}
  --mirror REGISTRY         ask this registry instead, under the names that ImageSources.imageRegistry would write
  --insecure-registry HOST  speak plain http with this host, e.g. localhost:5000; may be repeated
  --timeout SECONDS         for each request (default: 30)

Credentials are those of docker login: auths, credHelpers and credsStore in ~/.docker/config.json, or in $DOCKER_CONFIG.
A registry gets them only when it asks, and no other host gets them. Authorities of your own: NODE_EXTRA_CA_CERTS=FILE.
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
  async run(args, surroundings) {
    const { values, positionals } = readOptions(args);
    const timeoutSeconds = checkOptions(values);
    const file = path.resolve(surroundings.cwd, values.lock);
    const lock = readLockFile(file);
    const wanted = await imagesToLock(positionals, surroundings);
    const findings = values.check
      ? check(lock, wanted, values.lock)
      : await write(file, lock, wanted, { values, timeoutSeconds, surroundings });
    findings.push(...wanted.faults);
    for (const thing of wanted.notKnown) {
      const { what, command } = thing;
      const text = `not known, and not locked: ${what}${command === undefined ? '' : `; to find out: ${command}`}`;
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
  return [
    ...images.filter((image) => !lock.images.has(image)).map((image) => `${image} has no entry in ${name}`),
    ...[...pinned].flatMap(([image, digests]) => [...digests].filter((digest) => (lock.images.get(image) ?? digest) !== digest)
      .map((digest) => `${image} has ${digest} in the manifests, and ${lock.images.get(image)} in ${name}; synthesize again`)),
  ];
}

interface Task {
  readonly values: Options;
  readonly timeoutSeconds: number;
  readonly surroundings: Surroundings;
}

async function write(file: string, lock: LockContent, { images, pinned }: ImagesToLock, task: Task): Promise<string[]> {
  const { values, surroundings } = task;
  // Manifests that were written with the lock have its digests.
  const used = new Set([...images, ...[...pinned.keys()].filter((image) => lock.images.has(image))]);
  const asked = [...used].filter((image) => values.update || !lock.images.has(image)).sort();
  const results = await resolve(asked, lock, task);

  const entries = new Map([...lock.images].filter(([image]) => !values.prune || used.has(image)));
  for (const { key, digest } of results) if (digest !== undefined) entries.set(key, digest);
  const changes = changesBetween(lock.images, entries);
  if (changes.length > 0) writeLockFile(file, { ...lock, images: entries });
  surroundings.out(changes.map((line) => `${line}\n`).join(''));
  surroundings.out(`${values.lock}: ${entries.size} ${entries.size === 1 ? 'image' : 'images'}, ${changes.length === 0 ? 'nothing changed' : `${changes.length} changed`}\n`);
  return results.flatMap(({ key, error }) => (error === undefined ? [] : [`${key} is not locked: ${error.message}\n       ${error.fix}`]));
}

function resolve(images: readonly string[], lock: LockContent, { values, timeoutSeconds, surroundings }: Task): Promise<DigestResult[]> {
  const { env, err } = surroundings;
  const sources = new ImageSources({ imageRegistry: values.mirror });
  const client = new RegistryClient({
    timeoutSeconds,
    backoffMilliseconds: BACKOFF_MILLISECONDS,
    insecureHosts: new Set(values['insecure-registry']),
    env,
    credentials: new DockerConfig(env),
    note: (text) => err(`note: ${text}\n`),
  });
  if (images.length > 0) err(`asking for ${images.length} ${images.length === 1 ? 'image' : 'images'} …\n`);
  return resolveDigests(images.map((image) => ({ key: image, image: sources._resolve(image).image, known: lock.images.get(image) })), client);
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((image) => {
    const [old, now] = [before.get(image), after.get(image)];
    if (old === now) return [];
    if (old === undefined) return [`locked   ${image} ${now}`];
    return [now === undefined ? `dropped  ${image}` : `changed  ${image} ${now}, was ${old}`];
  });
}
