// Package rollouts applies one state of manifests after another while the real controllers of Cluster API work on them, and writes
// down what became of the machines. Many clusters are worked on side by side, each in a namespace of its own; what takes containers
// or machines is played by the program in tenants.
package rollouts

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"conformance/internal/live"
)

// longestLine is more than any pair of pages needs.
const longestLine = 16 << 20

// Pair is two states of the manifests of one Cluster.
type Pair struct {
	ID        string         `json:"id"`
	Namespace string         `json:"namespace"`
	Old       []*live.Object `json:"old"`
	New       []*live.Object `json:"new"`
	// Removed are the objects of the old state that a tool which prunes deletes with the new one.
	Removed []*live.Object `json:"removed"`
	// Now stands for the time at which the new state is applied.
	Now string `json:"now"`
}

// Outcome is what became of the machines of a pair.
type Outcome struct {
	ID           string         `json:"id"`
	Error        string         `json:"error,omitempty"`
	Pools        map[string]Set `json:"pools"`
	ControlPlane Set            `json:"controlPlane"`
	// Seconds is how long it took to settle twice.
	Seconds float64 `json:"seconds"`
}

// Set is what became of the machines of a pool or control plane.
type Set struct {
	// Before and After count machines, Kept those that are the same in both.
	Before int `json:"before"`
	After  int `json:"after"`
	Kept   int `json:"kept"`
	// NewSets counts MachineSets that were created between.
	NewSets int `json:"newSets"`
	// Changed are the fields in which kept machines differ.
	Changed []string `json:"changed"`
}

// Read reads pairs of a kind from a file with a JSON object on each line.
func Read[P any](path string) ([]*P, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the pairs: %w", err)
	}
	defer file.Close()
	var pairs []*P
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		pair := new(P)
		if err := json.Unmarshal(lines.Bytes(), pair); err != nil {
			return nil, fmt.Errorf("read %s, line %d: %w", path, len(pairs)+1, err)
		}
		pairs = append(pairs, pair)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return pairs, nil
}

// Writer writes outcomes to a file, one on each line, in the order in which they come.
type Writer struct {
	mutex   sync.Mutex
	encoder *json.Encoder
	file    *os.File
	written int
}

// NewWriter creates a file for outcomes. The caller must call Close.
func NewWriter(path string) (*Writer, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("write the outcomes: %w", err)
	}
	return &Writer{encoder: json.NewEncoder(file), file: file}, nil
}

// Write adds an outcome, of any kind, and returns how many there are.
func (w *Writer) Write(outcome any) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.written++
	if err := w.encoder.Encode(outcome); err != nil {
		return 0, fmt.Errorf("write an outcome: %w", err)
	}
	return w.written, nil
}

// Close completes the file.
func (w *Writer) Close() error { return w.file.Close() }
