import { Rule } from '../../../manifests/values/problem';

/** What a controller of custom resources is held to. Its image, resources and pod are held to the rules of all controllers (`TC-CONTROLLER-…`). */
export const OPERATOR_RULES = {
  name: {
    id: 'TC-OPERATOR-NAME',
    title: 'The name of an operator must be a DNS label of at most 55 characters, which Services are called by, and its namespace must be set, on the operator or its chart.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  nameTaken: {
    id: 'TC-OPERATOR-NAME-TAKEN',
    title: 'Operators in one chart must have different names or namespaces.',
  },
  replicas: {
    id: 'TC-OPERATOR-REPLICAS',
    title: 'More than one replica requires leader election: two active controllers undo each other\'s changes.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/cmd/main.go (leader-elect)',
  },
  disruption: {
    id: 'TC-OPERATOR-DISRUPTION',
    title: 'A disruption budget must keep at least one pod of an operator, and must allow the eviction of at least one.',
  },
  permission: {
    id: 'TC-OPERATOR-PERMISSION',
    title: 'A permission must have resources in lower case and at least one verb.',
    source: 'kubernetes/kubernetes pkg/apis/rbac/validation/validation.go',
  },
  wildcard: {
    id: 'TC-OPERATOR-WILDCARD',
    title: 'A permission for every group, resource or verb must set allowWildcards.',
  },
  status: {
    id: 'TC-OPERATOR-STATUS',
    title: 'A controller that updates the status of a type needs its status subresource: without it the API server answers 404.',
    source: 'kubernetes/sample-controller controller.go (UpdateStatus)',
  },
  scope: {
    id: 'TC-OPERATOR-SCOPE',
    title: 'An operator must work in its own namespace, in those that are listed, or in all; only if it works in all can a ClusterRole grant access to namespaced resources.',
  },
  argument: {
    id: 'TC-OPERATOR-ARGUMENT',
    title: 'Arguments must not be empty, and a flag must be set only once, by the user or by a feature.',
  },
  port: {
    id: 'TC-OPERATOR-PORT',
    title: 'Health, metrics and webhooks must have different ports, from 1 to 65535.',
  },
  volume: {
    id: 'TC-OPERATOR-VOLUME',
    title: 'Volumes of one name must have the same source, their objects must have DNS names, and each container must mount them at different absolute paths.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  },
  user: {
    id: 'TC-OPERATOR-USER',
    title: 'The containers must run as a user other than root.',
    source: 'kubernetes.io/docs/concepts/security/pod-security-standards (restricted)',
  },
  topologySpread: {
    id: 'TC-OPERATOR-TOPOLOGY-SPREAD',
    title: 'A topology spread constraint must name a valid label of nodes: the API server accepts others, which no node has.',
  },
  webhook: {
    id: 'TC-OPERATOR-WEBHOOK',
    title: 'An operator with webhooks must have at least one; each must be for served versions and existing subresources of its type.',
  },
  webhookOwnPods: {
    id: 'TC-OPERATOR-WEBHOOK-OWN-PODS',
    title: 'A webhook for new pods should not select the operator\'s own pods: once all of them are down, none could start again.',
    source: 'book.kubebuilder.io/reference/webhook-bootstrap-problem',
    warning: true,
  },
  conversion: {
    id: 'TC-OPERATOR-CONVERSION',
    title: 'An operator whose Service converts objects of a type must set conversion, and such types must name the Service of the operator.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/crd/patches',
  },
  certificate: {
    id: 'TC-OPERATOR-CERTIFICATE',
    title: 'Certificates must come from cert-manager or from a Secret: that of webhooks with the authority that signed it, that of metrics only where they are served with TLS.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/certmanager',
  },
  serviceMonitor: {
    id: 'TC-OPERATOR-SERVICE-MONITOR',
    title: 'A ServiceMonitor must have valid labels, an interval in whole seconds, and a certificate that Prometheus can verify or insecureSkipVerify.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/prometheus',
  },
  networkPolicy: {
    id: 'TC-OPERATOR-NETWORK-POLICY',
    title: 'A NetworkPolicy must allow namespaces only to existing metrics and webhooks.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/network-policy',
  },
} satisfies Record<string, Rule>;
