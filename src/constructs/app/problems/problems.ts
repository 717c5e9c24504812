import { Construct, IConstruct } from 'constructs';
import { WARNINGS } from './warnings';
import { Finding } from '../../../manifests/values/finding';
import { formatProblem, placeText, Problem, problemsOf, Rule } from '../../../manifests/values/problem';
import { ConstructSlot } from '../app-state';
import { appOf } from '../tenant-trees';

/** A warning of constructs. */
interface Warning {
  readonly code: string;
  readonly paths: string[];
}

/** Reports of constructs in a running synthesis. */
class Reports {
  public readonly refused = new Map<Problems, string[]>();

  /** Constructs by the text of their warning: those with the same warning are named together. */
  public readonly warnings = new Map<string, Warning>();
}

const PROBLEMS = new ConstructSlot<Problems>('Problems');
const REPORTS = new ConstructSlot<Reports>('Reports');

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
    return PROBLEMS.ensure(scope, () => {
      const problems = new Problems();
      scope.node.addValidation({ validate: () => problems.report(scope, REPORTS.get(appOf(scope))) });
      return problems;
    });
  }

  /**
   * The problems that a construct reports itself, without those of what it writes; undefined if it reports none in this way. Its next report
   * reuses them, so that nothing is checked twice, and drops earlier problems of what it writes.
   *
   * @internal
   */
  public static _known(construct: IConstruct): readonly Problem[] | undefined {
    const problems = PROBLEMS.get(construct);
    // The owner of a strategy's scope reports the problems of the scope.
    if (!problems || problems.outer) return undefined;
    problems.written.length = 0;
    return problems.known ??= problems.all();
  }

  /**
   * Runs a synthesis, in which nothing changes any more: what a construct has reported it reports again, and checks nothing once more.
   *
   * @param app the root of the app
   * @param run what it does
   *
   * @internal
   */
  public static _reportOnce(app: IConstruct, run: () => void): void {
    const outer = REPORTS.get(app);
    const reports = new Reports();
    REPORTS.set(app, reports);
    try {
      run();
    } finally {
      REPORTS.set(app, outer);
      for (const [text, { code, paths }] of reports.warnings) WARNINGS.emit(`${placeText(paths)}${text}`, { code });
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
    PROBLEMS.set(scope, property === undefined ? outer : outer.below(property));
  }

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
   * Reports several problems.
   *
   * @param problems what is wrong, and the ways out
   */
  public addAll(problems: Problem[]): void {
    problems.forEach((problem) => this.add(problem));
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

  /** The errors, as strings. Emits the warnings. */
  private report({ node: { path } }: IConstruct, reports: Reports | undefined): string[] {
    const reported = reports?.refused.get(this);
    if (reported) return reported;
    const own = this.known ?? this.all();
    this.known = undefined;
    const problems = [...own, ...this.checkWritten?.(own) ?? [], ...this.written.splice(0)];
    problems.filter(({ rule }) => rule.warning).forEach((problem) => this.warn(problem, path, reports));
    const refused = problems.filter(({ rule }) => !rule.warning).map(formatProblem);
    reports?.refused.set(this, refused);
    return refused;
  }

  /** Warns once, however often the app is synthesized. */
  private warn(problem: Problem, path: string, reports: Reports | undefined): void {
    const text = formatProblem(problem);
    const known = `${path} ${text}`;
    if (this.warned.has(known)) return;
    this.warned.add(known);
    const { rule: { id: code } } = problem;
    if (!reports) WARNINGS.emit(`${placeText([path])}${text}`, { code });
    else if (!reports.warnings.get(text)?.paths.push(path)) reports.warnings.set(text, { code, paths: [path] });
  }

  private all(): Problem[] {
    const problems = [...this.found, ...this.checks.flatMap((check) => check())];
    return this.settlements.reduce((rest, settle) => settle(rest), problems);
  }

  /** Drops the cached problems of this collector and of those around it. */
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

/** Reports problems of one property and of what lies below it. */
export class PropertyReport {
  /**
   * @param problems where the problems go
   * @param property the property as the user wrote it
   */
  public constructor(private readonly problems: Problems, public readonly property: string) {}

  /** The report of a property below this one. */
  public at(name: string): PropertyReport {
    return new PropertyReport(this.problems, `${this.property}.${name}`);
  }

  /** The report of one entry of a list. */
  public item(index: number): PropertyReport {
    return new PropertyReport(this.problems, `${this.property}[${index}]`);
  }

  /** Reports a problem of this property. */
  public add(rule: Rule, problem: Omit<Problem, 'rule' | 'property'>): void {
    this.problems.add({ rule, property: this.property, ...problem });
  }

  /** Reports what a check of this property's value found. */
  public addAll(rule: Rule, findings: readonly Finding[]): void {
    problemsOf(rule, this.property, findings).forEach((problem) => this.problems.add(problem));
  }

  /** Reports a finding of a check, if there is one. */
  public expect(rule: Rule, finding: string | undefined, fix: string): void {
    if (finding !== undefined) this.add(rule, { message: finding, fix });
  }
}

/**
 * A scope of its own for the objects of a strategy, so that their ids cannot meet those of others. Its problems are
 * reported under the construct that was given the strategy.
 *
 * @param owner the construct that was given the strategy
 * @param id what the strategy is to it
 * @param property the property that the strategy was given to another strategy in, if it was not given to the construct itself
 */
export function strategyScope(owner: Construct, id: string, property?: string): Construct {
  const scope = new Construct(owner, id);
  Problems._reportAs(scope, owner, property);
  return scope;
}
