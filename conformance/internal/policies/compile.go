package policies

import (
	"fmt"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// policy is a NetworkPolicy with its defaults and selectors that are ready to use.
type policy struct {
	namespace, name string
	pods            labels.Selector
	// rules has an entry, which may be empty, for each direction that the policy limits.
	rules map[networkingv1.PolicyType][]rule
}

// rule lets through what matches one of the peers and one of the ports. An empty list matches everything.
type rule struct {
	peers []peer
	ports []networkingv1.NetworkPolicyPort
}

// peer is a range of addresses, or selectors of pods.
type peer struct {
	block  netip.Prefix
	except []netip.Prefix
	// pods is nil for a range.
	pods labels.Selector
	// namespaces is nil for the namespace of the policy.
	namespaces labels.Selector
}

func compile(source networkingv1.NetworkPolicy) (policy, error) {
	pods, err := metav1.LabelSelectorAsSelector(&source.Spec.PodSelector)
	if err != nil {
		return policy{}, fmt.Errorf("spec.podSelector: %w", err)
	}
	p := policy{namespace: source.Namespace, name: source.Name, pods: pods, rules: map[networkingv1.PolicyType][]rule{}}
	for _, policyType := range policyTypes(source.Spec) {
		p.rules[policyType] = nil
	}
	for i, ingress := range source.Spec.Ingress {
		if err := p.add(networkingv1.PolicyTypeIngress, ingress.From, ingress.Ports); err != nil {
			return policy{}, fmt.Errorf("spec.ingress[%d].from%w", i, err)
		}
	}
	for i, egress := range source.Spec.Egress {
		if err := p.add(networkingv1.PolicyTypeEgress, egress.To, egress.Ports); err != nil {
			return policy{}, fmt.Errorf("spec.egress[%d].to%w", i, err)
		}
	}
	return p, nil
}

// policyTypes returns the directions that a policy limits (kubernetes/kubernetes pkg/apis/networking/v1/defaults.go).
func policyTypes(spec networkingv1.NetworkPolicySpec) []networkingv1.PolicyType {
	switch {
	case len(spec.PolicyTypes) > 0:
		return spec.PolicyTypes
	case len(spec.Egress) > 0:
		return []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}
	default:
		return []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
	}
}

// add compiles a rule. Rules of a direction that the policy does not limit have no effect.
func (p *policy) add(
	direction networkingv1.PolicyType, sources []networkingv1.NetworkPolicyPeer, ports []networkingv1.NetworkPolicyPort,
) error {
	compiled := rule{ports: ports}
	for i, source := range sources {
		peer, err := compilePeer(source)
		if err != nil {
			return fmt.Errorf("[%d]%w", i, err)
		}
		compiled.peers = append(compiled.peers, peer)
	}
	if rules, limited := p.rules[direction]; limited {
		p.rules[direction] = append(rules, compiled)
	}
	return nil
}

func compilePeer(source networkingv1.NetworkPolicyPeer) (peer, error) {
	if source.IPBlock != nil {
		return compileBlock(*source.IPBlock)
	}
	if source.PodSelector == nil && source.NamespaceSelector == nil {
		return peer{}, fmt.Errorf(": one of ipBlock, podSelector and namespaceSelector is required")
	}
	p := peer{pods: labels.Everything()}
	var err error
	if source.PodSelector != nil {
		if p.pods, err = metav1.LabelSelectorAsSelector(source.PodSelector); err != nil {
			return peer{}, fmt.Errorf(".podSelector: %w", err)
		}
	}
	if source.NamespaceSelector != nil {
		if p.namespaces, err = metav1.LabelSelectorAsSelector(source.NamespaceSelector); err != nil {
			return peer{}, fmt.Errorf(".namespaceSelector: %w", err)
		}
	}
	return p, nil
}

func compileBlock(source networkingv1.IPBlock) (peer, error) {
	block, err := netip.ParsePrefix(source.CIDR)
	if err != nil {
		return peer{}, fmt.Errorf(".ipBlock.cidr: %w", err)
	}
	p := peer{block: block}
	for i, text := range source.Except {
		except, err := netip.ParsePrefix(text)
		if err != nil {
			return peer{}, fmt.Errorf(".ipBlock.except[%d]: %w", i, err)
		}
		p.except = append(p.except, except)
	}
	return p, nil
}

// selects reports whether the policy limits a direction of a pod on the pod network.
func (p policy) selects(pod *corev1.Pod, direction networkingv1.PolicyType) bool {
	_, limited := p.rules[direction]
	return limited && pod.Namespace == p.namespace && p.pods.Matches(labels.Set(pod.Labels))
}
