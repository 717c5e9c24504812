import { applyJsonPatch, JsonPatchOperation } from './json-patch';
import { PatchStop, TopologyStop } from './outcome';
import { variableValue, Variables } from './variables';
import { NotComputed, TemplateFault } from '../go-template/faults';
import { renderTemplate } from '../go-template/go-template';
import { ManifestObject } from '../objects/manifest-object';
import { readText } from '../objects/manifest-text';
import { excess } from '../objects/value-size';
import { fieldAt, Fields, isSet, objectsAt, stringAt, stringsAt } from '../values/fields';

/** Use of a template of a topology. */
export type TemplateUse = 'infrastructureCluster' | 'controlPlane' | 'controlPlaneMachine' | 'machineDeployment' | 'machinePool';

/** A template of a topology, before or after it is patched. */
export interface PatchedTemplate {
  readonly template: ManifestObject;
  readonly use: TemplateUse;

  /** The class of the pool that it is for. */
  readonly poolClass?: string;

  /** Variables that its patches have. */
  readonly variables: Variables;
}

/** Templates after all patches, and what is not known of them. */
export interface PatchResult<T extends PatchedTemplate> {
  readonly items: readonly T[];

  /** Patches whose changes are not known, and why. */
  readonly unknown: readonly string[];
}

/** Bytes of a patched template: etcd takes less. */
const LARGEST = 4_000_000;

/**
 * Applies the patches of a ClusterClass, one after the other.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/patches/engine.go, patches/inline/json_patch_generator.go, v1.14.2.
 *
 * @param patches the patches
 * @param items the templates
 */
export function applyPatches<T extends PatchedTemplate>(patches: readonly Fields[], items: readonly T[]): PatchResult<T> {
  const unknown: string[] = [];
  let patched = items;
  for (const patch of patches) {
    const name = stringAt(patch, 'name') ?? '';
    if (isSet(patch, 'external')) {
      const extension = stringAt(patch, 'external', 'generatePatchesExtension') ?? stringAt(patch, 'external', 'generateExtension');
      if (extension !== undefined) unknown.push(`the runtime extension ${extension} of patch ${name} decides`);
      continue;
    }
    const definitions = objectsAt(patch, 'definitions').map(([definition]) => definition);
    try {
      patched = patched.map((item) => patchedItem(item, patch, definitions));
    } catch (error) {
      if (error instanceof NotComputed) unknown.push(`patch ${name}: ${error.message}`);
      else if (error instanceof TopologyStop || error instanceof TemplateFault) throw new PatchStop(`patch ${name}: ${error.message}`);
      else throw error;
    }
  }
  return { items: patched, unknown };
}

function patchedItem<T extends PatchedTemplate>(item: T, patch: Fields, definitions: readonly Fields[]): T {
  const matching = definitions.filter((definition) => isSelected(item, definition.selector));
  if (matching.length === 0 || !isEnabled(stringAt(patch, 'enabledIf'), item.variables)) return item;
  const operations = matching.flatMap((definition) => objectsAt(definition, 'jsonPatches').map(([change]): JsonPatchOperation => ({
    op: String(change.op), path: String(change.path), value: change.op === 'remove' ? undefined : valueOf(change, item.variables),
  })));
  const { spec, metadata } = applyJsonPatch(item.template, operations);
  if (JSON.stringify(spec ?? null).length > LARGEST) throw new NotComputed('its result is too long');
  const marks = { labels: fieldAt(metadata, 'labels'), annotations: fieldAt(metadata, 'annotations') };
  return { ...item, template: { ...item.template, spec, metadata: { ...item.template.metadata as Fields, ...marks } } };
}

/** True if a patch changes a template. */
function isSelected({ template, use, poolClass }: PatchedTemplate, selector: unknown): boolean {
  if (fieldAt(selector, 'apiVersion') !== template.apiVersion || fieldAt(selector, 'kind') !== template.kind) return false;
  const match = fieldAt(selector, 'matchResources');
  switch (use) {
    case 'infrastructureCluster': return fieldAt(match, 'infrastructureCluster') === true;
    case 'controlPlane': case 'controlPlaneMachine': return fieldAt(match, 'controlPlane') === true;
    default: return stringsAt(match, `${use}Class`, 'names').some(([name]) => isNamed(poolClass ?? '', name));
  }
}

function isNamed(poolClass: string, name: string): boolean {
  if (name === '*' || name === poolClass) return true;
  return (name.startsWith('*') && poolClass.endsWith(name.slice(1))) || (name.endsWith('*') && poolClass.startsWith(name.slice(0, -1)));
}

function isEnabled(enabledIf: string | undefined, variables: Variables): boolean {
  return enabledIf === undefined || rendered(enabledIf, variables) === true;
}

function valueOf(change: Fields, variables: Variables): unknown {
  if (isSet(change, 'value')) return change.value;
  const [variable, template] = [stringAt(change, 'valueFrom', 'variable'), stringAt(change, 'valueFrom', 'template')];
  if (variable !== undefined) return variableValue(variables, variable);
  if (template === undefined) throw new TopologyStop('failed to calculate value: neither .value nor .valueFrom are set');
  return rendered(template, variables);
}

/** Value of a rendered template, read as YAML. */
function rendered(template: string, variables: Variables): unknown {
  const text = renderTemplate(template, variables);
  const { documents: [first], faults: [fault] } = readText(text);
  if (fault) throw new TopologyStop(`its template renders to no YAML: ${fault.message}`);
  if (first && excess(first.value) !== undefined) throw new NotComputed('its result is too long');
  return first?.value ?? null;
}
