import { STRUCTURE_RULES } from './structure-rules';
import { FaultSink, ValueFault } from '../../schema/check-value';
import { faultWords, FaultWords } from '../../schema/finding-words';
import { FieldPath } from '../../values/fields';
import { Finding } from '../../values/finding';
import { RuleFinding } from '../manifest-rule';

/** The rules that faults break; the others break the one about values. */
const RULES_OF: Readonly<Partial<Record<ValueFault['code'], keyof typeof STRUCTURE_RULES>>> = {
  duplicate: 'duplicate', null: 'type', overflow: 'overflow', required: 'required', type: 'type', unknown: 'unknown',
};

/** Findings of one object, and the place that is looked at. */
export class StructureFindings implements FaultSink {
  /** What was found so far. */
  public readonly found: RuleFinding[] = [];

  private readonly place: (string | number)[] = [];

  /** @param wordsOf words for what is wrong by the schema */
  public constructor(private readonly wordsOf: (fault: ValueFault, path: FieldPath) => FaultWords = faultWords) {}

  /** The place that is looked at. */
  public get path(): FieldPath {
    return [...this.place];
  }

  /**
   * Reports something.
   *
   * @param rule which rule is broken
   * @param finding what is wrong at the place that is looked at
   */
  public add(rule: keyof typeof STRUCTURE_RULES, finding: Omit<Finding, 'path'>): void {
    this.found.push({ rule: STRUCTURE_RULES[rule], path: this.path, ...finding });
  }

  /** Reports what is wrong by the schema. */
  public report(fault: ValueFault): void {
    this.add(RULES_OF[fault.code] ?? 'value', this.wordsOf(fault, this.path));
  }

  /**
   * Looks at something inside the place.
   *
   * @param step name of the field, or position in the list
   * @param look reports what it finds there
   */
  public at(step: string | number, look: () => void): void {
    this.enter(step);
    look();
    this.leave();
  }

  /** Goes to something inside the place; there is a way back for each way in. */
  public enter(step: string | number): void {
    this.place.push(step);
  }

  /** Goes back to what is around the place. */
  public leave(): void {
    this.place.pop();
  }
}
