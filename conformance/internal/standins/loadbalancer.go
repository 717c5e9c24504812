package standins

import (
	"context"

	"conformance/internal/live"
)

// stepLoadBalancers gives every Service of type LoadBalancer an address of the loopback interface, on which nothing answers.
func (s *StandIns) stepLoadBalancers(ctx context.Context) error {
	services, err := s.client.List(ctx, live.Service, s.namespace, nil)
	if err != nil {
		return err
	}
	for i := range services {
		service := &services[i]
		if live.String(service.Object, "spec", "type") != "LoadBalancer" || len(live.Maps(service.Object, "status", "loadBalancer", "ingress")) > 0 {
			continue
		}
		status := map[string]any{"loadBalancer": map[string]any{"ingress": []any{map[string]any{"ip": "127.0.0.1"}}}}
		if err := s.client.Merge(ctx, service, map[string]any{"status": status}, "status"); err != nil {
			return err
		}
	}
	return nil
}
