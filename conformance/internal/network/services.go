package network

import (
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
)

// serviceAddresses returns the addresses on which a Service is reached.
func serviceAddresses(service *corev1.Service) []netip.Addr {
	texts := append([]string{}, service.Spec.ClusterIPs...)
	for _, ingress := range service.Status.LoadBalancer.Ingress {
		texts = append(texts, ingress.IP)
	}
	return parse(append(texts, service.Spec.ExternalIPs...))
}

// parse returns the addresses among texts: a headless Service has the text None.
func parse(texts []string) []netip.Addr {
	var addresses []netip.Addr
	for _, text := range texts {
		if address, err := netip.ParseAddr(text); err == nil {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

// targets returns the ready endpoints behind a port of a Service. A slice names its ports like the Service.
func targets(slices []discoveryv1.EndpointSlice, port string) []netip.AddrPort {
	var result []netip.AddrPort
	for _, slice := range slices {
		for _, candidate := range slice.Ports {
			if candidate.Port == nil || (candidate.Name != nil && *candidate.Name != port) {
				continue
			}
			for _, address := range readyAddresses(slice) {
				result = append(result, netip.AddrPortFrom(address, uint16(*candidate.Port)))
			}
		}
	}
	return result
}

// readyAddresses returns the addresses of the endpoints of a slice that are not known to be unready.
func readyAddresses(slice discoveryv1.EndpointSlice) []netip.Addr {
	var addresses []netip.Addr
	for _, endpoint := range slice.Endpoints {
		if ready := endpoint.Conditions.Ready; ready == nil || *ready {
			addresses = append(addresses, parse(endpoint.Addresses)...)
		}
	}
	return addresses
}

// addNames adds the names under which DNS knows a Service and, if it is headless, its pods.
func addNames(names map[string][]netip.Addr, service *corev1.Service, slices []discoveryv1.EndpointSlice) {
	name := service.Name + "." + service.Namespace + ".svc"
	if service.Spec.ClusterIP != corev1.ClusterIPNone {
		names[name] = parse(service.Spec.ClusterIPs)
		return
	}
	for _, slice := range slices {
		names[name] = append(names[name], readyAddresses(slice)...)
		for _, endpoint := range slice.Endpoints {
			if endpoint.Hostname != nil {
				names[*endpoint.Hostname+"."+name] = parse(endpoint.Addresses)
			}
		}
	}
}
