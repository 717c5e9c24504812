import { Scenario } from './index';
import { addCompleteTenant } from '../support/complete-tenant';
import { DELIVERIES } from '../support/deliveries';

/** One page through each delivery. */
export const deliveryScenarios: { readonly [name: string]: Scenario } = Object.fromEntries(DELIVERIES.map(({ name, delivery, charts }) => (
  [`delivery-${name}`, (app) => { addCompleteTenant(app, 'acme', { delivery, charts }); }])));
