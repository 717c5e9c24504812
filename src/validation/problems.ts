import { IConstruct } from 'constructs';
import { formatProblem, Problem } from './problem';

const PROBLEMS = Symbol.for('cdk8s-cluster-api.Problems');

/**
 * The problems of one construct, reported together with everybody else's when the app is synthesized.
 *
 * Nothing throws where a bad value enters: a page with ten mistakes gives one error with ten entries,
 * and no manifest is written. Strategies of third parties report in the same way.
 */
export class Problems {
  /**
   * The collector of a construct; the same one for every call.
   *
   * @param scope the construct whose path the problems are reported under
   */
  public static of(scope: IConstruct): Problems {
    const holder = scope as IConstruct & { [PROBLEMS]?: Problems };
    if (!holder[PROBLEMS]) {
      Object.defineProperty(holder, PROBLEMS, { value: new Problems(scope) });
    }
    return holder[PROBLEMS]!;
  }

  /**
   * Lets problems of an inner scope be reported under the construct that the user made.
   *
   * @internal
   */
  public static _reportAs(scope: IConstruct, owner: IConstruct): void {
    Object.defineProperty(scope, PROBLEMS, { value: Problems.of(owner) });
  }

  private readonly found: Problem[] = [];
  private readonly checks: (() => Problem[])[] = [];

  private constructor(scope: IConstruct) {
    scope.node.addValidation({ validate: () => this.all().map(formatProblem) });
  }

  /**
   * Reports a problem.
   *
   * @param problem what is wrong, and the way out
   */
  public add(problem: Problem): void {
    this.found.push(problem);
  }

  /**
   * Registers a check that runs at synthesis, for what several constructs tell only together.
   *
   * @internal
   */
  public _addCheck(check: () => Problem[]): void {
    this.checks.push(check);
  }

  private all(): Problem[] {
    return [...this.found, ...this.checks.flatMap((check) => check())];
  }
}
