import { Rule } from '../../validation/problem';

const PROVIDER_RECONCILER = 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_tcp.go';
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
  replicas: {
    id: 'TC-KAMAJI-REPLICAS',
    title: 'A control plane has a whole number of replicas; with 0 it sleeps.',
    source: PROVIDER_CRD,
  },
  version: {
    id: 'TC-KAMAJI-VERSION',
    title: 'The version of Kamaji is a release tag, from edge-26.2.1 on, so that Kamaji knows every field that is sent to it.',
    source: 'clastix/kamaji pull request 1052 (configurationJSONPatches)',
  },
  kubernetesVersion: {
    id: 'TC-KAMAJI-KUBERNETES-VERSION',
    title: 'The Kubernetes minor is not newer than the one that the release of Kamaji is built with.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_version.go',
  },
  versionOther: {
    id: 'TC-KAMAJI-VERSION-OTHER',
    title: 'A control plane is made for the release of Kamaji that the management cluster runs.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_version.go',
  },
  rolloutLoop: {
    id: 'TC-KAMAJI-ROLLOUT-LOOP',
    title: 'Kamaji 26.5.3-edge rolls the control plane for ever when konnectivity and arguments of the API server come together.',
    source: 'clastix/kamaji issue 1154',
  },
  kubeProxy: {
    id: 'TC-KAMAJI-KUBE-PROXY',
    title: 'Services are led to their pods by kube-proxy or by the pod network: by one of them, and not by both.',
    source: 'docs.cilium.io/en/stable/network/kubernetes/kubeproxy-free',
  },
  infrastructure: {
    id: 'TC-KAMAJI-INFRASTRUCTURE',
    title: 'The kind of the infrastructure object is one that Kamaji\'s provider can give an endpoint to.',
    source: PROVIDER_CLUSTER_PATCH,
  },
  dataStore: {
    id: 'TC-KAMAJI-DATA-STORE',
    title: 'Data stores are referred to by the name of a DataStore object.',
    source: OBJECT_NAMES,
  },
  dataStoreUnknown: {
    id: 'TC-KAMAJI-DATA-STORE-UNKNOWN',
    title: 'The data stores of a control plane are among those that the management cluster offers.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_datastore.go',
  },
  classUnknown: {
    id: 'TC-KAMAJI-CLASS-UNKNOWN',
    title: 'The Ingress or load balancer class of a control plane is one that the management cluster offers.',
    source: 'kubernetes.io/docs/concepts/services-networking/ingress, kubernetes.io/docs/concepts/services-networking/service (load balancer class)',
  },
  dataStoreIdentity: {
    id: 'TC-KAMAJI-DATA-STORE-IDENTITY',
    title: 'Schema and user in the data store are names that every driver accepts.',
    source: 'clastix/kamaji internal/resources/datastore/datastore_setup.go',
  },
  dataStoreTaken: {
    id: 'TC-KAMAJI-DATA-STORE-TAKEN',
    title: 'No two control planes have one schema, or one user, in one data store.',
    source: 'clastix/kamaji internal/resources/datastore/datastore_setup.go',
  },
  dataStoreOverride: {
    id: 'TC-KAMAJI-DATA-STORE-OVERRIDE',
    title: 'A kind of object is sent to one other data store only.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_datastore.go',
  },
  apiPort: {
    id: 'TC-KAMAJI-API-PORT',
    title: 'The port of the API server is at most 32767; the provider reads it as a signed number of 16 bits.',
    source: PROVIDER_CLUSTER_PATCH,
  },
  nodePort: {
    id: 'TC-KAMAJI-NODE-PORT',
    title: 'Behind a NodePort Service the ports of the API server and of konnectivity are node ports themselves.',
    source: SERVICE_BUILDER,
  },
  nodePortTaken: {
    id: 'TC-KAMAJI-NODE-PORT-TAKEN',
    title: 'No two control planes of a management cluster have one node port.',
    source: 'kubernetes.io/docs/concepts/services-networking/service (type NodePort)',
  },
  endpointTaken: {
    id: 'TC-KAMAJI-ENDPOINT-TAKEN',
    title: 'No two control planes of a management cluster are published at one address or host name and port.',
    source: SERVICE_BUILDER,
  },
  portClash: {
    id: 'TC-KAMAJI-PORT-CLASH',
    title: 'No two programs in the pod of the control plane listen on one port.',
    source: DEPLOYMENT_BUILDER,
  },
  servicePort: {
    id: 'TC-KAMAJI-SERVICE-PORT',
    title: 'Additional ports of the Service have names and numbers of their own.',
    source: SERVICE_BUILDER,
  },
  address: {
    id: 'TC-KAMAJI-ADDRESS',
    title: 'Addresses of the control plane are IP addresses, of the family of the Services; a NodePort Service needs one.',
    source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_funcs.go',
  },
  sourceRanges: {
    id: 'TC-KAMAJI-SOURCE-RANGES',
    title: 'A load balancer lets in at most 16 source ranges, each a CIDR block.',
    source: TENANT_CRD,
  },
  loadBalancerClass: {
    id: 'TC-KAMAJI-LOAD-BALANCER-CLASS',
    title: 'The class of a load balancer is a qualified name.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (loadBalancerClass)',
  },
  hostname: {
    id: 'TC-KAMAJI-HOSTNAME',
    title: 'The host name of an Ingress or a Gateway is a DNS name without port and wildcard.',
    source: TENANT_CRD,
  },
  route: {
    id: 'TC-KAMAJI-ROUTE',
    title: 'Ingress classes, Gateways and their listeners are referred to by names and ports that Kubernetes accepts.',
    source: OBJECT_NAMES,
  },
  passthrough: {
    id: 'TC-KAMAJI-PASSTHROUGH',
    title: 'An Ingress of the class "nginx" passes TLS through to the API server, which clients show their certificates to.',
    source: 'kubernetes/ingress-nginx docs/user-guide/tls.md (SSL Passthrough)',
    warning: true,
  },
  certificateName: {
    id: 'TC-KAMAJI-CERTIFICATE-NAME',
    title: 'Names in the certificate of the API server are IP addresses, DNS names or wildcard DNS names, without a port.',
    source: PROVIDER_RECONCILER,
  },
  konnectivity: {
    id: 'TC-KAMAJI-KONNECTIVITY',
    title: 'Konnectivity\'s port, images and replicas fit together.',
    source: PROVIDER_CRD,
  },
  konnectivityArgument: {
    id: 'TC-KAMAJI-KONNECTIVITY-ARGUMENT',
    title: 'An extra argument of konnectivity is a flag of that release, and Kamaji does not set it.',
    source: KONNECTIVITY_BUILDER,
  },
  image: {
    id: 'TC-KAMAJI-IMAGE',
    title: 'Registries and image names are given without scheme and tag, and a tag only together with its repository.',
    source: 'clastix/kamaji internal/resources/kubeadm_utils.go',
  },
  argument: {
    id: 'TC-KAMAJI-ARGUMENT',
    title: 'An extra argument is a flag of the component in that Kubernetes release, and nobody else sets it.',
    source: DEPLOYMENT_BUILDER,
  },
  anonymousAccess: {
    id: 'TC-KAMAJI-ANONYMOUS-ACCESS',
    title: 'The API server answers anonymous requests: its probes and machines that join ask without credentials.',
    source: DEPLOYMENT_BUILDER,
  },
  authorizationMode: {
    id: 'TC-KAMAJI-AUTHORIZATION-MODE',
    title: 'The API server authorizes by Node and RBAC, and never everything.',
    source: 'kubernetes.io/docs/reference/access-authn-authz/authorization',
  },
  controllers: {
    id: 'TC-KAMAJI-CONTROLLERS',
    title: 'The controller manager runs bootstrapsigner and tokencleaner, which are off unless they are named.',
    source: DEPLOYMENT_BUILDER,
  },
  featureGate: {
    id: 'TC-KAMAJI-FEATURE-GATE',
    title: 'A feature gate exists in the Kubernetes release and is not locked to the other setting.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/component-base/featuregate/feature_gate.go',
  },
  resources: {
    id: 'TC-KAMAJI-RESOURCES',
    title: 'Requests and limits are quantities, and no request is above its limit.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateContainerResourceRequirements)',
  },
  admissionPlugin: {
    id: 'TC-KAMAJI-ADMISSION-PLUGIN',
    title: 'An admission plug-in is one that the API server knows and Kamaji can switch on.',
    source: ADMISSION_PLUGINS,
  },
  admissionConfiguration: {
    id: 'TC-KAMAJI-ADMISSION-CONFIGURATION',
    title: 'EventRateLimit and ImagePolicyWebhook have a configuration file.',
    source: 'kubernetes/kubernetes plugin/pkg/admission/eventratelimit, plugin/pkg/admission/imagepolicy',
  },
  jwtIssuer: {
    id: 'TC-KAMAJI-JWT-ISSUER',
    title: 'Issuers of tokens are distinct https URLs with a valid certificate authority, at most 64 of them.',
    source: AUTHENTICATION_VALIDATION,
  },
  jwtAudience: {
    id: 'TC-KAMAJI-JWT-AUDIENCE',
    title: 'Every issuer has at least one audience, none empty or repeated.',
    source: AUTHENTICATION_VALIDATION,
  },
  jwtClaims: {
    id: 'TC-KAMAJI-JWT-CLAIMS',
    title: 'Claim mappings and validation rules name a claim or an expression without slips about what is there, and a mapped email is verified.',
    source: AUTHENTICATION_VALIDATION,
  },
  auditRule: {
    id: 'TC-KAMAJI-AUDIT-RULE',
    title: 'An audit policy has rules that the API server accepts.',
    source: AUDIT_VALIDATION,
  },
  auditSink: {
    id: 'TC-KAMAJI-AUDIT-SINK',
    title: 'Audit events go to the log, to a webhook, or to both.',
    source: 'kubernetes.io/docs/tasks/debug/debug-cluster/audit',
  },
  fileSource: {
    id: 'TC-KAMAJI-FILE-SOURCE',
    title: 'Files of the API server come from a named key of a ConfigMap or Secret.',
    source: OBJECT_NAMES,
  },
  volume: {
    id: 'TC-KAMAJI-VOLUME',
    title: 'Extra volumes have names that neither Kamaji nor another property uses.',
    source: DEPLOYMENT_BUILDER,
  },
  volumeMount: {
    id: 'TC-KAMAJI-VOLUME-MOUNT',
    title: 'An extra mount names an extra volume and a path of its own.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_deployment.go',
  },
  deployment: {
    id: 'TC-KAMAJI-DEPLOYMENT',
    title: 'The pods of the control plane can be made and rolled.',
    source: 'kubernetes/kubernetes pkg/apis/apps/validation/validation.go',
  },
  toleration: {
    id: 'TC-KAMAJI-TOLERATION',
    title: 'A toleration has a key unless it tolerates everything, and no value or time that it cannot have.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateTolerations)',
  },
  metadata: {
    id: 'TC-KAMAJI-METADATA',
    title: 'Labels and annotations have keys and values that Kubernetes accepts, and leave Kamaji\'s own labels alone.',
    source: 'kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go',
  },
  kubeletAddressTypes: {
    id: 'TC-KAMAJI-KUBELET-ADDRESS-TYPES',
    title: 'The API server tries at least one type of node address, each once.',
    source: PROVIDER_CRD,
  },
  kubeletPatch: {
    id: 'TC-KAMAJI-KUBELET-PATCH',
    title: 'A patch of the kubelet configuration is a complete JSON patch operation.',
    source: 'datatracker.ietf.org/doc/html/rfc6902',
  },
  probe: {
    id: 'TC-KAMAJI-PROBE',
    title: 'Numbers of a probe are whole and at least 1; a delay may be 0.',
    source: PROVIDER_CRD,
  },
} satisfies Record<string, Rule>;
