import { Rule } from '../../../manifests/values/problem';

const PROVIDER_CLUSTER_PATCH = 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go';
const PROVIDER_CRD = 'clastix/cluster-api-control-plane-provider-kamaji config/crd/bases/controlplane.cluster.x-k8s.io_kamajicontrolplanes.yaml';
const TENANT_CRD = 'clastix/kamaji charts/kamaji/crds/kamaji.clastix.io_tenantcontrolplanes.yaml';
const DEPLOYMENT_BUILDER = 'clastix/kamaji internal/builders/controlplane/deployment.go';
const KONNECTIVITY_BUILDER = 'clastix/kamaji internal/builders/controlplane/konnectivity_server.go';
const SERVICE_BUILDER = 'clastix/kamaji internal/resources/k8s_service_resource.go';
const AUTHENTICATION_VALIDATION = 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/apis/apiserver/validation/validation.go';
const AUDIT_VALIDATION = 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/apis/audit/validation/validation.go';
const ADMISSION_PLUGINS = 'kubernetes/kubernetes pkg/kubeapiserver/options/plugins.go';
const OBJECT_NAMES = 'kubernetes.io/docs/concepts/overview/working-with-objects/names';

/** What a control plane that Kamaji hosts demands of its input. */
export const KAMAJI_RULES = {
  version: {
    id: 'TC-KAMAJI-VERSION',
    title: 'The version of Kamaji must be a release tag from edge-26.2.1 on, which has all fields that this library writes.',
    source: 'clastix/kamaji pull request 1052 (configurationJSONPatches)',
  },
  kubernetesVersion: {
    id: 'TC-KAMAJI-KUBERNETES-VERSION',
    title: 'The Kubernetes minor version must not be newer than that which the release of Kamaji is built with.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_version.go',
  },
  newerRelease: {
    id: 'TC-KAMAJI-VERSION-NEWER',
    title: 'A release of Kamaji that is newer than those that the library knows may run a newer Kubernetes than they can.',
    source: 'clastix/kamaji internal/upgrade/kubeadm_version.go',
    warning: true,
  },
  versionOther: {
    id: 'TC-KAMAJI-VERSION-OTHER',
    title: 'The version of Kamaji of a control plane must be the version that the management cluster runs.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_version.go',
  },
  rolloutLoop: {
    id: 'TC-KAMAJI-ROLLOUT-LOOP',
    title: 'Konnectivity and API server arguments must not be combined with Kamaji 26.5.3-edge, which then rolls the control plane out for ever.',
    source: 'clastix/kamaji issue 1154',
  },
  kubeProxy: {
    id: 'TC-KAMAJI-KUBE-PROXY',
    title: 'Either kube-proxy or the pod network must forward Services to their pods, not both.',
    source: 'docs.cilium.io/en/stable/network/kubernetes/kubeproxy-free',
  },
  infrastructure: {
    id: 'TC-KAMAJI-INFRASTRUCTURE',
    title: 'The kind of the infrastructure object must be one that Kamaji\'s provider can write an endpoint to.',
    source: PROVIDER_CLUSTER_PATCH,
  },
  dataStore: {
    id: 'TC-KAMAJI-DATA-STORE',
    title: 'A data store must be the name of a DataStore object.',
    source: OBJECT_NAMES,
  },
  dataStoreUnknown: {
    id: 'TC-KAMAJI-DATA-STORE-UNKNOWN',
    title: 'The data stores of a control plane must exist in the management cluster.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_datastore.go',
  },
  classUnknown: {
    id: 'TC-KAMAJI-CLASS-UNKNOWN',
    title: 'The Ingress or load balancer class of a control plane must exist in the management cluster.',
    source: 'kubernetes.io/docs/concepts/services-networking/ingress, kubernetes.io/docs/concepts/services-networking/service (load balancer class)',
  },
  dataStoreIdentity: {
    id: 'TC-KAMAJI-DATA-STORE-IDENTITY',
    title: 'Schema and user in the data store must be names that every driver accepts.',
    source: 'clastix/kamaji internal/resources/datastore/datastore_setup.go',
  },
  dataStoreTaken: {
    id: 'TC-KAMAJI-DATA-STORE-TAKEN',
    title: 'The schema and the user of a control plane must be unique in its data store.',
    source: 'clastix/kamaji internal/resources/datastore/datastore_setup.go',
  },
  apiPort: {
    id: 'TC-KAMAJI-API-PORT',
    title: 'The port of the API server must be at most 32767: the provider reads it as a signed 16-bit number.',
    source: PROVIDER_CLUSTER_PATCH,
  },
  nodePortTaken: {
    id: 'TC-KAMAJI-NODE-PORT-TAKEN',
    title: 'Node ports of control planes must be unique in a management cluster.',
    source: 'kubernetes.io/docs/concepts/services-networking/service (type NodePort)',
  },
  endpointTaken: {
    id: 'TC-KAMAJI-ENDPOINT-TAKEN',
    title: 'The address or host name and port of a control plane must be unique in a management cluster.',
    source: SERVICE_BUILDER,
  },
  address: {
    id: 'TC-KAMAJI-ADDRESS',
    title: 'Addresses of the control plane must be IP addresses of the family of its Services; a NodePort Service requires an address.',
    source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_funcs.go',
  },
  loadBalancerClass: {
    id: 'TC-KAMAJI-LOAD-BALANCER-CLASS',
    title: 'The class of a load balancer must be a qualified name.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (loadBalancerClass)',
  },
  hostname: {
    id: 'TC-KAMAJI-HOSTNAME',
    title: 'The host name of an Ingress or a Gateway must be a DNS name without port and wildcard.',
    source: TENANT_CRD,
  },
  route: {
    id: 'TC-KAMAJI-ROUTE',
    title: 'Names of Ingress classes, Gateways and listeners, and listener ports, must be valid in Kubernetes.',
    source: OBJECT_NAMES,
  },
  passthrough: {
    id: 'TC-KAMAJI-PASSTHROUGH',
    title: 'An Ingress of the class "nginx" must pass TLS through to the API server, which checks client certificates.',
    source: 'kubernetes/ingress-nginx docs/user-guide/tls.md (SSL Passthrough)',
    warning: true,
  },
  konnectivity: {
    id: 'TC-KAMAJI-KONNECTIVITY',
    title: 'Port, images and replicas of konnectivity must be valid together.',
    source: PROVIDER_CRD,
  },
  konnectivityArgument: {
    id: 'TC-KAMAJI-KONNECTIVITY-ARGUMENT',
    title: 'An extra argument of konnectivity must be a flag of that release, and must not be one that Kamaji sets.',
    source: KONNECTIVITY_BUILDER,
  },
  image: {
    id: 'TC-KAMAJI-IMAGE',
    title: 'Registries and image names must not have a scheme or tag, and tags must be valid.',
    source: 'clastix/kamaji internal/resources/kubeadm_utils.go',
  },
  argument: {
    id: 'TC-KAMAJI-ARGUMENT',
    title: 'An extra argument must not be a flag that another property sets.',
    source: DEPLOYMENT_BUILDER,
  },
  anonymousAccess: {
    id: 'TC-KAMAJI-ANONYMOUS-ACCESS',
    title: 'The API server must answer anonymous requests: its probes and joining machines send no credentials.',
    source: DEPLOYMENT_BUILDER,
  },
  authorizationMode: {
    id: 'TC-KAMAJI-AUTHORIZATION-MODE',
    title: 'The authorization modes of the API server must include Node and RBAC, and must not include AlwaysAllow.',
    source: 'kubernetes.io/docs/reference/access-authn-authz/authorization',
  },
  controllers: {
    id: 'TC-KAMAJI-CONTROLLERS',
    title: 'The controller manager must run bootstrapsigner and tokencleaner, which are off unless they are listed.',
    source: DEPLOYMENT_BUILDER,
  },
  resources: {
    id: 'TC-KAMAJI-RESOURCES',
    title: 'Requests and limits must be quantities, and a request must not exceed its limit.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateContainerResourceRequirements)',
  },
  admissionPlugin: {
    id: 'TC-KAMAJI-ADMISSION-PLUGIN',
    title: 'An admission plug-in that is switched off must be on in the API server.',
    source: ADMISSION_PLUGINS,
  },
  jwtIssuer: {
    id: 'TC-KAMAJI-JWT-ISSUER',
    title: 'Issuers of tokens must be unique https URLs with a valid certificate authority, at most 64.',
    source: AUTHENTICATION_VALIDATION,
  },
  jwtAudience: {
    id: 'TC-KAMAJI-JWT-AUDIENCE',
    title: 'Every issuer must have at least one audience, none empty or repeated.',
    source: AUTHENTICATION_VALIDATION,
  },
  jwtClaims: {
    id: 'TC-KAMAJI-JWT-CLAIMS',
    title: 'Claim mappings and validation rules must name a claim or a well-formed expression, and a mapped email must be verified.',
    source: AUTHENTICATION_VALIDATION,
  },
  auditRule: {
    id: 'TC-KAMAJI-AUDIT-RULE',
    title: 'An audit policy must have rules that the API server accepts.',
    source: AUDIT_VALIDATION,
  },
  auditSink: {
    id: 'TC-KAMAJI-AUDIT-SINK',
    title: 'Audit events must go to the log, to a webhook, or to both.',
    source: 'kubernetes.io/docs/tasks/debug/debug-cluster/audit',
  },
  fileSource: {
    id: 'TC-KAMAJI-FILE-SOURCE',
    title: 'Files of the API server must come from a key of a ConfigMap or Secret.',
    source: OBJECT_NAMES,
  },
  volumeMount: {
    id: 'TC-KAMAJI-VOLUME-MOUNT',
    title: 'The path of an extra mount must be absolute and unique.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_deployment.go',
  },
  deployment: {
    id: 'TC-KAMAJI-DEPLOYMENT',
    title: 'The settings of the control plane\'s Deployment must be valid.',
    source: 'kubernetes/kubernetes pkg/apis/apps/validation/validation.go',
  },
  toleration: {
    id: 'TC-KAMAJI-TOLERATION',
    title: 'A toleration must have a key unless it tolerates everything, and must not have a value or time that its operator or effect excludes.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateTolerations)',
  },
  metadata: {
    id: 'TC-KAMAJI-METADATA',
    title: 'Labels and annotations must have valid keys and values, and must not be labels that Kamaji sets.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go',
  },
  kubeletPatch: {
    id: 'TC-KAMAJI-KUBELET-PATCH',
    title: 'A patch of the kubelet configuration must be a complete JSON patch operation.',
    source: 'datatracker.ietf.org/doc/html/rfc6902',
  },
} satisfies Record<string, Rule>;
