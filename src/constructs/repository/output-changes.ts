import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { FormerOutput, splitTree } from './former-output';
import { ObjectFile } from './repository-files';
import { TouchedFolder } from './touched-folders';
import { listedObjects } from '../../manifests/objects/manifest-list';
import { groupKind, isManifestObject, ManifestObject, nameOf, namespaceOf, objectName } from '../../manifests/objects/manifest-object';
import { decode, readText } from '../../manifests/objects/manifest-text';
import { packedManifests } from '../../manifests/objects/packed-manifests';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../../manifests/rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../../manifests/rules/manifest-index';
import { RuleFinding } from '../../manifests/rules/manifest-rule';
import { ChangeCheck, ComparedObjects } from '../../manifests/validation/change-check';
import { stringAt } from '../../manifests/values/fields';
import { clusterOf, placeOf, writesTrees } from '../app/synth/output-place';
import { WrittenObject } from '../app/validation/construct-manifests';
import { ConstructChanges } from '../app/validation/validate-constructs';
import { DELIVERED } from '../contracts/delivery/manifest-folder';

/** Former objects of this many folders are in memory at a time. */
const FOLDERS_AT_A_TIME = 100;

/** An object as it was written before, and the file. */
interface FormerObject {
  readonly object: ManifestObject;
  readonly file: string;
}

/**
 * Checks the changes of an output by the rules about changes. Only files that differ are read.
 *
 * @param app the app
 * @param folders folders of the output that differ
 * @param former what was written before
 * @param written the objects of the app, those that are delivered to tenants among them
 */
export function outputChanges(
  app: IConstruct, folders: readonly TouchedFolder[], former: FormerOutput, written: readonly WrittenObject[],
): ConstructChanges {
  if (!writesTrees(app)) return new OutputChanges(app, written, former).find(folders);
  // The management cluster is a part of an object's identity.
  const changes = [...new Set(folders.map(({ path }) => splitTree(path)[0]))].map((tree) => {
    const own = written.filter(({ construct, owner }) => placeOf(construct.node.root === app ? construct : owner).folder.tree === tree);
    return new OutputChanges(app, own, former).find(folders.filter(({ path }) => splitTree(path)[0] === tree));
  });
  return { ofNow: new Map(changes.flatMap(({ ofNow }) => [...ofNow])), gone: changes.flatMap(({ gone }) => gone) };
}

class OutputChanges {
  private readonly check = new ChangeCheck();
  private readonly ofNow = new Map<ManifestObject, readonly RuleFinding[]>();
  private readonly gone: ConstructChanges['gone'][number][] = [];
  private readonly byConstruct = new Map<IConstruct, ManifestObject[]>();

  /** Objects for the management cluster. */
  private readonly management: ManifestObject[] = [];

  /** Objects for other clusters, by the folder of the cluster. */
  private readonly delivered = new Map<string, ManifestObject[]>();

  public constructor(private readonly app: IConstruct, written: readonly WrittenObject[], private readonly former: FormerOutput) {
    for (const { construct, owner, manifest, packed } of written) {
      if (!isManifestObject(manifest)) continue;
      if (!packed) append(this.byConstruct, construct, manifest);
      if (packed || construct.node.root !== app) append(this.delivered, placeOf(packed ? construct : owner).folder.path, manifest);
      else this.management.push(manifest);
    }
  }

  public find(folders: readonly TouchedFolder[]): ConstructChanges {
    const index = new ManifestIndex(folders.length === 0 ? [] : this.management);
    for (let from = 0; from < folders.length; from += FOLDERS_AT_A_TIME) this.compare(folders.slice(from, from + FOLDERS_AT_A_TIME), index);
    return { ofNow: this.ofNow, gone: this.gone };
  }

  private compare(folders: readonly TouchedFolder[], index: ManifestIndex): void {
    const old = folders.map((folder) => ({ folder, objects: this.formerObjects(folder) }))
      .filter(({ folder, objects }) => !isRemovedCluster(folder, objects));
    const management = old.flatMap(({ folder, objects }) => (
      objects.filter(({ file }) => !isDelivered(folder.path, file)).map((former) => ({ ...former, folder }))));
    const changed = old.flatMap(({ folder }) => this.objectsIn(folder.changed.filter(({ path }) => !isDelivered(folder.path, path))));
    const changedHere = new ManifestIndex(changed);
    const moved = management.filter(({ object }) => !find(changedHere, object)).map(({ object }) => find(index, object))
      .filter((object) => object !== undefined);
    const compared = new Set([...changed, ...moved]);
    const result = this.check.compare(
      management.map(({ object }) => object), [...compared], index, this.management.filter((object) => !compared.has(object)));
    this.add([...compared], result, new Map(management.map(({ object, file, folder }) => [object, { file, folder }])));
    for (const { folder, objects } of old) {
      if (!isDecommissioned(folder, objects)) this.compareDelivered(folder, objects);
    }
  }

  /** Compares what goes from a folder to a tenant, if something of it differs. */
  private compareDelivered(folder: TouchedFolder, objects: readonly FormerObject[]): void {
    const [inFiles, management] = [true, false].map((wanted) => objects.filter(({ file }) => isDelivered(folder.path, file) === wanted));
    const [filesLeft, managementLeft] = [true, false].map((wanted) => (
      this.objectsIn(folder.unchanged.filter(({ path }) => isDelivered(folder.path, path) === wanted))));
    const files = new Map(management.map(({ object, file }) => [object, file]));
    const packed = packedManifests([...files.keys(), ...managementLeft]).texts.flatMap(({ object, text }) => (
      objectsOf(text).map((inner) => ({ object: inner, file: files.get(object) }))));
    if (inFiles.length === 0 && packed.every(({ file }) => file === undefined)) return;
    const old = [...inFiles, ...packed];
    const now = this.delivered.get(folder.path) ?? [];
    const result = this.check.compare([...old.map(({ object }) => object), ...filesLeft], now, new ManifestIndex(now));
    this.add(now, result, new Map(old.map(({ object, file = folder.path }) => [object, { file, folder }])));
  }

  private add(
    objects: readonly ManifestObject[], compared: ComparedObjects,
    places: ReadonlyMap<ManifestObject, { readonly file: string; readonly folder: TouchedFolder }>,
  ): void {
    for (const object of objects) {
      const findings = compared.ofNow(object);
      if (findings.length > 0) this.ofNow.set(object, [...this.ofNow.get(object) ?? [], ...findings]);
    }
    for (const { object, findings } of compared.ofGone()) {
      if (findings.length === 0) continue;
      const { file, folder } = places.get(object)!;
      const construct = this.ownerOf(folder);
      this.gone.push({ object, findings, writer: { construct, owner: construct, path: `${objectName(object)}, which was in ${file}`, manifest: object, gone: true } });
    }
  }

  private formerObjects({ changed, gone }: TouchedFolder): FormerObject[] {
    return [...this.former.read([...changed.map(({ path }) => path), ...gone])].flatMap(([file, content]) => {
      const decoded = decode(content);
      return 'text' in decoded ? objectsOf(decoded.text).map((object) => ({ object, file })) : [];
    });
  }

  private objectsIn(files: readonly ObjectFile[]): ManifestObject[] {
    return files.flatMap(({ objects }) => objects.flatMap((object) => this.byConstruct.get(object) ?? []));
  }

  /** The chart that a folder is for. */
  private ownerOf({ path, changed, unchanged }: TouchedFolder): IConstruct {
    const objects = [...changed, ...unchanged].flatMap((file) => file.objects);
    const scopes = objects.find(({ node }) => node.root === this.app)?.node.scopes ?? [];
    return scopes.find((scope) => Chart.isChart(scope) && placeOf(scope).folder.path === path) ?? this.app;
  }
}

/** True if a folder is that of a cluster that is gone from the code, and is kept. */
function isRemovedCluster(folder: TouchedFolder, objects: readonly FormerObject[]): boolean {
  return isGone(folder) && objects.some(({ object }) => groupKind(object) === CLUSTER);
}

/** True if a folder is that of a cluster that was taken down, and is gone from the code: nothing is delivered to it any more. */
function isDecommissioned(folder: TouchedFolder, objects: readonly FormerObject[]): boolean {
  return isGone(folder) && objects.some(({ object }) => stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL) !== undefined);
}

function isGone({ path, changed, unchanged }: TouchedFolder): boolean {
  return clusterOf(path) !== undefined && changed.length + unchanged.length === 0;
}

function isDelivered(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/${DELIVERED}/`);
}

function find(index: ManifestIndex, object: ManifestObject): ManifestObject | undefined {
  return index.find(groupKind(object), namespaceOf(object), nameOf(object));
}

function objectsOf(text: string): ManifestObject[] {
  return readText(text).documents.flatMap(({ value }) => listedObjects(value)).map(({ object }) => object).filter(isManifestObject);
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
