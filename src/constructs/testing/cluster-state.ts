import * as fs from 'node:fs';
import * as path from 'node:path';
import { failure, listWords } from './failure';
import { Cluster, NamedObject } from '../../manifests/landscape/cluster-model';
import { isManifestFile } from '../../manifests/landscape/manifest-file-names';
import { compareTexts, remarkText } from '../../manifests/landscape/place';
import { ManifestFile, PlacedObjects, ReadObject, StateReader } from '../../manifests/landscape/placed-objects';
import { readLandscape } from '../../manifests/landscape/read-landscape';
import { ManifestObject, nameOf, namespaceOf } from '../../manifests/objects/manifest-object';
import { Rule } from '../../manifests/values/problem';

/** A cluster of a state of manifests. */
export interface ClusterState {
  readonly objects: readonly ReadObject[];

  /** Undefined if the manifests have no such cluster. */
  readonly cluster?: Cluster;

  /** The names of all clusters, with their namespaces. */
  readonly known: readonly string[];
}

/**
 * Finds a cluster in manifests.
 *
 * @param objects the manifests
 * @param id namespace and name of the cluster
 */
export function clusterState(objects: readonly ReadObject[], id: string): ClusterState {
  const { clusters } = readLandscape({ objects });
  return { objects, cluster: clusters.find((cluster) => cluster.id === id), known: clusters.map((cluster) => cluster.id) };
}

/** The object that stands behind a part of a cluster. */
export function objectOf(objects: readonly ReadObject[], { kind, namespace, name }: NamedObject): ManifestObject | undefined {
  return objects.find(({ object, pack }) => (
    !pack && object.kind === kind && namespaceOf(object) === namespace && nameOf(object) === name))?.object;
}

/** The name of a part as the user gave it: objects have the name of their cluster before it. */
export function shortName(name: string, { namespace = '', name: cluster }: Pick<Cluster, 'namespace' | 'name'>): string {
  const prefix = [`${namespace}-${cluster}-`, `${cluster}-`, `${cluster}.`].find((one) => name.startsWith(one)) ?? '';
  return name.slice(prefix.length);
}

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

const FORMER_RULE: Rule = {
  id: 'TC-TESTING-FORMER',
  title: 'The folder that a test compares with must have the manifests of an earlier state of the cluster.',
};

function refused(subject: string, message: string, fix: string): Error {
  return failure({ rule: FORMER_RULE, subject, lines: [`${message}.`, `Fix: ${fix}.`] });
}
