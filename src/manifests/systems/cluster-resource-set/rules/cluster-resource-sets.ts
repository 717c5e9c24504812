import { namespaceOf } from '../../../objects/manifest-object';
import { CLUSTER_RESOURCE_SET, CORE_WEBHOOKS, lacksSpec } from '../../../rules/cluster-api/cluster-api-kinds';
import { indented } from '../../../rules/example-text';
import { checkLabelSelector, isEmptySelector } from '../../../rules/label-selectors';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, objectsAt, stringAt } from '../../../values/fields';
import { findingsAt } from '../../../values/finding';

const SECRET_TYPE = 'addons.cluster.x-k8s.io/resource-set';

const SELECTOR: ManifestRule = {
  id: 'TC-ADMIT-CRS-SELECTOR',
  title: 'The selector of a ClusterResourceSet must be valid and not empty.',
  source: `${CORE_WEBHOOKS}/clusterresourceset.go`,
  kinds: [CLUSTER_RESOURCE_SET],
  example: { failing: resourceSet('matchLabels: {}', 'ConfigMap'), corrected: resourceSet('matchLabels:\n  example.com/cluster: acme', 'ConfigMap') },
  check: (object) => {
    const selector = lacksSpec(object) ? {} : fieldAt(object, 'spec', 'clusterSelector');
    return [
      ...findingsAt(['spec', 'clusterSelector'], checkLabelSelector(selector)),
      ...(isEmptySelector(selector) ? [{
        path: ['spec', 'clusterSelector'], message: 'it is empty', fix: 'select the cluster by a label of its own',
      }] : []),
    ];
  },
};

const TYPE: ManifestRule = {
  id: 'TC-TRAP-CRS-SECRET-TYPE',
  title: `A Secret of a ClusterResourceSet must have the type ${SECRET_TYPE}; others are not delivered.`,
  source: 'kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_controller.go',
  trap: true,
  kinds: [CLUSTER_RESOURCE_SET],
  example: { failing: delivered('Opaque'), corrected: delivered(SECRET_TYPE) },
  check: (object, index) => objectsAt(object, 'spec', 'resources').flatMap(([resource, at]) => {
    const name = stringAt(resource, 'name');
    const secret = resource.kind === 'Secret' ? index.find('/Secret', namespaceOf(object), name) : undefined;
    const type = secret && (stringAt(secret, 'type') ?? 'Opaque');
    return type === undefined || type === SECRET_TYPE ? [] : [{
      path: ['spec', 'resources', at], message: `the Secret ${JSON.stringify(name)} is of the type ${JSON.stringify(type)}`, fix: `write type: ${SECRET_TYPE} into the Secret`,
    }];
  }),
};

export const CLUSTER_RESOURCE_SETS: readonly ManifestRule[] = [SELECTOR, TYPE];

function resourceSet(selector: string, kind: string): string {
  return `apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata:
  name: acme
  namespace: tenant-acme
spec:
  strategy: Reconcile
  clusterSelector:
${indented(selector, 4)}  resources:
    - kind: ${kind}
      name: acme-network
`;
}

function delivered(type: string): string {
  return `${resourceSet('matchLabels:\n  example.com/cluster: acme', 'Secret')}---
apiVersion: v1
kind: Secret
metadata:
  name: acme-network
  namespace: tenant-acme
type: ${type}
`;
}
