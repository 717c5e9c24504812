import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { addInstance } from './add-instance';
import { CRD_RULES } from './crd-rules';
import { CustomResourceProps } from './custom-resource';
import { CustomResourceScope, CustomResourceTypeProps } from './custom-resource-type-props';
import { hasStatusSubresource, servedVersions } from './custom-resource-version';
import { definitionName, nameSources, namesOf } from './definition-names';
import { definitionSpec } from './definition-spec';
import { addUserRoles, checkUserRoles } from './user-roles';
import { checkVersions } from './version-checks';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { APPROVAL_ANNOTATION, isProtectedGroup } from '../../../manifests/values/protected-group';
import { Problems } from '../../app/problems/problems';
import { claimName } from '../../app/synth/claims';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { validateApp } from '../../app/validation/attached-validation';
import { addConvertedType, addDefinedType } from '../defined-types';
import { ResourceType } from '../resource-type';

/**
 * A type of custom resources: its CustomResourceDefinition, and a typed way to make objects of it.
 *
 * Everything that the API server would refuse in the definition is an error at synthesis, and so is an object that does not fit its
 * schema. It works in every chart: of the management cluster, of an addon (`ManifestAddon`) or in a cluster's `workloads`. Objects need
 * the definition to be there before them: deliver them in an addon that comes `after` the one with the definition.
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
   * Makes an object of a type whose definition is somewhere else: in another addon, which comes before, or brought by other means. It is
   * checked as by `instance`: CEL rules of the schema are not evaluated.
   *
   * @param scope the construct to define the object in
   * @param id a name that is unique within the scope
   * @param type what the type is; faults of it are reported by its definition
   * @param props the object (`TC-CRD-INSTANCE`, `TC-CRD-INSTANCE-VERSION`, `TC-CRD-INSTANCE-NAME`)
   */
  public static instanceOf(scope: Construct, id: string, type: CustomResourceTypeProps, props: CustomResourceProps = {}): ApiObject {
    return addInstance(scope, id, type, props);
  }

  /** The CustomResourceDefinition. */
  public readonly definition: ApiObject;

  /** API group. */
  public readonly group: string;

  /** Kind of the objects. */
  public readonly kind: string;

  /** Name of the type in addresses and roles. */
  public readonly plural: string;

  /** The type as roles and webhooks name it. */
  public readonly resourceType: ResourceType;

  private readonly props: CustomResourceTypeProps;

  public constructor(scope: Construct, id: string, props: CustomResourceTypeProps) {
    super(scope, id);
    validateApp(this);
    this.props = { ...props, versions: [...props.versions] };
    const { plural } = namesOf(props);
    const served = servedVersions(props.versions);
    this.group = props.group;
    this.kind = props.kind;
    this.plural = plural;
    this.resourceType = ResourceType.of({
      group: props.group,
      resource: plural,
      kind: props.kind,
      versions: served.map(({ name }) => name),
      clusterScoped: props.scope === CustomResourceScope.CLUSTER,
      statusSubresource: served.every(hasStatusSubresource),
    });
    addDefinedType(this, this.resourceType);
    if (props.conversion?._service) addConvertedType(this, definitionName(props), props.conversion._service);
    this.check();
    this.definition = new TypedApiObject(this, 'Resource', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', clusterScoped: true }, {
      metadata: { name: definitionName(props), labels: props.labels, annotations: this.annotations() },
      spec: definitionSpec(this.props),
    });
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
   * It is checked against the schema when it is written, patches included: fields, types, limits, patterns. CEL rules of the schema
   * (`validations`) are not evaluated: an object that breaks one is refused by the API server only. The object may go to another chart than
   * the definition.
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
    return { ...annotations, ...(keep && keepOnPrune()), ...approval, ...conversion?._annotations };
  }

  private check(): void {
    const { props } = this;
    const problems = Problems.of(this);
    [
      ...this.checkApproval(), ...checkVersions(props.versions), ...props.conversion?._check('conversion') ?? [], ...this.checkMetadata(),
      ...(props.userRoles ? checkUserRoles(this, props.kind, props.userRoles) : []),
      ...this.checkTaken(),
    ].forEach((problem) => problems.add(problem));
  }

  /** The same type may well be in the charts of several clusters. */
  private checkTaken(): Problem[] {
    const name = definitionName(this.props);
    const owner = claimName(this, `CustomResourceDefinition in ${Chart.of(this).node.path}`, name);
    return problemIf(CRD_RULES.names, 'plural', owner && `"${name}" is ${owner} already`, 'define the type once, and make its objects with instance()');
  }

  private checkMetadata(): Problem[] {
    const { annotations = {} } = this.props;
    const own = this.annotations();
    return Object.keys(own).filter((key) => Object.hasOwn(annotations, key) && own[key] !== annotations[key]).map((key) => ({
      rule: CRD_RULES.metadata, property: `annotations["${key}"]`, message: 'another property writes it', fix: 'remove the entry',
    }));
  }

  private checkApproval(): Problem[] {
    const { group, apiApproved } = this.props;
    const isNeeded = apiApproved === undefined || isProtectedGroup(group);
    return problemIf(CRD_RULES.protectedGroup, 'apiApproved', isNeeded ? undefined : `the group "${group}" needs no approval`, 'remove apiApproved');
  }
}
