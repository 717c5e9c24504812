import { Rule } from '../../manifests/values/problem';

const POD_VALIDATION = 'kubernetes/kubernetes pkg/apis/core/validation/validation.go';
const NAMES = 'kubernetes.io/docs/concepts/overview/working-with-objects/names';
const DATA_STORE = 'clastix/kamaji charts/kamaji/crds/kamaji.clastix.io_datastores.yaml';

/** Rules of the components of a management cluster. */
export const MANAGEMENT_RULES = {
  name: {
    id: 'TC-MANAGEMENT-NAME',
    title: 'The names of management clusters, namespaces, Secrets and issuers must be valid in Kubernetes.',
    source: NAMES,
  },
  manifestApp: {
    id: 'TC-MANAGEMENT-MANIFEST-APP',
    title: 'A delivery that reads manifests from a repository needs a GitOpsApp, which writes them.',
  },
  version: {
    id: 'TC-MANAGEMENT-VERSION',
    title: 'Each component of a management cluster must have an exact version, in the form of its project.',
    source: 'semver.org, clastix/kamaji docs/content/reference/versioning.md',
  },
  versionUntested: {
    id: 'TC-MANAGEMENT-VERSION-UNTESTED',
    title: 'A version outside of the tested versions needs allowUntestedVersions.',
  },
  versionConflict: {
    id: 'TC-MANAGEMENT-VERSION-CONFLICT',
    title: 'Known incompatible versions must not be installed together.',
    source: 'kubernetes-sigs/cluster-api docs/book/src/reference/versions.md',
  },
  featureGate: {
    id: 'TC-MANAGEMENT-FEATURE-GATE',
    title: 'The installed version of a provider must know its feature gates, and their dependencies must be met: otherwise the program exits.',
    source: 'kubernetes-sigs/cluster-api feature/feature.go and util/controller/builder.go, k8s.io/component-base/featuregate',
  },
  argument: {
    id: 'TC-MANAGEMENT-ARGUMENT',
    title: 'Arguments of a provider must be named without leading hyphens, and its feature gates must allow them.',
    source: 'clastix/cluster-api-control-plane-provider-kamaji cmd/main.go',
  },
  provider: {
    id: 'TC-MANAGEMENT-PROVIDER',
    title: 'A provider must be named once, and the operator must know its release address.',
    source: 'kubernetes-sigs/cluster-api-operator internal/controller/preflight_checks.go',
  },
  replicas: {
    id: 'TC-MANAGEMENT-REPLICAS',
    title: 'The number of replicas must be a whole number of at least 1; the number of etcd members must be odd.',
    source: 'etcd.io/docs/v3.6/faq (why an odd number of cluster members)',
  },
  resources: {
    id: 'TC-MANAGEMENT-RESOURCES',
    title: 'CPU and memory of a container must be quantities, and a request must not exceed its limit.',
    source: POD_VALIDATION,
  },
  toleration: {
    id: 'TC-MANAGEMENT-TOLERATION',
    title: 'The key and operator of a toleration must match, and only NoExecute may have a time.',
    source: POD_VALIDATION,
  },
  image: {
    id: 'TC-MANAGEMENT-IMAGE',
    title: 'An image must have a valid name, with a digest or a tag other than latest.',
    source: 'distribution/reference regexp.go',
  },
  dataStoreTaken: {
    id: 'TC-MANAGEMENT-DATA-STORE-TAKEN',
    title: 'The names of DataStores must be unique: they are cluster-scoped.',
    source: DATA_STORE,
  },
  dataStoreDefault: {
    id: 'TC-MANAGEMENT-DATA-STORE-DEFAULT',
    title: 'Kamaji\'s default DataStore must be an etcd that is installed before it: without it Kamaji does not start, and rejects all DataStores.',
    source: 'clastix/kamaji internal/datastore/utils/check.go, charts/kamaji/controller-gen/validating-webhook.yaml',
  },
  dataStoreAccess: {
    id: 'TC-MANAGEMENT-DATA-STORE-ACCESS',
    title: 'A DataStore must have endpoints of host and port, and the credentials of its driver.',
    source: DATA_STORE,
  },
  etcdTaken: {
    id: 'TC-MANAGEMENT-ETCD-TAKEN',
    title: 'The names of etcds must be unique in their namespace.',
    source: 'helm.sh/docs/intro/using_helm (release names are unique within a namespace)',
  },
  etcdSize: {
    id: 'TC-MANAGEMENT-ETCD-SIZE',
    title: 'The volume of an etcd member must be larger than the quota of the database: it also stores the log and snapshots.',
    source: 'etcd.io/docs/v3.6/op-guide/maintenance (space quota), clastix/kamaji-etcd charts/kamaji-etcd/values.yaml',
  },
  etcdBackup: {
    id: 'TC-MANAGEMENT-ETCD-BACKUP',
    title: 'The backup of an etcd must have a schedule, a retention of whole days, and a valid storage location.',
    source: 'kubernetes/kubernetes pkg/apis/batch/validation/validation.go (CronJob), docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html',
  },
  etcdStorageClass: {
    id: 'TC-MANAGEMENT-ETCD-STORAGE-CLASS',
    title: 'The StorageClass of an etcd must exist in the management cluster.',
  },
  operatorManifest: {
    id: 'TC-MANAGEMENT-OPERATOR-MANIFEST',
    title: 'The manifest of an operator must be kept with the sources, and contain its Deployment in the installed version and the definition of its custom resource.',
  },
  device: {
    id: 'TC-MANAGEMENT-DEVICE',
    title: 'The resource name of a permitted host device must be unique, and its selector must be valid in KubeVirt.',
    source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go (PermittedHostDevices)',
  },
  capability: {
    id: 'TC-MANAGEMENT-CAPABILITY',
    title: 'The stated capabilities of the management cluster must match the installed components.',
  },
} satisfies Record<string, Rule>;
