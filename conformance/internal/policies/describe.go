package policies

import (
	"fmt"
	"strings"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// describeRules says what rules let through, for a person who wonders why a connection is not among it.
func describeRules(rules []rule) string {
	if len(rules) == 0 {
		return "nothing"
	}
	return describeEach(rules, ", or ", func(r rule) string {
		return fmt.Sprintf("%s of %s", describePorts(r.ports), describePeers(r.peers))
	})
}

func describePorts(ports []networkingv1.NetworkPolicyPort) string {
	if len(ports) == 0 {
		return "every port"
	}
	return describeEach(ports, " and ", func(port networkingv1.NetworkPolicyPort) string {
		switch {
		case port.Port == nil:
			return "every port of " + string(protocolOf(port))
		case port.EndPort != nil:
			return fmt.Sprintf("%s %s-%d", protocolOf(port), port.Port, *port.EndPort)
		default:
			return fmt.Sprintf("%s %s", protocolOf(port), port.Port)
		}
	})
}

func describePeers(peers []peer) string {
	if len(peers) == 0 {
		return "every peer"
	}
	return describeEach(peers, " and ", func(p peer) string {
		switch {
		case p.pods != nil && p.namespaces != nil:
			return fmt.Sprintf("%s in %s", describeSelector("pods", p.pods), describeSelector("namespaces", p.namespaces))
		case p.pods != nil:
			return describeSelector("pods", p.pods)
		case len(p.except) > 0:
			return fmt.Sprintf("%s without %s", p.block, strings.Trim(fmt.Sprint(p.except), "[]"))
		default:
			return p.block.String()
		}
	})
}

func describeSelector(what string, selector labels.Selector) string {
	if selector.Empty() {
		return "all " + what
	}
	return fmt.Sprintf("%s with %s", what, selector)
}

func describeEach[T any](items []T, separator string, describe func(T) string) string {
	texts := make([]string, 0, len(items))
	for _, item := range items {
		texts = append(texts, describe(item))
	}
	return strings.Join(texts, separator)
}
