import * as fs from 'node:fs';
import * as path from 'node:path';
import { clusterState, ClusterState } from './cluster-state';
import { failure, listWords } from './failure';
import { TESTING_RULES } from './rules';
import { isManifestFile } from '../../manifests/landscape/manifest-file-names';
import { compareTexts, remarkText } from '../../manifests/landscape/place';
import { ManifestFile, PlacedObjects, StateReader } from '../../manifests/landscape/placed-objects';

/**
 * Reads the earlier state of a cluster.
 *
 * @param folder the folder, as the user named it: the output of an app, one above or below it
 * @param clusterFolder the folder of the cluster in the output of a `GitOpsApp`
 * @param id namespace and name of the cluster
 * @param reader reads both states
 */
export function formerState(folder: string, clusterFolder: string, id: string, reader: StateReader): Required<ClusterState> {
  const own = path.join(folder, clusterFolder);
  const { objects } = complete(reader.read(formerFiles(fs.existsSync(own) ? own : folder, id)), id);
  const { cluster, known } = clusterState(objects, id);
  if (cluster) return { objects, cluster, known };
  throw refused(id, `${JSON.stringify(folder)} has no cluster ${id}; its clusters: ${listWords(known)}`,
    'name the folder with the manifests of the last release, such as the one that synthesis writes');
}

function formerFiles(folder: string, id: string): ManifestFile[] {
  let names: string[];
  try {
    names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    throw refused(id, `${JSON.stringify(folder)} cannot be read (${(error as NodeJS.ErrnoException).code})`,
      'name a folder; a relative one is below the folder that the tests run in');
  }
  return names.filter((name) => isManifestFile(name.split(path.sep).join('/'))).sort(compareTexts)
    .map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isFile())
    .map((file) => ({ file, bytes: fs.readFileSync(file) }));
}

function complete(read: PlacedObjects, id: string): PlacedObjects {
  if (read.faults.length === 0) return read;
  throw refused(id, read.faults.map(remarkText).join('; '), 'correct the files, or name another folder');
}

function refused(subject: string, message: string, fix: string): Error {
  return failure({ rule: TESTING_RULES.former, subject, lines: [`${message}.`, `Fix: ${fix}.`] });
}
