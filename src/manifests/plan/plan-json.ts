import { ObjectChange, PlannedEffect, PlannedPart, Refusal } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { planTotals } from './plan-totals';
import { PlanVerdict, planVerdict, VerdictEntry } from './verdict';
import { FieldChange } from '../rules/changes/field-changes';
import { fieldText } from '../values/fields';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `plan --help` about the shape. */
export const PLAN_SHAPE = `{ "version": 1, "verdict": VERDICT, "totals": TOTALS, "clusters": [CLUSTER], "shared": [PART], "unread": [FILE] }
  VERDICT is { "verdict": "BLOCKED", "DESTROYS", "DISRUPTS" or "SAFE", "isCertain": BOOLEAN, "refused": [ENTRY], "lost": [ENTRY], "down":
    [ENTRY], "irreversible": [ENTRY] }; ENTRY is { "cluster"?, "text" }; "isCertain" is false if it follows from unknown effects alone;
    "irreversible" is what a server refuses to revert, or what does harm then.
  TOTALS is { "clusters", "created", "changed", "removed", "moved", "paused", "pausedParts", "waitingParts", "refused", "heldParts",
    "machinesReplaced": COUNT, "machinesDeleted": COUNT, "machinesAtATime"?, "machinesAtATimeInACluster"?, "uncountedParts",
    "unknownEffects", "unreadFiles", "unappliedFiles", "objects" }, numbers; COUNT is { "minimum", "maximum" }.
  CLUSTER is { "managementCluster"?, "namespace"?, "name", "change": CHANGE, "paused": BOOLEAN, "notes": [TEXT], "order"?: [[TEXT]],
    "parts": [PART] }; CHANGE is "created", "removed", "changed" or "moved to another owner"; "managementCluster" is a folder or file,
    where the manifests are for several; "order" has the names of parts whose machines or pods go, those of one step at the same time.
  PART is { "managementCluster"?, "part": "cluster", "control plane", "pool", "controller", "addon",
    "delivery", "workloads" or "other objects",
    "name", "change": CHANGE, "paused"?: BOOLEAN, "heldBy"?: [TEXT], "opening"?: OPENING,
    "refusals"?: [REFUSAL], "clusters"?: [TEXT], "effects": [EFFECT],
    "consequences"?: CONSEQUENCES, "notes": [TEXT], "objects": [OBJECT] }, in the order in which controllers act; "heldBy" names what
    applies none of it as long as the server refuses another change; "clusters" are those of a shared part; without "consequences", users
    of the cluster notice nothing.
  OPENING is { "timeZone", "next"?, "until"? }: the window in which the part is applied, instants in ISO 8601; "next" is its beginning,
    "until" the end of one that is open.
  REFUSAL is { "rule", "apiVersion", "kind", "namespace"?, "name", "inTenant": BOOLEAN, "field", "fields": [{ "field", "before"?, "after"?
    }], "message", "fix", "holds": [TEXT] }: a change that a server refuses; "holds" are deliveries that apply nothing else either.
  EFFECT is { "effect": "refused", "machines without end", "machines replaced", "deleted", "pods replaced", "data moved", "release
    upgraded", "delivered elsewhere", "fails later", "scaled", "in place", "new ones only" or "unknown", "reasons": [TEXT], "count"?: COUNT,
    "atATime"?: NUMBER, "waitsFor"?: TEXT }; without "count", the number is not known, or no machines and pods are concerned; "atATime" is 0
    where each machine is replaced after it is deleted manually; an effect that waits is not in "totals".
  CONSEQUENCES is { "lost": [WHAT], "down": [WHAT], "felt": [TEXT], "time"?: TIME, "undo"?: { "revert": "possible", "without data",
    "harmful" or "refused", "why"?: TEXT } }: what a revert does not bring back, what is not available, and what else workloads notice;
    WHAT is { "what", "detail"? }.
  TIME is { "seconds"?, "turns"?, "steps": [{ "name", "seconds"?, "field" }] }, by declared timeouts; without "seconds", a step has no
    limit.
  OBJECT is { "change": CHANGE, "apiVersion", "kind", "namespace"?, "name", "made"?: true, "inTenant": BOOLEAN, "stays": BOOLEAN,
    "fields": [{ "field", "before"?, "after"? }] }. Every object that differs is in one part. No manifest holds those that are "made":
    Cluster API makes them of a Cluster and its ClusterClass, and "totals" does not count them.
  FILE is { "file", "change"?: CHANGE, "what", "fields": [TEXT] }: a file that is not read; without "change" it is the same, and changes
    others.`;

/** A plan as plain data. */
export function planJson(plan: PlannedChanges): object {
  return {
    version: VERSION,
    verdict: verdictJson(planVerdict(plan)),
    totals: planTotals(plan),
    clusters: plan.clusters.map(({ parts, ...cluster }) => ({ ...cluster, parts: parts.map(partJson) })),
    shared: plan.shared.map(partJson),
    unread: plan.unread.map(({ file, change, what, fields }) => ({ file, change, what, fields })),
  };
}

function verdictJson({ verdict, isCertain, refused, lost, down, irreversible }: PlanVerdict) {
  const entries = (list: readonly VerdictEntry[]) => list.map(({ cluster, text }) => ({ cluster, text }));
  return { verdict, isCertain, refused: entries(refused), lost: entries(lost), down: entries(down), irreversible: entries(irreversible) };
}

function partJson(planned: PlannedPart) {
  const { managementCluster, part, name, change, paused, heldBy, opening, refusals, clusters, effects, consequences, notes, objects } = planned;
  return {
    managementCluster,
    part,
    name,
    change,
    paused,
    heldBy,
    opening,
    refusals: refusals?.map(refusalJson),
    clusters,
    effects: effects.map(effectJson),
    consequences,
    notes,
    objects: objects.map(objectJson),
  };
}

function refusalJson({ rule, object: { apiVersion, kind, namespace, name, inTenant }, path, fields, message, fix, holds }: Refusal) {
  return { rule, apiVersion, kind, namespace, name, inTenant, field: fieldText(path), fields: fields.map(fieldJson), message, fix, holds };
}

function effectJson({ effect, reasons, count, atATime, waitsFor }: PlannedEffect) {
  return { effect, reasons, count, atATime, waitsFor };
}

function objectJson({ change, apiVersion, kind, namespace, name, made, inTenant, stays, fields }: ObjectChange) {
  return { change, apiVersion, kind, namespace, name, made, inTenant, stays, fields: fields.map(fieldJson) };
}

function fieldJson({ path, before, after }: FieldChange) {
  return { field: fieldText(path), before, after };
}
