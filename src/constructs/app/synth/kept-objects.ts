import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { constructsIn } from './synthesis';
import { groupKind, ManifestObject } from '../../../manifests/objects/manifest-object';
import { keptAnnotations } from '../../../manifests/objects/prune-annotations';

/** Kinds whose objects take others along when they are pruned: all objects of a type, and all objects in a namespace. */
const TAKE_OTHERS_ALONG: readonly string[] = ['apiextensions.k8s.io/CustomResourceDefinition', '/Namespace'];

/** Scopes and objects whose user lets GitOps tools prune them. */
const PRUNABLE = new WeakSet<IConstruct>();

/** Leaves the definitions and namespaces of a scope, or an object, without annotations against pruning. */
export function allowPruning(scope: IConstruct): void {
  PRUNABLE.add(scope);
}

/** Annotates the definitions and namespaces of a chart, those from YAML of others among them, so that GitOps tools do not prune them. */
export function keepDefinitionsAndNamespaces(chart: IConstruct): void {
  if (PRUNABLE.has(chart)) return;
  for (const construct of constructsIn(chart)) {
    if (!ApiObject.isApiObject(construct) || PRUNABLE.has(construct)) continue;
    const object: ManifestObject = { apiVersion: construct.apiVersion, kind: construct.kind, metadata: construct.metadata.toJson() };
    if (!TAKE_OTHERS_ALONG.includes(groupKind(object))) continue;
    Object.entries(keptAnnotations(object)).forEach(([key, value]) => construct.metadata.addAnnotation(key, value));
  }
}
