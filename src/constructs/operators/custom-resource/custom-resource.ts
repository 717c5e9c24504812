import { ApiObjectMetadata, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { CRD_RULES } from './crd-rules';
import { checkResource, ValueFinding } from '../../../manifests/schema/check-value';
import { faultWords, FaultWords } from '../../../manifests/schema/finding-words';
import { JsonObject, JsonSchema } from '../../../manifests/schema/json-schema';
import { compileSchema } from '../../../manifests/schema/schema-node';
import { shownJson } from '../../../manifests/schema/value-words';
import { fieldText } from '../../../manifests/values/fields';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { claimName } from '../../app/synth/claims';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/** Properties of one object of a type. */
export interface CustomResourceProps {
  /**
   * Metadata of the object. A namespaced type needs a namespace, here or from the chart; another one takes none. Two objects of a type in a
   * chart differ in name or namespace (`TC-CRD-INSTANCE-NAME`).
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

/** What an object is an instance of. */
export interface InstanceKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly clusterScoped: boolean;

  /** True if `status` is written apart from the rest. */
  readonly statusSubresource: boolean;

  /** Absent where it is not known, or not fit to hold anything to it. */
  readonly schema?: JsonSchema;
}

/** An object of a type that the library knows the schema of. */
export class CustomResource extends TypedApiObject {
  private readonly instanceOf: InstanceKind;

  /**
   * @param scope the construct to define the object in
   * @param id a name that is unique within the scope
   * @param instanceKind what it is an instance of
   * @param props the object
   */
  public constructor(scope: Construct, id: string, instanceKind: InstanceKind, props: CustomResourceProps) {
    const { group, version, kind, clusterScoped } = instanceKind;
    const { metadata, spec, fields } = props;
    super(scope, id, { apiVersion: `${group}/${version}`, kind, clusterScoped }, {
      ...fields, ...(spec !== undefined && { spec }), metadata: { name: id, ...metadata, ...(clusterScoped && { namespace: undefined }) },
    });
    this.instanceOf = instanceKind;
    FieldSources.record(this, this, { 'metadata.name': 'metadata.name' });
    const problems = Problems.of(this);
    problems._addCheck(() => this.check());
    if (clusterScoped && metadata?.namespace !== undefined) {
      problems.add({
        rule: CRD_RULES.instanceName, property: 'metadata.namespace', message: `objects of ${kind} belong to no namespace, and this one names "${metadata.namespace}"`, fix: 'leave it out',
      });
    }
    // The same object may well be in the charts of several clusters.
    const identity = [this.metadata.namespace, this.name].filter((part) => part !== undefined).join('/');
    const owner = claimName(this, `${kind}.${group} in ${Chart.of(this).node.path}`, identity);
    problemIf(CRD_RULES.instanceName, 'metadata.name', owner && `"${identity}" is ${owner} already`, 'give one of the two objects another name')
      .forEach((problem) => problems.add(problem));
  }

  private check(): Problem[] {
    let manifest: JsonObject;
    try {
      manifest = this.toJson() as JsonObject;
    } catch {
      // Writing the object says what is wrong with it.
      return [];
    }
    const { schema, clusterScoped, statusSubresource } = this.instanceOf;
    const { namespace } = (manifest.metadata ?? {}) as { namespace?: string };
    return [
      ...problemIf(CRD_RULES.instanceName, 'metadata.namespace', !clusterScoped && namespace === undefined ? 'the type is namespaced, and the object names no namespace' : undefined,
        'set metadata.namespace, or the namespace of the chart'),
      ...problemIf(CRD_RULES.instance, 'status', statusSubresource && manifest.status !== undefined ? 'the API server drops a status that is not written at /status' : undefined,
        'remove it: the controller writes it'),
      ...(schema ? this.checkFields(schema, manifest) : []),
    ];
  }

  private checkFields(schema: JsonSchema, manifest: JsonObject): Problem[] {
    return checkResource(compileSchema(schema), manifest).map((finding) => ({
      rule: CRD_RULES.instance, property: fieldText(finding.path) || this.instanceOf.kind, ...wordsOf(finding),
    }));
  }
}

/** Words for an object that is written in a program. */
function wordsOf(finding: ValueFinding): FaultWords {
  const words = faultWords(finding, finding.path);
  switch (finding.code) {
    case 'null': return { ...words, message: 'it is null, which the API server drops', fix: 'leave the field out, or make it nullable in the schema' };
    case 'unknown': return { ...words, message: `there is no field ${shownJson(finding.name)}, and the API server would drop it` };
    case 'type': return { ...words, fix: 'correct the value' };
    default: return words;
  }
}
