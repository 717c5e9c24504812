import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { TypedApiObject } from '../app/synth/typed-api-object';

/** A kind of object for which the library has no class, and the content of the object. */
export interface ManifestPartProps {
  /** API version of the object, e.g. `infrastructure.cluster.x-k8s.io/v1beta2`. */
  readonly apiVersion: string;

  /** Kind of the object, e.g. `AWSCluster`. */
  readonly kind: string;

  /**
   * The `spec` of the object, in the API's names of fields.
   *
   * @default - none
   */
  readonly spec?: { [field: string]: any };
}

/**
 * Makes an object of a kind for which the library has no class.
 *
 * @param scope where to put it
 * @param name its name
 * @param props its kind and content
 * @param own fields of `spec` that the page decides, which count before those of `props`
 */
export function makePart(
  scope: Construct, name: string, { apiVersion, kind, spec }: ManifestPartProps, own: { readonly [field: string]: unknown } = {},
): ApiObject {
  const set = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const fields = spec || Object.keys(set).length > 0 ? { spec: { ...spec, ...set } } : {};
  return new TypedApiObject(scope, 'Resource', { apiVersion, kind }, { metadata: { name }, ...fields });
}
