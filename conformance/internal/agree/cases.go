// Package agree asks an API server about many objects and writes down its verdicts, for a comparison with those of the library.
package agree

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/manifest"
)

// Operation is what is done with the text of a case.
type Operation string

// The operations.
const (
	// Create is a dry run of an apply of an object that is not there.
	Create Operation = "create"
	// Update is an apply over an object that is there and stored by the same field manager.
	Update Operation = "update"
)

// Case is one question.
type Case struct {
	ID        string    `json:"id"`
	Operation Operation `json:"operation"`
	// Text is the JSON text of the object, which may be wrong in any way.
	Text string `json:"text"`
	// Before is the JSON text of the object that an update finds.
	Before string `json:"before"`
}

// Set is the cases that find the same objects in the cluster.
type Set struct {
	Name string
	// Objects are there while the cases run.
	Objects []manifest.Document
	Cases   []*Case
}

// line is a line of a file of cases: the start of a set or a case.
type line struct {
	Set     *string           `json:"set"`
	Objects []json.RawMessage `json:"objects"`
	Case
}

// Read reads a file of cases: JSON objects, one a line.
func Read(path string) ([]*Set, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the cases: %w", err)
	}
	defer file.Close()
	sets, err := parse(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return sets, nil
}

// Count returns the number of cases in all sets.
func Count(sets []*Set) int {
	count := 0
	for _, set := range sets {
		count += len(set.Cases)
	}
	return count
}

func parse(input io.Reader) ([]*Set, error) {
	// Cases before the first set find an empty cluster.
	sets := []*Set{{Name: "empty"}}
	ids := map[string]bool{}
	reader := bufio.NewReader(input)
	for number := 1; ; number++ {
		text, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		last := err != nil
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if sets, err = appendLine(sets, ids, text); err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
		}
		if last {
			return sets, nil
		}
	}
}

func appendLine(sets []*Set, ids map[string]bool, text []byte) ([]*Set, error) {
	var parsed line
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&parsed); err != nil {
		return nil, err
	}
	if parsed.Set != nil {
		set := &Set{Name: *parsed.Set}
		for i, raw := range parsed.Objects {
			object := &unstructured.Unstructured{}
			if err := object.UnmarshalJSON(raw); err != nil {
				return nil, fmt.Errorf("set %s: object %d: %w", set.Name, i+1, err)
			}
			set.Objects = append(set.Objects, manifest.Document{Raw: raw, Object: object})
		}
		return append(sets, set), nil
	}
	if parsed.ID == "" || ids[parsed.ID] {
		return nil, fmt.Errorf("a case needs an id of its own, not %q", parsed.ID)
	}
	ids[parsed.ID] = true
	switch parsed.Operation {
	case Create, Update:
	default:
		return nil, fmt.Errorf("case %s: unknown operation %q", parsed.ID, parsed.Operation)
	}
	if (parsed.Before != "") != (parsed.Operation == Update) {
		return nil, fmt.Errorf("case %s: an update needs the text before, and nothing else does", parsed.ID)
	}
	last := sets[len(sets)-1]
	last.Cases = append(last.Cases, &parsed.Case)
	return sets, nil
}
