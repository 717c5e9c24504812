import { Rule } from '../../../manifests/values/problem';

/** What a controller of custom resources is held to. Its image, resources and pod are held to the rules of all controllers (`TC-CONTROLLER-…`). */
export const OPERATOR_RULES = {
  name: {
    id: 'TC-OPERATOR-NAME',
    title: 'An operator has a DNS label of at most 55 characters for a name, which Services are called by, and a namespace, its own or the chart\'s.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  nameTaken: {
    id: 'TC-OPERATOR-NAME-TAKEN',
    title: 'Two operators in one chart have different names or namespaces.',
  },
  replicas: {
    id: 'TC-OPERATOR-REPLICAS',
    title: 'More than one replica needs leader election: two controllers that both work undo what the other does.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/cmd/main.go (leader-elect)',
  },
  disruption: {
    id: 'TC-OPERATOR-DISRUPTION',
    title: 'A disruption budget must keep at least one pod of an operator, and must allow the eviction of at least one.',
  },
  permission: {
    id: 'TC-OPERATOR-PERMISSION',
    title: 'A permission names resources in lower case and at least one verb.',
    source: 'kubernetes/kubernetes pkg/apis/rbac/validation/validation.go',
  },
  wildcard: {
    id: 'TC-OPERATOR-WILDCARD',
    title: 'A permission for every group, resource or verb is one that the user has said to want.',
  },
  status: {
    id: 'TC-OPERATOR-STATUS',
    title: 'A controller that updates the status of a type needs its status subresource: without it the API server answers 404.',
    source: 'kubernetes/sample-controller controller.go (UpdateStatus)',
  },
  scope: {
    id: 'TC-OPERATOR-SCOPE',
    title: 'An operator works in its own namespace, in those that are named, or in all; a ClusterRole gives it rights only where it works in all, or to what belongs to no namespace.',
  },
  argument: {
    id: 'TC-OPERATOR-ARGUMENT',
    title: 'Arguments are not empty, and no flag is given twice, by the user and by a feature.',
  },
  port: {
    id: 'TC-OPERATOR-PORT',
    title: 'Health, metrics and webhooks have ports of their own, from 1 to 65535.',
  },
  volume: {
    id: 'TC-OPERATOR-VOLUME',
    title: 'Volumes of one name have the same source, the names of their objects are DNS names, and each container mounts them at different absolute paths.',
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  },
  user: {
    id: 'TC-OPERATOR-USER',
    title: 'The containers run as a user other than root.',
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
    title: 'Whether pods may be made is not asked of an operator about its own pods: once it is down, nothing could start it again.',
    source: 'book.kubebuilder.io/reference/webhook-bootstrap-problem',
    warning: true,
  },
  conversion: {
    id: 'TC-OPERATOR-CONVERSION',
    title: 'An operator whose Service converts objects of a type is said to do so, and types name the Service of the operator that converts them.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/crd/patches',
  },
  certificate: {
    id: 'TC-OPERATOR-CERTIFICATE',
    title: 'Certificates come from cert-manager or from a Secret: that of webhooks with the authority that signed it, that of metrics where they are served with TLS.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/certmanager',
  },
  serviceMonitor: {
    id: 'TC-OPERATOR-SERVICE-MONITOR',
    title: 'A ServiceMonitor has valid labels, an interval of whole seconds, and a certificate that Prometheus can check, unless the user has said not to check it.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/prometheus',
  },
  networkPolicy: {
    id: 'TC-OPERATOR-NETWORK-POLICY',
    title: 'A NetworkPolicy must allow namespaces only to existing metrics and webhooks.',
    source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/network-policy',
  },
} satisfies Record<string, Rule>;
