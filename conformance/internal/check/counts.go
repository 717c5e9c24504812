package check

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
)

// count is what became of objects.
type count struct{ accepted, refused, unstable, obstacles int }

// counts has a count for each kind.
type counts struct{ kinds map[string]*count }

func newCounts() *counts { return &counts{kinds: map[string]*count{}} }

func (c *counts) add(result *Result) {
	kind := result.Object.GetKind() + " " + result.Object.GetAPIVersion()
	if c.kinds[kind] == nil {
		c.kinds[kind] = &count{}
	}
	switch {
	case result.Obstacle != "":
		c.kinds[kind].obstacles++
	case result.Refused != nil:
		c.kinds[kind].refused++
	default:
		c.kinds[kind].accepted++
	}
	if result.Reapply != nil {
		c.kinds[kind].unstable++
	}
}

func (c *counts) total() count {
	var total count
	for _, kind := range c.kinds {
		total.accepted += kind.accepted
		total.refused += kind.refused
		total.unstable += kind.unstable
		total.obstacles += kind.obstacles
	}
	return total
}

// print prints a table of the kinds.
func (c *counts) print(out io.Writer) {
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	withObstacles := c.total().obstacles > 0
	row := func(columns ...any) {
		if !withObstacles {
			columns = columns[:4]
		}
		// The name of the kind stands last, where it is not aligned.
		for _, column := range columns[1:] {
			fmt.Fprintf(table, "%v\t", column)
		}
		fmt.Fprintf(table, "  %v\n", columns[0])
	}
	row("kind", "accepted", "refused", "unstable", "not tried")
	for _, kind := range slices.Sorted(maps.Keys(c.kinds)) {
		count := c.kinds[kind]
		row(kind, count.accepted, count.refused, count.unstable, count.obstacles)
	}
	_ = table.Flush() // Like the other lines of the report.
}
