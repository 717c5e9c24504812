package alive

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"conformance/internal/kubelet"
	"conformance/internal/programs"
)

func TestUsageKeepsTheLargestFiguresOfAContainer(t *testing.T) {
	table, err := programs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	record := func(resident, most int64, cpu time.Duration) kubelet.ContainerRecord {
		return kubelet.ContainerRecord{
			Container: "cloud-controller-manager", Image: "quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0", Age: time.Minute,
			Usage:   kubelet.Usage{Resident: resident << 20, Memory: most << 20, CPU: cpu},
			Request: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("60Mi"), corev1.ResourceCPU: resource.MustParse("75m")},
			Limits:  corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("512Mi")},
		}
	}
	usage := &Usage{}
	played := kubelet.ContainerRecord{Container: "konnectivity-server", Image: "registry.k8s.io/kas-network-proxy/proxy-server:v0.34.0", Age: time.Minute}
	for _, records := range [][]kubelet.ContainerRecord{{record(40, 70, 3*time.Second), played}, {record(50, 60, time.Second)}} {
		if err := usage.add(table, records); err != nil {
			t.Fatal(err)
		}
	}
	text, err := usage.Markdown(time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Measured on 2026-11-25 on ", "| `cloud-controller-manager` | initializes nodes, publishes Services | v0.6.0 | 50Mi | 70Mi | 60Mi | 512Mi | 50m | 75m |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "konnectivity") {
		t.Errorf("a stand-in has figures:\n%s", text)
	}
}
