import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ManifestObject } from '../../../manifests/objects/manifest-object';
import { ClassUse, PlainCluster } from '../../../manifests/topology/topology-form';
import { computeObject } from '../../app/synth/computed-objects';
import { writtenManifest } from '../../app/synth/synthesis';
import { ControlPlaneMachines } from '../../contracts/control-plane';
import { ImagePass } from '../../images/image-pass';

/** The objects of a pool. */
export interface TopologyPoolObjects extends Construct {
  readonly name: string;
  readonly machineDeployment: ApiObject;
  readonly machineHealthCheck?: ApiObject;
  readonly machineTemplate: ApiObject;
  readonly bootstrapTemplate: ApiObject;
  readonly _keepsFormerTemplates: boolean;
}

/** The objects of a cluster. */
export interface TopologyParts {
  readonly cluster: ApiObject;
  readonly infrastructure: ApiObject;
  readonly controlPlane: ApiObject;
  readonly machines?: ControlPlaneMachines;
}

/** The class of a cluster. */
export interface ClusterClassObjects {
  /** The class, and what the cluster gives to it. */
  readonly use: ClassUse;

  /** Adds a pool. */
  add(pool: TopologyPoolObjects): void;
}

/** A cluster as it is without a topology. */
export type PlainObjects = (cluster?: ManifestObject) => PlainCluster;

/** The manifest of an object, patches applied. */
export function manifestOf(object: ApiObject): ManifestObject {
  return writtenManifest(object) as ManifestObject;
}

/** Takes an object out of the tree that the topology controller makes, or that a shared class has. */
export function leaveTree(owner: Construct, object: ApiObject | undefined): void {
  if (!object) return;
  computeObject(owner, object);
  ImagePass.of(owner).watch(object);
}
