import { METAL3_MACHINES } from './machine-data';
import { METAL3_CLUSTER } from './metal3-kinds';
import { hostsMove } from './moves';
import { METAL3_NODES } from './nodes';
import { PAGE_PARTS } from './page-parts';
import { METAL3_REMEDIATION } from './remediation';
import { METAL3_WEBHOOKS } from './webhooks';
import { Provider } from '../../rules/provider';

/** Facts of Metal3 that its table does not hold. */
export const METAL3_FACTS: Partial<Provider> = {
  rules: [...METAL3_WEBHOOKS, ...METAL3_MACHINES, ...METAL3_NODES, METAL3_REMEDIATION], pageParts: PAGE_PARTS, moves: { [METAL3_CLUSTER]: hostsMove },
};
