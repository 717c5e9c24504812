import { STRUCTURE_RULES } from './structure-rules';
import { FieldPath, ManifestFinding, RuleFinding } from '../manifest-rule';

/** Findings of one object, and the place that is looked at. */
export class StructureFindings {
  /** What was found so far. */
  public readonly found: RuleFinding[] = [];

  private readonly place: (string | number)[] = [];

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
  public add(rule: keyof typeof STRUCTURE_RULES, finding: Omit<ManifestFinding, 'path'>): void {
    this.found.push({ rule: STRUCTURE_RULES[rule], path: this.path, ...finding });
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
