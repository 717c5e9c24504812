import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterClassObjects, leaveTree, manifestOf, PlainObjects, TopologyParts, TopologyPoolObjects } from './topology-parts';
import { groupKind, ManifestObject, nameOf } from '../../../manifests/objects/manifest-object';
import { keepOnPrune, noSubstitution } from '../../../manifests/objects/prune-annotations';
import { providers } from '../../../manifests/systems/providers';
import { classDifference, SharedClass, sharedClass } from '../../../manifests/topology/shared-class';
import { ClassUse } from '../../../manifests/topology/topology-form';
import { FieldPath, Fields } from '../../../manifests/values/fields';
import { checkName } from '../../../manifests/values/object-name';
import { Problem, Rule } from '../../../manifests/values/problem';
import { AppSlot } from '../../app/app-state';
import { Problems } from '../../app/problems/problems';
import { contentName, isNamedByContent } from '../../app/synth/content-name';
import { FieldSources } from '../../app/synth/field-sources';
import { placeOf, placePart, sharedChart } from '../../app/synth/output-place';
import { answered, onPrepare } from '../../app/synth/synthesis';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/** The clusters of an app that have a shared class, in the order in which they were declared. */
const MEMBERS = new AppSlot<SharedClassMember[]>('SharedClasses', () => []);

/** A cluster whose ClusterClass other clusters of the app may have, too. */
export class SharedClassMember implements ClusterClassObjects {
  private readonly namespace: string;
  private readonly pools = new Map<string, TopologyPoolObjects>();
  private readonly chart: Chart;

  /**
   * @param owner the cluster
   * @param parts its objects
   * @param plain the cluster as it is without a topology
   * @param name name of the class before the hash, and its namespace
   */
  public constructor(
    private readonly owner: Construct, private readonly parts: TopologyParts, private readonly plain: PlainObjects,
    private readonly name: { readonly className: string; readonly namespace?: string },
  ) {
    this.namespace = name.namespace ?? parts.cluster.metadata.namespace!;
    this.chart = sharedChart(owner, 'classes', (app, id) => new Chart(app, id, { disableResourceNameHashes: true }));
    leaveTree(owner, parts.machines?.machineTemplate);
    const members = MEMBERS.of(owner);
    if (members.length === 0) onPrepare(owner, () => writeClasses(MEMBERS.of(owner)));
    members.push(this);
    Problems.of(owner)._addCheck(() => [...checkClassName(name.className), ...this.checkSame()]);
  }

  public get use(): ClassUse {
    const { clusterClass, variables } = this.sharedClass();
    const { namespace } = this;
    return { name: nameOf(clusterClass)!, ...namespace !== this.parts.cluster.metadata.namespace && { namespace }, variables };
  }

  public add(pool: TopologyPoolObjects): void {
    this.pools.set(pool.name, pool);
    [pool.machineTemplate, pool.bootstrapTemplate].forEach((object) => leaveTree(this.owner, object));
  }

  /** Writes the class and its templates into the chart of shared classes, unless another cluster has done so. */
  public write(): void {
    if (!this.isWritten) return;
    let made: SharedClass;
    try {
      made = this.sharedClass();
    } catch {
      // An object that cannot be written is reported where it is validated.
      return;
    }
    const name = nameOf(made.clusterClass)!;
    const id = `${this.namespace}.${this.name.className}`;
    // Another content is refused.
    if (this.chart.node.tryFindChild(id)) return;
    const scope = placePart(new Construct(this.chart, id), name);
    const sources = new Map(this.templates().map(({ use, object, fields }) => [use, { object, fields }]));
    for (const { use, template } of made.templates) {
      const source = sources.get(use)!;
      FieldSources._recordSame(objectOf(scope, use, template), source.object, source.fields);
    }
    objectOf(scope, 'class', { ...made.clusterClass, metadata: { ...made.clusterClass.metadata as Fields, annotations: { ...keepOnPrune(), ...noSubstitution() } } });
  }

  /** Removes what was written before. */
  public clear(): void {
    this.chart.node.children.forEach(({ node: { id } }) => this.chart.node.tryRemoveChild(id));
  }

  /** False for a cluster that is decommissioned. */
  private get isWritten(): boolean {
    return this.parts.cluster.node.scope!.node.tryFindChild(this.parts.cluster.node.id) !== undefined;
  }

  private sharedClass(): SharedClass {
    return answered(this.owner, 'sharedClass', () => sharedClass(this.plain(), {
      controlPlane: this.parts.machines && manifestOf(this.parts.machines.machineTemplate),
      pool: (name) => {
        const { machineTemplate, bootstrapTemplate } = this.pools.get(name)!;
        return { machine: manifestOf(machineTemplate), bootstrap: manifestOf(bootstrapTemplate) };
      },
    }, { className: this.name.className, namespace: this.namespace, nameOf: contentName, addressFields, ownNames: this.ownNames() }));
  }

  /** Names of the objects beside templates of machines that are named after their content, such as templates of data: each cluster has its own. */
  private ownNames(): string[] {
    const templates = [this.parts.machines?.machineTemplate, ...[...this.pools.values()].map(({ machineTemplate }) => machineTemplate)];
    return templates.flatMap((template) => (template?.node.scope?.node.children ?? [])
      .filter((child): child is ApiObject => child !== template && ApiObject.isApiObject(child) && isNamedByContent(child)).map(({ name }) => name));
  }

  /** The objects that templates of the class are made of, by their use. */
  private templates(): { readonly use: string; readonly object: ApiObject; readonly fields: { [field: string]: string } }[] {
    const { infrastructure, controlPlane, machines } = this.parts;
    const made = { 'spec.template.spec': 'spec' };
    const same = { spec: 'spec' };
    return [
      { use: 'infrastructure', object: infrastructure, fields: made },
      { use: 'control plane', object: controlPlane, fields: made },
      ...machines ? [{ use: 'machines of the control plane', object: machines.machineTemplate, fields: same }] : [],
      ...[...this.pools.values()].flatMap(({ name, machineTemplate, bootstrapTemplate }) => [
        { use: `machines of pool ${name}`, object: machineTemplate, fields: same },
        { use: `bootstrap of pool ${name}`, object: bootstrapTemplate, fields: same },
      ]),
    ];
  }

  /** Checks that the first cluster with the class has the same content. */
  private checkSame(): Problem[] {
    const first = MEMBERS.of(this.owner).find((other) => other.isWritten && other.key === this.key);
    if (!first || first === this) return [];
    try {
      const found = classDifference(this.sharedClass(), first.sharedClass());
      if (!found) return [];
      const { use, path, only } = found;
      const what = use === undefined ? 'the class' : `the template of the ${use}`;
      // Values are left out: files of machines may hold secrets.
      const difference = only === undefined ? `${path} of ${what} differs` : `only ${only === 'one' ? 'this one' : 'that one'} has ${what}`;
      return [{
        rule: SAME_RULE,
        property: 'topology.className',
        message: `the ClusterClass ${JSON.stringify(this.name.className)} of ${first.owner.node.path} has another content: ${difference}`,
        fix: 'make both equal, or give one of them another className',
      }];
    } catch {
      return [];
    }
  }

  private get key(): string {
    return JSON.stringify([placeOf(this.owner).folder.tree, this.namespace, this.name.className]);
  }
}

/** The fields of an object from which its provider makes pools of addresses. */
function addressFields(object: ManifestObject): FieldPath[] {
  return providers().flatMap(({ addressPools = {} }) => addressPools[groupKind(object)]?.(object) ?? []).map(({ path }) => path);
}

/** Writes the classes of all clusters anew. */
function writeClasses(members: readonly SharedClassMember[]): void {
  members.forEach((member) => member.clear());
  members.forEach((member) => member.write());
}

function objectOf(scope: Construct, id: string, { apiVersion, kind, metadata, spec }: ManifestObject): ApiObject {
  return new TypedApiObject(scope, id, { apiVersion: String(apiVersion), kind: String(kind) }, { metadata, spec });
}

const LONGEST_NAME = 54;

const NAME_RULE: Rule = {
  id: 'TC-TOPOLOGY-CLASS-NAME',
  title: 'The name of a ClusterClass must be a DNS label of at most 54 characters, which leaves room for the hash of its content.',
};

function checkClassName(className: string): Problem[] {
  const message = checkName(className, { maxLength: LONGEST_NAME });
  return message === undefined ? [] : [{
    rule: NAME_RULE, property: 'topology.className', message, accepted: 'a DNS label of at most 54 characters', fix: 'choose another name',
  }];
}

const SAME_RULE: Rule = {
  id: 'TC-TOPOLOGY-CLASS-DIFFERS',
  title: 'Clusters with one className must have ClusterClasses of the same content.',
};
