import { Rule } from '../../../manifests/values/problem';

const NAMES = 'kubernetes.io/docs/concepts/overview/working-with-objects/names';
const RESOURCE_SET = 'kubernetes-sigs/cluster-api docs/book/src/tasks/cluster-resource-set.md';

/** What is demanded of things that are delivered to a tenant, and of those who deliver them. */
export const DELIVERY_RULES = {
  name: {
    id: 'TC-DELIVERY-NAME',
    title: 'The name of a delivery is a DNS label: objects of the management cluster are named after it.',
    source: NAMES,
  },
  nameTaken: {
    id: 'TC-DELIVERY-NAME-TAKEN',
    title: 'Two deliveries do not make objects of one name.',
  },
  after: {
    id: 'TC-DELIVERY-AFTER',
    title: 'A delivery comes after deliveries of the same cluster only.',
    source: 'fluxcd/helm-controller internal/controller/helmrelease_controller.go (a missing dependency blocks for ever)',
  },
  chartName: {
    id: 'TC-DELIVERY-CHART-NAME',
    title: 'The name of a chart is written in lower-case letters, digits, "-" and ".".',
    source: 'helm.sh/docs/chart_best_practices/conventions, kubernetes-sigs/cluster-api-addon-provider-helm internal/helm_client.go',
  },
  chartVersion: {
    id: 'TC-DELIVERY-CHART-VERSION',
    title: 'A chart is installed in one exact version, so that the same input installs the same thing everywhere.',
    source: 'helm.sh/docs/topics/charts (semantic version 2), fluxcd/helm-controller docs/spec/v2/helmreleases.md',
  },
  repository: {
    id: 'TC-DELIVERY-REPOSITORY',
    title: 'Charts come from a Helm repository or an OCI registry, whose address holds no credentials.',
    source: 'fluxcd/source-controller docs/spec/v1/helmrepositories.md, kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/helmchartproxy_webhook.go',
  },
  repositoryAccess: {
    id: 'TC-DELIVERY-REPOSITORY-ACCESS',
    title: 'How a repository is accessed is said once, with names of Secrets that Kubernetes accepts.',
    source: NAMES,
  },
  releaseName: {
    id: 'TC-DELIVERY-RELEASE-NAME',
    title: 'The name of a Helm release is a DNS label of at most 53 characters.',
    source: 'helm/helm pkg/chartutil/validate_name.go, fluxcd/helm-controller api/v2/helmrelease_types.go',
  },
  releaseNamespace: {
    id: 'TC-DELIVERY-RELEASE-NAMESPACE',
    title: 'The namespace of a Helm release is a DNS label.',
    source: NAMES,
  },
  values: {
    id: 'TC-DELIVERY-VALUES',
    title: 'The values of a chart are what YAML can hold: objects, lists, strings, finite numbers, booleans and null.',
    source: 'helm.sh/docs/chart_template_guide/values_files',
  },
  valuePath: {
    id: 'TC-DELIVERY-VALUE-PATH',
    title: 'Values of a chart are written as in a values file, with an object for each level: a key with dots is one key, which a chart ignores.',
    source: 'helm.sh/docs/intro/using_helm (the format and limitations of --set)',
    warning: true,
  },
  valuesFrom: {
    id: 'TC-DELIVERY-VALUES-FROM',
    title: 'Values of a chart come from Secrets and ConfigMaps with names that Kubernetes accepts, and by a delivery that reads them.',
    source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md (values references), kubernetes-sigs/cluster-api-addon-provider-helm '
      + 'internal/value_substitutions.go, argoproj/argo-cd docs/user-guide/helm.md',
  },
  duration: {
    id: 'TC-DELIVERY-DURATION',
    title: 'Timeouts and intervals are whole seconds, at least one.',
    source: 'fluxcd/helm-controller api/v2/helmrelease_types.go',
  },
  history: {
    id: 'TC-DELIVERY-HISTORY',
    title: 'The number of revisions that Helm keeps is a whole number from 1.',
    source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md (max history)',
  },
  chartPath: {
    id: 'TC-DELIVERY-CHART-PATH',
    title: 'A chart, or manifests, in a Git repository are in a folder of it.',
    source: 'fluxcd/source-controller docs/spec/v1/helmcharts.md, argoproj/argo-cd docs/user-guide/helm.md',
  },
  chartUnsupported: {
    id: 'TC-DELIVERY-CHART-UNSUPPORTED',
    title: 'A delivery can install the chart: a ClusterResourceSet installs none, a HelmChartProxy none from Git or an https repository that requires a login.',
    source: `${RESOURCE_SET}, kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/helmchartproxy_webhook.go`,
  },
  gitUnsupported: {
    id: 'TC-DELIVERY-GIT-UNSUPPORTED',
    title: 'Manifests that a project publishes in a Git repository are delivered by Flux or Argo CD.',
    source: `${RESOURCE_SET} (ConfigMaps and Secrets), kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/helmchartproxy_types.go (charts)`,
  },
  ownCluster: {
    id: 'TC-DELIVERY-OWN-CLUSTER',
    title: 'What goes into the management cluster itself is delivered by Flux or Argo CD: Cluster API delivers to its clusters only.',
    source: `${RESOURCE_SET}, kubernetes-sigs/cluster-api-addon-provider-helm docs/quick-start.md`,
  },
  secret: {
    id: 'TC-DELIVERY-SECRET',
    title: 'Manifests hold no Secret with content: they end up readable in a repository.',
    source: 'kubernetes.io/docs/concepts/security/secrets-good-practices',
  },
  privateKey: {
    id: 'TC-DELIVERY-PRIVATE-KEY',
    title: 'Neither manifests nor values of charts hold a private key: it ends up readable in a repository, and in an object of the cluster.',
    source: 'kubernetes.io/docs/concepts/security/secrets-good-practices, RFC 7468',
  },
  manifestTwice: {
    id: 'TC-DELIVERY-MANIFEST-TWICE',
    title: 'A cluster is given each object, by kind, namespace and name, once only.',
  },
  servedVersion: {
    id: 'TC-DELIVERY-SERVED-VERSION',
    title: 'Objects of Kubernetes\' own kinds that go to a tenant are of versions that its API server serves.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/api (APILifecycleIntroduced and APILifecycleRemoved of the types)',
  },
  manifest: {
    id: 'TC-DELIVERY-MANIFEST',
    title: 'The objects that go to the tenant can be written.',
  },
  manifestNamespace: {
    id: 'TC-DELIVERY-MANIFEST-NAMESPACE',
    title: 'Namespaced objects must have metadata.namespace: no default is filled in on the way to the tenant.',
    source: 'kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_scope.go',
  },
  manifestSize: {
    id: 'TC-DELIVERY-MANIFEST-SIZE',
    title: 'An object that a ClusterResourceSet applies fits into a ConfigMap, which holds 1 MiB.',
    source: 'kubernetes.io/docs/concepts/configuration/configmap',
  },
  manifestSource: {
    id: 'TC-DELIVERY-MANIFEST-SOURCE',
    title: 'Manifests are read from a source that exists: a name or address that is accepted, and a path inside it.',
    source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md, argoproj/argo-cd docs/operator-manual/application.yaml',
  },
} satisfies Record<string, Rule>;
