import { ApiObject, Lazy } from 'cdk8s';
import { keepOnPrune } from '../../../manifests/objects/prune-annotations';
import { FormerObject, nameByContent } from '../../app/synth/content-name';

/** A reference of Cluster API within one namespace. */
interface TemplateReference {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Names a template after its content and marks it against pruning: machines may still be cloned from it when its successor is there.
 *
 * @param template the template
 * @param prefix part of the name before the hash
 * @param former the template that is written instead, as long as the content stays
 */
export function adoptTemplate(template: ApiObject, prefix: string, former?: FormerObject): void {
  nameByContent(template, prefix, former);
  Object.entries(keepOnPrune()).forEach(([key, value]) => template.metadata.addAnnotation(key, value));
}

/** A reference by group, kind and name. The name is resolved when the manifest is written, since it follows the content. */
export function templateReference(template: ApiObject): TemplateReference {
  return { apiGroup: template.apiGroup, kind: template.kind, name: Lazy.any({ produce: () => template.name }) };
}
