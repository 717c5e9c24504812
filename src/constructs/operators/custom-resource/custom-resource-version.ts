import { PrinterColumn } from './printer-column';
import { Schema } from '../schema/schema';

/** The scale subresource, which `kubectl scale` and autoscalers work with. */
export interface ScaleSubresource {
  /** Where the wanted number is, a path below `.spec` (`TC-CRD-SUBRESOURCE`). */
  readonly specReplicasPath: string;

  /** Where the present number is, a path below `.status` (`TC-CRD-SUBRESOURCE`). */
  readonly statusReplicasPath: string;

  /**
   * Where the selector of the pods is, as text, a path below `.spec` or `.status`. A HorizontalPodAutoscaler needs it
   * (`TC-CRD-SUBRESOURCE`).
   *
   * @default - none
   */
  readonly labelSelectorPath?: string;
}

/** One version of a custom resource. */
export interface CustomResourceVersion {
  /** Name of the version, e.g. `v1alpha1` (`TC-ADMIT-KUBERNETES-CRD-VERSIONS`). */
  readonly name: string;

  /**
   * What an object holds beside `apiVersion`, `kind` and `metadata`: a `Schema.object`, most often with `spec` and `status`
   * (`TC-ADMIT-KUBERNETES-CRD-SCHEMA`, `TC-CRD-SCHEMA`, `TC-CRD-LIST-TYPE`, `TC-CRD-BOUNDS`, `TC-CRD-REQUIRED`, `TC-CRD-PATTERN`, `TC-CRD-FORMAT`, `TC-CRD-DEFAULT`).
   */
  readonly schema: Schema;

  /**
   * True if clients can use the version.
   *
   * @default true
   */
  readonly served?: boolean;

  /**
   * True if objects are stored in this version (`TC-ADMIT-KUBERNETES-CRD-VERSIONS`).
   *
   * @default - true for the only version of a type, else false
   */
  readonly storage?: boolean;

  /**
   * True if clients that use the version are warned.
   *
   * @default false
   */
  readonly deprecated?: boolean;

  /**
   * What these clients are told, in one line of at most 256 bytes (`TC-CRD-DEPRECATION`).
   *
   * @default - which version is deprecated, and which one to use
   */
  readonly deprecationWarning?: string;

  /**
   * True if `status` is written apart from the rest, at `/status`. A controller that calls `UpdateStatus` needs it
   * (`TC-CRD-SUBRESOURCE`, `TC-OPERATOR-STATUS`).
   *
   * @default - whether the schema has a field `status`
   */
  readonly statusSubresource?: boolean;

  /**
   * The scale subresource (`TC-CRD-SUBRESOURCE`).
   *
   * @default - none
   */
  readonly scaleSubresource?: ScaleSubresource;

  /**
   * Columns that `kubectl get` shows beside the name (`TC-CRD-COLUMN`).
   *
   * @default - the age
   */
  readonly printerColumns?: PrinterColumn[];

  /**
   * Paths of fields that clients can select objects by, e.g. `.spec.color`. They need Kubernetes 1.31 or later.
   *
   * Rule: `TC-CRD-SELECTABLE-FIELD`.
   *
   * @default - name and namespace
   */
  readonly selectableFields?: string[];
}

/** True if `status` of a version is written apart from the rest. */
export function hasStatusSubresource({ statusSubresource, schema }: CustomResourceVersion): boolean {
  return statusSubresource ?? Object.hasOwn(schema._json.properties ?? {}, 'status');
}

/** The versions that clients can use. */
export function servedVersions(versions: readonly CustomResourceVersion[]): CustomResourceVersion[] {
  return versions.filter(({ served }) => served ?? true);
}

/** True if objects are stored in a version. */
export function isStorage({ storage }: CustomResourceVersion, versions: readonly CustomResourceVersion[]): boolean {
  return storage ?? versions.length === 1;
}
