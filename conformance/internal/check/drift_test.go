package check

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestDrift(t *testing.T) {
	allowances := []Allowance{
		{APIVersion: "v1", Kind: "Thing", Path: `metadata.labels["a.b/c"]`, Reason: "r"},
		{APIVersion: "v1", Kind: "Thing", Path: "spec.items[].mode", Reason: "r"},
		{APIVersion: "v1", Kind: "Thing", Path: "spec.replicas", Reason: "r", Only: func(object *unstructured.Unstructured) bool {
			return object.GetName() == "scaled"
		}},
	}
	added := func(path, value string) Change { return Change{Operation: Added, Path: path, After: value} }
	tests := []struct {
		name         string
		kind, object string
		change       Change
		want         []string
	}{
		{name: "an allowed field", kind: "Thing", change: added("spec.items[3].mode", "420")},
		{name: "an allowed field in a new subtree", kind: "Thing", change: added("metadata.labels", `{"a.b/c":"x"}`)},
		{
			name: "another field in a new subtree", kind: "Thing", change: added("metadata.labels", `{"a.b/c":"x","d":"y"}`),
			want: []string{`added metadata.labels.d: "y"`},
		},
		{name: "an empty subtree", kind: "Thing", change: added("spec.strategy", "{}"), want: []string{"added spec.strategy: {}"}},
		{name: "another kind", kind: "Other", change: added("spec.items[0].mode", "420"), want: []string{"added spec.items[0].mode: 420"}},
		{name: "one of the objects that are meant", kind: "Thing", object: "scaled", change: added("spec.replicas", "1")},
		{name: "another object", kind: "Thing", object: "fixed", change: added("spec.replicas", "1"), want: []string{"added spec.replicas: 1"}},
		{
			name: "a dropped field", kind: "Thing", change: Change{Operation: Removed, Path: "spec.items[0].mode", Before: "null"},
			want: []string{"removed spec.items[0].mode: null"},
		},
		{
			name: "a changed field", kind: "Thing", change: Change{Operation: Changed, Path: "spec.items[0].mode", Before: "1", After: "2"},
			want: []string{"changed spec.items[0].mode: 1 -> 2"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			object := &unstructured.Unstructured{}
			object.SetAPIVersion("v1")
			object.SetKind(test.kind)
			object.SetName(test.object)
			drift := NewDrift(allowances)
			var got []string
			for _, change := range drift.Forbidden(object, []Change{test.change}) {
				got = append(got, change.String())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if used := len(allowances) - len(drift.Unused()); len(test.want) == 0 && used != 1 {
				t.Errorf("%d allowances are used, want 1", used)
			}
		})
	}
}

func TestAllowances(t *testing.T) {
	known := map[driftKey]bool{}
	for _, allowance := range Allowances() {
		key := driftKey{allowance.APIVersion, allowance.Kind, allowance.Path}
		if known[key] || allowance.Reason == "" {
			t.Errorf("%s is there twice or has no reason", key)
		}
		known[key] = true
	}
}

func TestHasAutoscalerBounds(t *testing.T) {
	object := &unstructured.Unstructured{}
	object.SetAnnotations(map[string]string{autoscalerPrefix + "min-size": "1"})
	if hasAutoscalerBounds(object) {
		t.Error("one bound is not enough")
	}
	object.SetAnnotations(map[string]string{autoscalerPrefix + "min-size": "1", autoscalerPrefix + "max-size": "3"})
	if !hasAutoscalerBounds(object) {
		t.Error("two bounds are enough")
	}
}
