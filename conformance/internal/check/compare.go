// Package check applies manifests to an API server and finds where it disagrees.
package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Operation is what happened to a field.
type Operation string

// The operations.
const (
	Added   Operation = "added"
	Removed Operation = "removed"
	Changed Operation = "changed"
)

// Change is a field in which two versions of an object differ.
type Change struct {
	Operation Operation
	// Path is the field, such as spec.template.taints[0].key.
	Path string
	// Before and After are the values in JSON; one is empty when the field was added or removed.
	Before, After string
}

// String describes the change in one line.
func (c Change) String() string {
	switch c.Operation {
	case Added:
		return fmt.Sprintf("added %s: %s", c.Path, c.After)
	case Removed:
		return fmt.Sprintf("removed %s: %s", c.Path, c.Before)
	default:
		return fmt.Sprintf("changed %s: %s -> %s", c.Path, c.Before, c.After)
	}
}

// Compare returns the fields in which two versions of an object differ, apart from those every server writes.
// A subtree that only one version has is one change.
func Compare(before, after map[string]any) []Change {
	return compareValues("", withoutServerFields(before), withoutServerFields(after))
}

// withoutServerFields returns a copy of an object without what an API server writes on every object.
func withoutServerFields(object map[string]any) map[string]any {
	object = maps.Clone(object)
	delete(object, "status")
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	metadata = maps.Clone(metadata)
	for _, key := range []string{"creationTimestamp", "generation", "managedFields", "resourceVersion", "uid"} {
		delete(metadata, key)
	}
	object["metadata"] = metadata
	return object
}

func compareValues(path string, before, after any) []Change {
	switch before := before.(type) {
	case map[string]any:
		if after, ok := after.(map[string]any); ok {
			return compareMaps(path, before, after)
		}
	case []any:
		if after, ok := after.([]any); ok {
			return compareLists(path, before, after)
		}
	}
	if reflect.DeepEqual(before, after) {
		return nil
	}
	return []Change{{Operation: Changed, Path: path, Before: encode(before), After: encode(after)}}
}

func compareMaps(path string, before, after map[string]any) []Change {
	var changes []Change
	keys := maps.Clone(before)
	maps.Copy(keys, after)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		old, hadIt := before[key]
		current, hasIt := after[key]
		field := join(path, key)
		switch {
		case !hadIt:
			changes = append(changes, Change{Operation: Added, Path: field, After: encode(current)})
		case !hasIt:
			changes = append(changes, Change{Operation: Removed, Path: field, Before: encode(old)})
		default:
			changes = append(changes, compareValues(field, old, current)...)
		}
	}
	return changes
}

func compareLists(path string, before, after []any) []Change {
	var changes []Change
	common := min(len(before), len(after))
	for i := range common {
		changes = append(changes, compareValues(fmt.Sprintf("%s[%d]", path, i), before[i], after[i])...)
	}
	for i := common; i < len(before); i++ {
		changes = append(changes, Change{Operation: Removed, Path: fmt.Sprintf("%s[%d]", path, i), Before: encode(before[i])})
	}
	for i := common; i < len(after); i++ {
		changes = append(changes, Change{Operation: Added, Path: fmt.Sprintf("%s[%d]", path, i), After: encode(after[i])})
	}
	return changes
}

// join appends a key to a path, in brackets if the key has characters that separate keys.
func join(path, key string) string {
	if strings.ContainsAny(key, "./[]") {
		return fmt.Sprintf("%s[%q]", path, key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

func encode(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(data)
}
