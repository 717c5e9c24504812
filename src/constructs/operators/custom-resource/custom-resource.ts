import { ApiObjectMetadata, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { brokenRules } from '../../../manifests/cel/broken-rules';
import { checkResource, ValueFinding } from '../../../manifests/schema/check-value';
import { objectWithDefaults } from '../../../manifests/schema/defaults';
import { faultWords, FaultWords } from '../../../manifests/schema/finding-words';
import { compileSchema, JsonObject, JsonSchema } from '../../../manifests/schema/schema-node';
import { shownJson } from '../../../manifests/schema/value-words';
import { fieldText } from '../../../manifests/values/fields';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { claimName } from '../../app/synth/claims';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { checksItsFields } from '../../app/validation/attached-validation';

/** Properties of one object of a type. */
export interface CustomResourceProps {
  /**
   * Metadata of the object. A namespaced type requires a namespace, here or from the chart; a cluster-scoped one must have none. Two
   * objects of a type in a chart must differ in name or namespace (`TC-CRD-INSTANCE-NAME`).
   *
   * @default - the construct id as name, the chart's namespace
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * The spec of the object, checked against the schema of the version. Defaults of the schema are not written.
   *
   * Rule: `TC-CRD-INSTANCE`.
   *
   * @default - no spec
   */
  readonly spec?: { [field: string]: any };

  /**
   * Fields beside `spec`, for types that have others, e.g. `data`. Not `status`, where the version has that subresource: the API server
   * would drop it.
   *
   * Rule: `TC-CRD-INSTANCE`.
   *
   * @default - none
   */
  readonly fields?: { [field: string]: any };

  /**
   * Version to write the object in (`TC-CRD-INSTANCE-VERSION`).
   *
   * @default - the version that objects are stored in, if it is served, else the first that is
   */
  readonly version?: string;
}

/** The type of an object, in one version. */
interface InstanceType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly clusterScoped: boolean;

  readonly statusSubresource: boolean;

  /** Absent if the version is unknown, or its schema is refused. */
  readonly schema?: JsonSchema;
}

const INSTANCE_RULE: Rule = {
  id: 'TC-CRD-INSTANCE',
  title: 'A custom resource must fit the schema of its version, and must have no field that the API server would drop, such as a status that is written separately.',
  source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (validation, field pruning)',
};

const INSTANCE_NAME_RULE: Rule = {
  id: 'TC-CRD-INSTANCE-NAME',
  title: 'A custom resource must have a namespace exactly when its type is namespaced; no other of its type in the chart can have the same name and namespace.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

/** An object of a type whose schema is known. */
export class CustomResource extends TypedApiObject {
  private readonly type: InstanceType;

  public constructor(scope: Construct, id: string, type: InstanceType, props: CustomResourceProps) {
    const { group, version, kind, clusterScoped } = type;
    const { metadata, spec, fields } = props;
    super(scope, id, { apiVersion: `${group}/${version}`, kind, clusterScoped }, {
      ...fields, ...(spec !== undefined && { spec }), metadata: { name: id, ...metadata, ...(clusterScoped && { namespace: undefined }) },
    });
    this.type = type;
    FieldSources.record(this, this, { 'metadata.name': 'metadata.name' });
    checksItsFields(this);
    const problems = Problems.of(this);
    problems._addCheck(() => this.check());
    if (clusterScoped && metadata?.namespace !== undefined) {
      problems.add({
        rule: INSTANCE_NAME_RULE, property: 'metadata.namespace', message: `objects of ${kind} belong to no namespace, and this one names "${metadata.namespace}"`, fix: 'leave it out',
      });
    }
    // The charts of several clusters may have the same object.
    const identity = [this.metadata.namespace, this.name].filter((part) => part !== undefined).join('/');
    const owner = claimName(this, `${kind}.${group} in ${Chart.of(this).node.path}`, identity);
    problemIf(INSTANCE_NAME_RULE, 'metadata.name', owner && `"${identity}" is ${owner} already`, 'give one of the two objects another name')
      .forEach((problem) => problems.add(problem));
  }

  private check(): Problem[] {
    let manifest: JsonObject;
    try {
      manifest = this.toJson() as JsonObject;
    } catch {
      // Writing the object reports the fault.
      return [];
    }
    const { schema, clusterScoped, statusSubresource } = this.type;
    const { namespace } = (manifest.metadata ?? {}) as { namespace?: string };
    return [
      ...problemIf(INSTANCE_NAME_RULE, 'metadata.namespace', !clusterScoped && namespace === undefined ? 'the type is namespaced, and the object names no namespace' : undefined,
        'set metadata.namespace, or the namespace of the chart'),
      ...problemIf(INSTANCE_RULE, 'status', statusSubresource && manifest.status !== undefined ? 'the API server drops a status that is not written at /status' : undefined,
        'remove it: the controller writes it'),
      ...(schema ? this.schemaProblems(schema, manifest) : []),
    ];
  }

  /** Problems with the schema; servers evaluate its rules for objects that have no others. */
  private schemaProblems(schema: JsonSchema, manifest: JsonObject): Problem[] {
    const { kind } = this.type;
    const found = checkResource(compileSchema(schema), manifest).map((finding) => ({
      rule: INSTANCE_RULE, property: fieldText(finding.path) || kind, ...wordsOf(finding),
    }));
    return found.length > 0 ? found : brokenRules(schema, objectWithDefaults(compileSchema(schema), manifest), true).map(({ path, message }) => ({
      rule: INSTANCE_RULE, property: fieldText(path) || kind, message: `a rule of the schema is broken: ${message}`, fix: 'correct the value',
    }));
  }
}

/** Words of a finding about an object that is written in a program. */
function wordsOf(finding: ValueFinding): FaultWords {
  const words = faultWords(finding, finding.path);
  switch (finding.code) {
    case 'null': return { ...words, message: 'it is null, which the API server drops', fix: 'leave the field out, or make it nullable in the schema' };
    case 'unknown': return { ...words, message: `there is no field ${shownJson(finding.name)}, and the API server would drop it` };
    case 'type': return { ...words, fix: 'correct the value' };
    default: return words;
  }
}
