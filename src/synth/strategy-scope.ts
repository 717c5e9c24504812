import { Construct } from 'constructs';
import { Problems } from '../validation/problems';

/**
 * A scope of its own for the objects of a strategy, so that their ids cannot meet those of others. What the strategy refuses is
 * reported under the construct that was given the strategy.
 *
 * @param owner the construct that was given the strategy
 * @param id what the strategy is to it
 */
export function strategyScope(owner: Construct, id: string): Construct {
  const scope = new Construct(owner, id);
  Problems._reportAs(scope, owner);
  return scope;
}
