import { controlPlane } from './examples';
import { KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { isUpdate } from '../../../rules/changes/kept-fields';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { isSet } from '../../../values/fields';

const PATH = ['spec', 'addons', 'konnectivity'];

/** The tunnel from the API server to nodes, pods and Services of the tenant. */
export const KONNECTIVITY_REMOVED: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-KONNECTIVITY',
  title: 'A control plane of Kamaji must keep konnectivity: without it, its API server reaches webhooks and APIs in the tenant no longer, and nodes only where pods of the management cluster do.',
  source: 'clastix/kamaji internal/builders/controlplane/konnectivity_server.go (egress selector), 26.8.2-edge; clastix/kamaji issues 443 and 496',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  stranding: true,
  example: {
    before: controlPlane('  addons:\n    konnectivity: {server: {port: 8132}}\n'),
    failing: controlPlane(''),
    corrected: controlPlane('  addons:\n    konnectivity: {server: {port: 8133}}\n'),
  },
  check: (change) => (!isUpdate(change) || !isSet(change.before, ...PATH) || isSet(change.after, ...PATH) ? [] : [{
    path: PATH,
    message: 'konnectivity is removed: webhooks and aggregated APIs in the tenant fail, and with them what is admitted there; logs, exec and port-forward work only '
      + 'where the nodes are reachable from pods of the management cluster',
    fix: 'keep it, unless the management cluster reaches nodes, pods and Services of the tenant',
  }]),
};
