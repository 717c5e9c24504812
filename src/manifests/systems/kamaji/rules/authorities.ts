import { namedControlPlane } from './examples';
import { KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { AuthorityFacts, authorityRule } from '../../../rules/changes/authority-changes';
import { Effect } from '../../../rules/changes/effects';

const UNTIL = 'until a machine is replaced, its kubelet cannot talk to the API server';
const EXCHANGED = `gets another authority. Kamaji exchanges the authority at once: ${UNTIL}`;

/**
 * The authority of a control plane. A pair in the Secret is taken over if it is valid, and another one is made where it is not, or the Secret is
 * gone; certificates and kubeconfigs follow in the same reconciliation.
 */
const FACTS: AuthorityFacts = {
  namedAfter: 'controlPlane',
  secrets: {
    ca: {
      words: `certificate authority, which Kamaji exchanges at once: ${UNTIL}`,
      effect: Effect.PODS,
      changed: EXCHANGED,
      removed: EXCHANGED,
      fix: 'put it back, or do it when the tenant may be down, replace all machines with rolloutAfter, and silence this',
    },
  },
};

/** Authorities of control planes, by their kind. */
export const AUTHORITIES = { [KAMAJI_CONTROL_PLANE]: FACTS, [TENANT_CONTROL_PLANE]: FACTS };

/** Rule for the Secret with the authority of a control plane. */
export const AUTHORITY = authorityRule({
  id: 'TC-CHANGE-KAMAJI-AUTHORITY',
  title: 'The Secret with the certificate authority of a control plane must stay as it is: Kamaji exchanges the authority at once, and nodes are not ready until their machines are replaced.',
  source: 'clastix/kamaji internal/resources/ca_certificate.go (mutate), kubeconfig.go, 26.8.2-edge',
}, AUTHORITIES, namedControlPlane(''));
