import { ManifestObject } from '../objects/manifest-object';

/** Roles of programs that write fields of objects. */
export type ManagerRole = 'delivery' | 'controller' | 'autoscaler' | 'hand';

/** A program, by the name with which it stands in managed fields. */
export interface FieldManager {
  /** Its name; one that ends with `*` stands for each name that begins so. */
  readonly name: string;
  readonly role: ManagerRole;

  /** Its name in sentences, such as `Flux`. */
  readonly title: string;

  /**
   * Beginnings of the keys of labels and annotations that a delivery adds to what it applies.
   *
   * @default - it adds none
   */
  readonly adds?: readonly string[];

  /** Project and file that has the name. */
  readonly source: string;
}

/** A field that a controller writes on objects that others apply. */
export interface ControllerField {
  /** The field, such as `spec.controlPlaneEndpoint`, with everything below it; a prefix of keys ends with `*`. */
  readonly field: string;

  /** Content of the field, in a few words. */
  readonly holds: string;

  /**
   * Tells if the field of an object is the controller's.
   *
   * @default - it is
   */
  readonly when?: (object: ManifestObject) => boolean;

  /**
   * True if an autoscaler decides on it.
   *
   * @default false
   */
  readonly isOfAutoscaler?: boolean;

  /** Project and file that writes it. */
  readonly source: string;
}
