import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from './examples';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { documents, replaced } from '../../../rules/example-text';
import { Lookup, ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isSet, objectsAt, scalarText, stringAt } from '../../../values/fields';
import { HELM_RELEASE, KUSTOMIZATION } from '../deliveries';

/** Names of the controllers, by the kind that they work on. */
const CONTROLLERS: Readonly<Record<string, string>> = { [HELM_RELEASE]: 'helm-controller', [KUSTOMIZATION]: 'kustomize-controller' };

/** References of an object to sources, by its kind. */
const REFERENCES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  [HELM_RELEASE]: [['spec', 'chart', 'spec', 'sourceRef'], ['spec', 'chartRef']],
  [KUSTOMIZATION]: [['spec', 'sourceRef']],
};

/** Deployments by the controller of Flux that they run. */
const DEPLOYMENTS = new Lookup(['apps/Deployment'], (deployment) => [controllersIn(deployment)[0]?.name]);

/** The containers of a Deployment that run a controller of Flux, with its name. */
function controllersIn(deployment: ManifestObject): { readonly name: string; readonly container: unknown }[] {
  return objectsAt(deployment, 'spec', 'template', 'spec', 'containers').flatMap(([container]) => {
    const name = /(?:^|\/)((?:helm|kustomize)-controller)(?:[:@]|$)/.exec(stringAt(container, 'image') ?? '')?.[1];
    return name === undefined ? [] : [{ name, container }];
  });
}

/** Values of flags, by the Deployments that set them. */
const FLAGS = new WeakMap<readonly ManifestObject[], Map<string, string | undefined>>();

/** The value of a flag of the controller of an object, if it is among the manifests and each of its Deployments sets it. */
function flagOf(object: ManifestObject, index: ManifestIndex, flag: string): string | undefined {
  const deployments = DEPLOYMENTS.find(index, CONTROLLERS[groupKind(object)]);
  let known = FLAGS.get(deployments);
  if (!known) FLAGS.set(deployments, known = new Map());
  if (!known.has(flag)) {
    const values = deployments.map((deployment) => valueOf(controllersIn(deployment)[0].container, flag));
    known.set(flag, values.every((value) => value !== undefined && value === values[0]) ? values[0] : undefined);
  }
  return known.get(flag);
}

/** The value of a flag of a container; the last one counts. */
function valueOf(container: unknown, flag: string): string | undefined {
  const args = ['command', 'args'].flatMap((field) => [fieldAt(container, field)].flat()).map(scalarText);
  const found = args.filter((arg) => arg === `--${flag}` || arg.startsWith(`--${flag}=`)).at(-1);
  return found === undefined ? undefined : found.slice(flag.length + 3) || 'true';
}

function controllerText(name: string, flag: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: flux-system
spec:
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
        - name: manager
          image: ghcr.io/fluxcd/${name}:v1.0.0
          args: [--watch-all-namespaces=true, ${flag}]
`;
}

const crossNamespace: ManifestRule = {
  id: 'TC-TRAP-FLUX-CROSS-NAMESPACE',
  title: 'With --no-cross-namespace-refs, an object of Flux must not refer to a source of another namespace.',
  source: 'fluxcd/kustomize-controller internal/controller/kustomization_controller.go (getSource), v1.9.4; fluxcd/helm-controller internal/acl/acl.go, v1.6.3',
  kinds: [HELM_RELEASE, KUSTOMIZATION],
  trap: true,
  example: replaced(
    KUSTOMIZATION_TEXT, 'sourceRef: {kind: GitRepository, name: fleet}', 'sourceRef: {kind: GitRepository, name: fleet, namespace: flux-system}',
    controllerText('kustomize-controller', '--no-cross-namespace-refs=true'),
  ),
  check: (object, index) => (flagOf(object, index, 'no-cross-namespace-refs') !== 'true' ? [] : REFERENCES[groupKind(object)].flatMap((path) => {
    const namespace = stringAt(object, ...path, 'namespace');
    return namespace === undefined || namespace === namespaceOf(object) ? [] : [{
      path: [...path, 'namespace'],
      message: `the ${CONTROLLERS[groupKind(object)]} among the manifests refuses references to another namespace than "${namespaceOf(object) ?? 'default'}"`,
      fix: 'refer to a source in the namespace of the object (FluxDelivery: FluxMode.lockdown())',
    }];
  })),
};

const account: ManifestRule = {
  id: 'TC-TRAP-FLUX-DEFAULT-ACCOUNT',
  title: 'With --default-service-account, an object of Flux for another cluster should name its ServiceAccount: Flux acts there as the default account otherwise, which has no rights by itself.',
  source: 'fluxcd/helm-controller internal/kube/impersonate.go, v1.6.3; fluxcd/kustomize-controller internal/controller/kustomization_controller.go (reconcile), v1.9.4',
  kinds: [HELM_RELEASE, KUSTOMIZATION],
  trap: true,
  warning: true,
  example: {
    failing: documents(KUSTOMIZATION_TEXT, controllerText('kustomize-controller', '--default-service-account=default')),
    corrected: documents(`${KUSTOMIZATION_TEXT}  serviceAccountName: flux\n`, controllerText('kustomize-controller', '--default-service-account=default')),
  },
  check: (object, index) => {
    const name = flagOf(object, index, 'default-service-account');
    if (name === undefined || isSet(object, 'spec', 'serviceAccountName') || !isSet(object, 'spec', 'kubeConfig')) return [];
    return [{
      path: ['spec', 'serviceAccountName'],
      message: `Flux acts in the other cluster as system:serviceaccount:${namespaceOf(object) ?? 'default'}:${name}, which has no rights there unless a binding gives it some`,
      fix: 'name a ServiceAccount that a ClusterRoleBinding in the other cluster names (FluxDelivery: FluxMode.lockdown())',
    }];
  },
};

/** HelmReleases by the HelmChart that Flux makes for them. */
const HELM_CHARTS = new Lookup([HELM_RELEASE], chartKey);

function chartKey(release: ManifestObject): (string | undefined)[] {
  if (!isSet(release, 'spec', 'chart')) return [namespaceOf(release), nameOf(release), 'none'];
  return [stringAt(release, 'spec', 'chart', 'spec', 'sourceRef', 'namespace') ?? namespaceOf(release), `${namespaceOf(release)}-${nameOf(release)}`];
}

const OTHER_TEXT = replaced(HELM_RELEASE_TEXT, 'name: jetstack}', 'name: jetstack, namespace: flux-system}').failing;

const helmChart: ManifestRule = {
  id: 'TC-TRAP-FLUX-HELM-CHART-NAME',
  title: 'Two HelmReleases with sources in one namespace must differ in <namespace>-<name>: Flux makes a HelmChart of that name for each, and the two replace each other.',
  source: 'fluxcd/helm-controller internal/reconcile/helmchart_template.go (buildHelmChartFromTemplate), api/v2/helmrelease_types.go (GetHelmChartName), v1.6.3',
  kinds: [HELM_RELEASE],
  trap: true,
  example: {
    failing: documents(OTHER_TEXT, OTHER_TEXT.replace('name: acme-cert-manager', 'name: cert-manager').replace('namespace: tenant-acme', 'namespace: tenant-acme-acme')),
    corrected: documents(OTHER_TEXT, OTHER_TEXT.replace('name: acme-cert-manager', 'name: certs').replace('namespace: tenant-acme', 'namespace: tenant-acme-acme')),
  },
  check: (object, index) => {
    const key = chartKey(object);
    const [first] = HELM_CHARTS.find(index, ...key).filter((other) => namespaceOf(other) !== namespaceOf(object));
    return first === undefined ? [] : [{
      path: ['metadata', 'name'],
      message: `the HelmRelease ${namespaceOf(first)}/${nameOf(first)} has the HelmChart "${key[1]}" in namespace "${key[0]}", too`,
      fix: 'rename one of the two, or give it a source in its own namespace',
    }];
  },
};

/** Rules that depend on the flags of Flux's controllers, and on objects that these make. */
export const FLUX_MODES: readonly ManifestRule[] = [crossNamespace, account, helmChart];
