import { ApiObject } from 'cdk8s';
import { apiLifecycle, compareReleases, isServed, isServedBySome } from '../../../manifests/values/component-facts';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem, Rule } from '../../../manifests/values/problem';

const GUIDE = 'kubernetes.io/docs/reference/using-api/deprecation-guide';

const DELIVERY_SERVED_VERSION_RULE: Rule = {
  id: 'TC-DELIVERY-SERVED-VERSION',
  title: 'Objects of Kubernetes\' own kinds that go to a tenant are of versions that its API server serves.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/api (APILifecycleIntroduced and APILifecycleRemoved of the types)',
};

/**
 * Reports objects of Kubernetes' own kinds in versions that the API server of a tenant does not serve (any more): it refuses them when the
 * control plane is there, and after an upgrade when they are applied again. What no supported release serves, the rules for manifests report.
 *
 * @param delivery name of the delivery
 * @param objects what it brings to the tenant
 * @param kubernetes what the tenant runs
 */
export function checkServedVersions(delivery: string, objects: readonly ApiObject[], kubernetes: KubernetesVersion): Problem[] {
  const minor = kubernetes.minorVersion;
  return objects.flatMap(({ apiVersion, kind, name }): Problem[] => {
    const lifecycle = apiLifecycle(apiVersion, kind);
    if (!lifecycle || isServed(lifecycle, minor) || !isServedBySome(lifecycle)) return [];
    const { introduced, removed } = lifecycle;
    const isNew = compareReleases(minor, introduced) < 0;
    return [{
      rule: DELIVERY_SERVED_VERSION_RULE,
      property: `manifests["${delivery}"]`,
      message: `the ${kind} "${name}" is of ${apiVersion}, which Kubernetes ${minor} does not serve: ${isNew ? `it came with ${introduced}` : `it is gone since ${removed}`}`,
      fix: isNew ? `write an older version of the kind, or raise kubernetesVersion to ${introduced}` : `write a newer version of the kind (${GUIDE})`,
    }];
  });
}
