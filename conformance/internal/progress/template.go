package progress

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/live"
)

// withMoreMemory returns a copy of a template whose machines have 1 GiB more, named by its content, or nil if it gives no memory.
func withMoreMemory(template *live.Object) (*live.Object, error) {
	path := []string{"spec", "template", "spec", "virtualMachineTemplate", "spec", "template", "spec", "domain", "memory", "guest"}
	old := live.String(template.Object, path...)
	if old == "" {
		return nil, nil
	}
	memory, err := resource.ParseQuantity(old)
	if err != nil {
		return nil, fmt.Errorf("template %s: memory %q: %w", template.GetName(), old, err)
	}
	memory.Add(resource.MustParse("1Gi"))
	changed := template.DeepCopy()
	if err := unstructured.SetNestedField(changed.Object, memory.String(), path...); err != nil {
		return nil, err
	}
	spec, err := json.Marshal(changed.Object["spec"])
	if err != nil {
		return nil, fmt.Errorf("encode template %s: %w", template.GetName(), err)
	}
	stem := template.GetName()
	if i := strings.LastIndex(stem, "-"); i > 0 {
		stem = stem[:i]
	}
	changed.SetName(fmt.Sprintf("%s-%x", stem, sha256.Sum256(spec))[:len(stem)+9])
	return changed, nil
}
