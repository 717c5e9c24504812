import { ControllerField, FieldManager } from '../rules/field-managers';

const INJECTED = 'cert-manager/cert-manager pkg/controller/cainjector/injectables.go';

const KUBECTL = 'kubernetes/kubectl pkg/cmd/apply/apply.go (FieldManagerClientSideApply, fieldManagerServerSideApply, fieldManagerLastAppliedAnnotation)';

/** A name that most programs have: it is the executable of a controller that Kubebuilder has laid out. */
const MANAGER: FieldManager = {
  name: 'manager',
  role: 'controller',
  title: 'a controller',
  source: 'kubernetes-sigs/kubebuilder Dockerfile (ENTRYPOINT), kubernetes/apiserver pkg/endpoints/handlers/create.go (prefixFromUserAgent)',
};

/** Programs of Kubernetes. What applies whole manifests with kubectl counts as a delivery where no other tool delivers the object. */
export const KUBERNETES_MANAGERS: readonly FieldManager[] = [
  MANAGER,
  ...['kube-controller-manager', 'kube-scheduler', 'kube-apiserver', 'kubelet', 'cloud-controller-manager'].map((name): FieldManager => ({
    name, role: 'controller', title: name, source: 'kubernetes/apiserver pkg/endpoints/handlers/create.go (prefixFromUserAgent)',
  })),
  ...['kubectl-client-side-apply', 'kubectl-last-applied', 'before-first-apply'].map((name): FieldManager => ({
    name, role: 'delivery', title: 'kubectl apply', adds: ['kubectl.kubernetes.io/'], source: KUBECTL,
  })),
  { name: 'kubectl*', role: 'hand', title: 'kubectl', source: 'kubernetes/kubectl pkg/cmd (AddFieldManagerFlagVar of edit, label, annotate, …)' },
  { name: 'clusterctl', role: 'hand', title: 'clusterctl', source: 'kubernetes-sigs/cluster-api cmd/clusterctl/client/cluster/proxy.go (NewClient), v1.14.2' },
  { name: 'helm', role: 'delivery', title: 'Helm', adds: ['meta.helm.sh/'], source: 'helm/helm pkg/kube/client.go (ManagedFieldsManager)' },
  { name: 'Mozilla', role: 'hand', title: 'a browser', source: 'kubernetes/apiserver pkg/endpoints/handlers/create.go (prefixFromUserAgent)' },
];

/** Fields that controllers and allocators of Kubernetes write on objects which others apply. */
export const KUBERNETES_FIELDS: Readonly<Record<string, readonly ControllerField[]>> = {
  '*': [
    { field: 'metadata.ownerReferences', holds: 'its owner', source: 'kubernetes/apimachinery pkg/apis/meta/v1/types.go (OwnerReferences)' },
    { field: 'metadata.finalizers', holds: 'the controllers that clean up first', source: 'kubernetes/apimachinery pkg/apis/meta/v1/types.go (Finalizers)' },
    {
      field: 'metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]',
      holds: 'what kubectl applied last',
      source: 'kubernetes/api core/v1/annotation_key_constants.go',
    },
  ],
  '/Namespace': [
    { field: 'spec.finalizers', holds: 'the controllers that clean up first', source: 'kubernetes/kubernetes pkg/registry/core/namespace/strategy.go (PrepareForCreate)' },
    { field: 'metadata.labels["kubernetes.io/metadata.name"]', holds: 'its name', source: 'kubernetes/kubernetes pkg/apis/core/v1/defaults.go (SetDefaults_Namespace)' },
  ],
  '/Service': ['clusterIP', 'clusterIPs', 'healthCheckNodePort', 'ipFamilies', 'ports'].map((name) => ({
    field: `spec.${name}`, holds: 'allocated addresses and ports', source: 'kubernetes/kubernetes pkg/registry/core/service/storage/alloc.go',
  })),
  '/PersistentVolumeClaim': [
    { field: 'spec.volumeName', holds: 'the bound volume', source: 'kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (bind)' },
    { field: 'metadata.annotations["pv.kubernetes.io/*"]', holds: 'how it was bound', source: 'kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go' },
    {
      field: 'metadata.annotations["volume.kubernetes.io/*"]',
      holds: 'its provisioner',
      source: 'kubernetes/kubernetes pkg/controller/volume/persistentvolume/pv_controller.go',
    },
  ],
  'apps/Deployment': [{
    field: 'metadata.annotations["deployment.kubernetes.io/revision"]',
    holds: 'the revision of its ReplicaSets',
    source: 'kubernetes/kubernetes pkg/controller/deployment/util/deployment_util.go (SetNewReplicaSetAnnotations)',
  }],
  'batch/Job': ['selector', 'template.metadata.labels'].map((name) => ({
    field: `spec.${name}`, holds: 'the selector of its pods', source: 'kubernetes/kubernetes pkg/registry/batch/job/strategy.go (generateSelector)',
  })),
  '/ServiceAccount': [{
    field: 'secrets',
    holds: 'tokens of its own',
    source: 'kubernetes/kubernetes pkg/controller/serviceaccount/tokens_controller.go (ensureReferencedToken), v1.23: newer releases make none, and keep those of older ones',
  }],
  'apiextensions.k8s.io/CustomResourceDefinition': [
    { field: 'spec.conversion.webhook.clientConfig.caBundle', holds: 'the authority of its certificate', source: INJECTED },
  ],
  'apiregistration.k8s.io/APIService': [{ field: 'spec.caBundle', holds: 'the authority of its certificate', source: INJECTED }],
  ...Object.fromEntries(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((kind) => [`admissionregistration.k8s.io/${kind}`, [{
    field: 'webhooks*.clientConfig.caBundle', holds: 'the authority of its certificate', source: INJECTED,
  }]])),
};
