import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ConstructGroup, constructGroups, refusals, written, WrittenObject } from './construct-manifests';
import { ofThisProcess } from './construct-share';
import { fieldText } from './field-text';
import { validateConstructs } from './validate-constructs';
import { FoundProblem, ValidationOptions } from './validate-manifests';
import { VALIDATION_RULES } from './validation-rules';
import { Share } from '../../synth/share';
import { isSettling } from '../../synth/synthesis';
import { Problem } from '../problem';
import { Problems } from '../problems';

/** Property that silences are given in. */
const SILENCES = 'silences';

const ATTACHED = Symbol.for('cdk8s-cluster-api.AttachedValidation');

interface Validated extends IConstruct {
  [ATTACHED]?: AttachedValidation;
}

/**
 * Has what a construct writes validated at synthesis, and what is wrong reported with its problems. Of several for one construct the last one
 * counts.
 *
 * @param scope the construct
 * @param options how to validate
 */
export function attachValidation(scope: IConstruct, options: ValidationOptions): void {
  const holder: Validated = scope;
  const before = holder[ATTACHED];
  Object.defineProperty(holder, ATTACHED, { value: new AttachedValidation(scope, options), configurable: true });
  if (before === undefined) Problems.of(scope)._addCheck(() => holder[ATTACHED]!.problems());
}

/** The validation of what one construct writes, at synthesis. */
class AttachedValidation {
  private running = false;
  private last?: { readonly objects: readonly ApiObject[]; readonly problems: readonly Problem[] };

  public constructor(private readonly scope: IConstruct, private readonly options: ValidationOptions) {}

  /** What is wrong. The app is validated once for each of its charts, so only other objects are a reason to look again. */
  public problems(): Problem[] {
    // It asks all validations of the tree for theirs, and is one of them.
    if (this.running || isSettling()) return [];
    if (this.isUnchanged()) return [...this.last!.problems];
    this.running = true;
    try {
      const refused = refusals(this.scope);
      const groups = constructGroups(this.scope);
      const all = ofThisProcess(this.scope, groups).map(({ owner, objects }) => objects.flatMap((object) => this.writtenIfPossible(object, owner)));
      this.last = { objects: allOf(groups), problems: manifestProblems(this.scope, all, refused, this.options) };
      return [...this.last.problems];
    } finally {
      this.running = false;
    }
  }

  private isUnchanged(): boolean {
    if (this.last === undefined) return false;
    const [before, now] = [this.last.objects, allOf(constructGroups(this.scope))];
    return before.length === now.length && now.every((object, index) => object === before[index]);
  }

  /** Objects that cannot be written say so by themselves. */
  private writtenIfPossible(object: ApiObject, owner: IConstruct): WrittenObject[] {
    try {
      return written(object, owner);
    } catch {
      return [];
    }
  }
}

/**
 * What is wrong with final objects of constructs.
 *
 * @param scope the construct that all of them are below
 * @param all the objects by the cluster that they go to: the management cluster first, then each tenant
 * @param refused constructs that report problems themselves; what they write is left alone
 * @param options how to validate them
 */
export function manifestProblems(
  scope: IConstruct, all: readonly (readonly WrittenObject[])[], refused: ReadonlyMap<IConstruct, unknown>, options: ValidationOptions,
): Problem[] {
  const { result, writerOf } = validateConstructs(scope, all, options);
  return result.found.flatMap((problem) => {
    // What it is for may be in what others look at.
    if (problem.object === undefined && problem.finding.rule.id === VALIDATION_RULES.silenceUnused.id && !Share.of(scope).isWhole) return [];
    const object = writerOf(problem.object);
    const around = object ? [...object.construct.node.scopes, ...object.owner.node.scopes] : [];
    return around.some((place) => refused.has(place)) ? [] : [problemOf(problem, object)];
  });
}

function allOf(groups: readonly ConstructGroup[]): ApiObject[] {
  return groups.flatMap(({ objects }) => objects);
}

function problemOf({ finding }: FoundProblem, object: WrittenObject | undefined): Problem {
  const { rule, path, message, accepted, fix } = finding;
  const field = path.length === 0 ? '' : `${fieldText(path)} of `;
  const warning = rule.warning || rule.elsewhere;
  return { rule: { ...rule, warning }, property: object === undefined ? SILENCES : `${field}${object.path}`, message, accepted, fix };
}
