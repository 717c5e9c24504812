import { Rule } from '../validation/problem';

const POD_VALIDATION = 'kubernetes/kubernetes pkg/apis/core/validation/validation.go';
const NAMES = 'kubernetes.io/docs/concepts/overview/working-with-objects/names';
const DATA_STORE = 'clastix/kamaji charts/kamaji/crds/kamaji.clastix.io_datastores.yaml';

/** What is demanded of the parts of a management cluster. */
export const MANAGEMENT_RULES = {
  name: {
    id: 'TC-MANAGEMENT-NAME',
    title: 'Management clusters, namespaces, Secrets and issuers have names that Kubernetes accepts.',
    source: NAMES,
  },
  manifestApp: {
    id: 'TC-MANAGEMENT-MANIFEST-APP',
    title: 'Manifests that a delivery reads from a repository are written by a GitOpsApp.',
  },
  version: {
    id: 'TC-MANAGEMENT-VERSION',
    title: 'Each part of a management cluster has one exact version, as its project writes it.',
    source: 'semver.org, clastix/kamaji docs/content/reference/versioning.md',
  },
  versionUntested: {
    id: 'TC-MANAGEMENT-VERSION-UNTESTED',
    title: 'A version outside of the table of versions is chosen knowingly.',
  },
  versionConflict: {
    id: 'TC-MANAGEMENT-VERSION-CONFLICT',
    title: 'Versions that are known not to work together are not installed together.',
    source: 'kubernetes-sigs/cluster-api docs/book/src/reference/versions.md',
  },
  featureGate: {
    id: 'TC-MANAGEMENT-FEATURE-GATE',
    title: 'A provider knows its feature gates in the version that is installed, and has those that need each other: anything else ends the program.',
    source: 'kubernetes-sigs/cluster-api feature/feature.go and util/controller/builder.go, k8s.io/component-base/featuregate',
  },
  argument: {
    id: 'TC-MANAGEMENT-ARGUMENT',
    title: 'Arguments of a provider are named without hyphens in front, and do what its feature gates allow.',
    source: 'clastix/cluster-api-control-plane-provider-kamaji cmd/main.go',
  },
  provider: {
    id: 'TC-MANAGEMENT-PROVIDER',
    title: 'A provider is named once, and the operator knows where to get it.',
    source: 'kubernetes-sigs/cluster-api-operator internal/controller/preflight_checks.go',
  },
  replicas: {
    id: 'TC-MANAGEMENT-REPLICAS',
    title: 'Replicas are counted in whole numbers, at least 1; the members of an etcd are an odd number.',
    source: 'etcd.io/docs/v3.6/faq (why an odd number of cluster members)',
  },
  resources: {
    id: 'TC-MANAGEMENT-RESOURCES',
    title: 'CPU and memory of a container are quantities, and no request is above its limit.',
    source: POD_VALIDATION,
  },
  toleration: {
    id: 'TC-MANAGEMENT-TOLERATION',
    title: 'Tolerations name a key and an operator that go together, and a time only for NoExecute.',
    source: POD_VALIDATION,
  },
  image: {
    id: 'TC-MANAGEMENT-IMAGE',
    title: 'Images are named the way container registries do, with a tag or a digest that stands still.',
    source: 'distribution/reference regexp.go',
  },
  dataStoreTaken: {
    id: 'TC-MANAGEMENT-DATA-STORE-TAKEN',
    title: 'Two DataStores have different names: they belong to no namespace.',
    source: DATA_STORE,
  },
  dataStoreDefault: {
    id: 'TC-MANAGEMENT-DATA-STORE-DEFAULT',
    title: 'Kamaji\'s default DataStore is an etcd that is installed before it: without it Kamaji does not start, and accepts no DataStore.',
    source: 'clastix/kamaji internal/datastore/utils/check.go, charts/kamaji/controller-gen/validating-webhook.yaml',
  },
  dataStoreAccess: {
    id: 'TC-MANAGEMENT-DATA-STORE-ACCESS',
    title: 'A DataStore has endpoints of host and port, and the credentials that its driver needs.',
    source: DATA_STORE,
  },
  etcdTaken: {
    id: 'TC-MANAGEMENT-ETCD-TAKEN',
    title: 'Two etcds of one namespace have different names.',
    source: 'helm.sh/docs/intro/using_helm (release names are unique within a namespace)',
  },
  etcdSize: {
    id: 'TC-MANAGEMENT-ETCD-SIZE',
    title: 'The volume of an etcd member holds more than the database may grow to: log and snapshots lie beside it.',
    source: 'etcd.io/docs/v3.6/op-guide/maintenance (space quota), clastix/kamaji-etcd charts/kamaji-etcd/values.yaml',
  },
  etcdBackup: {
    id: 'TC-MANAGEMENT-ETCD-BACKUP',
    title: 'The backup of an etcd has a schedule, a retention of whole days, and a place that it can be stored in.',
    source: 'kubernetes/kubernetes pkg/apis/batch/validation/validation.go (CronJob), docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html',
  },
  etcdStorageClass: {
    id: 'TC-MANAGEMENT-ETCD-STORAGE-CLASS',
    title: 'The volumes of an etcd have a StorageClass that the management cluster offers.',
  },
  operatorManifest: {
    id: 'TC-MANAGEMENT-OPERATOR-MANIFEST',
    title: 'The manifest of an operator must be kept with the sources, and hold its Deployment, in the version that is installed, and the definition of its custom resource.',
  },
  device: {
    id: 'TC-MANAGEMENT-DEVICE',
    title: 'A host device is permitted once under each resource name, with a selector that KubeVirt understands.',
    source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go (PermittedHostDevices)',
  },
  capability: {
    id: 'TC-MANAGEMENT-CAPABILITY',
    title: 'What the management cluster is said to offer is what is installed.',
  },
} satisfies Record<string, Rule>;
