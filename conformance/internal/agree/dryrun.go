package agree

import (
	"context"
	"fmt"

	"conformance/internal/cluster"
)

// LeftOut begins the error of a verdict on a case that is not asked, since the server lacks what it is about.
const LeftOut = "left out: "

// RunDry asks only what can be asked without storing anything: about new objects, in namespaces and of kinds that are there.
// The objects of sets are not there. The other cases are left out, and their verdicts say so.
func (r *Runner) RunDry(ctx context.Context, sets []*Set) ([]*Verdict, error) {
	return r.runSets(ctx, sets, r.runSetDry)
}

func (r *Runner) runSetDry(ctx context.Context, set *Set) ([]*Verdict, error) {
	questions := newQuestions(set)
	visited := cluster.NewVisited(r.Client)
	for _, q := range questions {
		if q.isAnswered() {
			continue
		}
		if q.operation == Update {
			q.verdict.Error = LeftOut + "nothing is stored in this cluster"
			continue
		}
		reason, err := visited.Obstacle(ctx, q.object)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", q.verdict.ID, err)
		}
		if reason != "" {
			q.verdict.Error = LeftOut + reason
		}
	}
	all := func(*question) bool { return true }
	r.inParallel(queues(questions, all), func(q *question) { r.create(ctx, q) })
	return verdictsOf(questions), ctx.Err()
}
