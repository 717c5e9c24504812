import { chartKinds, placed, RELEASE_TEXT, valuesOf } from './chart-values';
import { keyFindings, NamedKey, namedKeys } from './references/reference-keys';
import { targetTenant, Tenant, tenantsOf } from './tenants';
import { namespaceOf } from '../objects/manifest-object';
import { MACHINE_DEPLOYMENT, MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { membersOfCluster } from '../rules/cluster-api/cluster-members';
import { documents, replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT } from '../rules/references/examples';
import { deliveryFacts } from '../systems/providers';
import { fieldAt, FieldPath, isFields, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

/** Values that name a Secret, beside values that name its keys. */
const SECRET = /^(?:existing)?secret(?:name)?$|^existing\w*secret(?:name)?$/i;

/** Values that name a key of the Secret beside them. */
const SECRET_KEY = /^(?:existing)?(?:secret)?(?:admin|root|user|username|password|userpassword|adminpassword|token)?(?:secret)?key$/i;

/** Beside such a value, `secretKey` is the other half of the credentials themselves. */
const ACCESS_KEY = /^access_?key(?:id)?$/i;

/** Values that may be keys of a Secret (kubernetes/apimachinery pkg/util/validation/validation.go, IsConfigMapKey). */
const KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/** Values that stand for another one. */
const TEMPLATE = /\{\{|\$\{/;

const KEYS_TEXT = `${RELEASE_TEXT}  values:
    admin: {existingSecret: grafana-admin, userKey: user, passwordKey: password}
`;

const SECRET_TEXT = `apiVersion: v1
kind: Secret
metadata: {name: grafana-admin, namespace: monitoring}
stringData: {user: placeholder, password: placeholder}
`;

const keys: ManifestRule = {
  id: 'TC-TRAP-CHART-SECRET-KEY',
  title: 'Values of a chart must name keys that their Secret has: its pods do not start otherwise.',
  source: 'kubernetes/kubernetes pkg/kubelet/kubelet_pods.go (makeEnvironmentVariables); bitnami/charts (existingSecret and its keys)',
  get kinds() { return chartKinds(); },
  trap: true,
  example: replaced(documents(KEYS_TEXT, SECRET_TEXT), 'passwordKey: password', 'passwordKey: admin-password'),
  check: (object, index) => {
    if (deliveryFacts(object)!.isForTenant(object)) return [];
    const namespace = deliveryFacts(object)!.read?.(object, index).targetNamespace ?? namespaceOf(object);
    return valuesOf(object, index).flatMap((layer) => placed(layer, [...namedKeys(layer.values, []), ...secretsBeside(layer.values, [])]
      .filter(({ name, key }) => !TEMPLATE.test(name + key))
      .flatMap((named) => keyFindings(named, namespace, index))));
  },
};

/** Keys that values name beside the name of a Secret, or in an object for keys beside it. */
function secretsBeside(value: unknown, path: FieldPath): NamedKey[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => secretsBeside(entry, [...path, index]));
  if (!isFields(value)) return [];
  const names = Object.keys(value).filter((field) => SECRET.test(field) && typeof value[field] === 'string' && value[field] !== '');
  // Of several Secrets, it is not known which has the key.
  const beside = names.length === 1 && !Object.keys(value).some((field) => ACCESS_KEY.test(field)) ? [...keysAt(value, path), ...keysAt(fieldAt(value, 'secretKeys'), [...path, 'secretKeys'], /key$/i)] : [];
  return [
    ...beside.map(({ key, place }): NamedKey => ({ kind: '/Secret', name: value[names[0]] as string, key, path: place })),
    ...Object.entries(value).flatMap(([field, inner]) => secretsBeside(inner, [...path, field])),
  ];
}

function keysAt(value: unknown, path: FieldPath, names = SECRET_KEY): { readonly key: string; readonly place: FieldPath }[] {
  return Object.entries(isFields(value) ? value : {}).flatMap(([field, key]) => (
    names.test(field) && typeof key === 'string' && KEY.test(key) ? [{ key, place: [...path, field] }] : []));
}

/** Labels that Cluster API hands from machines to their nodes (api/core/v1beta2/machine_types.go, NodeRoleLabelPrefix). */
const NODE_LABEL = /^(?:[\w.-]+\.)?(?:node-role\.kubernetes\.io|node-restriction\.kubernetes\.io|node\.cluster\.x-k8s\.io)\//;

const TENANT_TEXT = KEYS_TEXT.replace('namespace: monitoring', 'namespace: tenant-acme')
  .replace('  values:\n', '  targetNamespace: monitoring\n  storageNamespace: monitoring\n  kubeConfig: {secretRef: {name: acme-kubeconfig, key: value}}\n  values:\n')
  .replace('admin: {existingSecret: grafana-admin, userKey: user, passwordKey: password}', 'nodeSelector: {node.cluster.x-k8s.io/pool: general}');
const LABELLED_POOL = POOL_TEXT.replace('      labels: {cluster.x-k8s.io/deployment-name: acme-general}', '      labels: {cluster.x-k8s.io/deployment-name: acme-general, node.cluster.x-k8s.io/pool: general}');

const selectors: ManifestRule = {
  id: 'TC-TRAP-CHART-NODE-SELECTOR',
  title: 'A node selector in the values of a chart must be met by nodes of a pool: its pods stay pending otherwise.',
  source: 'kubernetes-sigs/cluster-api internal/controllers/machine/machine_controller_noderef.go (getManagedLabels), kubernetes/kubernetes pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go',
  get kinds() { return chartKinds(); },
  trap: true,
  example: replaced(documents(TENANT_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT, LABELLED_POOL), 'nodeSelector: {node.cluster.x-k8s.io/pool: general}', 'nodeSelector: {node.cluster.x-k8s.io/pool: generl}'),
  check: (object, index) => {
    const tenants = deliveryFacts(object)!.isForTenant(object) ? tenantsOf(object, index) : [targetTenant(index)];
    return tenants.flatMap((tenant) => (
      tenant ? valuesOf(object, index, tenant).flatMap((layer) => placed(layer, selectorFindings(layer.values, [], tenant))) : []));
  },
};

function selectorFindings(value: unknown, path: FieldPath, tenant: Tenant): Finding[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => selectorFindings(entry, [...path, index], tenant));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    if (field !== 'nodeSelector' || !isFields(inner)) return selectorFindings(inner, [...path, field], tenant);
    return Object.keys(inner).filter((label) => NODE_LABEL.test(label)).flatMap((label): Finding[] => {
      const given = stringAt(inner, label);
      const values = labelsOfPools(tenant, label);
      // A label that no pool has may come from elsewhere.
      return given === undefined || TEMPLATE.test(given) || values.length === 0 || values.includes(given) ? [] : [{
        path: [...path, field, label], message: `nodes of no pool of the cluster "${tenant.name}" have ${label}: ${given}`, accepted: values.join(', '), fix: 'write the value of a pool',
      }];
    });
  });
}

function labelsOfPools({ name, namespace, management }: Tenant, label: string): string[] {
  const pools = [MACHINE_DEPLOYMENT, MACHINE_POOL].flatMap((kind) => membersOfCluster(namespace, name, management, kind));
  return [...new Set(pools.flatMap((pool) => stringAt(pool, 'spec', 'template', 'metadata', 'labels', label) ?? []))];
}

/** Rules over values of charts that name other objects. */
export const CHART_VALUE_RULES: readonly ManifestRule[] = [keys, selectors];
