import { ConstructSlot } from '../../app/app-state';

/** Returns the largest number of nodes that the pools of a tenant cluster may have; known at synthesis. */
export const MOST_NODES = new ConstructSlot<() => number>('MostNodes');
