import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { CLUSTER, CLUSTER_CLASS, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET } from '../../rules/cluster-api/cluster-api-kinds';
import { membersOfCluster } from '../../rules/cluster-api/cluster-members';
import { healthCheckYaml } from '../../rules/cluster-api/example-manifests';
import { documents, replaced } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT } from '../../rules/references/examples';
import { absent, absentAmongOthers, missing } from '../../rules/references/missing-references';
import { REFERRING_KINDS, referencesOf } from '../../rules/references/object-references';
import { checkKind } from '../../rules/structure/check-kind';
import { fieldAt, stringAt } from '../../values/fields';
import { allOf, Finding } from '../../values/finding';

const REMEDIATION = 'remediation:\n  templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: Metal3RemediationTemplate, name: acme}';
const CONTRACT = 'kubernetes-sigs/cluster-api controllers/external/util.go';

/** Kinds that belong to a Cluster by name. */
const OF_CLUSTER: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL, MACHINE, MACHINE_HEALTH_CHECK];

const owner: ManifestRule = {
  id: 'TC-TRAP-REF-CLUSTER',
  title: 'The Cluster of a pool, a machine or a health check must exist in its namespace.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/machinedeployment_controller.go',
  kinds: OF_CLUSTER,
  trap: true,
  elsewhere: true,
  example: {
    failing: documents(POOL_TEXT.replaceAll('cluster-name: acme', 'cluster-name: amce').replaceAll('clusterName: acme', 'clusterName: amce'), CLUSTER_TEXT),
    corrected: documents(POOL_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT),
  },
  check: (object, index) => {
    const name = stringAt(object, 'spec', 'clusterName');
    return name === undefined ? [] : missing(object, index, { kind: CLUSTER, name, path: ['spec', 'clusterName'] });
  },
};

const machines: ManifestRule = {
  id: 'TC-TRAP-REF-TEMPLATE',
  title: 'The machine and bootstrap templates of a pool or control plane must exist: it waits for ever otherwise.',
  source: CONTRACT,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL, MACHINE],
  kindSuffix: 'ControlPlane',
  trap: true,
  elsewhere: true,
  example: replaced(POOL_TEXT, 'KubevirtMachineTemplate, name: acme-general-1a2b3c4d', 'KubevirtMachineTemplate, name: acme-general-00000000', CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT),
  check: (object, index) => {
    // All objects of a Cluster are among the manifests if the Cluster is.
    const known = index.find(CLUSTER, namespaceOf(object), stringAt(object, 'spec', 'clusterName')) !== undefined;
    return referencesOf(object).flatMap((placed) => (known ? absent(object, index, placed) : absentAmongOthers(object, index, placed)));
  },
};

const parts: ManifestRule = {
  id: 'TC-TRAP-REF-CLUSTER-PART',
  title: 'The control plane and infrastructure of a Cluster must exist: it waits for ever otherwise.',
  source: CONTRACT,
  kinds: [CLUSTER],
  trap: true,
  elsewhere: true,
  example: replaced(CLUSTER_TEXT, 'KamajiControlPlane, name: acme', 'KamajiControlPlane, name: acme-control-plane', CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT),
  check: (object, index) => allOf(
    referencesOf(object).flatMap((placed) => (hasPools(object, index) ? absent(object, index, placed) : absentAmongOthers(object, index, placed))),
    checkClass(object, index),
  ),
};

const classes: ManifestRule = {
  id: 'TC-TRAP-REF-CLASS-TEMPLATE',
  title: 'The templates of a ClusterClass or a health check must exist in its namespace.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/clusterclass/clusterclass_controller.go',
  kinds: [CLUSTER_CLASS, MACHINE_HEALTH_CHECK],
  trap: true,
  elsewhere: true,
  example: replaced(healthCheckYaml(REMEDIATION), 'RemediationTemplate, name: acme', 'RemediationTemplate, name: amce', remediationTemplate()),
  check: (object, index) => referencesOf(object).flatMap((placed) => absentAmongOthers(object, index, placed)),
};

const namespace: ManifestRule = {
  id: 'TC-TRAP-REF-NAMESPACE',
  title: 'References of Cluster API must stay in their namespace: other namespaces are ignored.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta1/conversion.go',
  kinds: REFERRING_KINDS,
  trap: true,
  example: {
    failing: oldCluster('infrastructure'),
    corrected: oldCluster('tenant-acme'),
  },
  check: (object) => {
    const own = namespaceOf(object);
    return referencesOf(object).filter(({ reference: { namespace: given } }) => own !== undefined && given !== undefined && given !== own)
      .map(({ reference, path }) => ({
        path: [...path, 'namespace'],
        message: `"${reference.namespace}" is another namespace, and ${reference.name} is looked for in that of the object`,
        fix: 'put both into one namespace',
      }));
  },
};

const kinds: ManifestRule = {
  id: 'TC-TRAP-REF-KIND',
  title: 'The kind of a reference must exist in its group if all kinds of the group are known; in other groups, it must not be a misspelled known kind.',
  source: CONTRACT,
  kinds: REFERRING_KINDS,
  trap: true,
  example: replaced(CLUSTER_TEXT, 'kind: KubevirtCluster,', 'kind: KubevirtClutser,'),
  check: (object) => referencesOf(object).flatMap(({ reference, path }) => {
    const [group, kind] = reference.kind.split(/\/(.*)/);
    // Structure asks for a group that is not there.
    if (group === '' && fieldAt(object, ...path.map(String), 'apiVersion') === undefined) return [];
    const fault = checkKind(group, kind);
    // References name the group in `apiGroup` or `apiVersion`, so the finding is about `kind`.
    return fault ? [{ ...fault, path: [...path, 'kind'] }] : [];
  }),
};

/** Objects of Cluster API that are named and not there. */
export const MISSING_OBJECTS: readonly ManifestRule[] = [owner, machines, parts, classes, namespace, kinds];

/** True if pools of a Cluster are validated together with it, and thereby all of it. */
function hasPools(cluster: ManifestObject, index: ManifestIndex): boolean {
  return membersOfCluster(namespaceOf(cluster), nameOf(cluster), index, MACHINE_DEPLOYMENT).length > 0;
}

function checkClass(object: ManifestObject, index: ManifestIndex): Finding[] {
  const path = ['spec', 'topology', 'classRef', 'name'];
  const name = stringAt(object, ...path);
  return name === undefined ? [] : missing(object, index, { kind: CLUSTER_CLASS, name, path, namespace: stringAt(object, 'spec', 'topology', 'classRef', 'namespace') });
}

function remediationTemplate(): string {
  return `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: Metal3RemediationTemplate
metadata:
  name: acme
  namespace: tenant-acme
spec:
  template:
    spec:
      strategy: {type: Reboot, retryLimit: 1}
`;
}

function oldCluster(place: string): string {
  return `apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  infrastructureRef:
    apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
    kind: KubevirtCluster
    name: acme
    namespace: ${place}
`;
}
