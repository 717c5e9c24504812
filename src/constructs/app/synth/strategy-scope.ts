import { Construct } from 'constructs';
import { Problems } from '../problems/problems';

/**
 * A scope of its own for the objects of a strategy, so that their ids cannot meet those of others. What the strategy refuses is
 * reported under the construct that was given the strategy.
 *
 * @param owner the construct that was given the strategy
 * @param id what the strategy is to it
 * @param property the property that the strategy was given to another strategy in, if it was not given to the construct itself
 */
export function strategyScope(owner: Construct, id: string, property?: string): Construct {
  const scope = new Construct(owner, id);
  Problems._reportAs(scope, owner, property);
  return scope;
}
