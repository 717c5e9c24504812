import { IConstruct } from 'constructs';
import { WARNINGS } from './warnings';
import { formatProblem, placeText, Problem } from '../../../manifests/values/problem';

const PROBLEMS = Symbol.for('cdk8s-cluster-api.Problems');

/** A warning of constructs. */
interface Warning {
  readonly code: string;
  readonly paths: string[];
}

/**
 * The problems of one construct, reported together with those of all constructs when the app is synthesized.
 *
 * A broken rule does not throw where the value enters: a page that breaks ten gives one error with ten entries,
 * and no manifest is written. Strategies of third parties report in the same way.
 *
 * A problem whose rule is a warning refuses nothing. It is emitted as a warning of the Node.js process, on standard error, with the id of
 * the rule as its code: `NODE_OPTIONS=--disable-warning=TC-…` silences it.
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
      const problems = new Problems();
      Object.defineProperty(holder, PROBLEMS, { value: problems });
      scope.node.addValidation({ validate: () => problems.report(scope.node.path) });
    }
    return holder[PROBLEMS]!;
  }

  /**
   * The problems that a construct reports itself, without those of what it writes; undefined if it reports none in this way. Its next report
   * reuses them, so that nothing is checked twice, and drops earlier problems of what it writes.
   *
   * @internal
   */
  public static _known(construct: IConstruct): readonly Problem[] | undefined {
    const problems = (construct as IConstruct & { [PROBLEMS]?: Problems })[PROBLEMS];
    // Those of a strategy's scope are among its owner's.
    if (!problems || problems.outer) return undefined;
    problems.written.length = 0;
    return problems.known ??= problems.all();
  }

  /**
   * Runs a synthesis, in which nothing changes any more: what a construct has reported it reports again, and checks nothing once more.
   *
   * @internal
   */
  public static _reportOnce(run: () => void): void {
    const outer = { reports: Problems.reports, warnings: Problems.warnings };
    const warnings = new Map<string, Warning>();
    Object.assign(Problems, { reports: new Map(), warnings });
    try {
      run();
    } finally {
      Object.assign(Problems, outer);
      for (const [text, { code, paths }] of warnings) WARNINGS.emit(`${placeText(paths)}${text}`, { code });
    }
  }

  /**
   * Lets problems of an inner scope be reported under the construct that the user made.
   *
   * @param scope the inner scope
   * @param owner the construct that the user made
   * @param property the property of it that the names of properties are below, if they are not its own
   *
   * @internal
   */
  public static _reportAs(scope: IConstruct, owner: IConstruct, property?: string): void {
    const outer = Problems.of(owner);
    Object.defineProperty(scope, PROBLEMS, { value: property === undefined ? outer : outer.below(property) });
  }

  /** What constructs have reported in the synthesis that runs. */
  private static reports?: Map<Problems, string[]>;

  /** What it warns of, by text: constructs that are warned of the same are named together. */
  private static warnings?: Map<string, Warning>;

  private readonly found: Problem[] = [];
  private readonly checks: (() => Problem[])[] = [];
  private readonly inner: Problems[] = [];
  private readonly settlements: ((problems: readonly Problem[]) => Problem[])[] = [];
  private readonly written: Problem[] = [];
  private known?: readonly Problem[];
  private checkWritten?: (own: readonly Problem[]) => Problem[];
  private readonly warned = new Set<string>();

  private constructor(private readonly outer?: { readonly collector: Problems; readonly property: string }) {}

  /**
   * Reports a problem.
   *
   * @param problem what is wrong, and the way out
   */
  public add(problem: Problem): void {
    this.forget();
    this.found.push(problem);
  }

  /**
   * Registers a check that runs at synthesis, for what several constructs tell only together.
   *
   * @internal
   */
  public _addCheck(check: () => Problem[]): void {
    this.forget();
    this.checks.push(check);
  }

  /**
   * Registers a filter of the problems that are reported.
   *
   * @internal
   */
  public _settle(settle: (problems: readonly Problem[]) => Problem[]): void {
    this.forget();
    this.settlements.push(settle);
  }

  /**
   * Sets the check of what the construct writes. It runs after all others, and gets what they found.
   *
   * @internal
   */
  public _setCheckOfWritten(check: (own: readonly Problem[]) => Problem[]): void {
    this.checkWritten = check;
  }

  /**
   * Adds a problem of what the construct wrote, for its next report.
   *
   * @internal
   */
  public _addWritten(problem: Problem): void {
    if (this.outer) this.outer.collector._addWritten(this.around(problem));
    else this.written.push(problem);
  }

  /**
   * The collector of the construct that the user made.
   *
   * @internal
   */
  public get _outermost(): Problems {
    return this.outer ? this.outer.collector._outermost : this;
  }

  /**
   * A problem as the construct that the user made reports it.
   *
   * @internal
   */
  public _named(problem: Problem): Problem {
    return this.outer ? this.outer.collector._named(this.around(problem)) : problem;
  }

  /**
   * The images that reported problems are about; those of checks at synthesis are not among them.
   *
   * @internal
   */
  public get _images(): string[] {
    return [...this.found.flatMap(({ _image }) => (_image === undefined ? [] : [_image])), ...this.inner.flatMap(({ _images }) => _images)];
  }

  /** What is refused, after warning of the rest. */
  private report(path: string): string[] {
    const reported = Problems.reports?.get(this);
    if (reported) return reported;
    const own = this.known ?? this.all();
    this.known = undefined;
    const problems = [...own, ...this.checkWritten?.(own) ?? [], ...this.written.splice(0)];
    problems.filter(({ rule }) => rule.warning).forEach((problem) => this.warn(problem, path));
    const refused = problems.filter(({ rule }) => !rule.warning).map(formatProblem);
    Problems.reports?.set(this, refused);
    return refused;
  }

  /** Warns once, however often the app is synthesized. */
  private warn(problem: Problem, path: string): void {
    const text = formatProblem(problem);
    const known = `${path} ${text}`;
    if (this.warned.has(known)) return;
    this.warned.add(known);
    const { rule: { id: code } } = problem;
    if (!Problems.warnings) WARNINGS.emit(`${placeText([path])}${text}`, { code });
    else if (!Problems.warnings.get(text)?.paths.push(path)) Problems.warnings.set(text, { code, paths: [path] });
  }

  private all(): Problem[] {
    const problems = [...this.found, ...this.checks.flatMap((check) => check())];
    return this.settlements.reduce((rest, settle) => settle(rest), problems);
  }

  /** What is known of this collector and of those around it is out of date. */
  private forget(): void {
    this.known = undefined;
    this.outer?.collector.forget();
  }

  /** A problem as the collector around this one has it. */
  private around(problem: Problem): Problem {
    const { property } = this.outer!;
    return { ...problem, property: problem.property === undefined ? property : `${property}.${problem.property}` };
  }

  /** A collector whose problems are reported here, as those of a property. */
  private below(property: string): Problems {
    const inner = new Problems({ collector: this, property });
    this.inner.push(inner);
    this._addCheck(() => inner.all().map((problem) => inner.around(problem)));
    return inner;
  }
}
