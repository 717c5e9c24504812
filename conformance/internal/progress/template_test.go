package progress

import (
	"regexp"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/live"
)

var memoryPath = []string{"spec", "template", "spec", "virtualMachineTemplate", "spec", "template", "spec", "domain", "memory", "guest"}

func templateOf(memory string) *live.Object {
	template := &live.Object{Object: map[string]any{}}
	template.SetName("acme-pool-00c0ffee")
	if memory != "" {
		_ = unstructured.SetNestedField(template.Object, memory, memoryPath...)
	}
	return template
}

func TestWithMoreMemory(t *testing.T) {
	original := templateOf("4Gi")
	changed, err := withMoreMemory(original)
	if err != nil {
		t.Fatal(err)
	}
	if got := live.String(changed.Object, memoryPath...); got != "5Gi" {
		t.Errorf("memory is %s", got)
	}
	if name := changed.GetName(); !regexp.MustCompile(`^acme-pool-[0-9a-f]{8}$`).MatchString(name) || name == original.GetName() {
		t.Errorf("name is %s", name)
	}
	if live.String(original.Object, memoryPath...) != "4Gi" {
		t.Error("the original was changed")
	}
}

func TestWithMoreMemoryNeedsMemory(t *testing.T) {
	if changed, err := withMoreMemory(templateOf("")); changed != nil || err != nil {
		t.Errorf("got %v, %v", changed, err)
	}
	if changed, err := withMoreMemory(templateOf("much")); err == nil {
		t.Errorf("got %v", changed)
	}
}
