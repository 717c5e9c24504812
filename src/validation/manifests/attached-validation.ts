import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ConstructGroup, constructGroups, refusals, written, WrittenObject } from './construct-manifests';
import { fieldText } from './field-text';
import { FoundProblem, ManifestValidator, ValidationOptions } from './validate-manifests';
import { Problem } from '../problem';

/** Property that silences are given in. */
const SILENCES = 'silences';

/** The validation of what one construct writes, at synthesis. */
export class AttachedValidation {
  private running = false;
  private last?: { readonly objects: readonly ApiObject[]; readonly problems: readonly Problem[] };

  /**
   * @param scope the construct
   * @param options how to validate
   */
  public constructor(private readonly scope: IConstruct, private readonly options: ValidationOptions) {}

  /** What is wrong. The app is validated once for each of its charts, so only other objects are a reason to look again. */
  public problems(): Problem[] {
    // It asks all validations of the tree for theirs, and is one of them.
    if (this.running) return [];
    if (this.isUnchanged()) return [...this.last!.problems];
    this.running = true;
    try {
      const refused = refusals(this.scope);
      const groups = constructGroups(this.scope);
      this.last = { objects: allOf(groups), problems: this.validate(groups, refused) };
      return [...this.last.problems];
    } finally {
      this.running = false;
    }
  }

  private isUnchanged(): boolean {
    const [before, now] = [this.last?.objects, allOf(constructGroups(this.scope))];
    return before?.length === now.length && now.every((object, index) => object === before[index]);
  }

  private validate(groups: readonly ConstructGroup[], refused: ReadonlyMap<IConstruct, unknown>): Problem[] {
    const all = groups.map(({ owner, objects }) => objects.flatMap((object) => writtenIfPossible(object, owner)));
    const byManifest = new Map(all.flat().map((object) => [object.manifest, object]));
    const { found } = new ManifestValidator().validate(all.map((group) => group.map(({ manifest }) => manifest)), this.options);
    return found.flatMap((problem) => {
      const object = byManifest.get(problem.object);
      const around = object ? [...object.construct.node.scopes, ...object.owner.node.scopes] : [];
      return around.some((place) => refused.has(place)) ? [] : [problemOf(problem, object)];
    });
  }
}

function allOf(groups: readonly ConstructGroup[]): ApiObject[] {
  return groups.flatMap(({ objects }) => objects);
}

/** Objects that cannot be written say so by themselves. */
function writtenIfPossible(object: ApiObject, owner: IConstruct): WrittenObject[] {
  try {
    return written(object, owner);
  } catch {
    return [];
  }
}

function problemOf({ finding }: FoundProblem, object: WrittenObject | undefined): Problem {
  const { rule, path, message, accepted, fix } = finding;
  const field = path.length === 0 ? '' : `${fieldText(path)} of `;
  return { rule, property: object === undefined ? SILENCES : `${field}${object.path}`, message, accepted, fix };
}
