import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from './examples';
import { HELM_RELEASE, KUSTOMIZATION } from './flux-kinds';
import { ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER_PARTS, clusterYaml } from '../../../rules/cluster-api/example-manifests';
import { ManifestRule } from '../../../rules/manifest-rule';
import { mayHoldState, statefulKinds, TEMPLATE_SUFFIX } from '../../../rules/stateful-kinds';
import { fieldAt, FieldPath, numberAt, stringAt } from '../../../values/fields';

const FORCE = 'kustomize.toolkit.fluxcd.io/force';
const SSA = 'fluxcd/pkg ssa v0.76.1 manager_apply.go (shouldForceApply), errors/immutable.go';
const JOBS = `annotate Jobs that must be replaced with ${FORCE}: enabled`;

const FORCED: ManifestRule = {
  id: 'TC-TRAP-FLUX-FORCE',
  title: 'A Kustomization of clusters, machines or volumes must not force: Flux deletes and creates anew each object whose change is refused, with the machines, volumes and data that go with it.',
  source: `fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (force, common metadata), internal/controller/kustomization_controller.go (apply), v1.9.4, issue 734, ${SSA}`,
  kinds: [KUSTOMIZATION],
  trap: true,
  example: { failing: `${KUSTOMIZATION_TEXT}  force: true\n`, corrected: `${KUSTOMIZATION_TEXT}  force: false\n` },
  check: (object, index) => {
    if (!mayHoldState(index)) return [];
    const folder = stringAt(object, 'spec', 'path') ?? 'its folder';
    const message = `each object of ${folder} is deleted when the API server refuses its change as invalid or immutable: templates, Clusters and volumes, too`;
    return [
      ...(fieldAt(object, 'spec', 'force') === true ? [{ path: ['spec', 'force'], message, fix: `write false, and ${JOBS}` }] : []),
      ...forcedMetadata(object, 'spec', 'commonMetadata').map((path) => ({ path, message, fix: `remove it, and ${JOBS}` })),
    ];
  },
};

const OBJECT: ManifestRule = {
  id: 'TC-TRAP-FLUX-FORCE-OBJECT',
  title: `An object of Cluster API or its providers, a volume, a Namespace or a definition must not have ${FORCE}: Flux deletes it when its change is refused.`,
  source: `fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (force), ${SSA}`,
  get kinds() { return statefulKinds(); },
  kindSuffix: TEMPLATE_SUFFIX,
  trap: true,
  example: { failing: clusterYaml(CLUSTER_PARTS, `annotations:\n  ${FORCE}: Enabled`), corrected: clusterYaml(CLUSTER_PARTS) },
  check: (object) => forcedMetadata(object, 'metadata').map((path) => ({
    path,
    message: 'Flux deletes the object, and what goes with it, when the API server refuses a change as invalid or immutable',
    fix: 'remove it, and give an object that cannot be changed another name',
  })),
};

const RELEASE: ManifestRule = {
  id: 'TC-TRAP-FLUX-HELM-FORCE',
  title: 'A HelmRelease should not force: Helm replaces whole objects, so that fields that controllers have filled in are lost, and volumes stop the upgrade.',
  source: 'fluxcd/helm-controller v1.6.3 internal/action/upgrade.go, rollback.go; helm/helm v4.2.2 pkg/kube/client.go (replaceResource)',
  kinds: [HELM_RELEASE],
  trap: true,
  warning: true,
  example: { failing: `${HELM_RELEASE_TEXT}  upgrade: {force: true}\n`, corrected: `${HELM_RELEASE_TEXT}  upgrade: {cleanupOnFail: true}\n` },
  check: (object) => ['upgrade', 'rollback'].filter((action) => fieldAt(object, 'spec', action, 'force') === true).map((action) => ({
    path: ['spec', action, 'force'], message: 'Helm replaces the objects of the release, instead of changing their fields', fix: 'remove it; delete an object that cannot be changed by hand',
  })),
};

const UNINSTALL: ManifestRule = {
  id: 'TC-TRAP-FLUX-HELM-UNINSTALL',
  title: 'A HelmRelease should not uninstall after a failed upgrade: Helm deletes all objects of the release, with their volumes and data.',
  source: 'fluxcd/helm-controller v1.6.3 internal/reconcile/atomic_release.go (ReleaseStatusFailed), api/v2/helmrelease_types.go (UpgradeRemediation, GetActiveRetry)',
  kinds: [HELM_RELEASE],
  trap: true,
  warning: true,
  example: {
    failing: `${HELM_RELEASE_TEXT}  upgrade:\n    remediation: {retries: 3, strategy: uninstall}\n`,
    corrected: `${HELM_RELEASE_TEXT}  upgrade:\n    remediation: {retries: 3, strategy: rollback}\n`,
  },
  check: (object) => {
    const remediation = ['spec', 'upgrade', 'remediation'];
    const isActive = (numberAt(object, ...remediation, 'retries') ?? 0) !== 0 || fieldAt(object, ...remediation, 'remediateLastFailure') === true;
    // This strategy tries the upgrade again, without a remediation.
    if (!isActive || stringAt(object, 'spec', 'upgrade', 'strategy', 'name') === 'RetryOnFailure') return [];
    return stringAt(object, ...remediation, 'strategy') !== 'uninstall' ? [] : [{
      path: [...remediation, 'strategy'], message: 'an upgrade that fails uninstalls the release, and what it has stored in its volumes is deleted with it', fix: 'write rollback, or remove the field',
    }];
  },
};

/** Objects that Flux deletes or replaces in order to change them. */
export const FORCED_OBJECTS: readonly ManifestRule[] = [FORCED, OBJECT, RELEASE, UNINSTALL];

/** Places in metadata that make Flux force: labels do so as annotations do. */
function forcedMetadata(object: ManifestObject, ...metadata: readonly string[]): FieldPath[] {
  return ['annotations', 'labels'].filter((map) => stringAt(object, ...metadata, map, FORCE)?.toLowerCase() === 'enabled').map((map) => [...metadata, map, FORCE]);
}
