package check

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"conformance/internal/cluster"
)

// index is a position in a list, which does not matter when drift is summed up.
var index = regexp.MustCompile(`\[\d+\]`)

// Report counts results and prints them as they come in.
type Report struct {
	out                                 io.Writer
	accepted, refused, warned, unstable int
	// drift counts the changes per kind.
	drift map[string]map[string]int
}

// NewReport returns a report that prints to out.
func NewReport(out io.Writer) *Report {
	return &Report{out: out, drift: map[string]map[string]int{}}
}

// Add prints the results of one file.
func (r *Report) Add(path string, results []*Result) {
	refused := 0
	for _, result := range results {
		if result.Refused != nil {
			refused++
		}
	}
	r.accepted += len(results) - refused
	r.refused += refused
	fmt.Fprintf(r.out, "%s: %d accepted, %d refused\n", path, len(results)-refused, refused)
	for _, result := range results {
		r.add(result)
	}
}

func (r *Report) add(result *Result) {
	name := cluster.Describe(result.Object)
	if result.Refused != nil {
		fmt.Fprintf(r.out, "  refused: %s: %v\n", name, result.Refused)
	}
	for _, warning := range result.Warnings {
		r.warned++
		fmt.Fprintf(r.out, "  warning: %s: %s\n", name, warning)
	}
	if result.Reapply != nil {
		r.unstable++
		fmt.Fprintf(r.out, "  second apply: %s: %s\n", name, strings.ReplaceAll(result.Reapply.Error(), "\n", "; "))
	}
	for _, change := range result.Drift {
		change.Path = index.ReplaceAllString(change.Path, "[]")
		kind := result.Object.GetAPIVersion() + " " + result.Object.GetKind()
		if r.drift[kind] == nil {
			r.drift[kind] = map[string]int{}
		}
		r.drift[kind][change.String()]++
	}
}

// Summarize prints the drift per kind and the totals.
func (r *Report) Summarize() {
	fmt.Fprintln(r.out, "\nStored objects differ from the applied ones in:")
	for _, kind := range slices.Sorted(maps.Keys(r.drift)) {
		fmt.Fprintln(r.out, "  "+kind)
		changes := r.drift[kind]
		for _, change := range slices.SortedFunc(maps.Keys(changes), func(a, b string) int {
			return cmp.Or(changes[b]-changes[a], cmp.Compare(a, b))
		}) {
			fmt.Fprintf(r.out, "    %4d x %s\n", changes[change], change)
		}
	}
	fmt.Fprintf(r.out, "\n%d accepted, %d refused, %d warnings, %d not stable on the second apply\n",
		r.accepted, r.refused, r.warned, r.unstable)
}

// Failed reports whether an object was refused or not stable.
func (r *Report) Failed() bool { return r.refused > 0 || r.unstable > 0 }
