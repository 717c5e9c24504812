package rollouts

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
)

// machineNamed returns a machine of a control plane, with its node.
func machineNamed(name string) *live.Object {
	return &live.Object{Object: map[string]any{
		"kind":     "Machine",
		"metadata": map[string]any{"name": name, "uid": name},
		"status":   map[string]any{"nodeRef": map[string]any{"name": name}},
	}}
}

func TestMachinesThatAreNotCountedAreWaitedFor(t *testing.T) {
	controlPlane := &live.Object{Object: map[string]any{
		"kind":     "KubeadmControlPlane",
		"metadata": map[string]any{"name": "acme"},
		"spec":     map[string]any{"replicas": int64(1)},
		"status": map[string]any{
			"replicas": int64(1), "readyReplicas": int64(1), "availableReplicas": int64(1), "upToDateReplicas": int64(1),
		},
	}}
	lists := map[schema.GroupKind][]*live.Object{live.KubeadmControlPlane: {controlPlane}, live.Machine: {machineNamed("a")}}
	if missing := Look(lists).Missing(); missing != "" {
		t.Errorf("one machine of one: still missing %q", missing)
	}
	lists[live.Machine] = append(lists[live.Machine], machineNamed("b"))
	if missing := Look(lists).Missing(); !strings.Contains(missing, "2 machines have been seen, not 1") {
		t.Errorf("two machines of one: missing %q", missing)
	}
}
