import { BY_URGENCY, PlannedBox, PlannedChange } from './picture';
import { NamedObject } from '../../manifests/landscape/cluster-model';
import { ChangeKind, PartKind, PlannedCluster, PlannedPart } from '../../manifests/plan/plan-model';
import { partLines } from '../../manifests/plan/plan-words';
import { Effect } from '../../manifests/rules/changes/effects';

const REPLACING: readonly Effect[] = [Effect.MACHINES, Effect.PODS, Effect.MOVED, Effect.REDIRECTED, Effect.DELETED];

interface Named {
  readonly kind: string;
  readonly name?: string;
}

/** What a plan says of the parts of a cluster, or of the management cluster, for the boxes of a picture. */
export class PlannedBoxes {
  private readonly drawn = new Set<PlannedPart>();

  /**
   * @param parts the parts that change
   * @param cluster the cluster, if it changes by itself
   */
  public constructor(private readonly parts: readonly PlannedPart[], private readonly cluster?: PlannedCluster) {}

  /** What becomes of the whole. */
  public get change(): PlannedChange {
    if (this.cluster?.change === ChangeKind.CREATED) return PlannedChange.CREATED;
    if (this.cluster?.change === ChangeKind.REMOVED) return PlannedChange.DELETED;
    // A cluster that stays changes, even where parts of it come and go.
    const [first = PlannedChange.UNCHANGED] = byUrgency(this.parts.map(effectOfPart));
    return first;
  }

  /** The Cluster, with what is noted of the whole. */
  public head(): PlannedBox {
    const { change, lines } = this.of(({ part }) => part === PartKind.CLUSTER);
    const notes = this.cluster?.notes ?? [];
    return { change: change === PlannedChange.UNCHANGED && notes.length > 0 ? PlannedChange.CHANGED : change, lines: [...notes, ...lines] };
  }

  public controlPlane(controlPlane: Named): PlannedBox {
    return this.ofObject(({ part }) => part === PartKind.CONTROL_PLANE, controlPlane);
  }

  public pool(pool: Named): PlannedBox {
    return this.ofObject(({ part, name }) => part === PartKind.POOL && name === pool.name, pool);
  }

  /** A controller or a delivery: a part of its own. */
  public object({ managementCluster, kind, namespace, name }: NamedObject & { readonly managementCluster?: string }): PlannedBox {
    const isHere = (part: PlannedPart) => part.managementCluster === undefined || part.managementCluster === managementCluster;
    return this.of((part) => [PartKind.CONTROLLER, PartKind.ADDON].includes(part.part) && part.name === name && isHere(part)
      && part.objects.some((object) => object.kind === kind && object.name === name && object.namespace === namespace));
  }

  /** An object that is no part of its own: what happens is told of the part that holds it. */
  public inner({ kind, name }: Named): PlannedBox {
    const found = this.parts.flatMap(({ objects }) => objects).find((object) => object.kind === kind && object.name === name);
    if (!found) return { change: PlannedChange.UNCHANGED, lines: [] };
    const { change, stays } = found;
    if (change === ChangeKind.CREATED) return { change: PlannedChange.CREATED, lines: [] };
    return { change: change === ChangeKind.REMOVED && !stays ? PlannedChange.DELETED : PlannedChange.CHANGED, lines: [] };
  }

  /** The parts that no box was asked for. */
  public others(): { readonly part: PlannedPart; readonly planned: PlannedBox }[] {
    return this.parts.filter((part) => !this.drawn.has(part)).map((part) => ({ part, planned: this.of((other) => other === part) }));
  }

  /** Of parts with one name, those that hold the object: one of another kind may have taken its name. A part can also change without it. */
  private ofObject(isMeant: (part: PlannedPart) => boolean, { kind, name }: Named): PlannedBox {
    const holds = ({ objects }: PlannedPart): boolean => objects.some((object) => object.kind === kind && object.name === name);
    const isHeld = this.parts.some((part) => isMeant(part) && holds(part));
    return this.of((part) => isMeant(part) && (!isHeld || holds(part)));
  }

  private of(isMeant: (part: PlannedPart) => boolean): PlannedBox {
    const parts = this.parts.filter(isMeant);
    parts.forEach((part) => this.drawn.add(part));
    const [change = PlannedChange.UNCHANGED] = byUrgency(parts.map(changeOfPart));
    return { change, lines: parts.flatMap(partLines) };
  }
}

function byUrgency(changes: readonly PlannedChange[]): PlannedChange[] {
  return [...changes].sort((one, other) => BY_URGENCY.indexOf(one) - BY_URGENCY.indexOf(other));
}

function changeOfPart(part: PlannedPart): PlannedChange {
  if (part.change === ChangeKind.CREATED) return PlannedChange.CREATED;
  const isDeleted = part.change === ChangeKind.REMOVED && part.effects.some(({ effect }) => effect === Effect.DELETED);
  return isDeleted ? PlannedChange.DELETED : effectOfPart(part);
}

function effectOfPart({ effects }: PlannedPart): PlannedChange {
  if (effects.some(({ effect }) => REPLACING.includes(effect))) return PlannedChange.REPLACED;
  return effects.some(({ effect }) => effect === Effect.UNKNOWN) ? PlannedChange.UNKNOWN : PlannedChange.CHANGED;
}
