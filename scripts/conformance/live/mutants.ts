import * as fs from 'node:fs';
import * as path from 'node:path';

/** A mistake in what is written for a tenant. */
export interface LiveMutant {
  readonly name: string;

  /** File of the example diy-cloud, below the folder of the tenant. */
  readonly file: string;

  /** What is written, and what the mistake makes of it, once. */
  readonly from: string;
  readonly to: string;
}

const CLOUD = 'controllers/cloud-controller-manager.yaml';
const CSI = 'controllers/csi-driver.yaml';
const AUTOSCALER = 'controllers/cluster-autoscaler.yaml';
const ISOLATION = 'isolation.yaml';

/** Folder of the tenant in the example. */
const TENANT = 'clusters/tenant-acme/acme';

/** Mistakes that an API server accepts, each in an argument, a right, a mount, a probe, a variable, a key, an order or a policy. A living tenant shows every one of them. */
export const LIVE_MUTANTS: readonly LiveMutant[] = [
  { name: 'argument: a cloud that the autoscaler does not know', file: AUTOSCALER, from: '--cloud-provider=clusterapi', to: '--cloud-provider=cluster-api' },
  { name: 'argument: node groups of another cluster', file: AUTOSCALER, from: 'clusterName=acme', to: 'clusterName=emca' },
  { name: 'argument: a namespace that the tenant does not have', file: AUTOSCALER, from: '--namespace=kube-system', to: '--namespace=tenant-acme' },
  { name: 'argument: a kubeconfig where there is none', file: AUTOSCALER, from: '--kubeconfig=/etc/kubernetes/tenant/kubeconfig', to: '--kubeconfig=/etc/kubernetes/kubeconfig' },
  { name: 'argument: a cloud that the manager does not know', file: CLOUD, from: '--cloud-provider=kubevirt', to: '--cloud-provider=kube-virt' },
  { name: 'argument: a configuration where there is none', file: CLOUD, from: '--cloud-config=/etc/cloud/cloud-config', to: '--cloud-config=/etc/cloud/config' },
  { name: 'argument: volumes in another namespace', file: CSI, from: '--infra-cluster-namespace=tenant-acme', to: '--infra-cluster-namespace=default' },
  { name: 'argument: another socket', file: CSI, from: '--endpoint=unix:///csi/csi.sock', to: '--endpoint=unix:///csi/csi2.sock' },
  { name: 'argument: no controller in the driver', file: CSI, from: '--run-controller-service=true', to: '--run-controller-service=false' },
  { name: 'right: pools cannot be scaled', file: AUTOSCALER, from: '      - get\n      - patch\n', to: '      - get\n' },
  { name: 'right: Services cannot be made', file: CLOUD, from: '      - create\n', to: '' },
  { name: 'right: volumes cannot be plugged in', file: CSI, from: '      - virtualmachines/addvolume\n', to: '' },
  { name: 'right: more than is used', file: CLOUD, from: '      - virtualmachineinstances\n    verbs:\n', to: '      - virtualmachineinstances\n    verbs:\n      - watch\n' },
  { name: 'right: given to somebody else', file: CSI, from: 'subjects:\n  - kind: ServiceAccount\n    name: acme-csi-driver', to: 'subjects:\n  - kind: ServiceAccount\n    name: csi-driver' },
  { name: 'mount: the configuration elsewhere', file: CLOUD, from: 'mountPath: /etc/cloud\n', to: 'mountPath: /etc/clouds\n' },
  { name: 'mount: no socket for the driver', file: CSI, from: 'mountPath: /csi\n', to: 'mountPath: /csi2\n' },
  { name: 'probe: another path', file: AUTOSCALER, from: 'readinessProbe:\n            failureThreshold: 3\n            httpGet:\n              path: /health-check', to: 'readinessProbe:\n            failureThreshold: 3\n            httpGet:\n              path: /healthy' },
  { name: 'probe: another scheme', file: CLOUD, from: 'readinessProbe:\n            failureThreshold: 3\n            httpGet:\n              path: /healthz\n              port: health\n              scheme: HTTPS', to: 'readinessProbe:\n            failureThreshold: 3\n            httpGet:\n              path: /healthz\n              port: health\n              scheme: HTTP' },
  { name: 'probe: another port', file: CSI, from: 'containerPort: 10301', to: 'containerPort: 10302' },
  { name: 'key: a kubeconfig that cannot be used from here', file: AUTOSCALER, from: '- key: super-admin.svc\n                path: kubeconfig', to: '- key: super-admin.conf\n                path: kube.config' },
  { name: 'key: a Secret that nobody writes', file: CLOUD, from: 'secretName: acme-admin-kubeconfig', to: 'secretName: acme-super-admin-kubeconfig' },
  { name: 'key: a kubeconfig of a release that is not in the Secret', file: 'addons/cilium.yaml', from: 'key: super-admin.svc', to: 'key: super-admin' },
  { name: 'order: a release that does not wait for the pod network', file: 'addons/metrics-server.yaml', from: '  dependsOn:\n    - name: acme-cilium\n', to: '' },
  { name: 'variable: a key that the ConfigMap does not have', file: CSI, from: 'key: infraStorageClassEnforcement', to: 'key: storageClassEnforcement' },
  { name: 'configuration: a class that is not allowed', file: CSI, from: '    allowList:\n      - replicated', to: '    allowList:\n      - fast' },
  { name: 'configuration: Services in another namespace', file: CLOUD, from: '    namespace: tenant-acme\n    instancesV2', to: '    namespace: default\n    instancesV2' },
  { name: 'account: another ServiceAccount', file: CLOUD, from: 'serviceAccountName: acme-cloud-controller-manager', to: 'serviceAccountName: acme-csi-driver' },
  { name: 'policy: controllers do not reach the API server of the tenant', file: ISOLATION, from: '    - ports:\n        - port: 6443\n          protocol: TCP\n      to:\n        - podSelector:\n            matchLabels:\n              kamaji.clastix.io/name: acme\n', to: '' },
  { name: 'policy: the control plane does not reach its data store', file: ISOLATION, from: 'port: 2379', to: 'port: 2380' },
  { name: 'policy: Services of tenants are refused', file: ISOLATION, from: 'object.spec.type == "LoadBalancer"', to: 'object.spec.type == "ClusterIP"' },
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
