import { MAX_SIZE, MIN_SIZE } from '../../../rules/cluster-api/autoscaler-annotations';
import { clusterYaml, CLUSTER_PARTS } from '../../../rules/cluster-api/example-manifests';
import {
  BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT,
} from '../../../rules/references/examples';

/** An autoscaler in the namespace of its cluster, with further arguments. */
export function autoscalerYaml(...args: readonly string[]): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: acme-cluster-autoscaler
  namespace: tenant-acme
spec:
  selector:
    matchLabels: {app: cluster-autoscaler}
  template:
    metadata:
      labels: {app: cluster-autoscaler}
    spec:
      containers:
        - name: cluster-autoscaler
          image: registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.1
          command: [/cluster-autoscaler]
          args:
            - --cloud-provider=clusterapi
            - --kubeconfig=/etc/tenant/value
${args.map((arg) => `            - ${arg}\n`).join('')}          volumeMounts:
            - {name: kubeconfig, mountPath: /etc/tenant}
      volumes:
        - {name: kubeconfig, secret: {secretName: acme-kubeconfig}}
`;
}

/** Arguments of an autoscaler that is right. */
export const AUTHORITATIVE = '--clusterapi-cloud-config-authoritative';
export const DISCOVERY = '--node-group-auto-discovery=clusterapi:namespace=tenant-acme,clusterName=acme';

/** An autoscaler that is right. */
export const AUTOSCALER = autoscalerYaml(AUTHORITATIVE, DISCOVERY);

/** The Cluster of the autoscaler. */
export const ACME = clusterYaml(CLUSTER_PARTS);

/** Another Cluster in the same namespace. */
export const BETA = ACME.replaceAll('name: acme', 'name: beta');

/** A Cluster with all that it refers to. */
export const PARTS: readonly string[] = [CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT];

/** A pool of it with bounds. */
export const BOUNDED = POOL_TEXT.replace('  replicas: 3\n', '').replace('spec:\n', `  annotations: {${MIN_SIZE}: "1", ${MAX_SIZE}: "4"}\nspec:\n`);
