package live

import (
	"strings"
	"testing"
)

func TestDescribeShowsWhatIsMissing(t *testing.T) {
	machine := &Object{Object: map[string]any{
		"kind": "Machine", "metadata": map[string]any{"name": "m"},
		"status": map[string]any{"phase": "Provisioning", "conditions": []any{
			map[string]any{"type": "Available", "status": "False", "reason": "NotReady", "message": "waiting\nfor a node"},
			map[string]any{"type": "BootstrapConfigReady", "status": "True", "reason": "Ready"},
			map[string]any{"type": "Deleting", "status": "False", "reason": "NotDeleting"},
			map[string]any{"type": "Paused", "status": "True", "reason": "Paused"},
		}},
	}}
	got := Describe(machine)
	for _, wanted := range []string{"Machine m", "phase Provisioning", "Available=False NotReady: waiting; for a node", "Paused=True"} {
		if !strings.Contains(got, wanted) {
			t.Errorf("%q is missing in %q", wanted, got)
		}
	}
	for _, unwanted := range []string{"BootstrapConfigReady", "Deleting"} {
		if strings.Contains(got, unwanted) {
			t.Errorf("%q is in %q", unwanted, got)
		}
	}
}
