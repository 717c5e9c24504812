import { Chart } from 'cdk8s';
import { EtcdClient, etcdctlContainer, etcdLabels, etcdPod } from './etcd-client';
import { keepOnPrune, noSubstitution } from '../../manifests/objects/prune-annotations';
import { NEWEST_CATALOG } from '../../manifests/values/catalog';
import { ETCD_WITH_SHELL, imageName } from '../../manifests/values/versions';
import { nameByContent } from '../app/synth/content-name';
import { TypedApiObject } from '../app/synth/typed-api-object';

const COMPONENT = 'authentication';

/** The largest value that the API accepts: a failed Job stays failed, and would block all later deliveries. */
const NO_LIMIT = 2_147_483_647;

/**
 * Each step may be done already, by an earlier attempt or by the hook of the chart. The last step fails unless etcd reports that
 * authentication is on, and the script starts again.
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
 * Adds the Job that enables the authentication of an etcd. The Job is complete only once authentication is on.
 *
 * The chart enables it in a post-install hook. If the hook fails, Flux retries with an upgrade, which has no such hook, and reports the
 * release as ready. If Flux uninstalled the release first, tenants that already use the certificate authority would lose it. Kamaji does
 * not check: without authentication, the certificate of each tenant opens the data of all others.
 *
 * The Job is named after its content, because Jobs are immutable. A Job with an old name is pruned.
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
          image: imageName(ETCD_WITH_SHELL, NEWEST_CATALOG),
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

/**
 * Lets the drain of hosts evict one member at a time: with two of three members missing, etcd rejects writes, and every tenant stops. A
 * member that is not ready may always be evicted, so that a broken member does not block a drain.
 *
 * The chart has no readinessProbe, and none may be added: its StatefulSet starts members one after the other, each once the one before is ready,
 * and the endpoint for readiness asks for a quorum, so that the first member would never be ready.
 *
 * Sources: kubernetes.io/docs/tasks/run-application/configure-pdb (unhealthy pod eviction policy); clastix/kamaji-etcd 0.17.0 templates/etcd_sts.yaml;
 * etcd-io/etcd v3.7.0 server/etcdserver/api/etcdhttp/health.go (installReadyzEndpoints: linearizable_read).
 */
export function addDisruptionBudget(manifests: Chart, client: EtcdClient): void {
  new TypedApiObject(manifests, 'DisruptionBudget', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' }, {
    metadata: { name: client.name, namespace: client.namespace, labels: etcdLabels(client, 'disruption-budget'), annotations: keepOnPrune() },
    spec: { maxUnavailable: 1, selector: { matchLabels: client.memberLabels }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  });
}
