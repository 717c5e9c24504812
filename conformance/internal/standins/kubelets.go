package standins

import (
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
)

const (
	leaseNamespace = "kube-node-lease"
	leaseSeconds   = 40
	renewal        = 10 * time.Second
)

var (
	leaseKind   = schema.GroupKind{Group: "coordination.k8s.io", Kind: "Lease"}
	csiNodeKind = schema.GroupKind{Group: "storage.k8s.io", Kind: "CSINode"}
	driverKind  = schema.GroupKind{Group: "storage.k8s.io", Kind: "CSIDriver"}
)

// keepNode does what the kubelet of a machine does while it runs: capacity, conditions, lease, CSI drivers.
func (s *StandIns) keepNode(ctx context.Context, node, instance *live.Object, running bool) error {
	if !running || time.Since(s.renewed[node.GetName()]) < renewal {
		return nil // The controllers of Kubernetes see that it is silent.
	}
	if err := s.writeCapacity(ctx, node, instance); err != nil {
		return err
	}
	if err := s.writeNodeStatus(ctx, node, true); err != nil {
		return err
	}
	if err := s.renewLease(ctx, node.GetName()); err != nil {
		return err
	}
	if err := s.registerDrivers(ctx, node, instance); err != nil {
		return err
	}
	s.renewed[node.GetName()] = time.Now()
	return nil
}

// writeCapacity reports the size of the machine.
func (s *StandIns) writeCapacity(ctx context.Context, node, instance *live.Object) error {
	if len(live.Strings(node.Object, "status", "capacity")) > 0 {
		return nil
	}
	cores := max(1, live.Int(instance.Object, "spec", "domain", "cpu", "cores")) * max(1, live.Int(instance.Object, "spec", "domain", "cpu", "sockets")) *
		max(1, live.Int(instance.Object, "spec", "domain", "cpu", "threads"))
	memory := live.String(instance.Object, "spec", "domain", "memory", "guest")
	if memory == "" {
		memory = live.String(instance.Object, "spec", "domain", "resources", "requests", "memory")
	}
	size := map[string]any{"cpu": cores, "memory": memory, "pods": 110, "ephemeral-storage": "20Gi"}
	return s.tenant.Client.Merge(ctx, node, map[string]any{"status": map[string]any{
		"capacity": size, "allocatable": size,
	}}, "status")
}

func (s *StandIns) renewLease(ctx context.Context, name string) error {
	lease := &live.Object{Object: map[string]any{"apiVersion": "coordination.k8s.io/v1", "kind": leaseKind.Kind}}
	lease.SetName(name)
	lease.SetNamespace(leaseNamespace)
	if err := s.tenant.Client.Ensure(ctx, lease); err != nil {
		return err
	}
	return s.tenant.Client.Merge(ctx, lease, map[string]any{"spec": map[string]any{
		"holderIdentity": name, "leaseDurationSeconds": leaseSeconds, "renewTime": time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
	}})
}

// registerDrivers does what the registrar of a CSI driver makes the kubelet do. KubeVirt's driver calls a node by namespace and name of its machine
// (kubevirt/csi-driver pkg/service/node.go).
func (s *StandIns) registerDrivers(ctx context.Context, node, instance *live.Object) error {
	drivers, err := s.tenant.Client.List(ctx, driverKind, "", nil)
	if err != nil || len(drivers) == 0 {
		return err
	}
	registered := &live.Object{Object: map[string]any{"apiVersion": "storage.k8s.io/v1", "kind": csiNodeKind.Kind, "spec": map[string]any{"drivers": []any{}}}}
	registered.SetName(node.GetName())
	if err := s.tenant.Client.Ensure(ctx, registered); err != nil {
		return err
	}
	entries := []any{}
	for i := range drivers {
		entries = append(entries, map[string]any{"name": drivers[i].GetName(), "nodeID": instance.GetNamespace() + "/" + instance.GetName(), "topologyKeys": nil})
	}
	return s.tenant.Client.Merge(ctx, registered, map[string]any{"spec": map[string]any{"drivers": entries}})
}

// stepVolumesInUse plays the kubelets on volumes: those of the pods of a node are in use, so that nobody takes them away, and others are not.
func (s *StandIns) stepVolumesInUse(ctx context.Context) error {
	if s.tenant == nil {
		return nil
	}
	pods, err := s.tenant.Client.List(ctx, podKind, "", nil)
	if err != nil {
		return err
	}
	used := map[string][]string{}
	for i := range pods {
		node := live.String(pods[i].Object, "spec", "nodeName")
		for _, volume := range live.Maps(pods[i].Object, "spec", "volumes") {
			claim := live.String(volume, "persistentVolumeClaim", "claimName")
			if node == "" || claim == "" {
				continue
			}
			name, err := s.attachedName(ctx, pods[i].GetNamespace(), claim)
			if err != nil {
				return err
			}
			if name != "" {
				used[node] = append(used[node], name)
			}
		}
	}
	nodes, err := s.tenant.Client.List(ctx, live.Node, "", nil)
	if err != nil {
		return err
	}
	for i := range nodes {
		reported, _, _ := unstructured.NestedStringSlice(nodes[i].Object, "status", "volumesInUse")
		wanted := used[nodes[i].GetName()]
		slices.Sort(wanted)
		if slices.Equal(reported, wanted) {
			continue
		}
		if err := s.tenant.Client.Merge(ctx, &nodes[i], map[string]any{"status": map[string]any{"volumesInUse": wanted}}, "status"); err != nil {
			return err
		}
	}
	return nil
}

// attachedName is what a node calls the volume of a claim (kubernetes/kubernetes pkg/volume/csi/csi_plugin.go, GetVolumeName).
func (s *StandIns) attachedName(ctx context.Context, namespace, name string) (string, error) {
	claim, err := s.tenant.Client.Get(ctx, claimKind, namespace, name)
	if err != nil || claim == nil {
		return "", err
	}
	volumeName := live.String(claim.Object, "spec", "volumeName")
	if volumeName == "" {
		return "", nil
	}
	volume, err := s.tenant.Client.Get(ctx, volumeKind, "", volumeName)
	if err != nil || volume == nil {
		return "", err
	}
	return "kubernetes.io/csi/" + live.String(volume.Object, "spec", "csi", "driver") + "^" + live.String(volume.Object, "spec", "csi", "volumeHandle"), nil
}
