import { IConstruct } from 'constructs';
import { AttachedValidation } from './attached-validation';
import { constructGroups, refusals, written } from './construct-manifests';
import { listedObjects } from './manifest-list';
import { ManifestReport } from './manifest-report';
import { reportOf } from './report-of';
import { ManifestSilence } from './silences';
import { ManifestValidator } from './validate-manifests';
import { Problems } from '../problems';

/** How objects are validated. */
export interface ManifestValidationOptions {
  /**
   * Rules that nobody wants to hear of, in any object. For one object there is the annotation `cdk8s-cluster-api/silence`, with a line
   * `ID: reason` for each rule.
   *
   * @default - none
   */
  readonly silences?: ManifestSilence[];

  /**
   * Whether kinds whose fields are not known are errors (`TC-VALIDATE-KIND`).
   *
   * @default false
   */
  readonly strict?: boolean;
}

/**
 * Holds final objects to the rules of the servers that will get them, and of what works once they have: the fields of each kind, what
 * admission refuses, references between objects, and traps that no server reports. No cluster is asked.
 *
 * `npx cdk8s-cluster-api validate` does the same with files, and `ManifestValidationPlugin` in `cdk8s synth`.
 */
export class ManifestValidation {
  /**
   * Validates objects, e.g. those of `Testing.synth(chart)` in a test: `expect(ManifestValidation.check(objects).refused).toEqual([])`.
   *
   * @param objects all objects of one cluster, or lists of them: references between them are followed
   * @param options how to validate them
   */
  public static check(objects: any[], options: ManifestValidationOptions = {}): ManifestReport {
    const group = objects.flatMap((value) => listedObjects(value)).map(({ object }) => object);
    return reportOf([group], new ManifestValidator().validate([group], filled(options)));
  }

  /**
   * Validates everything that constructs write: to the management cluster, and to the tenant of each cluster. Throws an error if
   * synthesis would.
   *
   * @param scope an app, a chart, or any other construct
   * @param options how to validate it
   */
  public static checkConstructs(scope: IConstruct, options: ManifestValidationOptions = {}): ManifestReport {
    const errors = [...refusals(scope)].flatMap(([{ node }, lines]) => lines.map((line) => `[${node.path}] ${line}`));
    if (errors.length > 0) throw new Error(`Validation failed with the following errors:\n  ${errors.join('\n  ')}`);
    const all = constructGroups(scope).map(({ owner, objects }) => objects.flatMap((object) => written(object, owner)));
    const groups = all.map((group) => group.map(({ manifest }) => manifest));
    const paths = new Map(all.flat().map(({ manifest, path }) => [manifest, path]));
    return reportOf(groups, new ManifestValidator().validate(groups, filled(options)), (object) => paths.get(object));
  }

  /**
   * Has synthesis refuse what breaks a rule, together with everything else that it refuses, and warn of what is only to be warned of.
   *
   * Objects of constructs that report problems themselves are left out until these are solved: they would say the same once more, in
   * the words of manifests. Between two syntheses of one app, objects that changed while none was added or removed are not validated again.
   *
   * @param scope an app, a chart, or any other construct
   * @param options how to validate what it writes
   */
  public static attach(scope: IConstruct, options: ManifestValidationOptions = {}): void {
    const validation = new AttachedValidation(scope, filled(options));
    Problems.of(scope)._addCheck(() => validation.problems());
  }

  private constructor() {}
}

function filled({ silences = [], strict = false }: ManifestValidationOptions): Required<ManifestValidationOptions> {
  return { silences, strict };
}
