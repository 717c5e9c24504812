import { Construct } from 'constructs';
import { keepOnPrune, noSubstitution } from '../../../manifests/objects/prune-annotations';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/** What a ConfigMap for the API server holds. */
interface ConfigMapProps {
  readonly name: string;
  readonly data: { [key: string]: string };
  readonly immutable?: boolean;
}

/**
 * Adds a ConfigMap from which the API server reads a file. A control plane that is still there cannot start a pod without it, so it
 * carries the marks against pruning that the control plane has too.
 *
 * @returns the name of the ConfigMap
 */
export function addConfigMap(scope: Construct, id: string, props: ConfigMapProps): string {
  new TypedApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap' }, {
    metadata: { name: props.name, annotations: { ...keepOnPrune(), ...noSubstitution() } },
    data: props.data,
    immutable: props.immutable,
  });
  return props.name;
}
