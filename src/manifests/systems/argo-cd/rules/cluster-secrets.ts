import { ManifestObject } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isFields, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const SECRET_TYPE = 'argocd.argoproj.io/secret-type';
const NEEDED: readonly string[] = ['name', 'server'];

const SECRET_TEXT = `apiVersion: v1
kind: Secret
metadata:
  name: acme-cluster
  namespace: argocd
  labels:
    ${SECRET_TYPE}: cluster
stringData:
  name: acme
  server: https://acme.example.com:6443
  config: |
    {"execProviderConfig": {"command": "argocd-k8s-auth"}}
`;

/** A cluster that Argo CD delivers to, as its Secret states it. */
const CLUSTER_SECRET: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-CLUSTER-SECRET',
  title: 'A Secret of a cluster for Argo CD must have the keys name and server, and JSON as its config: Argo CD delivers nothing to the cluster otherwise.',
  source: 'argoproj/argo-cd util/db/cluster.go (SecretToCluster), docs/operator-manual/declarative-setup.md (clusters), v3.5.1',
  kinds: ['/Secret'],
  trap: true,
  example: replaced(SECRET_TEXT, '  server: https://acme.example.com:6443\n', '  value: kubeconfig\n'),
  check: (object) => {
    const keys = keysOf(object);
    // A Secret without content gets it from another controller.
    if (stringAt(object, 'metadata', 'labels', SECRET_TYPE) !== 'cluster' || keys.length === 0) return [];
    const missing = NEEDED.filter((key) => !keys.includes(key));
    return [...missing.map((key): Finding => ({
      path: ['stringData', key], message: `there is no key ${key}, and Argo CD reads no kubeconfig`, fix: `add ${key}: ${key === 'name' ? 'the name by which Applications call the cluster' : 'the address of its API server'}`,
    })), ...configFindings(stringAt(object, 'stringData', 'config'))];
  },
};

function keysOf(object: ManifestObject): string[] {
  return ['data', 'stringData'].flatMap((field) => {
    const entries = fieldAt(object, field);
    return isFields(entries) ? Object.keys(entries) : [];
  });
}

function configFindings(config: string | undefined): Finding[] {
  // Values that are encrypted or filled in later are not known.
  if (config === undefined || config === '' || /^ENC\[|\$\{|\{\{|<[\w-]+>/.test(config)) return [];
  try {
    if (isFields(JSON.parse(config))) return [];
  } catch {
    // It is reported below.
  }
  return [{ path: ['stringData', 'config'], message: 'it is no object in JSON, and Argo CD cannot read it', accepted: 'JSON such as {"bearerToken": "…", "tlsClientConfig": {…}}', fix: 'write it as JSON' }];
}

/** Rules for the clusters of Argo CD. */
export const CLUSTER_SECRETS: readonly ManifestRule[] = [CLUSTER_SECRET];
