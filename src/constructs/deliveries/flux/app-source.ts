import { IConstruct } from 'constructs';
import { FluxManifestSource } from './flux-delivery-props';

const SOURCE = Symbol.for('cdk8s-cluster-api.FluxAppSource');

/** Records the Flux source that the output of an app is in. */
export function setAppSource(app: IConstruct, source: FluxManifestSource): void {
  Object.defineProperty(app, SOURCE, { value: source, configurable: true });
}

/** The Flux source that the output of the app around a construct is in, where its entry points name one. */
export function appSource(scope: IConstruct): FluxManifestSource | undefined {
  return (scope.node.root as IConstruct & { [SOURCE]?: FluxManifestSource })[SOURCE];
}
