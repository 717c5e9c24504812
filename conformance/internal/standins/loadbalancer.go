package standins

import (
	"context"

	"conformance/internal/live"
)

// stepLoadBalancers gives every Service of type LoadBalancer an address, on which nothing answers unless somebody plays the network.
func (s *StandIns) stepLoadBalancers(ctx context.Context) error {
	services, err := s.Client.List(ctx, live.Service, s.Namespace, nil)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for i := range services {
		for _, ingress := range live.Maps(services[i].Object, "status", "loadBalancer", "ingress") {
			taken[live.String(ingress, "ip")] = true
		}
	}
	for i := range services {
		service := &services[i]
		if live.String(service.Object, "spec", "type") != "LoadBalancer" || len(live.Maps(service.Object, "status", "loadBalancer", "ingress")) > 0 {
			continue
		}
		address := s.loadBalancerAddress(taken)
		taken[address] = true
		status := map[string]any{"loadBalancer": map[string]any{"ingress": []any{map[string]any{"ip": address}}}}
		if err := s.Client.Merge(ctx, service, map[string]any{"status": status}, "status"); err != nil {
			return err
		}
	}
	return nil
}

// loadBalancerAddress returns the first address of the range that is not taken.
func (s *StandIns) loadBalancerAddress(taken map[string]bool) string {
	if !s.LoadBalancers.IsValid() {
		return "127.0.0.1"
	}
	address := s.LoadBalancers.Addr().Next()
	for taken[address.String()] {
		address = address.Next()
	}
	return address.String()
}
