import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { constructGroups, refusals, written, WrittenObject } from './construct-manifests';
import { validateConstructs } from './validate-constructs';
import { FoundProblem, ValidationOptions } from './validate-manifests';
import { Problem } from '../problems/problem';
import { Problems } from '../problems/problems';
import { prepareBeforeValidation } from '../synth/prepare';
import { fieldText } from '../values/fields';

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
  if (before !== undefined) return;
  prepareBeforeValidation(scope);
  // What the construct itself is refused for comes first, and silences what follows from it.
  Problems.of(scope)._settle((own) => [...own, ...holder[ATTACHED]!.problems(own)]);
}

/** The validation of what one construct writes, at synthesis. */
class AttachedValidation {
  public constructor(private readonly scope: IConstruct, private readonly options: ValidationOptions) {}

  /**
   * What is wrong.
   *
   * @param own problems of the construct itself
   */
  public problems(own: readonly Problem[]): Problem[] {
    const refused = new Set(refusals(this.scope.node.findAll().filter((construct) => construct !== this.scope)).keys());
    if (own.some(({ rule }) => !rule.warning)) refused.add(this.scope);
    const all = constructGroups(this.scope).map(({ owner, objects }) => objects.flatMap((object) => this.writtenIfPossible(object, owner)));
    return manifestProblems(this.scope, all, refused, this.options);
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
  scope: IConstruct, all: readonly (readonly WrittenObject[])[], refused: ReadonlySet<IConstruct>, options: ValidationOptions,
): Problem[] {
  const { result, writerOf } = validateConstructs(scope, all, options);
  return result.found.flatMap((problem) => {
    const object = writerOf(problem.object);
    const around = object ? [...object.construct.node.scopes, ...object.owner.node.scopes] : [];
    return around.some((place) => refused.has(place)) ? [] : [problemOf(problem, object)];
  });
}

function problemOf({ finding }: FoundProblem, object: WrittenObject | undefined): Problem {
  const { rule, path, message, accepted, fix } = finding;
  const field = path.length === 0 ? '' : `${fieldText(path)} of `;
  const warning = rule.warning || rule.elsewhere;
  return { rule: { ...rule, warning }, property: object === undefined ? SILENCES : `${field}${object.path}`, message, accepted, fix };
}
