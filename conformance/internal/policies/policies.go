// Package policies finds out, without a network, whether NetworkPolicies (networking.k8s.io/v1) let a connection through.
//
// It follows the strictest plug-in where they differ, so that a connection that it lets through works with all:
//   - Addresses are compared after the translation of Services: the end of a connection is the pod, not the Service in front of it.
//   - A node reaches its own pods, as its kubelet does with probes. A pod reaches its own node only if its policies say so: the API has
//     an exception for ingress alone (kubernetes/api networking/v1/types.go), and Calico looks at egress to the own node like at any other
//     (projectcalico/calico, DefaultEndpointToHostAction), although the concept page of Kubernetes exempts both.
//   - A pod in the network of its node is the node to a policy: no policy selects it, and only ranges of addresses match it.
//   - Ranges of addresses match nodes, and match pods only with RangesMatchPods.
package policies

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// Peer is an end of a connection.
type Peer struct {
	Address netip.Addr
	// Pod is nil for a node and for a machine outside the cluster.
	Pod *corev1.Pod
	// Node is the name of the node if the address is one of a node. A pod in the network of its node does not need it.
	Node string
	// Name is what messages call the peer. Default: the name of the pod or node, or the address.
	Name string
}

// Connection is a flow of packets. What a policy lets through it also lets back.
type Connection struct {
	From, To Peer
	Port     uint16
	// Protocol defaults to TCP.
	Protocol corev1.Protocol
}

// Evaluator judges connections.
type Evaluator struct {
	// RangesMatchPods makes ipBlocks match addresses of pods, as Antrea, Calico, kube-router and OVN-Kubernetes do, and Cilium does not:
	// the API only says that ranges should be outside the cluster. Leave it unset to show that every plug-in lets a connection through,
	// since more connections pass if it is set. Set it to show that every plug-in cuts one.
	RangesMatchPods bool

	policies   []policy
	namespaces map[string]map[string]string
}

// New returns an evaluator. The namespaces are labels by name; a namespace that is not among them has the label with its name only.
func New(networkPolicies []networkingv1.NetworkPolicy, namespaces map[string]map[string]string) (*Evaluator, error) {
	e := &Evaluator{namespaces: namespaces}
	for _, networkPolicy := range networkPolicies {
		compiled, err := compile(networkPolicy)
		if err != nil {
			return nil, fmt.Errorf("NetworkPolicy %s/%s: %w", networkPolicy.Namespace, networkPolicy.Name, err)
		}
		e.policies = append(e.policies, compiled)
	}
	return e, nil
}

// Check returns why policies cut the connection, with what they let through instead, or nothing if they let it through.
func (e *Evaluator) Check(c Connection) string {
	c.Protocol = cmp.Or(c.Protocol, corev1.ProtocolTCP)
	if samePod(c.From.onPodNetwork(), c.To.onPodNetwork()) {
		return "" // Packets of a pod to itself do not leave it.
	}
	var reasons []string
	if reason := e.judge(c, c.From, c.To, networkingv1.PolicyTypeEgress); reason != "" {
		reasons = append(reasons, reason)
	}
	if pod := c.To.onPodNetwork(); pod == nil || pod.Spec.NodeName == "" || pod.Spec.NodeName != c.From.node() {
		if reason := e.judge(c, c.To, c.From, networkingv1.PolicyTypeIngress); reason != "" {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return fmt.Sprintf("%s -> %s, %s %d: %s", c.From.describe(), c.To.describe(), c.Protocol, c.Port, strings.Join(reasons, "; "))
}

// judge returns why the policies of one end cut the connection.
func (e *Evaluator) judge(c Connection, end, other Peer, direction networkingv1.PolicyType) string {
	pod := end.onPodNetwork()
	if pod == nil {
		return ""
	}
	var cutting []string
	for _, p := range e.policies {
		if !p.selects(pod, direction) {
			continue
		}
		for _, rule := range p.rules[direction] {
			if rule.matchesPort(c) && e.matchesPeer(rule, p.namespace, other) {
				return ""
			}
		}
		cutting = append(cutting, fmt.Sprintf("NetworkPolicy %s/%s lets through %s", p.namespace, p.name, describeRules(p.rules[direction])))
	}
	if len(cutting) == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s is cut, %s", strings.ToLower(string(direction)), end.describe(), strings.Join(cutting, ", "))
}

// onPodNetwork returns the pod, unless there is none or it uses the network of its node.
func (p Peer) onPodNetwork() *corev1.Pod {
	if p.Pod == nil || p.Pod.Spec.HostNetwork {
		return nil
	}
	return p.Pod
}

// node returns the name of the node that the peer is to a policy, or nothing.
func (p Peer) node() string {
	if p.Pod != nil && p.Pod.Spec.HostNetwork {
		return p.Pod.Spec.NodeName
	}
	return p.Node
}

func (p Peer) describe() string {
	switch {
	case p.Name != "":
		return p.Name
	case p.Pod != nil:
		return fmt.Sprintf("Pod %s/%s", p.Pod.Namespace, p.Pod.Name)
	case p.Node != "":
		return "Node " + p.Node
	default:
		return p.Address.String()
	}
}

func samePod(a, b *corev1.Pod) bool {
	return a != nil && b != nil && a.Namespace == b.Namespace && a.Name == b.Name
}
