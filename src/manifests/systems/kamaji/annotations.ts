import { DURATION_FORM, GO_BOOLEAN_FORM, SystemAnnotations } from '../../rules/annotation-facts';

const TENANT_CONTROL_PLANE = 'kamaji.clastix.io/TenantControlPlane';

/** Kinds whose annotations reach a TenantControlPlane, itself among them. */
const CONTROL_PLANES: readonly string[] = [TENANT_CONTROL_PLANE, 'controlplane.cluster.x-k8s.io/KamajiControlPlane'];

/** Labels and annotations that Kamaji and its provider read. */
export const KAMAJI_ANNOTATIONS: SystemAnnotations = {
  reader: 'Kamaji',
  facts: [
    { key: 'kamaji.clastix.io/paused', kinds: ['*'], presence: true },
    { key: 'kamaji.clastix.io/kubeconfig-secret-key', kinds: CONTROL_PLANES },
    { key: 'kamaji.clastix.io/cleanup-prior-migration', kinds: CONTROL_PLANES, form: GO_BOOLEAN_FORM },
    { key: 'kamaji.clastix.io/migration-timeout', kinds: CONTROL_PLANES, form: DURATION_FORM },
    { key: 'certs.kamaji.clastix.io/rotate', kinds: ['/Secret'] },
    ...[
      'certificate_lifecycle_controller', 'checksum', 'cluster', 'component', 'managed-by', 'managed-for', 'name', 'project', 'secret', 'soot', 'tcp',
    ].map((name) => ({ key: `kamaji.clastix.io/${name}`, isLabel: 'both' as const, kinds: ['*'] })),
  ],
  source: 'clastix/kamaji api/v1alpha1/{types,tenantcontrolplane_const}.go, internal/resources/datastore/datastore_migrate.go, '
    + 'internal/utilities/certs_rotation.go, 26.8.2-edge; clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_tcp.go, v0.20.0',
};
