package check

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"conformance/internal/cluster"
)

// Report counts results and prints them as they come in.
type Report struct {
	out   io.Writer
	drift *Drift
	// visited is set when the objects were only tried, in a cluster that may have objects of these names.
	visited bool
	counts  *counts
	// forbidden counts the objects with drift that is not allowed.
	warned, forbidden int
	unused            []string
}

// NewReport returns a report on stored objects that prints to out.
func NewReport(out io.Writer, allowances []Allowance) *Report {
	return &Report{out: out, drift: NewDrift(allowances), counts: newCounts()}
}

// NewVisitReport returns a report on dry runs that prints to out. Other drift than the allowed is printed and not judged:
// it depends on its objects and programs.
func NewVisitReport(out io.Writer, allowances []Allowance) *Report {
	return &Report{out: out, drift: NewDrift(allowances), visited: true, counts: newCounts()}
}

// Add prints the results of one file.
func (r *Report) Add(path string, results []*Result) {
	refused, obstacles := 0, 0
	for _, result := range results {
		if result.Obstacle != "" {
			obstacles++
		} else if result.Refused != nil {
			refused++
		}
	}
	fmt.Fprintf(r.out, "%s: %d accepted, %d refused", path, len(results)-refused-obstacles, refused)
	if obstacles > 0 {
		fmt.Fprintf(r.out, ", %d not tried", obstacles)
	}
	fmt.Fprintln(r.out)
	for _, result := range results {
		r.add(result)
	}
}

func (r *Report) add(result *Result) {
	name := cluster.Describe(result.Object)
	r.counts.add(result)
	if result.Obstacle != "" {
		fmt.Fprintf(r.out, "  %s: %s\n", result.Obstacle, name)
	}
	if result.Refused != nil {
		fmt.Fprintf(r.out, "  refused: %s: %v\n", name, result.Refused)
	}
	for _, warning := range result.Warnings {
		r.warned++
		fmt.Fprintf(r.out, "  warning: %s: %s\n", name, warning)
	}
	if result.Reapply != nil {
		fmt.Fprintf(r.out, "  second apply: %s: %s\n", name, strings.ReplaceAll(result.Reapply.Error(), "\n", "; "))
	}
	forbidden := r.drift.Forbidden(result.Object, result.Drift)
	if len(forbidden) > 0 {
		r.forbidden++
	}
	for _, change := range forbidden {
		fmt.Fprintf(r.out, "  drift: %s: %s\n", name, change)
	}
}

// CheckUnused makes allowances that no object needs a disagreement. It is for the manifests that the allowances are made for.
func (r *Report) CheckUnused() { r.unused = r.drift.Unused() }

// Summarize prints the drift that is allowed and the totals.
func (r *Report) Summarize() {
	used := r.drift.Used()
	for _, reason := range slices.Sorted(maps.Keys(used)) {
		fmt.Fprintf(r.out, "\nAdded by the server, left out since %s:\n  %s\n", reason, strings.Join(used[reason], "\n  "))
	}
	if len(r.unused) > 0 {
		fmt.Fprintf(r.out, "\nAllowances that nothing needs any more:\n  %s\n", strings.Join(r.unused, "\n  "))
	}
	r.counts.print(r.out)
	total := r.counts.total()
	fmt.Fprintf(r.out, "\n%d accepted, %d refused, %d warnings, %d not stable on the second apply, %d with drift that is not allowed\n",
		total.accepted, total.refused, r.warned, total.unstable, r.forbidden)
}

// Failed reports whether the server disagrees.
func (r *Report) Failed() bool {
	total := r.counts.total()
	return total.refused > 0 || total.unstable > 0 || !r.visited && r.forbidden > 0 || len(r.unused) > 0
}
