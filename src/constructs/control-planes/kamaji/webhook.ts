import { IsolationPeer, IsolationPort } from '../../contracts/capabilities/isolation-peer';

/** Namespace of Kamaji's chart, unless it is installed into another one. */
export const KAMAJI_NAMESPACE = 'kamaji-system';

/**
 * The webhook that the API servers of a tenant call during a move to another data store. With it Kamaji rejects writes; while they do not
 * reach it, each write waits for its timeout and fails.
 *
 * Source: clastix/kamaji controllers/soot/controllers/migrate.go, charts/kamaji/templates/controller.yaml, 26.8.2-edge.
 *
 * @param namespace namespace of Kamaji's pods
 * @param name value of their label `app.kubernetes.io/name`: the chart's `nameOverride`
 */
export function kamajiWebhook(namespace: string = KAMAJI_NAMESPACE, name: string = 'kamaji'): IsolationPeer {
  return IsolationPeer.pods({
    namespace,
    podLabels: { 'app.kubernetes.io/component': 'controller-manager', 'app.kubernetes.io/name': name },
    ports: [IsolationPort.tcp(9443)],
  });
}
