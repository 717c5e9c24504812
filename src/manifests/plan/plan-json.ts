import { ObjectChange, PlannedEffect, PlannedPart } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { planTotals } from './plan-totals';
import { fieldText } from '../values/fields';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `plan --help` about the shape. */
export const PLAN_SHAPE = `{ "version": 1, "totals": TOTALS, "clusters": [CLUSTER], "shared": [PART], "unread": [FILE] }
  TOTALS is { "clusters", "created", "changed", "removed", "moved", "paused", "pausedParts", "machinesReplaced": COUNT,
    "machinesDeleted": COUNT, "machinesAtATime"?, "uncountedParts", "unknownEffects", "unreadFiles", "objects" }, numbers; COUNT is
    { "minimum", "maximum" }.
  CLUSTER is { "managementCluster"?, "namespace"?, "name", "change": CHANGE, "paused": BOOLEAN, "notes": [TEXT], "parts": [PART] };
    CHANGE is "created", "removed", "changed" or "moved to another owner"; "managementCluster" is a folder or file, where the manifests are
    for several.
  PART is { "managementCluster"?, "part": "cluster", "control plane", "pool", "controller", "addon", "workloads" or "other objects", "name",
    "change": CHANGE, "paused"?: BOOLEAN, "clusters"?: [TEXT], "effects": [EFFECT], "notes": [TEXT], "objects": [OBJECT] }, in the order in
    which controllers act; "clusters" are those of a shared part.
  EFFECT is { "effect": "machines without end", "machines replaced", "deleted", "pods replaced", "data moved", "release upgraded",
    "delivered elsewhere", "scaled", "in place", "new ones only" or "unknown", "reasons": [TEXT], "count"?: COUNT, "atATime"?: NUMBER };
    without "count", the number is not known, or no machines and pods are concerned; "atATime" is 0 where each machine is replaced after it
    is deleted manually.
  OBJECT is { "change": CHANGE, "apiVersion", "kind", "namespace"?, "name", "inTenant": BOOLEAN, "stays": BOOLEAN,
    "fields": [{ "field", "before"?, "after"? }] }. Every object that differs is in one part.
  FILE is { "file", "change"?: CHANGE, "what", "fields": [TEXT] }: a file that is not read; without "change" it is the same, and changes
    others.`;

/** A plan as plain data. */
export function planJson(plan: PlannedChanges): object {
  return {
    version: VERSION,
    totals: planTotals(plan),
    clusters: plan.clusters.map(({ parts, ...cluster }) => ({ ...cluster, parts: parts.map(partJson) })),
    shared: plan.shared.map(partJson),
    unread: plan.unread,
  };
}

function partJson({ managementCluster, part, name, change, paused, clusters, effects, notes, objects }: PlannedPart) {
  return { managementCluster, part, name, change, paused, clusters, effects: effects.map(effectJson), notes, objects: objects.map(objectJson) };
}

function effectJson({ effect, reasons, count, atATime }: PlannedEffect) {
  return { effect, reasons, count, atATime };
}

function objectJson({ change, apiVersion, kind, namespace, name, inTenant, stays, fields }: ObjectChange) {
  const shown = fields.map(({ path, before, after }) => ({ field: fieldText(path), before, after }));
  return { change, apiVersion, kind, namespace, name, inTenant, stays, fields: shown };
}
