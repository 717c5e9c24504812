import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterTopologyOptions } from './cluster-topology';
import { SharedClassMember } from './shared-classes';
import { ClusterClassObjects, leaveTree, manifestOf, PlainObjects, TopologyParts, TopologyPoolObjects } from './topology-parts';
import { ManifestObject } from '../../../manifests/objects/manifest-object';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { classSpec, ClassUse, PlainCluster, templateOf, toolAnnotations, topologyCluster, TopologyRefusal, topologyRefusals } from '../../../manifests/topology/topology-form';
import { Fields, fieldText } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems, strategyScope } from '../../app/problems/problems';
import { nameByContent } from '../../app/synth/content-name';
import { FieldSources } from '../../app/synth/field-sources';
import { rewriteObject } from '../../app/synth/manifest-rewrite';
import { placePart } from '../../app/synth/output-place';
import { TypedApiObject } from '../../app/synth/typed-api-object';

const CLUSTER_CLASS = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'ClusterClass' };

/** Fields of a MachineDeployment by those of a pool of a topology. */
const POOL_FIELDS = {
  'replicas': 'spec.replicas',
  'rollout': 'spec.rollout',
  'failureDomain': 'spec.template.spec.failureDomain',
  'deletion': 'spec.template.spec.deletion',
  'metadata.annotations': 'metadata.annotations',
  'healthCheck.remediation.maxInFlight': 'spec.remediation.maxInFlight',
};

/** Fields of a MachineHealthCheck by those of a part of a topology. */
function healthCheckFields(path: string): { [field: string]: string } {
  return { [`${path}.healthCheck.checks`]: 'spec.checks', [`${path}.healthCheck.remediation.triggerIf`]: 'spec.remediation.triggerIf' };
}

/** The topology of a cluster, whose objects the topology controller makes of a ClusterClass. */
export class TopologyObjects {
  /** The ClusterClass; undefined if clusters share it. */
  public readonly clusterClass?: ApiObject;
  private readonly classObjects: ClusterClassObjects;
  private readonly pools: TopologyPoolObjects[] = [];

  /**
   * @param owner the cluster
   * @param parts its objects; those that the topology controller makes leave the tree
   * @param options the options of the topology
   */
  public constructor(private readonly owner: Construct, private readonly parts: TopologyParts, options: ClusterTopologyOptions) {
    const plain: PlainObjects = (cluster) => this.plain(cluster);
    if (options.className === undefined) {
      const own = new OwnClass(owner, parts, plain);
      this.classObjects = own;
      this.clusterClass = own.clusterClass;
    } else {
      this.classObjects = new SharedClassMember(owner, parts, plain, { className: options.className, namespace: options.classNamespace });
    }
    rewriteObject(parts.cluster, (manifest) => topologyCluster(this.plain(manifest as ManifestObject), this.classObjects.use));
    FieldSources.record(parts.cluster, owner, { 'spec.topology': 'topology' });
    FieldSources._recordSame(parts.cluster, parts.controlPlane, { 'spec.topology.version': 'spec.version', 'spec.topology.controlPlane.replicas': 'spec.replicas' });
    const { machines } = parts;
    if (machines?.machineHealthCheck) FieldSources._recordSame(parts.cluster, machines.machineHealthCheck, healthCheckFields('spec.topology.controlPlane'));
    [parts.infrastructure, parts.controlPlane, machines?.machineHealthCheck].forEach((object) => leaveTree(owner, object));
    if (machines?.formerTemplates) Problems.of(owner).add({ ...FORMER_TEMPLATES, property: 'controlPlane.formerTemplates' });
    Problems.of(owner)._addCheck(() => [...checkNamespace(options), ...this.refusals().filter(({ pool }) => pool === undefined).map(problemOf)]);
  }

  /** Adds a pool, whose MachineDeployment and MachineHealthCheck leave the tree. */
  public add(pool: TopologyPoolObjects): void {
    const path = `spec.topology.workers.machineDeployments[${this.pools.push(pool) - 1}]`;
    const fields = Object.entries(POOL_FIELDS).map(([field, same]) => [`${path}.${field}`, same]);
    FieldSources._recordSame(this.parts.cluster, pool.machineDeployment, Object.fromEntries(fields) as { [field: string]: string });
    if (pool.machineHealthCheck) FieldSources._recordSame(this.parts.cluster, pool.machineHealthCheck, healthCheckFields(path));
    [pool.machineDeployment, pool.machineHealthCheck].forEach((object) => leaveTree(this.owner, object));
    this.classObjects.add(pool);
    if (pool._keepsFormerTemplates) Problems.of(pool).add(FORMER_TEMPLATES);
    Problems.of(pool)._addCheck(() => this.refusals().filter((refusal) => refusal.pool === pool.name).map((refusal) => {
      const source = FieldSources._find(pool.machineDeployment, refusal.path);
      return { ...problemOf(refusal), ...source && { property: source.property } };
    }));
  }

  private refusals(): TopologyRefusal[] {
    try {
      return topologyRefusals(this.plain());
    } catch {
      // An object that cannot be written is reported where it is validated.
      return [];
    }
  }

  private plain(cluster?: ManifestObject): PlainCluster {
    const { infrastructure, controlPlane, machines } = this.parts;
    const { name, metadata: { namespace } } = this.parts.cluster;
    return {
      cluster: cluster ?? { metadata: { name, namespace } },
      infrastructure: manifestOf(infrastructure),
      controlPlane: manifestOf(controlPlane),
      controlPlaneHealthCheck: machines?.machineHealthCheck && manifestOf(machines.machineHealthCheck),
      pools: this.pools.map((pool) => ({
        name: pool.name,
        machineDeployment: manifestOf(pool.machineDeployment),
        healthCheck: pool.machineHealthCheck && manifestOf(pool.machineHealthCheck),
      })),
    };
  }
}

/** A ClusterClass of one cluster, beside its other objects. */
class OwnClass implements ClusterClassObjects {
  public readonly clusterClass: ApiObject;
  private readonly infrastructureTemplate: ApiObject;
  private readonly controlPlaneTemplate: ApiObject;
  private readonly pools = new Map<string, TopologyPoolObjects>();

  public constructor(owner: Construct, private readonly parts: TopologyParts, private readonly plain: PlainObjects) {
    const scope = placePart(strategyScope(owner, 'ClusterClass'), 'cluster-class');
    const { cluster: { name } } = parts;
    this.infrastructureTemplate = ownTemplate(scope, 'InfrastructureTemplate', parts.infrastructure, name);
    this.controlPlaneTemplate = ownTemplate(scope, 'ControlPlaneTemplate', parts.controlPlane, name);
    this.clusterClass = new TypedApiObject(scope, 'Resource', CLUSTER_CLASS, {
      metadata: { name, annotations: keepOnPrune() }, spec: Lazy.any({ produce: () => this.spec() }),
    });
    nameByContent(this.clusterClass, name);
  }

  public get use(): ClassUse {
    return { name: this.clusterClass.name };
  }

  public add(pool: TopologyPoolObjects): void {
    this.pools.set(pool.name, pool);
  }

  private spec(): Fields {
    return classSpec(this.plain(), {
      infrastructure: referred(this.infrastructureTemplate),
      controlPlane: referred(this.controlPlaneTemplate),
      controlPlaneMachines: this.parts.machines && referred(this.parts.machines.machineTemplate),
      pool: (name) => {
        const { machineTemplate, bootstrapTemplate } = this.pools.get(name)!;
        return { machine: referred(machineTemplate), bootstrap: referred(bootstrapTemplate) };
      },
    });
  }
}

/** The template of an object, whose metadata for tools it gets. */
function ownTemplate(scope: Construct, id: string, object: ApiObject, prefix: string): ApiObject {
  const template = new TypedApiObject(scope, id, { apiVersion: object.apiVersion, kind: `${object.kind}Template` }, {
    metadata: { name: prefix },
    spec: Lazy.any({ produce: () => templateOf(manifestOf(object)).spec }),
  });
  rewriteObject(template, (manifest) => {
    const { metadata } = manifest as { readonly metadata: Fields };
    return { ...manifest, metadata: { ...metadata, annotations: { ...toolAnnotations(manifestOf(object)), ...metadata.annotations as object } } };
  });
  FieldSources._recordSame(template, object, { 'spec.template.spec': 'spec' });
  nameByContent(template, prefix);
  return template;
}

function referred({ apiVersion, kind, name }: ApiObject): ManifestObject {
  return { apiVersion, kind, metadata: { name } };
}

const FIELD_RULE: Rule = {
  id: 'TC-TOPOLOGY-FIELD',
  title: 'Each field of the objects of a cluster must have a place in its topology, its ClusterClass, or a template of the class.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta2/clusterclass_types.go, exp/topology/desiredstate/desired_state.go',
};

const TEMPLATE_RULE: Rule = {
  id: 'TC-TOPOLOGY-TEMPLATE',
  title: 'The control plane and the infrastructure of a cluster with a topology must have kinds of templates.',
  source: 'kubernetes-sigs/cluster-api internal/topology/check/compatibility.go (ClusterClassTemplateIsValid)',
};

const FORMER_TEMPLATES: Problem = {
  rule: {
    id: 'TC-TOPOLOGY-FORMER-TEMPLATES',
    title: 'A pool or control plane of a topology cannot keep former templates: the topology controller makes the templates under names of its own.',
    source: 'kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/reconcile_state.go (reconcileReferencedTemplate)',
  },
  property: 'formerTemplates',
  message: 'the cluster is a topology, whose machines get templates under names that its controller chooses',
  fix: 'remove formerTemplates, and have the machines replaced; or write the cluster without topology',
};

function problemOf({ object, path, message, fix }: TopologyRefusal): Problem {
  const property = path.length === 0 ? 'topology' : `topology: ${fieldText(path)} of the ${String(object.kind)}`;
  return { rule: path.length === 0 ? TEMPLATE_RULE : FIELD_RULE, property, message, fix };
}

const NAMESPACE_RULE: Rule = {
  id: 'TC-TOPOLOGY-CLASS-NAMESPACE',
  title: 'Only a class that clusters share can be in another namespace than the cluster.',
};

function checkNamespace({ className, classNamespace }: ClusterTopologyOptions): Problem[] {
  return className !== undefined || classNamespace === undefined ? [] : [{
    rule: NAMESPACE_RULE,
    property: 'topology.classNamespace',
    message: `it is ${JSON.stringify(classNamespace)}, and without a className the class is in the namespace of the cluster`,
    fix: 'give the className of the class that clusters share, or remove classNamespace',
  }];
}
