import { MoveFactsOf } from '../../rules/move-facts';

/**
 * The move of a Metal3Cluster. Its machines are BareMetalHosts, of a controller beside Cluster API. Hosts that stay behind are deprovisioned when
 * their namespace is deleted, and hosts that come without their status are inspected and provisioned anew.
 *
 * Source: metal3-io/baremetal-operator docs/baremetalhost-states.md.
 */
export const hostsMove: MoveFactsOf = (_, { from }) => ({
  obstacles: [{
    message: `its machines are BareMetalHosts: one that stays in ${from.name} is wiped when it is deleted there, and one that comes without its status is provisioned anew`,
    fix: 'follow the steps of Metal3 for pivoting, which this command does not list',
  }],
});
