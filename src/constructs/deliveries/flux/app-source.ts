import { IConstruct } from 'constructs';
import { FluxManifestSource } from './flux-delivery-props';
import { windowedSourceName } from './windowed-source';
import { ConstructSlot } from '../../app/app-state';
import { TimeWindow } from '../../contracts/delivery/time-window';

const SOURCE = new ConstructSlot<FluxManifestSource>('FluxAppSource');

/** Records the Flux source that the output of an app is in. */
export function setAppSource(app: IConstruct, source: FluxManifestSource): void {
  SOURCE.set(app, source);
}

/**
 * The Flux source that the output of the app around a construct is in, where its entry points name one.
 *
 * @param scope the construct
 * @param windows the windows of the cluster that reads it, which have a source of their own
 */
export function appSource(scope: IConstruct, windows?: readonly TimeWindow[]): FluxManifestSource | undefined {
  const source = SOURCE.get(scope.node.root);
  return source && windows ? { ...source, name: windowedSourceName(source.name, windows) } : source;
}
