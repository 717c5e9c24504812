package progress

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/live"
)

// bounds are how many machines a pool may have during a rollout, and had.
type bounds struct{ max, min, most, fewest int64 }

func newBounds(p *pool, size int64) (*bounds, error) {
	strategy, _, _ := unstructured.NestedMap(p.deployment.Object, "spec", "rollout", "strategy", "rollingUpdate")
	surge, err := live.Scaled(strategy["maxSurge"], size, true)
	if err != nil {
		return nil, err
	}
	unavailable, err := live.Scaled(strategy["maxUnavailable"], size, false)
	if err != nil {
		return nil, err
	}
	return &bounds{max: size + surge, min: size - unavailable, fewest: size}, nil
}

// within adds to a goal that a pool keeps to the bounds at every look. Machines that are being deleted do not count, as for
// the controller.
func (b *bounds) within(c *checker, p *pool, reached goal) goal {
	return func(ctx context.Context) (string, error) {
		machines, err := c.client.List(ctx, live.Machine, c.namespace, p.labels())
		if err != nil {
			return "", err
		}
		var present int64
		for i := range machines {
			if !live.IsDeleting(&machines[i]) {
				present++
			}
		}
		deployment, err := c.client.Get(ctx, live.MachineDeployment, c.namespace, p.name())
		if err != nil {
			return "", err
		}
		b.most, b.fewest = max(b.most, present), min(b.fewest, live.Int(deployment.Object, "status", "availableReplicas"))
		if b.most > b.max {
			return "", &violation{fmt.Sprintf("pool %s has %d machines, at most %d are allowed", p.name(), present, b.max)}
		}
		if b.fewest < b.min {
			return "", &violation{fmt.Sprintf("pool %s has %d available machines, at least %d are demanded", p.name(), b.fewest, b.min)}
		}
		return reached(ctx)
	}
}
