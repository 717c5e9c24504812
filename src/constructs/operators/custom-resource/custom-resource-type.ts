import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { CrdConversion } from './crd-conversion';
import { CustomResource, CustomResourceProps } from './custom-resource';
import { CustomResourceScope, CustomResourceTypeProps } from './custom-resource-type-props';
import {
  checkVersions, hasStatusSubresource, isStorage, servedVersions, versionSpec,
} from './custom-resource-version';
import { typeOfDefinition, typeOfFile, typeOfText } from './read-definition';
import { addUserRoles, checkUserRoles } from './user-roles';
import { APPROVAL_ANNOTATION } from '../../../manifests/kubernetes/definitions';
import { keptAnnotations } from '../../../manifests/objects/prune-annotations';
import { problemIf, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { claimName } from '../../app/synth/claims';
import { FieldSources } from '../../app/synth/field-sources';
import { allowPruning } from '../../app/synth/kept-objects';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { validateApp } from '../../app/validation/attached-validation';
import { addConvertedType, addDefinedType } from '../defined-types';
import { ResourceType } from '../resource-type';
import { isValid } from '../schema/check-schema';

const NAMES_RULE: Rule = {
  id: 'TC-CRD-NAMES',
  title: 'A chart must define a type only once.',
};

const METADATA_RULE: Rule = {
  id: 'TC-CRD-METADATA',
  title: 'Annotations of a definition must not contradict other properties of the type.',
};

const INSTANCE_VERSION_RULE: Rule = {
  id: 'TC-CRD-INSTANCE-VERSION',
  title: 'The version of a custom resource must be a served version of its type.',
};

/**
 * A type of custom resources: its CustomResourceDefinition, and a typed way to make objects of it.
 *
 * A definition that the API server would refuse is an error at synthesis, and so is an object that does not fit its schema with its defaults, or
 * breaks a rule in CEL. The API server alone refuses rules that cost too much, and judges those with functions that only it has.
 *
 * It works in every chart: of the management cluster, of an addon (`ManifestAddon`) or in a cluster's `workloads`. Objects need the definition to
 * be there before them: deliver them in an addon that comes `after` the one with the definition.
 *
 * Source: kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions.
 *
 * @example
 * const backup = new operators.CustomResourceType(chart, 'backup', {
 *   group: 'example.com',
 *   kind: 'Backup',
 *   versions: [{
 *     name: 'v1',
 *     schema: operators.Schema.object({
 *       properties: { spec: operators.Schema.object({ required: ['schedule'], properties: { schedule: operators.Schema.string() } }) },
 *     }),
 *   }],
 * });
 * backup.instance(chart, 'nightly', { spec: { schedule: '0 2 * * *' } });
 */
export class CustomResourceType extends Construct {
  /**
   * Makes an object of a type whose definition is elsewhere: in an earlier addon, in a chart of Helm, or not in the app. It is checked as by
   * `instance`.
   *
   * @param scope the construct to define the object in
   * @param id a name that is unique within the scope
   * @param type properties of the type, e.g. of `fromFile`; its definition reports their faults
   * @param props the object (`TC-CRD-INSTANCE`, `TC-CRD-INSTANCE-VERSION`, `TC-CRD-INSTANCE-NAME`)
   */
  public static instanceOf(scope: Construct, id: string, type: CustomResourceTypeProps, props: CustomResourceProps = {}): ApiObject {
    return addInstance(scope, id, type, props);
  }

  /**
   * The properties of the type that a CustomResourceDefinition defines, for `instanceOf` and for `new CustomResourceType`: typed and checked
   * objects of any operator.
   *
   * @param definition the definition (`TC-CRD-DEFINITION`)
   */
  public static fromDefinition(definition: { [field: string]: any }): CustomResourceTypeProps {
    return typeOfDefinition(definition);
  }

  /**
   * The properties of a type whose definition is in a YAML or JSON text, as operators publish it (`TC-CRD-DEFINITION`).
   *
   * @param text the text; it may hold other objects, too
   * @param kind the kind of the objects; left out if the text has one definition
   */
  public static fromText(text: string, kind?: string): CustomResourceTypeProps {
    return typeOfText(text, kind);
  }

  /**
   * The properties of a type whose definition is in a YAML or JSON file, as operators publish it (`TC-CRD-DEFINITION`).
   *
   * @param path path of the file, on the machine that synthesizes; it may hold other objects, too
   * @param kind the kind of the objects; left out if the file has one definition
   */
  public static fromFile(path: string, kind?: string): CustomResourceTypeProps {
    return typeOfFile(path, kind);
  }

  /** The CustomResourceDefinition. */
  public readonly definition: ApiObject;

  /** API group. */
  public readonly group: string;

  /** Kind of the objects. */
  public readonly kind: string;

  /** Name of the type in URLs and roles. */
  public readonly plural: string;

  /** The type as roles and webhooks name it. */
  public readonly resourceType: ResourceType;

  private readonly props: CustomResourceTypeProps;

  public constructor(scope: Construct, id: string, props: CustomResourceTypeProps) {
    super(scope, id);
    validateApp(this);
    this.props = { ...props, versions: [...props.versions] };
    const { group, kind, versions, scope: objectScope = CustomResourceScope.NAMESPACED, conversion = CrdConversion.none() } = this.props;
    const names = namesOf(props);
    const name = `${names.plural}.${group}`;
    const served = servedVersions(versions);
    this.group = group;
    this.kind = kind;
    this.plural = names.plural;
    this.resourceType = ResourceType.of({
      group,
      resource: names.plural,
      kind,
      versions: served.map((version) => version.name),
      clusterScoped: objectScope === CustomResourceScope.CLUSTER,
      statusSubresource: served.every(hasStatusSubresource),
    });
    addDefinedType(this, this.resourceType);
    if (conversion._service) addConvertedType(this, name, conversion._service);
    this.check(name);
    // With the defaults of the API server.
    this.definition = new TypedApiObject(this, 'Resource', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', clusterScoped: true }, {
      metadata: { name, labels: props.labels, annotations: this.annotations() },
      spec: { group, names, scope: objectScope, conversion: conversion._spec, versions: versions.map((version) => versionSpec(version, versions)) },
    });
    if (props.keepOnPrune === false) allowPruning(this.definition);
    FieldSources.record(this.definition, this, {
      ...nameSources(props),
      'metadata.labels.**': 'labels.**',
      'metadata.annotations.**': 'annotations.**',
      [`metadata.annotations["${APPROVAL_ANNOTATION}"]`]: 'apiApproved',
      'spec.versions.**': 'versions.**',
      'spec.versions[*].additionalPrinterColumns[*].**': 'versions[*].printerColumns[*].**',
      'spec.versions[*].schema.openAPIV3Schema.**': 'versions[*].schema.**',
    });
    if (props.userRoles) addUserRoles(this, this.resourceType, props.userRoles);
  }

  /**
   * Makes an object of the type.
   *
   * It is checked against the schema when it is written, patches included: fields, types, limits, patterns, and rules in
   * CEL (`validations`), but for rules over changes. The object may go to another chart than the definition.
   *
   * @param scope the construct to define the object in
   * @param id a name that is unique within the scope
   * @param props the object (`TC-CRD-INSTANCE`, `TC-CRD-INSTANCE-VERSION`, `TC-CRD-INSTANCE-NAME`)
   */
  public instance(scope: Construct, id: string, props: CustomResourceProps = {}): ApiObject {
    return addInstance(scope, id, this.props, props);
  }

  private annotations(): { [key: string]: string } {
    const { annotations, apiApproved, conversion, keepOnPrune: keep = true } = this.props;
    const approval: { [key: string]: string } = apiApproved === undefined ? {} : { [APPROVAL_ANNOTATION]: apiApproved };
    return { ...annotations, ...(keep && keptAnnotations({ apiVersion: '', kind: '', metadata: { annotations } })), ...approval, ...conversion?._annotations };
  }

  private check(name: string): void {
    const { kind, versions, conversion, userRoles, annotations = {} } = this.props;
    const problems = Problems.of(this);
    const own = this.annotations();
    // The charts of several clusters may define the same type.
    const owner = claimName(this, `CustomResourceDefinition in ${Chart.of(this).node.path}`, name);
    [
      ...checkVersions(versions),
      ...conversion?._check('conversion') ?? [],
      ...Object.keys(own).filter((key) => Object.hasOwn(annotations, key) && own[key] !== annotations[key]).map((key) => ({
        rule: METADATA_RULE, property: `annotations["${key}"]`, message: 'another property writes it', fix: 'remove the entry',
      })),
      ...(userRoles ? checkUserRoles(this, kind, userRoles) : []),
      ...problemIf(NAMES_RULE, 'plural', owner && `"${name}" is ${owner} already`, 'define the type once, and make its objects with instance()'),
    ].forEach((problem) => problems.add(problem));
  }
}

/** The names of a type, with their defaults. */
function namesOf({ kind, listKind, plural, singular, shortNames, categories }: CustomResourceTypeProps) {
  return {
    kind,
    listKind: listKind ?? `${kind}List`,
    plural: plural ?? pluralOf(kind.toLowerCase()),
    singular: singular ?? kind.toLowerCase(),
    ...(shortNames?.length && { shortNames: [...shortNames] }),
    ...(categories?.length && { categories: [...categories] }),
  };
}

/** The plural of a regular word, as k8s.io/code-generator and kubebuilder form it. */
function pluralOf(word: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** The properties that names of a definition come from: the kind where the user did not set the name. */
function nameSources({ plural, singular, listKind }: CustomResourceTypeProps): { [field: string]: string } {
  return {
    'metadata.name': 'plural',
    'spec.group': 'group',
    'spec.names.kind': 'kind',
    'spec.names.listKind': listKind === undefined ? 'kind' : 'listKind',
    'spec.names.plural': plural === undefined ? 'kind' : 'plural',
    'spec.names.singular': singular === undefined ? 'kind' : 'singular',
    'spec.names.shortNames.**': 'shortNames.**',
    'spec.names.categories.**': 'categories.**',
  };
}

/** Adds an object of a type. Its default version is the stored one if that is served. */
function addInstance(scope: Construct, id: string, type: CustomResourceTypeProps, props: CustomResourceProps): CustomResource {
  const { group, kind, versions } = type;
  const served = servedVersions(versions);
  // A type without versions is refused; until then its objects need some name.
  const { version = (served.find((one) => isStorage(one, versions)) ?? served[0])?.name ?? 'v1' } = props;
  const given = served.find(({ name }) => name === version);
  const schema = given?.schema._json;
  const object = new CustomResource(scope, id, {
    group,
    version,
    kind,
    clusterScoped: type.scope === CustomResourceScope.CLUSTER,
    statusSubresource: given !== undefined && hasStatusSubresource(given),
    schema: schema && isValid(schema) ? schema : undefined,
  }, props);
  if (!schema) {
    Problems.of(object).add({
      rule: INSTANCE_VERSION_RULE,
      property: 'version',
      message: `${kind} has no version "${version}" that is served`,
      accepted: served.map(({ name }) => name).join(', '),
      fix: 'name one of these versions, or none',
    });
  }
  return object;
}
