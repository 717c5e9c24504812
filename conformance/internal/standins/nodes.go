package standins

import (
	"context"
	"fmt"
	"strings"
	"time"

	"conformance/internal/live"
)

// Taints that the kubelet and the cloud controller manager hand to each other.
const (
	cloudTaint    = "node.cloudprovider.kubernetes.io/uninitialized"
	externalCloud = "external"
)

// stepNodes plays the kubelet of every running machine, and the cloud controller manager of the tenant cluster.
func (s *StandIns) stepNodes(ctx context.Context) error {
	if s.tenant == nil {
		return nil
	}
	instances, err := s.Client.List(ctx, live.VirtualMachineInstance, s.Namespace, s.labels())
	if err != nil {
		return err
	}
	for i := range instances {
		if err := s.stepNode(ctx, &instances[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *StandIns) stepNode(ctx context.Context, instance *live.Object) error {
	config, err := s.joinConfig(ctx, instance)
	// A machine without a join configuration is one of the control plane: nothing runs that could take it up.
	if err != nil || config == nil {
		return err
	}
	name := config.NodeName
	if name == "" {
		name = instance.GetName()
	}
	node, err := s.tenant.Client.Get(ctx, live.Node, "", name)
	if err != nil {
		return err
	}
	running := live.String(instance.Object, "status", "phase") == "Running" && !live.IsDeleting(instance) && !s.isLost(instance)
	switch {
	case node == nil && running:
		// The list may be older than the end of the machine, with which Cluster API has deleted its node.
		instance, err = s.Client.Get(ctx, live.VirtualMachineInstance, s.Namespace, instance.GetName())
		if err != nil || instance == nil || live.IsDeleting(instance) {
			return err
		}
		return s.registerNode(ctx, name, config, instance)
	case node != nil && s.Tenant == nil:
		return s.keepNode(ctx, node, instance, running)
	case node != nil && config.KubeletArgs["cloud-provider"] == externalCloud && hasTaint(node, cloudTaint):
		return s.initializeNode(ctx, node, instance.GetName())
	case node != nil:
		return s.writeNodeStatus(ctx, node, running)
	}
	return nil
}

// joinConfig reads the bootstrap data that the disk for cloud-init of an instance has.
func (s *StandIns) joinConfig(ctx context.Context, instance *live.Object) (*JoinConfig, error) {
	for _, volume := range live.Maps(instance.Object, "spec", "volumes") {
		name := live.String(volume, "cloudInitConfigDrive", "secretRef", "name")
		if name == "" {
			continue
		}
		secret, err := s.Client.Get(ctx, live.Secret, s.Namespace, name)
		if err != nil || secret == nil {
			return nil, err
		}
		data, err := live.SecretData(secret, "userdata")
		if err != nil {
			return nil, err
		}
		files, err := Files(data)
		if err != nil || files[JoinFile] == "" {
			return nil, err
		}
		return ReadJoinConfig(data)
	}
	return nil, nil
}

// registerNode does what the kubelet does when it starts.
func (s *StandIns) registerNode(ctx context.Context, name string, config *JoinConfig, instance *live.Object) error {
	node := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": "Node"}}
	node.SetName(name)
	labels := map[string]string{
		"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
	}
	for _, pair := range strings.Split(config.KubeletArgs["node-labels"], ",") {
		if key, value, found := strings.Cut(pair, "="); found {
			labels[key] = value
		}
	}
	node.SetLabels(labels)
	// Without it, the controller manager leaves attaching to the kubelet (kubernetes/kubernetes pkg/kubelet/kubelet_node_status.go).
	node.SetAnnotations(map[string]string{"volumes.kubernetes.io/controller-managed-attach-detach": "true"})
	taints := []any{}
	for _, taint := range config.Taints {
		taints = append(taints, map[string]any{"key": taint.Key, "value": taint.Value, "effect": taint.Effect})
	}
	if config.KubeletArgs["cloud-provider"] == externalCloud {
		taints = append(taints, map[string]any{"key": cloudTaint, "value": "true", "effect": "NoSchedule"})
	}
	node.Object["spec"] = map[string]any{"taints": taints}
	if s.Tenant == nil {
		// Written once, since the cloud controller manager knows the others.
		node.Object["status"] = map[string]any{"addresses": []any{map[string]any{"type": "Hostname", "address": name}}}
	}
	if err := s.tenant.Client.Ensure(ctx, node); err != nil {
		return err
	}
	if s.Tenant == nil {
		return s.keepNode(ctx, node, instance, true)
	}
	return s.writeNodeStatus(ctx, node, true)
}

// initializeNode does what the cloud controller manager does with a new node.
func (s *StandIns) initializeNode(ctx context.Context, node *live.Object, machine string) error {
	taints := []any{}
	for _, taint := range live.Maps(node.Object, "spec", "taints") {
		if live.String(taint, "key") != cloudTaint {
			taints = append(taints, taint)
		}
	}
	return s.tenant.Client.Merge(ctx, node, map[string]any{
		// Fails if another controller has changed the taints meanwhile.
		"metadata": map[string]any{"resourceVersion": node.GetResourceVersion()},
		"spec":     map[string]any{"providerID": fmt.Sprintf("kubevirt://%s", machine), "taints": taints},
	})
}

// silence is how long a kubelet has been silent when its machine has ended: longer than health checks wait.
const silence = time.Hour

// writeNodeStatus reports a node as healthy, or as one whose kubelet has been silent for long.
func (s *StandIns) writeNodeStatus(ctx context.Context, node *live.Object, healthy bool) error {
	ready, pressure, since := "True", "False", time.Now()
	if !healthy {
		ready, pressure, since = "Unknown", "Unknown", time.Now().Add(-silence)
	}
	for _, condition := range live.Maps(node.Object, "status", "conditions") {
		if live.String(condition, "type") == "Ready" && live.String(condition, "status") == ready {
			return nil
		}
	}
	return s.tenant.Client.Merge(ctx, node, map[string]any{"status": map[string]any{"conditions": []any{
		condition("Ready", ready, "Kubelet", since),
		condition("MemoryPressure", pressure, "Kubelet", since),
		condition("DiskPressure", pressure, "Kubelet", since),
		condition("PIDPressure", pressure, "Kubelet", since),
	}}}, "status")
}

func hasTaint(node *live.Object, key string) bool {
	for _, taint := range live.Maps(node.Object, "spec", "taints") {
		if live.String(taint, "key") == key {
			return true
		}
	}
	return false
}
