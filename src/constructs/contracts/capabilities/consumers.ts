import { IConstruct } from 'constructs';
import { AppSlot } from '../../app/app-state';

const CONSUMERS = new AppSlot('Consumers', () => new Map<object | string, unknown[]>());

/**
 * Returns the number of consumers in an app.
 *
 * @param scope a construct of the app
 * @param shared the shared object, or a name for it
 */
export function consumerCount(scope: IConstruct, shared: object | string): number {
  return CONSUMERS.of(scope).get(shared)?.length ?? 0;
}

/**
 * Registers a consumer of something that several constructs of an app share, such as the capabilities of a cluster.
 *
 * @param scope a construct of the app
 * @param shared the shared object, or a name for it
 * @param consumer the consumer
 * @returns all consumers in the app; a live list
 */
export function registerConsumer<Consumer>(scope: IConstruct, shared: object | string, consumer: Consumer): readonly Consumer[] {
  const all = CONSUMERS.of(scope);
  const consumers = (all.get(shared) ?? []) as Consumer[];
  all.set(shared, consumers);
  consumers.push(consumer);
  return consumers;
}
