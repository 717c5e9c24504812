import { CLUSTER, CORE_WEBHOOKS, lacksSpec } from './cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml } from './example-manifests';
import { checkDnsSubdomain } from '../../values/dns';
import { isFilled, isSet, stringAt } from '../../values/fields';
import { checkLabelValue, LABEL_MAX_LENGTH } from '../../values/labels';
import { checkSystemNamespace } from '../../values/system-namespaces';
import { replaced } from '../example-text';
import { ManifestRule } from '../manifest-rule';
import { nameFix } from '../name-fix';

const PARTS = ['controlPlaneRef', 'infrastructureRef', 'topology'];

/** The name, which is a label of everything that belongs to the cluster. */
const NAME: ManifestRule = {
  id: 'TC-ADMIT-CLUSTER-NAME',
  title: 'The name of a Cluster must be a label value: at most 63 characters.',
  source: `${CORE_WEBHOOKS}/cluster.go`,
  kinds: [CLUSTER],
  example: {
    failing: clusterYaml(CLUSTER_PARTS).replace('name: acme\n', `name: ${'acme-'.repeat(13)}0\n`),
    corrected: clusterYaml(CLUSTER_PARTS),
  },
  check: (object) => {
    const name = stringAt(object, 'metadata', 'name') ?? '';
    const message = checkLabelValue(name);
    // A name that no object may have is reported as such.
    return message === undefined || checkDnsSubdomain(name) !== undefined ? [] : [{
      path: ['metadata', 'name'], message, fix: `${nameFix(name, checkLabelValue, LABEL_MAX_LENGTH)}; names of machines are made from it, and get longer`,
    }];
  },
};

/** A warning, because the Cluster of the management cluster itself may be there; synthesis refuses it for a tenant. */
const NAMESPACE: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-NAMESPACE',
  title: 'A Cluster must not be in a namespace of Kubernetes or of a management component: the rights and policies of a tenant apply to the whole namespace.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/namespaces (prefix kube-); the manifests of the components',
  kinds: [CLUSTER],
  trap: true,
  warning: true,
  example: replaced(clusterYaml(CLUSTER_PARTS), 'namespace: tenant-acme', 'namespace: kube-system'),
  check: (object) => {
    const message = checkSystemNamespace(stringAt(object, 'metadata', 'namespace') ?? '');
    return message === undefined ? [] : [{
      path: ['metadata', 'namespace'], message, fix: 'give each tenant a namespace of its own, before the Cluster is created',
    }];
  },
};

/** What a cluster consists of. */
const COMPOSITION: ManifestRule = {
  id: 'TC-ADMIT-CLUSTER-PARTS',
  title: 'A Cluster must have a control plane, an infrastructure or a topology.',
  source: `${CORE_WEBHOOKS}/cluster.go`,
  kinds: [CLUSTER],
  example: { failing: clusterYaml('clusterNetwork:\n  serviceDomain: cluster.local'), corrected: clusterYaml(CLUSTER_PARTS) },
  check: (object) => (!(isSet(object, 'spec') || lacksSpec(object)) || PARTS.some((part) => isFilled(object, 'spec', part)) ? [] : [{
    path: ['spec'], message: `it has none of ${PARTS.join(', ')}`, fix: 'refer to the control plane and the infrastructure of the cluster',
  }]),
};

export const CLUSTER_IDENTITY: readonly ManifestRule[] = [NAME, NAMESPACE, COMPOSITION];
