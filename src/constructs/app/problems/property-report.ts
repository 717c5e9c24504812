import { Problems } from './problems';
import { Finding } from '../../../manifests/values/finding';
import { Problem, problemsOf, Rule } from '../../../manifests/values/problem';

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
