package alive

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
)

const (
	cloudTaint = "node.cloudprovider.kubernetes.io/uninitialized"
	// cloudLimit is how long the manager may take for one change: it looks again after five seconds, and later after more.
	cloudLimit = time.Minute
	// tenantServiceLabel says in the management cluster for which Service of the tenant one is
	// (kubevirt/cloud-provider-kubevirt pkg/provider/loadbalancer.go).
	tenantServiceLabel = "cluster.x-k8s.io/tenant-service-name"
)

var eventKind = schema.GroupKind{Kind: "Event"}

// initializationSteps are what the cloud controller manager of a KubeVirt tenant does with nodes. Without it no pod runs there.
func (t *tenant) initializationSteps() []step {
	if !t.hasDeployment("cloud-controller-manager") {
		return nil
	}
	return []step{{"the cloud controller manager has initialized all nodes", t.awaitInitialized}}
}

// cloudSteps are what it does with Services.
func (t *tenant) cloudSteps() []step {
	if !t.hasDeployment("cloud-controller-manager") {
		return nil
	}
	steps := []step{
		{"a Service of the tenant has a load balancer", t.publish},
		{"the load balancer follows its Service", t.republish},
		{"the load balancer goes with its Service", t.unpublish},
	}
	if len(t.ofKind(admissionPolicyKind)) > 0 {
		steps = append(steps, step{"Services of the tenant cannot take what is others'", t.publishForbidden})
	}
	return steps
}

// hasDeployment reports whether the page has a controller.
func (t *tenant) hasDeployment(name string) bool {
	return slices.ContainsFunc(t.ofKind(live.Deployment), func(object *live.Object) bool { return object.GetName() == t.name()+"-"+name })
}

func (t *tenant) awaitInitialized(ctx context.Context) error {
	return t.awaitInTenant(ctx, cloudLimit, func(client *live.Client) (string, error) {
		nodes, err := client.List(ctx, live.Node, "", nil)
		if err != nil || len(nodes) == 0 {
			return "there are no nodes", err
		}
		for i := range nodes {
			node := &nodes[i]
			for _, taint := range live.Maps(node.Object, "spec", "taints") {
				if live.String(taint, "key") == cloudTaint {
					return "node " + node.GetName() + " has the taint " + cloudTaint, nil
				}
			}
			if id := live.String(node.Object, "spec", "providerID"); id != "kubevirt://"+node.GetName() {
				return fmt.Sprintf("node %s has the providerID %q", node.GetName(), id), nil
			}
			instance, err := t.client.Get(ctx, live.VirtualMachineInstance, t.namespace(), node.GetName())
			if err != nil || instance == nil {
				return "there is no virtual machine " + node.GetName(), err
			}
			if want, got := instanceAddress(instance), internalAddress(node); want == "" || want != got {
				return fmt.Sprintf("node %s has the address %q, and its machine %q", node.GetName(), got, want), nil
			}
		}
		return "", nil
	})
}

func instanceAddress(instance *live.Object) string {
	for _, one := range live.Maps(instance.Object, "status", "interfaces") {
		return live.String(one, "ipAddress")
	}
	return ""
}

func internalAddress(node *live.Object) string {
	for _, address := range live.Maps(node.Object, "status", "addresses") {
		if live.String(address, "type") == "InternalIP" {
			return live.String(address, "address")
		}
	}
	return ""
}

// published is a Service of the tenant, with ports.
func published(name string, ports ...int64) *live.Object {
	service := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": "Service"}}
	service.SetNamespace("default")
	service.SetName(name)
	items := []any{}
	for _, port := range ports {
		items = append(items, map[string]any{"name": fmt.Sprintf("port-%d", port), "port": port, "protocol": "TCP"})
	}
	service.Object["spec"] = map[string]any{"type": "LoadBalancer", "selector": map[string]any{"app": name}, "ports": items}
	return service
}

func (t *tenant) publish(ctx context.Context) error { return t.publishWith(ctx, 80) }

func (t *tenant) republish(ctx context.Context) error { return t.publishWith(ctx, 80, 443) }

// publishWith applies a Service with ports to the tenant, and waits for a load balancer that leads from these ports to the machines.
func (t *tenant) publishWith(ctx context.Context, ports ...int64) error {
	return t.awaitInTenant(ctx, cloudLimit, func(client *live.Client) (string, error) {
		service, err := client.Overwrite(ctx, published("web", ports...))
		if err != nil {
			return "", err
		}
		played, err := t.loadBalancer(ctx, "web")
		if err != nil || played == nil {
			return "there is no Service for it in the management cluster", err
		}
		if missing := leadsTo(service, played); missing != "" {
			return missing, nil
		}
		if missing, err := t.selectsMachines(ctx, played); err != nil || missing != "" {
			return missing, err
		}
		wanted, got := ingressAddress(played), ingressAddress(service)
		if wanted == "" || wanted != got {
			return fmt.Sprintf("the Service has the address %q, and its load balancer %q", got, wanted), nil
		}
		return "", nil
	})
}

// loadBalancer is the Service of the management cluster for one of the tenant.
func (t *tenant) loadBalancer(ctx context.Context, name string) (*live.Object, error) {
	found, err := t.client.List(ctx, live.Service, t.namespace(), map[string]string{tenantServiceLabel: name, live.ClusterLabel: t.name()})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// leadsTo returns what is missing on the way from the ports of a load balancer to the node ports of a Service.
func leadsTo(service, balancer *live.Object) string {
	wanted, got := map[int64]int64{}, map[int64]int64{}
	for _, port := range live.Maps(service.Object, "spec", "ports") {
		wanted[live.Int(port, "port")] = live.Int(port, "nodePort")
	}
	for _, port := range live.Maps(balancer.Object, "spec", "ports") {
		got[live.Int(port, "port")] = live.Int(port, "targetPort")
	}
	if !maps.Equal(wanted, got) {
		return fmt.Sprintf("the Service leads ports to node ports %v, and its load balancer %v", wanted, got)
	}
	return ""
}

// selectsMachines returns a machine that a load balancer passes over.
func (t *tenant) selectsMachines(ctx context.Context, balancer *live.Object) (string, error) {
	machines, err := t.client.List(ctx, live.VirtualMachineInstance, t.namespace(), map[string]string{live.ClusterLabel: t.name()})
	if err != nil {
		return "", err
	}
	selector := live.Strings(balancer.Object, "spec", "selector")
	for i := range machines {
		labels := machines[i].GetLabels()
		for key, value := range selector {
			if labels[key] != value {
				return fmt.Sprintf("the load balancer selects %s=%s, and machine %s has %q", key, value, machines[i].GetName(), labels[key]), nil
			}
		}
	}
	return "", nil
}

func ingressAddress(service *live.Object) string {
	for _, ingress := range live.Maps(service.Object, "status", "loadBalancer", "ingress") {
		return live.String(ingress, "ip")
	}
	return ""
}

// forbidden are Services that would take more than a tenant may, and what its admission policy says.
func forbidden() map[string]*live.Object {
	annotated := published("annotated", 80)
	annotated.SetAnnotations(map[string]string{"metallb.io/loadBalancerIPs": "192.0.2.1"})
	external := published("external", 80)
	external.Object["spec"].(map[string]any)["externalIPs"] = []any{"192.0.2.1"}
	address := published("address", 80)
	address.Object["spec"].(map[string]any)["loadBalancerIP"] = "192.0.2.1"
	return map[string]*live.Object{
		"must not set the annotations metallb.io/loadBalancerIPs": annotated, "must not set externalIPs": external, "must not set loadBalancerIP": address,
	}
}

// publishForbidden wants that these Services get no load balancer, and that an Event in the tenant says why.
func (t *tenant) publishForbidden(ctx context.Context) error {
	for words, service := range forbidden() {
		if err := t.awaitInTenant(ctx, cloudLimit, func(client *live.Client) (string, error) {
			if err := client.Ensure(ctx, service); err != nil {
				return "", err
			}
			played, err := t.loadBalancer(ctx, service.GetName())
			if err != nil || played != nil {
				return "Service " + service.GetName() + " has a load balancer", err
			}
			events, err := client.List(ctx, eventKind, service.GetNamespace(), nil)
			if err != nil {
				return "", err
			}
			for i := range events {
				if live.String(events[i].Object, "involvedObject", "name") == service.GetName() && strings.Contains(live.String(events[i].Object, "message"), words) {
					return "", client.Delete(ctx, service)
				}
			}
			return fmt.Sprintf("no Event of Service %s says %q", service.GetName(), words), nil
		}); err != nil {
			return err
		}
	}
	return nil
}

var admissionPolicyKind = schema.GroupKind{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicy"}

func (t *tenant) unpublish(ctx context.Context) error {
	return t.awaitInTenant(ctx, cloudLimit, func(client *live.Client) (string, error) {
		service := published("web", 80)
		if err := client.Delete(ctx, service); err != nil {
			return "", err
		}
		if left, err := client.Get(ctx, live.Service, service.GetNamespace(), service.GetName()); err != nil || left != nil {
			return "the Service of the tenant is still there", err
		}
		if played, err := t.loadBalancer(ctx, "web"); err != nil || played != nil {
			return "its load balancer is still there", err
		}
		return "", nil
	})
}
