package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// position is a position in a list, which does not matter for an allowance.
var position = regexp.MustCompile(`\[\d+\]`)

// driftKey is a kind of object and a field of it.
type driftKey struct{ apiVersion, kind, path string }

// Drift sorts changes into those that are allowed and those that are not, and keeps count.
type Drift struct {
	allowances map[driftKey]Allowance
	// counts tells how often an allowance was needed.
	counts map[driftKey]int
}

// NewDrift returns a sorter that knows what is allowed.
func NewDrift(allowances []Allowance) *Drift {
	d := &Drift{allowances: map[driftKey]Allowance{}, counts: map[driftKey]int{}}
	for _, allowance := range allowances {
		d.allowances[driftKey{allowance.APIVersion, allowance.Kind, allowance.Path}] = allowance
	}
	return d
}

// Forbidden returns the changes of an object that are not allowed. A field that the server drops or changes never is.
func (d *Drift) Forbidden(object *unstructured.Unstructured, changes []Change) []Change {
	var forbidden []Change
	for _, change := range changes {
		for _, field := range leaves(change) {
			key := driftKey{object.GetAPIVersion(), object.GetKind(), position.ReplaceAllString(field.Path, "[]")}
			allowance, known := d.allowances[key]
			if field.Operation != Added || !known || allowance.Only != nil && !allowance.Only(object) {
				forbidden = append(forbidden, field)
				continue
			}
			d.counts[key]++
		}
	}
	return forbidden
}

// Unused returns the allowances that no object has needed.
func (d *Drift) Unused() []string {
	var unused []string
	for _, key := range d.sorted() {
		if d.counts[key] == 0 {
			unused = append(unused, key.String())
		}
	}
	return unused
}

// Used returns the allowances that were needed, and how often, by their reasons.
func (d *Drift) Used() map[string][]string {
	used := map[string][]string{}
	for _, key := range d.sorted() {
		if count := d.counts[key]; count > 0 {
			reason := d.allowances[key].Reason
			used[reason] = append(used[reason], fmt.Sprintf("%4d x %s", count, key))
		}
	}
	return used
}

func (d *Drift) sorted() []driftKey {
	return slices.SortedFunc(maps.Keys(d.allowances), func(a, b driftKey) int {
		return cmp.Or(cmp.Compare(a.apiVersion, b.apiVersion), cmp.Compare(a.kind, b.kind), cmp.Compare(a.path, b.path))
	})
}

// String names the field in one line.
func (k driftKey) String() string { return fmt.Sprintf("%s %s %s", k.apiVersion, k.kind, k.path) }

// leaves splits the addition of a subtree into the additions of its fields: an allowance is for one field.
func leaves(change Change) []Change {
	var value map[string]any
	if change.Operation != Added || json.Unmarshal([]byte(change.After), &value) != nil || len(value) == 0 {
		return []Change{change}
	}
	var fields []Change
	for _, key := range slices.Sorted(maps.Keys(value)) {
		fields = append(fields, leaves(Change{Operation: Added, Path: join(change.Path, key), After: encode(value[key])})...)
	}
	return fields
}
