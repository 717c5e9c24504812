import * as fs from 'node:fs';
import * as path from 'node:path';
import { committedFiles, committedObjects, sparseFiles, withoutSubmodules } from './committed-objects';
import { InputFiles } from '../../manifests/landscape/kustomize-lists';
import { isManifestFile } from '../../manifests/landscape/manifest-file-names';
import { ManifestState, pathWithin } from '../../manifests/landscape/manifest-state';
import { StateReader } from '../../manifests/landscape/placed-objects';
import { statusOf } from '../../manifests/values/file-status';
import { CommandError } from '../command';
import { readFiles, STANDARD_INPUT } from '../manifests/manifest-files';
import { DEFAULT_FOLDER } from '../manifests/read-clusters';
import { readable } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

/**
 * The earlier and the later state.
 *
 * @param given OLD and NEW, or the folder whose committed state is OLD
 * @param base the commit of the earlier state; undefined for the last one
 */
export async function readStates(
  given: readonly string[], base: string | undefined, surroundings: Surroundings,
): Promise<readonly [before: ManifestState, after: ManifestState]> {
  const [old, now] = given;
  const reader = new StateReader();
  if (given.length > 2) throw new CommandError(['plan compares two states'], 'name OLD and NEW, or the folder alone');
  if (now !== undefined) {
    if (base !== undefined) throw new CommandError(['--base names the state that NEW is compared with, and OLD is given too'], 'leave out one of them');
    if (old === STANDARD_INPUT && now === STANDARD_INPUT) throw new CommandError(['OLD and NEW are both standard input'], 'name a file or a folder');
    const before = readable(reader.read(await readFiles([old], surroundings)));
    const after = readable(reader.read(await readFiles([now], surroundings)));
    return withInputs({ ...before, root: old }, { ...after, root: now }, (isInput) => filesOnDisk(old, isInput, surroundings), surroundings);
  }
  const folder = old ?? DEFAULT_FOLDER;
  if (folder === STANDARD_INPUT) throw new CommandError(['standard input has no committed state'], 'name a folder in a Git repository');
  const isThere = fs.existsSync(path.resolve(surroundings.cwd, folder));
  const sparse = sparseFiles(folder, surroundings);
  const checkedOut = isThere ? withoutSubmodules(folder, base, await readFiles([folder], surroundings), surroundings) : [];
  const left = [...sparse].filter(([file]) => isManifestFile(file === '' ? path.basename(folder) : file));
  const onDisk = [...checkedOut, ...left.map(([file, bytes]) => ({ file: path.join(folder, file), bytes }))];
  const committed = committedObjects(folder, base, onDisk, reader, surroundings);
  if (!isThere && committed.objects.length === 0) {
    throw new CommandError([`there is no ${folder}, on disk or in ${base ?? 'HEAD'}`], 'name the folder that synthesis writes');
  }
  const [before, after] = [committed, readable(reader.read(onDisk))].map((read) => ({ ...read, root: folder }));
  return withInputs(before, after, (isInput) => committedFiles(folder, base, isInput, surroundings), surroundings, sparse);
}

/** Adds the files that kustomizations and charts name, and that hold no manifests. */
function withInputs(
  before: ManifestState, after: ManifestState, oldFiles: (isInput: (file: string) => boolean) => ReadonlyMap<string, string>,
  surroundings: Surroundings, sparse: ReadonlyMap<string, Buffer> = new Map(),
): readonly [before: ManifestState, after: ManifestState] {
  const states = [before, after];
  const inputs = new InputFiles(
    states.flatMap((state) => (state.kustomizations ?? []).map((one) => ({ ...one, file: pathWithin(state, one.file) }))),
    states.flatMap((state) => (state.charts ?? []).map((folder) => pathWithin(state, folder) || '.')),
  );
  if (inputs.isEmpty || after.root === STANDARD_INPUT || before.root === STANDARD_INPUT) return [before, after];
  const isInput = (file: string) => !isManifestFile(file) && inputs.has(file);
  const left = [...sparse].filter(([file]) => isInput(file)).map(([file, bytes]) => [file, bytes.toString('latin1')] as const);
  return [{ ...before, inputs: oldFiles(isInput) }, { ...after, inputs: new Map([...filesOnDisk(after.root!, isInput, surroundings), ...left]) }];
}

function filesOnDisk(root: string, isWanted: (file: string) => boolean, { cwd }: Surroundings): ReadonlyMap<string, string> {
  const folder = path.resolve(cwd, root);
  if (!statusOf(folder)?.isDirectory()) return new Map();
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.split(path.sep).join('/'));
  return new Map(files.filter((file) => isWanted(file) && fs.statSync(path.join(folder, file)).isFile())
    .map((file) => [file, fs.readFileSync(path.join(folder, file), 'latin1')]));
}
