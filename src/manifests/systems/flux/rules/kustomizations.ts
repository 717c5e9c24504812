import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from './examples';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { CLUSTER_PARTS, clusterYaml } from '../../../rules/cluster-api/example-manifests';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { mayHoldState, statefulKinds, TEMPLATE_SUFFIX } from '../../../rules/stateful-kinds';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, numberAt, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { HELM_RELEASE, KUSTOMIZATION } from '../deliveries';

const HEALTH_SOURCE = 'fluxcd/website content/en/flux/cheatsheets/cel-healthchecks.md, kubernetes-sigs/cluster-api api/core/v1beta2/condition_consts.go';
const SUBSTITUTE = 'kustomize.toolkit.fluxcd.io/substitute';
const VARIABLE = /(?<!\$)\$\{([_A-Za-z][_A-Za-z0-9]*)\}/g;

/** Kinds of Cluster API that have a condition Available, and none that is called Ready. */
const WITHOUT_READY: readonly string[] = ['Cluster', 'MachineDeployment'];

/** Kinds whose texts are full of variables of a shell. */
const WITH_SCRIPTS: readonly string[] = [
  'bootstrap.cluster.x-k8s.io/KubeadmConfig', 'bootstrap.cluster.x-k8s.io/KubeadmConfigTemplate', 'controlplane.cluster.x-k8s.io/KubeadmControlPlane',
];

const healthReady: ManifestRule = {
  id: 'TC-TRAP-FLUX-HEALTH-READY',
  title: 'Health expressions of a v1beta2 Cluster or MachineDeployment must not read the condition Ready, which does not exist: Flux reports failure otherwise.',
  source: HEALTH_SOURCE,
  kinds: [KUSTOMIZATION],
  trap: true,
  example: {
    failing: `${KUSTOMIZATION_TEXT}  healthCheckExprs:
    - apiVersion: cluster.x-k8s.io/v1beta2
      kind: Cluster
      current: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')
`,
    corrected: `${KUSTOMIZATION_TEXT}  healthCheckExprs:
    - apiVersion: cluster.x-k8s.io/v1beta2
      kind: Cluster
      current: status.conditions.exists(e, e.type == 'ControlPlaneAvailable' && e.status == 'True')
`,
  },
  check: (object) => objectsAt(object, 'spec', 'healthCheckExprs').flatMap(([check, index]) => (
    check.apiVersion === 'cluster.x-k8s.io/v1beta2' && WITHOUT_READY.includes(stringAt(check, 'kind') ?? '') ? ['current', 'failed', 'inProgress']
      .filter((field) => /(['"])Ready\1/.test(stringAt(check, field) ?? '')).map((field) => ({
        path: ['spec', 'healthCheckExprs', index, field],
        message: `a ${stringAt(check, 'kind')} of v1beta2 has no condition Ready`,
        fix: 'ask for ControlPlaneAvailable of a Cluster, or for Available of a MachineDeployment',
      })) : []
  )),
};

const substitution: ManifestRule = {
  id: 'TC-TRAP-FLUX-SUBSTITUTION',
  title: `Scripts that a Kustomization with postBuild applies must escape their variables, or have the annotation ${SUBSTITUTE}: unknown variables become empty.`,
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (post build variable substitution)',
  kinds: WITH_SCRIPTS,
  trap: true,
  example: {
    failing: configTemplate('') + substituting(),
    corrected: configTemplate(`  annotations:\n    ${SUBSTITUTE}: disabled\n`) + substituting(),
  },
  check: checkSubstitution,
};

const cycle: ManifestRule = {
  id: 'TC-TRAP-FLUX-DEPENDENCY-CYCLE',
  title: 'Dependencies of HelmReleases and Kustomizations must not form a cycle: all of them wait for ever otherwise.',
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (dependencies)',
  kinds: [HELM_RELEASE, KUSTOMIZATION],
  trap: true,
  example: {
    failing: `${KUSTOMIZATION_TEXT}  dependsOn: [{name: acme-network}]\n---\n${KUSTOMIZATION_TEXT.replace('acme-addons', 'acme-network')}  dependsOn: [{name: acme-addons}]\n`,
    corrected: `${KUSTOMIZATION_TEXT}  dependsOn: [{name: acme-network}]\n---\n${KUSTOMIZATION_TEXT.replace('acme-addons', 'acme-network')}`,
  },
  check: checkCycle,
};

function checkSubstitution(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const known = substituted(index);
  if (!known || ['annotations', 'labels'].some((part) => stringAt(object, 'metadata', part, SUBSTITUTE) === 'disabled')) return [];
  return textsIn(object.spec, ['spec']).flatMap(({ text, path }) => {
    const lost = [...text.matchAll(VARIABLE)].map(([, name]) => name).filter((name) => !known.has(name));
    return lost.length === 0 ? [] : [{
      path,
      message: `Flux replaces ${[...new Set(lost)].map((name) => `\${${name}}`).join(', ')} by nothing`,
      fix: `add the annotation ${SUBSTITUTE}: disabled, or write $\${…} for what the shell is to see`,
    }];
  });
}

const VARIABLES = new WeakMap<ManifestIndex, { readonly known: ReadonlySet<string> | undefined }>();
const CYCLIC = new WeakMap<ManifestIndex, ReadonlySet<ManifestObject>>();

/** The variables that Kustomizations know; undefined where none substitutes, or where some come from elsewhere. */
function substituted(index: ManifestIndex): ReadonlySet<string> | undefined {
  let found = VARIABLES.get(index);
  if (!found) {
    const builds = index.all(KUSTOMIZATION).filter((one) => isSet(one, 'spec', 'postBuild')).map((one) => fieldAt(one, 'spec', 'postBuild'));
    const elsewhere = builds.some((build) => listAt(build, 'substituteFrom').length > 0);
    found = { known: builds.length === 0 || elsewhere ? undefined : new Set(builds.flatMap((build) => keysOf(fieldAt(build, 'substitute')))) };
    VARIABLES.set(index, found);
  }
  return found.known;
}

function keysOf(value: unknown): string[] {
  return isFields(value) ? Object.keys(value) : [];
}

function textsIn(value: unknown, path: FieldPath): { readonly text: string; readonly path: FieldPath }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((item, position) => textsIn(item, [...path, position]));
  return isFields(value) ? Object.entries(value as Fields).flatMap(([key, item]) => textsIn(item, [...path, key])) : [];
}

function checkCycle(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  let cyclic = CYCLIC.get(index);
  if (!cyclic) CYCLIC.set(index, cyclic = cyclicIn(index));
  return cyclic.has(object) ? [{
    path: ['spec', 'dependsOn'], message: `${nameOf(object)} depends on itself, directly or through others`, fix: 'take one of the dependencies away',
  }] : [];
}

/** The objects that depend on themselves, in time that is linear in dependencies (strongly connected components, by Tarjan). */
function cyclicIn(index: ManifestIndex): ReadonlySet<ManifestObject> {
  const cyclic = new Set<ManifestObject>();
  const order = new Map<ManifestObject, number>();
  const lowest = new Map<ManifestObject, number>();
  const open: ManifestObject[] = [];
  const isOpen = new Set<ManifestObject>();
  const path: { readonly object: ManifestObject; readonly left: ManifestObject[] }[] = [];
  const enter = (object: ManifestObject) => {
    const left = dependencies(object, index);
    if (left.includes(object)) cyclic.add(object);
    path.push({ object, left });
    lowest.set(object, order.size);
    order.set(object, order.size);
    open.push(object);
    isOpen.add(object);
  };
  const lower = (object: ManifestObject, number: number) => lowest.set(object, Math.min(lowest.get(object)!, number));
  for (const start of [HELM_RELEASE, KUSTOMIZATION].flatMap((kind) => index.all(kind))) {
    if (!order.has(start)) enter(start);
    while (path.length > 0) {
      const { object, left } = path.at(-1)!;
      const next = left.pop();
      if (next && !order.has(next)) {
        enter(next);
      } else if (next) {
        if (isOpen.has(next)) lower(object, order.get(next)!);
      } else {
        path.pop();
        if (path.length > 0) lower(path.at(-1)!.object, lowest.get(object)!);
        if (lowest.get(object) !== order.get(object)) continue;
        const component = open.splice(open.lastIndexOf(object));
        component.forEach((one) => isOpen.delete(one));
        if (component.length > 1) component.forEach((one) => cyclic.add(one));
      }
    }
  }
  return cyclic;
}

function dependencies(object: ManifestObject, index: ManifestIndex): ManifestObject[] {
  return objectsAt(object, 'spec', 'dependsOn')
    .map(([item]) => index.find(groupKind(object), stringAt(item, 'namespace') ?? namespaceOf(object), stringAt(item, 'name')))
    .filter((other) => other !== undefined);
}

function configTemplate(metadata: string): string {
  return `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: acme-general-5e6f7a8b
  namespace: tenant-acme
${metadata}spec:
  template:
    spec:
      preKubeadmCommands: ['echo "\${HOSTNAME}" > /etc/node-name']
`;
}

function substituting(): string {
  return `---\n${KUSTOMIZATION_TEXT}  postBuild:\n    substitute: {region: eu}\n`;
}

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

/** Places in metadata that make Flux force: labels do so as annotations do. */
function forcedMetadata(object: ManifestObject, ...metadata: readonly string[]): FieldPath[] {
  return ['annotations', 'labels'].filter((map) => stringAt(object, ...metadata, map, FORCE)?.toLowerCase() === 'enabled').map((map) => [...metadata, map, FORCE]);
}

/** Rules for Kustomizations, and for objects that Flux may replace. */
export const KUSTOMIZATIONS: readonly ManifestRule[] = [healthReady, substitution, cycle, FORCED, OBJECT, RELEASE, UNINSTALL];
