package policies

import (
	"maps"
	"net/netip"
	"slices"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// matchesPeer reports whether a rule of a policy in a namespace lets a peer through.
func (e *Evaluator) matchesPeer(r rule, namespace string, other Peer) bool {
	return len(r.peers) == 0 || slices.ContainsFunc(r.peers, func(p peer) bool {
		pod := other.onPodNetwork()
		switch {
		case p.pods == nil:
			return (pod == nil || e.RangesMatchPods) && p.contains(other.Address)
		case pod == nil || !p.pods.Matches(labels.Set(pod.Labels)):
			return false
		case p.namespaces == nil:
			return pod.Namespace == namespace
		default:
			return p.namespaces.Matches(e.labelsOf(pod.Namespace))
		}
	})
}

// labelsOf returns the labels of a namespace, with the one that every API server sets.
func (e *Evaluator) labelsOf(namespace string) labels.Set {
	all := maps.Clone(e.namespaces[namespace])
	if all == nil {
		all = map[string]string{}
	}
	all[corev1.LabelMetadataName] = namespace
	return all
}

func (p peer) contains(address netip.Addr) bool {
	address = address.Unmap()
	return p.block.Contains(address) && !slices.ContainsFunc(p.except, func(except netip.Prefix) bool { return except.Contains(address) })
}

// matchesPort reports whether the rule lets the port of a connection through.
func (r rule) matchesPort(c Connection) bool {
	return len(r.ports) == 0 || slices.ContainsFunc(r.ports, func(port networkingv1.NetworkPolicyPort) bool {
		switch {
		case protocolOf(port) != c.Protocol:
			return false
		case port.Port == nil:
			return true
		case port.Port.Type == intstr.String:
			return hasPort(c.To.onPodNetwork(), port.Port.StrVal, c.Protocol, c.Port)
		case port.EndPort != nil:
			return port.Port.IntVal <= int32(c.Port) && int32(c.Port) <= *port.EndPort
		default:
			return port.Port.IntVal == int32(c.Port)
		}
	})
}

func protocolOf(port networkingv1.NetworkPolicyPort) corev1.Protocol {
	if port.Protocol == nil {
		return corev1.ProtocolTCP
	}
	return *port.Protocol
}

// hasPort reports whether a container of the pod that runs beside others gives a port this name. A name in a rule means a port of the pod
// that is connected to, in both directions.
func hasPort(pod *corev1.Pod, name string, protocol corev1.Protocol, number uint16) bool {
	if pod == nil {
		return false
	}
	containers := slices.Clone(pod.Spec.Containers)
	for _, container := range pod.Spec.InitContainers {
		if container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			containers = append(containers, container)
		}
	}
	return slices.ContainsFunc(containers, func(container corev1.Container) bool {
		return slices.ContainsFunc(container.Ports, func(port corev1.ContainerPort) bool {
			declared := port.Protocol
			if declared == "" {
				declared = corev1.ProtocolTCP
			}
			return port.Name == name && declared == protocol && port.ContainerPort == int32(number)
		})
	})
}
