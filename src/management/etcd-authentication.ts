import { Chart } from 'cdk8s';
import { EtcdClient, etcdctlContainer, etcdLabels, etcdPod } from './etcd-client';
import { noSubstitution } from '../delivery/marks';
import { nameByContent } from '../synth/content-name';
import { TypedApiObject } from '../synth/typed-api-object';
import { ETCD_WITH_SHELL, imageName } from '../versions';

const COMPONENT = 'authentication';

/** The most that the API takes: a Job that has failed stays failed, and would keep everything after it from being installed. */
const NO_LIMIT = 2_147_483_647;

/**
 * Each step may have been done already, by an earlier try or by the hook of the chart. The last one fails unless etcd itself says that it is
 * on, and everything starts over.
 *
 * Source: etcd-io/etcd etcdctl/README.md (auth, user, role), server/auth/store.go (enabling it twice and granting a role twice are no errors).
 */
const SCRIPT = `set -eu
until etcdctl endpoint health; do sleep 5; done
etcdctl user get root >/dev/null 2>&1 || etcdctl user add root --no-password
etcdctl role get root >/dev/null 2>&1 || etcdctl role add root
etcdctl user grant-role root root
etcdctl auth enable
etcdctl auth status | grep -x 'Authentication Status: true'
`;

/**
 * Adds the Job that switches the authentication of an etcd on, and that is complete only once it is.
 *
 * The chart does it in a hook that runs after an installation. If that fails, Flux tries again with an upgrade, which has no such hook, and
 * calls the release ready. To uninstall it first, as Flux also can, would take the certificate authority from under tenants that have begun
 * to use it. Kamaji does not look: without authentication, the certificate of each tenant opens the data of all others.
 *
 * It is named after its content, because Jobs cannot be changed; one whose name is gone is pruned.
 *
 * Source: clastix/kamaji-etcd tag v0.17.0, charts/kamaji-etcd/templates/etcd_job_preinstall_2.yaml; fluxcd/helm-controller v1.6.3,
 * internal/reconcile/atomic_release.go; clastix/kamaji tag 26.8.2-edge, internal/datastore/etcd.go (Check).
 */
export function addAuthentication(manifests: Chart, client: EtcdClient): void {
  const labels = etcdLabels(client, COMPONENT);
  const spec = {
    backoffLimit: NO_LIMIT,
    template: {
      metadata: { labels },
      spec: {
        ...etcdPod(client),
        containers: [etcdctlContainer(client, {
          name: COMPONENT,
          image: imageName(ETCD_WITH_SHELL),
          command: ['sh', '-c', SCRIPT],
          resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '128Mi' } },
        })],
      },
    },
  };
  const job = new TypedApiObject(manifests, 'Authentication', { apiVersion: 'batch/v1', kind: 'Job' }, {
    metadata: { namespace: client.namespace, labels, annotations: noSubstitution() },
    spec,
  });
  nameByContent(job, `${client.name}-${COMPONENT}`);
}
