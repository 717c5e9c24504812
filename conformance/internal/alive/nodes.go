package alive

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
	"conformance/internal/sandbox"
)

// nodes are the nodes of the management cluster, all of them this machine: enough to spread three replicas.
var nodes = []string{"host-1", "host-2", "host-3"}

const (
	leaseNamespace = "kube-node-lease"
	leaseSeconds   = 40
	renewal        = 10 * time.Second
)

var lease = schema.GroupKind{Group: "coordination.k8s.io", Kind: "Lease"}

// registerNodes adds the nodes, each in a zone of its own.
func (w *world) registerNodes(ctx context.Context) error {
	for i, name := range nodes {
		node := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": "Node"}}
		node.SetName(name)
		node.SetLabels(map[string]string{
			"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
			"topology.kubernetes.io/zone": fmt.Sprintf("zone-%d", i+1),
		})
		if err := w.client.Ensure(ctx, node); err != nil {
			return err
		}
		now := time.Now().UTC().Format(time.RFC3339)
		resources := map[string]any{"cpu": "64", "memory": "256Gi", "pods": "250", "ephemeral-storage": "1Ti"}
		if err := w.client.Merge(ctx, node, map[string]any{"status": map[string]any{
			"capacity": resources, "allocatable": resources,
			"addresses": []any{
				map[string]any{"type": "InternalIP", "address": sandbox.Node.String()}, map[string]any{"type": "Hostname", "address": name},
			},
			"conditions": []any{map[string]any{
				"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "played", "lastHeartbeatTime": now, "lastTransitionTime": now,
			}},
		}}, "status"); err != nil {
			return err
		}
	}
	return nil
}

// renewLeases keeps the nodes alive.
func (w *world) renewLeases(ctx context.Context) {
	ticker := time.NewTicker(renewal)
	defer ticker.Stop()
	for {
		for _, name := range nodes {
			if err := w.renewLease(ctx, name); err != nil && ctx.Err() == nil {
				fmt.Fprintf(w.Log, "lease of %s: %v\n", name, err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (w *world) renewLease(ctx context.Context, name string) error {
	object := &live.Object{Object: map[string]any{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease"}}
	object.SetName(name)
	object.SetNamespace(leaseNamespace)
	if err := w.client.Ensure(ctx, object); err != nil {
		return err
	}
	return w.client.Merge(ctx, object, map[string]any{"spec": map[string]any{
		"holderIdentity": name, "leaseDurationSeconds": leaseSeconds, "renewTime": time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
	}})
}
