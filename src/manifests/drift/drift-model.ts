import { FieldOwner } from './managed-fields';
import { Place } from '../landscape/place';
import { FieldPath } from '../values/fields';

/** Causes of a difference between a living object and its manifest, the most severe first. */
export enum DriftCause {
  /** A person wrote it, past the manifests. */
  HAND = 'by hand',

  /** A controller or an autoscaler writes a field that the manifest states, too. */
  CONTESTED = 'two writers',

  /** A program that is not known wrote it, or the living object does not say who did. */
  UNKNOWN = 'unknown',

  /** The delivery of the manifest wrote another value: the manifest is not applied yet, or another one was. */
  NOT_APPLIED = 'not applied',

  /** The autoscaler wrote it. */
  AUTOSCALER = 'autoscaler',

  /** A controller wrote it, as it does for each object of the kind. */
  CONTROLLER = 'controller',

  /** The server wrote it: a default, or an allocated value. */
  SERVER = 'server',
}

/** Causes that are no drift. */
const NORMAL: readonly DriftCause[] = [DriftCause.AUTOSCALER, DriftCause.CONTROLLER, DriftCause.SERVER];

/** The causes, the most severe first. */
export const CAUSES: readonly DriftCause[] = Object.values(DriftCause);

/** True of a difference that servers and controllers make in every cluster. */
export function isNormal({ cause }: { readonly cause: DriftCause }): boolean {
  return NORMAL.includes(cause);
}

/** A field that a living object has otherwise than its manifest. */
export interface DriftedField {
  readonly path: FieldPath;

  /** The value of the manifest; undefined where it states none. Secrets are hidden. */
  readonly stated: unknown;

  /** The value in the cluster; undefined where it has none. Secrets are hidden. */
  readonly living: unknown;
  readonly cause: DriftCause;

  /** The program that wrote it, if that is known. */
  readonly owner?: FieldOwner;

  /** The writer and the reason, in words. */
  readonly why: string;

  /** Effect of the next delivery on it. */
  readonly outcome?: string;

  /** The change of the manifests that keeps it. */
  readonly keep?: string;
}

/** An object that is named. */
export interface NamedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** An object that lives otherwise than its manifest says. */
export interface DriftedObject extends NamedObject {
  readonly place?: Place;

  /** The fields that differ, the most severe first. */
  readonly fields: readonly DriftedField[];

  /** The object that delivers it, such as `Kustomization acme`. */
  readonly delivery?: string;

  /** Effects of setting back the fields that drifted, a line each. */
  readonly revert: readonly string[];
}

/** An object that is on one side only. */
export interface LoneObject extends NamedObject {
  readonly place?: Place;
  readonly cause: DriftCause;
  readonly why: string;

  /** Effect of the next delivery on it. */
  readonly outcome?: string;
}

/** Differences between manifests and what lives. */
export interface Drift {
  /** Objects with fields that differ, the most severe first. */
  readonly objects: readonly DriftedObject[];

  /** Objects that have no manifest. */
  readonly extra: readonly LoneObject[];

  /** Objects of manifests that do not live. */
  readonly missing: readonly LoneObject[];

  /** Numbers of objects. */
  readonly compared: number;

  /** Objects of manifests of whose kind and namespace nothing is in the dump. */
  readonly notListed: readonly string[];

  /** Objects whose content is not compared: it is encrypted. */
  readonly notCompared: readonly string[];

  /** True if no living object says who owns its fields. */
  readonly lacksOwners: boolean;
}
