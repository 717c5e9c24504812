import { IConstruct } from 'constructs';
import { FluxManifestSource } from './flux-delivery-props';
import { ConstructSlot } from '../../app/app-state';

const SOURCE = new ConstructSlot<FluxManifestSource>('FluxAppSource');

/** Records the Flux source that the output of an app is in. */
export function setAppSource(app: IConstruct, source: FluxManifestSource): void {
  SOURCE.set(app, source);
}

/** The Flux source that the output of the app around a construct is in, where its entry points name one. */
export function appSource(scope: IConstruct): FluxManifestSource | undefined {
  return SOURCE.get(scope.node.root);
}
