package standins

import (
	"net/netip"
	"testing"

	"conformance/internal/live"
)

func TestAddressesStayOnThisMachine(t *testing.T) {
	for _, name := range []string{"", "a", "acme-general-mgccs-zdjqf", "acme-ingress-n8wg2-w2k8t"} {
		if parsed, err := netip.ParseAddr((&StandIns{}).address(name)); err != nil || !parsed.IsLoopback() {
			t.Errorf("%q: got %s (%v)", name, (&StandIns{}).address(name), err)
		}
	}
}

func TestInstanceIsMadeFromTheTemplate(t *testing.T) {
	machine := &live.Object{Object: map[string]any{
		"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine",
		"metadata": map[string]any{"name": "m", "namespace": "n", "uid": "1"},
		"spec": map[string]any{"template": map[string]any{
			"metadata": map[string]any{"labels": map[string]any{live.ClusterLabel: "acme"}},
			"spec":     map[string]any{"evictionStrategy": "External"},
		}},
	}}
	instance := (&StandIns{}).newInstance(machine)
	if live.String(instance.Object, "spec", "evictionStrategy") != "External" || instance.GetLabels()[live.ClusterLabel] != "acme" {
		t.Errorf("got %v", instance.Object)
	}
	if !live.HasOwner(instance, "VirtualMachine") {
		t.Error("the machine does not own its instance")
	}
}
