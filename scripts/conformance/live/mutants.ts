import * as fs from 'node:fs';
import * as path from 'node:path';

/** A mistake in what is written for a tenant. */
export interface LiveMutant {
  readonly name: string;

  /** Beginning of the name of the step at which a living tenant shows it (conformance/internal/alive). */
  readonly step: string;

  /** File of the example diy-cloud, below the folder of the tenant. */
  readonly file: string;

  /** Text of the file, and its replacement, once. */
  readonly from: string;
  readonly to: string;
}

const CLOUD = 'controllers/cloud-controller-manager.yaml';
const CSI = 'controllers/csi-driver.yaml';
const AUTOSCALER = 'controllers/cluster-autoscaler.yaml';
const ISOLATION = 'isolation.yaml';
const MACHINES = 'delivered/kubevirt-csi-driver/manifests.yaml';

const AVAILABLE = 'the controllers are available';
const KEYS = 'Secrets have all keys';
const ORDER = 'releases wait for those that come first';
const INITIALIZED = 'the cloud controller manager has initialized all nodes';
const SCALED = 'pods without a node bring a machine';
const BALANCED = 'a Service of the tenant has a load balancer';
const ON_MACHINES = 'the driver of volumes runs on all machines';
const VOLUME = 'a claim of the tenant has a volume';
const CONNECTIONS = 'NetworkPolicies let all connections through';
const RIGHTS = 'no right is missing';

/** Folder of the tenant in the example. */
const TENANT = 'clusters/tenant-acme/acme';

/** Mistakes that an API server accepts, each in an argument, a right, a mount, a probe, a variable, a key, an order or a policy. A living tenant shows every one of them. */
export const LIVE_MUTANTS: readonly LiveMutant[] = [
  { name: 'argument: a cloud that the autoscaler does not know', step: AVAILABLE, file: AUTOSCALER, from: '--cloud-provider=clusterapi', to: '--cloud-provider=cluster-api' },
  { name: 'argument: node groups of another cluster', step: SCALED, file: AUTOSCALER, from: 'clusterName=acme', to: 'clusterName=emca' },
  { name: 'argument: a namespace that the tenant does not have', step: SCALED, file: AUTOSCALER, from: '--namespace=kube-system', to: '--namespace=tenant-acme' },
  { name: 'argument: a kubeconfig where there is none', step: AVAILABLE, file: AUTOSCALER, from: '--kubeconfig=/etc/kubernetes/tenant/kubeconfig', to: '--kubeconfig=/etc/kubernetes/kubeconfig' },
  { name: 'argument: a cloud that the manager does not know', step: AVAILABLE, file: CLOUD, from: '--cloud-provider=kubevirt', to: '--cloud-provider=kube-virt' },
  { name: 'argument: a configuration where there is none', step: AVAILABLE, file: CLOUD, from: '--cloud-config=/etc/cloud/cloud-config', to: '--cloud-config=/etc/cloud/config' },
  { name: 'argument: volumes in another namespace', step: VOLUME, file: CSI, from: '--infra-cluster-namespace=tenant-acme', to: '--infra-cluster-namespace=default' },
  { name: 'argument: another socket', step: AVAILABLE, file: CSI, from: '--endpoint=unix:///csi/csi.sock', to: '--endpoint=unix:///csi/csi2.sock' },
  { name: 'argument: no controller in the driver', step: AVAILABLE, file: CSI, from: '--run-controller-service=true', to: '--run-controller-service=false' },
  { name: 'argument: a node without a name', step: ON_MACHINES, file: MACHINES, from: '--node-name=$(KUBE_NODE_NAME)', to: '--node-name=$(NODE_NAME)' },
  { name: 'right: the driver cannot read its Node', step: ON_MACHINES, file: MACHINES, from: '    verbs:\n      - get\n', to: '    verbs:\n      - list\n' },
  { name: 'right: pools cannot be scaled', step: SCALED, file: AUTOSCALER, from: '      - get\n      - patch\n', to: '      - get\n' },
  { name: 'right: Services cannot be made', step: BALANCED, file: CLOUD, from: '      - create\n', to: '' },
  { name: 'right: volumes cannot be plugged in', step: VOLUME, file: CSI, from: '      - virtualmachines/addvolume\n', to: '' },
  { name: 'right: more than is used', step: RIGHTS, file: CLOUD, from: '      - virtualmachineinstances\n    verbs:\n', to: '      - virtualmachineinstances\n    verbs:\n      - watch\n' },
  { name: 'right: given to somebody else', step: VOLUME, file: CSI, from: 'subjects:\n  - kind: ServiceAccount\n    name: acme-csi-driver', to: 'subjects:\n  - kind: ServiceAccount\n    name: csi-driver' },
  { name: 'mount: the configuration elsewhere', step: AVAILABLE, file: CLOUD, from: 'mountPath: /etc/cloud\n', to: 'mountPath: /etc/clouds\n' },
  { name: 'mount: no socket for the driver', step: AVAILABLE, file: CSI, from: 'mountPath: /csi\n', to: 'mountPath: /csi2\n' },
  { name: 'mount: no socket for the driver on machines', step: ON_MACHINES, file: MACHINES, from: 'mountPath: /csi\n', to: 'mountPath: /csi2\n' },
  { name: 'mount: a directory that machines do not have', step: ON_MACHINES, file: MACHINES, from: 'path: /var/lib/kubelet/plugins_registry', to: 'path: /var/lib/kubelet/plugin_registry' },
  { name: 'probe: another path', step: AVAILABLE, file: AUTOSCALER, from: 'readinessProbe:\n            failureThreshold: 3\n            httpGet:\n              path: /health-check', to: 'readinessProbe:\n            failureThreshold: 3\n            httpGet:\n              path: /healthy' },
  { name: 'probe: another scheme', step: AVAILABLE, file: CLOUD, from: 'readinessProbe:\n            failureThreshold: 3\n            httpGet:\n              path: /healthz\n              port: health\n              scheme: HTTPS', to: 'readinessProbe:\n            failureThreshold: 3\n            httpGet:\n              path: /healthz\n              port: health\n              scheme: HTTP' },
  { name: 'probe: another port', step: AVAILABLE, file: CSI, from: 'containerPort: 10301', to: 'containerPort: 10302' },
  { name: 'key: a kubeconfig that cannot be used from here', step: AVAILABLE, file: AUTOSCALER, from: '- key: super-admin.svc\n                path: kubeconfig', to: '- key: super-admin.conf\n                path: kube.config' },
  { name: 'key: a Secret that nobody writes', step: AVAILABLE, file: CLOUD, from: 'secretName: acme-admin-kubeconfig', to: 'secretName: acme-super-admin-kubeconfig' },
  { name: 'key: a kubeconfig of a release that is not in the Secret', step: KEYS, file: 'addons/cilium.yaml', from: 'key: super-admin.svc', to: 'key: super-admin' },
  { name: 'order: a release that does not wait for the pod network', step: ORDER, file: 'addons/metrics-server.yaml', from: '  dependsOn:\n    - name: acme-cilium\n', to: '' },
  { name: 'variable: a key that the ConfigMap does not have', step: AVAILABLE, file: CSI, from: 'key: infraStorageClassEnforcement', to: 'key: storageClassEnforcement' },
  { name: 'configuration: a class that is not allowed', step: VOLUME, file: CSI, from: '    allowList:\n      - replicated', to: '    allowList:\n      - fast' },
  { name: 'configuration: Services in another namespace', step: INITIALIZED, file: CLOUD, from: '    namespace: tenant-acme\n    instancesV2', to: '    namespace: default\n    instancesV2' },
  { name: 'account: another ServiceAccount', step: BALANCED, file: CLOUD, from: 'serviceAccountName: acme-cloud-controller-manager', to: 'serviceAccountName: acme-csi-driver' },
  { name: 'policy: controllers do not reach the API server of the tenant', step: CONNECTIONS, file: ISOLATION, from: '    - ports:\n        - port: 6443\n          protocol: TCP\n      to:\n        - podSelector:\n            matchLabels:\n              kamaji.clastix.io/name: acme\n', to: '' },
  { name: 'policy: the control plane does not reach its data store', step: CONNECTIONS, file: ISOLATION, from: 'port: 2379', to: 'port: 2380' },
  { name: 'policy: Services of tenants are refused', step: BALANCED, file: ISOLATION, from: 'object.spec.type == "LoadBalancer"', to: 'object.spec.type == "ClusterIP"' },
];

/**
 * Writes a copy of the example with a mistake.
 *
 * @param page folder of the example's output
 * @param folder where to write
 * @throws if the example does not have the text any more
 */
export function writeMutant(page: string, folder: string, { name, file, from, to }: LiveMutant): void {
  fs.cpSync(page, folder, { recursive: true });
  const target = path.join(folder, TENANT, file);
  const text = fs.readFileSync(target, 'utf8');
  if (!text.includes(from)) throw new Error(`"${name}" is about a text that ${file} does not have: ${JSON.stringify(from)}`);
  fs.writeFileSync(target, text.replace(from, () => to));
}
