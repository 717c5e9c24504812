import * as fs from 'node:fs';
import * as path from 'node:path';
import { comparePlaces, compareTexts, Place, Remark } from '../../manifests/landscape/place';
import { ReadObject } from '../../manifests/landscape/placed-objects';
import { byTarget } from '../../manifests/landscape/targets';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { MANAGEMENT_CLUSTER_FILE } from '../../manifests/objects/own-folder';
import { RuleFinding } from '../../manifests/rules/manifest-rule';
import { kindText, ManifestSeverity, ReportedFinding, reportedFinding } from '../../manifests/validation/reported-finding';
import { FoundProblem, ManifestValidator, ValidationOptions } from '../../manifests/validation/validate-manifests';
import { VALIDATION_RULES } from '../../manifests/validation/validation-rules';
import { FieldPath, pointerTo } from '../../manifests/values/fields';
import { CommandError } from '../command';
import { readManifests } from '../manifests/read-manifests';
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
  /** Where the field stands; undefined for what is about no file but about how validation was called. */
  readonly place?: Place;

  /** The field as a JSON pointer. */
  readonly pointer: string;

  /** True if it is silenced in the object itself. */
  readonly silencedByObject?: boolean;
}

/** What validation found in files. */
export interface FileReport {
  /** By place. */
  readonly findings: readonly LocatedFinding[];
  readonly silenced: readonly LocatedFinding[];
  readonly objectCount: number;

  /** Objects whose fields were not looked at, by kind and version. */
  readonly unknownKinds: ReadonlyMap<string, number>;

  /** What is no manifest. */
  readonly notRead: readonly Remark[];

  /** True if something could not be read: the findings are about the rest. */
  readonly isIncomplete: boolean;
}

/** How files are validated. */
export interface FileOptions extends Omit<ValidationOptions, 'before' | 'patches' | 'onChecked'> {
  readonly warningsAsErrors: boolean;

  /**
   * File or folder with the former manifests: their changes are checked, too.
   *
   * @default - changes are not checked
   */
  readonly against?: string;
}

/**
 * Validates every object in files and folders. What cannot be read is a finding, and no verdict on what refers to it is given; where it is named, or
 * former manifests are compared, a `CommandError` is thrown.
 *
 * @param paths files, folders, and `-` for standard input
 */
export async function checkFiles(paths: readonly string[], options: FileOptions, surroundings: Surroundings): Promise<FileReport> {
  const unread: Remark[] = [];
  const { objects, patches, notRead } = await readManifests(paths, surroundings, options.against === undefined ? unread : undefined);
  const old = options.against === undefined ? undefined : await readOld(options.against, surroundings);
  const places = new Map([...old ?? [], ...objects, ...patches].map(({ object, placeOf }) => [object as unknown, placeOf]));
  const groups = byManagementCluster(objects, old ?? [], surroundings.cwd).flatMap(([now, before]) => groupsOf(now, before));
  const result = new ManifestValidator().validate(groups.map(([now]) => now), {
    ...options,
    patches: patches.map(({ object }) => object),
    before: old && groups.map(([, before]) => before),
    onChecked: (checked, total) => surroundings.progress?.at('Validating', checked, total),
  });
  // What is for several management clusters was looked at with each of them.
  const [found, silenced, unknown] = [eachOnce(result.found), eachOnce(result.silenced), [...new Set(result.unknown)]];

  const located = (finding: RuleFinding, object: unknown, more?: Partial<LocatedFinding>): LocatedFinding => ({
    ...reportedFinding(finding, object),
    ...(options.warningsAsErrors && finding.rule.warning ? { severity: ManifestSeverity.ERROR } : {}),
    place: places.get(object)?.(finding.path),
    pointer: pointer(finding.path),
    ...more,
  });
  return {
    findings: byPlace([
      ...found.filter(({ finding }) => unread.length === 0 || !finding.rule.elsewhere).map(({ finding, object }) => located(finding, object)),
      ...unread.map((fault) => located(notAFile(fault), undefined, { place: fault.place })),
      ...notRead.filter(({ isRefused: refused }) => refused || options.strict)
        .map((part) => located(notAnObject(part), undefined, { place: part.place })),
    ]),
    silenced: byPlace(silenced.map(({ finding, object, reason, byObject }) => (
      located(finding, object, { silencedBecause: reason, silencedByObject: byObject })))),
    objectCount: objects.length + patches.length,
    unknownKinds: counted(unknown),
    notRead,
    isIncomplete: unread.length > 0,
  };
}

/** True if something was found that is more than a warning. */
export function isRefused({ findings }: FileReport): boolean {
  return findings.some(({ severity }) => severity !== ManifestSeverity.WARNING);
}

/** What was written before: what cannot be read there, or is nothing, would hide what is gone. */
async function readOld(place: string, surroundings: Surroundings): Promise<readonly ReadObject[]> {
  const { objects } = await readManifests([place], surroundings);
  if (objects.length > 0) return objects;
  throw new CommandError([`there are no manifests in ${place}, so that there is nothing to compare with`], 'name the folder or file that was written before');
}

/** Objects of now and of before, which are applied to one place together. */
type Compared<T> = readonly [now: readonly T[], before: readonly T[]];

/** Objects by the management cluster that they are for, where an output states several. Those of other files are for each. */
function byManagementCluster(now: readonly ReadObject[], before: readonly ReadObject[], cwd: string): readonly Compared<ReadObject>[] {
  const stated = new StatedManagementClusters(cwd);
  const nameOf = ({ place: { file } }: ReadObject) => stated.of(file);
  const names = [...new Set([...now, ...before].map(nameOf))].filter((name) => name !== undefined);
  if (names.length < 2) return [[now, before]];
  return names.map((name) => {
    const own = (objects: readonly ReadObject[]) => objects.filter((read) => [name, undefined].includes(nameOf(read)));
    return [own(now), own(before)];
  });
}

/** The objects of one management cluster by the place that they are applied to: what is packed goes to other clusters than what it is packed in. */
function groupsOf(now: readonly ReadObject[], before: readonly ReadObject[]): Compared<ManifestObject>[] {
  const [later, earlier] = [byTarget(now), byTarget(before)];
  return [...new Set([...later.keys(), ...earlier.keys()])].map((target) => {
    const own = (groups: typeof later) => (groups.get(target) ?? []).map(({ object }) => object);
    return [own(later), own(earlier)];
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

function notAnObject({ message, isRefused: refused }: Remark): RuleFinding {
  return { rule: VALIDATION_RULES.object, path: [], message, fix: refused ? 'write both fields' : 'read only files with manifests' };
}

function pointer(field: FieldPath): string {
  return pointerTo(field.map(String));
}

function byPlace(findings: readonly LocatedFinding[]): LocatedFinding[] {
  // What has no place comes last; of what stands in the same one, the order is that of the objects and rules.
  return [...findings].sort(({ place: one }, { place: other }) => (
    one && other ? comparePlaces(one, other) : Number(one === undefined) - Number(other === undefined)));
}

function counted(objects: readonly ManifestObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of objects.map(kindText)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return new Map([...counts].sort(([one], [other]) => compareTexts(one, other)));
}
