import { Scenario } from './index';
import { GatewayApi } from '../../src/addons/catalogue/gateway-api';
import { addCompleteTenant } from '../support/complete-tenant';
import { DELIVERIES } from '../support/deliveries';

/** Deliveries that read Git repositories, with definitions from there. */
const READS_GIT = ['flux', 'argo-cd'];

/** One page through each delivery. */
export const deliveryScenarios: { readonly [name: string]: Scenario } = Object.fromEntries(DELIVERIES.map(({ name, delivery, charts }) => (
  [`delivery-${name}`, (app) => {
    const tenant = addCompleteTenant(app, 'acme', { delivery, charts });
    if (READS_GIT.includes(name)) tenant.addAddon(new GatewayApi());
  }])));
