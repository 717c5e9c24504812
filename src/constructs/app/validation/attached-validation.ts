import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { constructGroups, pathOf, written, WrittenObject } from './construct-manifests';
import { CRDS, CRDS_RULE } from './definition-files';
import { changesOf, ConstructOptions, SilencedPlace, validateConstructs } from './validate-constructs';
import { nameOf } from '../../../manifests/objects/manifest-object';
import { STRUCTURE_RULES } from '../../../manifests/rules/structure/structure-rules';
import { transitionRules } from '../../../manifests/validation/transition-rules';
import { FoundProblem, ValidationOptions } from '../../../manifests/validation/validate-manifests';
import { fieldText } from '../../../manifests/values/fields';
import { formatProblem, Problem, Rule } from '../../../manifests/values/problem';
import { ConstructSlot } from '../app-state';
import { Problems } from '../problems/problems';
import { claimsExcused, isExcused } from '../synth/claims';
import { isComputed } from '../synth/computed-objects';
import { FieldSources } from '../synth/field-sources';
import { answered, constructsIn, errorsOf, prepareBeforeValidation } from '../synth/synthesis';
import { appOf, isInTenantChart } from '../tenant-trees';

/** Property that silences are given in. */
const SILENCES = 'silences';

const ATTACHED = new ConstructSlot<AttachedValidation>('AttachedValidation');

/** Set at the root of an app while no attached validation runs. */
const SUSPENDED = new ConstructSlot<true>('SuspendedValidation');

/** Set at constructs that check their fields themselves. */
const CHECKED = new ConstructSlot<true>('FieldsChecked');

/** Leaves it to a construct to check the fields of its object against the definition of the kind. */
export function checksItsFields(construct: IConstruct): void {
  CHECKED.set(construct, true);
}

/** Runs something that validates constructs of an app, without the validation of what they write. */
export function withoutAttachedValidation<T>(app: IConstruct, run: () => T): T {
  const before = SUSPENDED.get(app);
  SUSPENDED.set(app, true);
  try {
    return run();
  } finally {
    SUSPENDED.set(app, before);
  }
}

/**
 * Has what a construct writes validated at synthesis, and what is wrong reported with its problems. Of several for one construct the last one
 * counts; what is below another construct that has a validation of its own is left to that one.
 *
 * @param scope the construct
 * @param options how to validate; undefined for no validation
 */
export function attachValidation(scope: IConstruct, options: ValidationOptions | undefined): void {
  const before = ATTACHED.get(scope);
  ATTACHED.set(scope, new AttachedValidation(scope, options));
  if (before !== undefined) return;
  prepareBeforeValidation(scope);
  Problems.of(scope)._setCheckOfWritten((own) => (SUSPENDED.get(appOf(scope)) ? [] : ATTACHED.get(scope)!.report(own)));
}

/** Has the app of a construct validate everything that it writes, unless its user set how. */
export function validateApp(scope: IConstruct): void {
  if (isInTenantChart(scope)) return;
  const app = scope.node.root;
  if (ATTACHED.get(app) === undefined) attachValidation(app, { silences: [], strict: false });
}

/** A problem of an object that a construct writes, and where it is reported. */
interface PlacedProblem {
  /** The construct that has the property; undefined if the source of the field is unknown. */
  readonly scope?: IConstruct;
  readonly problem: Problem;
}

/** The validation of what one construct writes, at synthesis. */
class AttachedValidation {
  public constructor(private readonly scope: IConstruct, public readonly options: ValidationOptions | undefined) {}

  /**
   * Has constructs report what is wrong with their properties.
   *
   * @param own problems of the construct itself
   * @returns what the construct reports
   */
  public report(own: readonly Problem[]): Problem[] {
    const placed = answered(this.scope, 'problems', () => this.find(own));
    // Constructs above this one have made their reports by now.
    const isBelow = ({ scope }: PlacedProblem): boolean => scope !== undefined && scope !== this.scope && scope.node.scopes.includes(this.scope);
    placed.filter(isBelow).forEach(({ scope, problem }) => Problems.of(scope!)._addWritten(problem));
    return placed.filter((entry) => !isBelow(entry)).map(({ problem }) => problem);
  }

  private find(own: readonly Problem[]): PlacedProblem[] {
    if (!this.options) return [];
    const refusals = new Map([...this.refusalsBelow(), ...(own.some(isRefusal) ? [[this.scope, own] as const] : [])]);
    const unwritable: PlacedProblem[] = [];
    const all = constructGroups(this.scope).map((objects) => objects.flatMap(({ owner, object }) => {
      // Its names belong to another object, which is in the way.
      if ([object, owner].some((place) => isExcused(place) || claimsExcused(place))) return [];
      try {
        return written(object, owner);
      } catch (error) {
        // A delivery that copies the manifest, and an object whose patch is wrong, report it themselves.
        const around = [...object.node.scopes, ...owner.node.scopes];
        if (!around.some((place) => refusals.has(place))) unwritable.push({ problem: unwritableProblem(object, owner, error as Error) });
        return [];
      }
    }));
    const findChanges = changesOf(this.scope);
    const options = findChanges ? { ...this.options, findChanges, places: this.changesSilencedBelow() } : this.options;
    return [...unwritable, ...manifestProblems(this.scope, all, refusals, options)];
  }

  /** Changes are found for the whole app alone: what is silenced of them further below counts here. */
  private changesSilencedBelow(): SilencedPlace[] {
    const ids = changeIds();
    return constructsIn(this.scope).filter((construct) => construct !== this.scope).flatMap((place) => {
      const { silences = [] } = ATTACHED.get(place)?.options ?? {};
      return silences.length === 0 ? [] : [{ place, silences: silences.filter(({ rule, reason }) => ids.has(rule) && reason.trim() !== '') }];
    }).reverse();
  }

  /** The problems of constructs that are refused; none for one that refuses in another way. */
  private refusalsBelow(): [IConstruct, readonly Problem[]][] {
    return constructsIn(this.scope).filter((construct) => construct !== this.scope).flatMap((construct): [IConstruct, readonly Problem[]][] => {
      const problems = Problems._known(construct);
      if (problems) return problems.some(isRefusal) ? [[construct, problems]] : [];
      return errorsOf(construct).length > 0 ? [[construct, []]] : [];
    });
  }
}

const VALUE_RULE: Rule = {
  id: 'TC-OBJECT-VALUE',
  title: 'A field must have a value that a manifest can hold: a plain object, a list, a string, a finite number or a boolean.',
  source: 'datatracker.ietf.org/doc/html/rfc8259',
};

function unwritableProblem(object: ApiObject, owner: IConstruct, error: Error): Problem {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return { rule: VALUE_RULE, property: pathOf(object, owner), message, fix: 'correct the value' };
}

function isRefusal({ rule }: Problem): boolean {
  return !rule.warning;
}

/**
 * The problems of final objects of constructs.
 *
 * Of a construct that reports problems itself only fields whose property is known and not refused count: the others may be wrong because of
 * those problems.
 *
 * @param scope the construct that all of them are below
 * @param all the objects by the cluster that they go to: the management cluster first, then each tenant
 * @param refusals constructs that report problems themselves, with these
 * @param options how to validate them
 */
function manifestProblems(
  scope: IConstruct, all: readonly (readonly WrittenObject[])[], refusals: ReadonlyMap<IConstruct, readonly Problem[]>, options: ConstructOptions,
): PlacedProblem[] {
  const { result, writerOf } = validateConstructs(scope, all, options);
  const changes = changeIds();
  const unused = result.unused.filter(({ definition }) => options.definitions?.includes(definition)).map(({ definition, reason }) => (
    { problem: { rule: CRDS_RULE, property: CRDS, message: `API servers refuse the definition ${nameOf(definition)}: ${reason}`, fix: 'correct the definition' } }));
  return withoutRepetitions([...unused, ...result.found.flatMap((found) => {
    const object = writerOf(found.object);
    if (!object) return [{ problem: problemOf(found, SILENCES) }];
    if (CHECKED.get(object.construct) && CHECKED_RULES.has(found.finding.rule.id) && !object.packed) return [];
    const around = [...object.construct.node.scopes, ...object.owner.node.scopes];
    const isChange = changes.has(found.finding.rule.id);
    const isLeft = (place: IConstruct): boolean => {
      const attached = ATTACHED.get(place);
      return attached !== undefined && (!isChange || attached.options === undefined);
    };
    if (around.some((place) => place !== scope && !scope.node.scopes.includes(place) && isLeft(place))) return [];
    // A refused object may be the reason why another one is not written.
    const concerned = object.gone ? [...refusals.keys()].filter(({ node }) => node.scopes.includes(object.construct)) : around;
    const refused = concerned.filter((place) => refusals.has(place));
    const source = object.packed || object.gone ? undefined : FieldSources._find(object.construct, found.finding.path);
    if (!source && isComputed(object.construct) && CHECKED_RULES.has(found.finding.rule.id)) return [];
    if (!source) return refused.length === 0 ? [{ problem: problemOf(found, placeOf(found, object)) }] : [];
    const problem = withKnownRelease(problemOf(found, source.property));
    const collector = Problems.of(source.scope);
    const { property } = collector._named(problem);
    const known = refused.filter((place) => Problems.of(place) === collector._outermost).flatMap((place) => refusals.get(place)!);
    if (known.some((other) => isRelated(other.property ?? '', property!))) return [];
    // The construct is in what goes to a tenant, whose tree reports by its owner.
    if (source.scope.node.root !== scope.node.root) return [{ problem: { ...problem, property: `${source.property} of ${pathOf(source.scope, object.owner)}` } }];
    return [{ scope: source.scope, problem }];
  })]);
}

/** Rules about fields, those of metadata aside. */
const CHECKED_RULES: ReadonlySet<string> = new Set(
  (['unknown', 'release', 'type', 'required', 'value', 'rule', 'duplicate'] as const).map((name) => STRUCTURE_RULES[name].id),
);

/** Ids of the rules about changes. */
function changeIds(): ReadonlySet<string> {
  return new Set(transitionRules().map(({ id }) => id));
}

/** A property may have become several fields, each with the same problem. */
function withoutRepetitions(placed: readonly PlacedProblem[]): PlacedProblem[] {
  return [...new Map(placed.map((entry) => [JSON.stringify([entry.scope?.node.path, formatProblem(entry.problem)]), entry])).values()];
}

/** True if one of two properties holds the other, or they are the same. */
function isRelated(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) && /^($|\.|\[)/.test(long.slice(short.length));
}

function placeOf({ finding: { path } }: FoundProblem, object: WrittenObject): string {
  return `${path.length === 0 ? '' : `${fieldText(path)} of `}${object.path}`;
}

/** A problem of a property. It is written for the known release of a provider: what only another one may have is refused there. */
function withKnownRelease(problem: Problem): Problem {
  return problem.rule.id === STRUCTURE_RULES.release.id ? { ...problem, rule: { ...problem.rule, warning: false } } : problem;
}

function problemOf({ finding }: FoundProblem, property: string): Problem {
  const { rule, message, accepted, fix } = finding;
  return { rule: { ...rule, warning: rule.warning || rule.elsewhere }, property, message, accepted, fix };
}
