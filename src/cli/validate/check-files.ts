import * as fs from 'node:fs';
import * as path from 'node:path';
import { BuildGroups, Compared } from './build-groups';
import { OverwrittenFields } from './overwritten-fields';
import { KustomizeTree } from '../../manifests/landscape/kustomize-lists';
import { comparePlaces, compareTexts, Place, Remark, remarkText } from '../../manifests/landscape/place';
import { ReadObject } from '../../manifests/landscape/placed-objects';
import { TargetGroup, targetGroups } from '../../manifests/landscape/target-groups';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { MANAGEMENT_CLUSTER_FILE } from '../../manifests/objects/own-folder';
import { RuleFinding } from '../../manifests/rules/manifest-rule';
import { kindText, ManifestSeverity, ReportedFinding, reportedFinding } from '../../manifests/validation/reported-finding';
import { FoundProblem, ManifestValidator, ValidationOptions } from '../../manifests/validation/validate-manifests';
import { VALIDATION_RULES } from '../../manifests/validation/validation-rules';
import { FieldPath, pointerTo } from '../../manifests/values/fields';
import { BuiltManifests, builtManifests, StateSource } from '../build/built-manifests';
import { CommandError } from '../command';
import { readDefinitions } from '../manifests/read-definitions';
import { AS_WRITTEN, folderToRender, noteUnread, ReadOptions, renderedSource, sourceOnDisk } from '../manifests/read-manifests';
import { committedSource, committedTree } from '../plan/committed-states';
import { Surroundings } from '../surroundings';

/** The management clusters that files are for, as synthesis states them at the top of a tree. */
class StatedManagementClusters {
  private readonly known = new Map<string, string | undefined>();

  /** @param cwd the folder that paths are below */
  public constructor(private readonly cwd: string) {}

  /** The name of a file's management cluster; undefined if it is not stated. */
  public of(file: string): string | undefined {
    return this.around(path.dirname(path.resolve(this.cwd, file)));
  }

  private around(folder: string): string | undefined {
    if (!this.known.has(folder)) {
      const stated = path.join(folder, MANAGEMENT_CLUSTER_FILE);
      const above = path.dirname(folder);
      if (fs.existsSync(stated)) this.known.set(folder, fs.readFileSync(stated, 'utf8').trim());
      else this.known.set(folder, above === folder ? undefined : this.around(above));
    }
    return this.known.get(folder);
  }
}

/** A finding, and where it stands. */
export interface LocatedFinding extends ReportedFinding {
  /** Place of the field; undefined for what is about no file but about how validation was called. */
  readonly place?: Place;

  /** The field as a JSON pointer. */
  readonly pointer: string;

  /** True if it is silenced in the object itself. */
  readonly silencedByObject?: boolean;
}

/** Findings of validation in files. */
export interface FileReport {
  /** By place. */
  readonly findings: readonly LocatedFinding[];
  readonly silenced: readonly LocatedFinding[];
  readonly objectCount: number;

  /** Objects whose fields were not looked at, by kind and version. */
  readonly unknownKinds: ReadonlyMap<string, number>;

  /** Documents that are no manifests. */
  readonly notRead: readonly Remark[];

  /** True if something could not be read: the findings are about the rest. */
  readonly isIncomplete: boolean;
}

/** Options of the validation of files. */
export interface FileOptions extends Omit<ValidationOptions, 'before' | 'patches' | 'onChecked' | 'definitions'> {
  readonly warningsAsErrors: boolean;

  /**
   * The way in which manifests are read.
   *
   * @default - as they are written
   */
  readonly read?: ReadOptions;

  /**
   * Files and folders with CustomResourceDefinitions.
   *
   * @default - those among the manifests
   */
  readonly crds?: readonly string[];

  /**
   * File or folder with the former manifests: their changes are checked, too.
   *
   * @default - changes are not checked
   */
  readonly against?: string;

  /**
   * Commit with the former manifests: their changes are checked, too.
   *
   * @default - changes are not checked
   */
  readonly base?: string;
}

/**
 * Validates every object in files and folders. What cannot be read is a finding, and no verdict on what refers to it is given; where it is named, a
 * `CommandError` is thrown.
 *
 * @param paths files, folders, and `-` for standard input
 */
export async function checkFiles(paths: readonly string[], options: FileOptions, surroundings: Surroundings): Promise<FileReport> {
  const unread: Remark[] = [];
  const { read = AS_WRITTEN } = options;
  const source = await sourceOnDisk(paths, read, surroundings, unread);
  const former = await formerSource(paths, options, surroundings);
  const sources = [source, ...former ? [former.source] : []];
  const [{ objects, patches, faults, ...manifests }, earlier] = await builtManifests(sources, read.build, surroundings);
  unread.push(...faults);
  const foreign = unread.filter((fault) => fault.foreign && !paths.includes(fault.place.file));
  const broken = unread.filter((fault) => !foreign.includes(fault));
  const notRead = [...manifests.notRead, ...foreign];
  const isWhole = broken.length === 0 && !foreign.some((fault) => fault.foreign?.mayHoldObjects);
  const old = former && withoutFiles(formerObjects(earlier, former, options, surroundings), unread, paths, options);
  const definitions = await readDefinitions(options.crds ?? [], surroundings);
  const overwritten = new OverwrittenFields(new KustomizeTree(manifests.kustomizations), objects, manifests.builtFrom);
  const places = new Map([...old ?? [], ...objects, ...patches, ...definitions].map(({ object, placeOf }) => [object as unknown, placeOf]));
  const groups: TargetGroup[] = [];
  const builtFrom = new Map([...manifests.builtFrom, ...earlier?.builtFrom ?? []]);
  const substituted = new Set([...manifests.builtFor?.keys() ?? []].map((file) => path.join(manifests.root ?? '', file)));
  const managed = byManagementCluster(objects, old ?? [], surroundings.cwd);
  const builds = managed.map((group) => new BuildGroups(group, builtFrom, substituted));
  const compared = builds.flatMap((build) => build.groups);
  for (const [now, before] of compared) groups.push(...targetGroups(now, before, groups.length));
  const result = new ManifestValidator().validate(groups.map(({ now }) => now), {
    ...options,
    targets: groups.map(({ target }) => target),
    patches: patches.map(({ object }) => object),
    definitions: definitions.map(({ object }) => object),
    before: old && groups.map(({ before }) => before),
    onChecked: (checked, total) => surroundings.progress?.at('Validating', checked, total),
  });
  // Objects for several management clusters were checked with each of them.
  const certain = result.found.filter(({ finding, object }) => !finding.rule.elsewhere || builds.every((build) => build.isMissing(finding, object)));
  const [found, silenced, unknown] = [eachOnce(certain), eachOnce(result.silenced), [...new Set(result.unknown)]];

  const located = (finding: RuleFinding, object: unknown, more?: Partial<LocatedFinding>): LocatedFinding => ({
    ...reportedFinding(finding, object),
    ...(options.warningsAsErrors && finding.rule.warning ? { severity: ManifestSeverity.ERROR } : {}),
    place: places.get(object)?.(finding.path),
    pointer: pointer(finding.path),
    ...more,
  });
  return {
    findings: byPlace([
      ...eachPlaceOnce(found.filter(({ finding }) => isWhole || !finding.rule.elsewhere)
        .filter(({ finding, object }) => !overwritten.has(finding, object, places.get(object)?.([]).file))
        .map(({ finding, object }) => located(finding, object))),
      ...broken.map((fault) => located(notAFile(fault), undefined, { place: fault.place })),
      ...notRead.filter(({ isRefused: refused, isUnreadable, isOfProgram }) => refused || isUnreadable || (options.strict && !isOfProgram))
        .map((part) => located(notAnObject(part), undefined, { place: part.place })),
    ]),
    silenced: byPlace(eachPlaceOnce(silenced.map(({ finding, object, reason, byObject }) => (
      located(finding, object, { silencedBecause: reason, silencedByObject: byObject }))))),
    objectCount: objects.length + patches.length,
    unknownKinds: counted(unknown),
    notRead: [...notRead, ...result.unused.map(({ definition, reason }) => ({
      place: places.get(definition)!([]), message: `is a definition that API servers refuse, and objects are not checked against it: ${reason}`,
    })), ...result.unjudged.map(({ definition, rule, reason }) => ({
      place: places.get(definition)!([]), message: `has a rule in CEL that only a server judges (${reason}): ${rule}`,
    }))],
    isIncomplete: broken.length > 0,
  };
}

/** True if something was found that is more than a warning. */
export function isRefused({ findings }: FileReport): boolean {
  return findings.some(({ severity }) => severity !== ManifestSeverity.WARNING);
}

/** The former files, and those of them that cannot be read. */
interface FormerSource {
  readonly source: StateSource;
  readonly unread: readonly Remark[];
}

/** The former files, if changes are checked. */
async function formerSource(
  paths: readonly string[], { against, base, read }: FileOptions, surroundings: Surroundings,
): Promise<FormerSource | undefined> {
  if (against === undefined && base === undefined) return undefined;
  const { render } = read ?? AS_WRITTEN;
  const unread: Remark[] = [];
  if (against !== undefined) return { source: await sourceOnDisk([against], { render }, surroundings, unread), unread };
  if (render === undefined) return { source: committedSource(paths, base!, surroundings), unread };
  return { source: await renderedSource(render, committedTree(folderToRender(paths, surroundings), base, surroundings), surroundings), unread };
}

/** The former objects: those of files that cannot be read there count as new. */
function formerObjects(
  { objects, faults }: BuiltManifests, { unread }: FormerSource, { against, base }: FileOptions, surroundings: Surroundings,
): readonly ReadObject[] {
  if (against === undefined) {
    faults.forEach((fault) => surroundings.err(`note: ${base}: ${remarkText(fault)}\n`));
    return objects;
  }
  noteUnread([...unread, ...faults], [against], false, surroundings);
  if (objects.length > 0) return objects;
  throw new CommandError([`there are no manifests in ${against} to compare with`], 'name the folder or file that was written before');
}

/** Former objects without those of files that cannot be read now: they are not gone. */
function withoutFiles(
  old: readonly ReadObject[], unread: readonly Remark[], paths: readonly string[], { against }: FileOptions,
): readonly ReadObject[] {
  if (unread.length === 0) return old;
  const within = (root: string, file: string) => path.relative(root, file);
  const names = new Set(unread.flatMap(({ place: { file } }) => (against === undefined ? [file] : paths.map((root) => within(root, file)))));
  return old.filter(({ place: { file } }) => !names.has(against === undefined ? file : within(against, file)));
}

/** Objects by the management cluster that they are for, where an output states several. Those of other files are for each. */
function byManagementCluster(now: readonly ReadObject[], before: readonly ReadObject[], cwd: string): readonly Compared<ReadObject>[] {
  const stated = new StatedManagementClusters(cwd);
  const statedFor = ({ place: { file } }: ReadObject) => stated.of(file);
  const names = [...new Set([...now, ...before].map(statedFor))].filter((name) => name !== undefined);
  if (names.length < 2) return [[now, before]];
  return names.map((name) => {
    const own = (objects: readonly ReadObject[]) => objects.filter((read) => [name, undefined].includes(statedFor(read)));
    return [own(now), own(before)];
  });
}

/** Findings without those that several kustomizations build out of the same line. */
function eachPlaceOnce(findings: readonly LocatedFinding[]): LocatedFinding[] {
  const known = new Set<string>();
  return findings.filter(({ rule, place, pointer: field, name, message }) => {
    const key = JSON.stringify([rule, place, field, name, message]);
    return place === undefined || (!known.has(key) && known.add(key));
  });
}

function eachOnce<T extends FoundProblem>(found: readonly T[]): T[] {
  const seen = new Map<unknown, Set<string>>();
  return found.filter(({ finding, object }) => {
    const known = seen.get(object) ?? new Set<string>();
    seen.set(object, known);
    const key = JSON.stringify([finding.rule.id, finding.path, finding.message]);
    return !known.has(key) && known.add(key);
  });
}

function notAFile({ message }: Remark): RuleFinding {
  return { rule: VALIDATION_RULES.file, path: [], message, fix: 'correct the file, or name the files to validate' };
}

function notAnObject({ message, isRefused: refused, isUnreadable }: Remark): RuleFinding {
  const fix = isUnreadable ? 'correct the file' : 'read only files with manifests';
  return { rule: VALIDATION_RULES.object, path: [], message, fix: refused ? 'write both fields' : fix };
}

function pointer(field: FieldPath): string {
  return pointerTo(field.map(String));
}

function byPlace(findings: readonly LocatedFinding[]): LocatedFinding[] {
  // Findings without a place come last; those in the same one keep the order of objects and rules.
  return [...findings].sort(({ place: one }, { place: other }) => (
    one && other ? comparePlaces(one, other) : Number(one === undefined) - Number(other === undefined)));
}

function counted(objects: readonly ManifestObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of objects.map(kindText)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return new Map([...counts].sort(([one], [other]) => compareTexts(one, other)));
}
