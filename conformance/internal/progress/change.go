package progress

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/live"
)

// settleTime is how long a state must stay that nothing should change.
const settleTime = 3 * time.Second

// autoscale plays the cluster autoscaler: it adds a machine to each pool whose size the manifest leaves open, applies the manifest
// again and checks that the sizes stay.
func (c *checker) autoscale(ctx context.Context) error {
	pools := c.scaledPools()
	if len(pools) == 0 {
		return nil
	}
	for _, p := range pools {
		if err := c.client.Merge(ctx, p.deployment, map[string]any{"spec": map[string]any{"replicas": p.size() + 1}}, "scale"); err != nil {
			return err
		}
	}
	for _, p := range pools {
		if err := c.untilReady(ctx, p, p.size()+1); err != nil {
			return err
		}
	}
	if err := c.apply(ctx); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(settleTime):
	}
	for _, p := range pools {
		deployment, err := c.client.Get(ctx, live.MachineDeployment, c.namespace, p.name())
		if err != nil {
			return err
		}
		if got := live.Int(deployment.Object, "spec", "replicas"); got != p.size()+1 {
			return fmt.Errorf("pool %s: the autoscaler set %d replicas; when the manifest is applied again there are %d", p.name(), p.size()+1, got)
		}
		c.note("pool %s keeps the %d replicas of the autoscaler when the manifest is applied again", p.name(), p.size()+1)
	}
	return nil
}

// rollOut gives a pool machines with more memory, as the library does: a template with another name, and a reference to it.
// All the time the pool must keep to the bounds of its rollout strategy.
func (c *checker) rollOut(ctx context.Context) error {
	p := c.changedPool()
	if p == nil {
		return nil
	}
	template, err := withMoreMemory(p.machines)
	if err != nil {
		return err
	}
	if template == nil {
		c.note("pool %s has no size of memory to change", p.name())
		return nil
	}
	deployment, err := c.client.Get(ctx, live.MachineDeployment, c.namespace, p.name())
	if err != nil {
		return err
	}
	size := live.Int(deployment.Object, "spec", "replicas")
	old := p.machines.GetName()
	c.replace(p.machines, template)
	p.machines = template
	if err := unstructured.SetNestedField(p.deployment.Object, template.GetName(), "spec", "template", "spec", "infrastructureRef", "name"); err != nil {
		return err
	}
	if err := c.apply(ctx); err != nil {
		return err
	}
	bounds, err := newBounds(p, size)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("pool %s has rolled from %s to %s", p.name(), old, template.GetName())
	if err := c.until(ctx, what, growTime, bounds.within(c, p, c.rolledOut(p, size))); err != nil {
		return err
	}
	c.note("pool %s: never more than %d machines (bound %d), never fewer than %d available (bound %d)",
		p.name(), bounds.most, bounds.max, bounds.fewest, bounds.min)
	return c.compareMachines(ctx, p)
}

// scale adds a machine to a pool of fixed size by the manifest.
func (c *checker) scale(ctx context.Context) error {
	p := c.fixedPool()
	if p == nil {
		return nil
	}
	if err := unstructured.SetNestedField(p.deployment.Object, p.size()+1, "spec", "replicas"); err != nil {
		return err
	}
	if err := c.apply(ctx); err != nil {
		return err
	}
	return c.untilReady(ctx, p, p.size())
}

// rolledOut is the goal that a pool is ready and that nothing is left of machines from other templates.
func (c *checker) rolledOut(p *pool, size int64) goal {
	ready := c.poolReady(p, size)
	return func(ctx context.Context) (string, error) {
		if missing, err := ready(ctx); err != nil || missing != "" {
			return missing, err
		}
		return c.abandonedMachines(ctx)
	}
}

// abandonedMachines names the virtual machines of the cluster that belong to no Machine.
func (c *checker) abandonedMachines(ctx context.Context) (string, error) {
	virtualMachines, err := c.client.List(ctx, live.VirtualMachine, c.namespace, c.labels())
	if err != nil {
		return "", err
	}
	machines, err := c.client.List(ctx, live.Machine, c.namespace, c.labels())
	if err != nil {
		return "", err
	}
	wanted := map[string]bool{}
	for i := range machines {
		wanted[live.String(machines[i].Object, "spec", "infrastructureRef", "name")] = true
	}
	var missing findings
	for i := range virtualMachines {
		if !wanted[virtualMachines[i].GetName()] {
			missing.add("%s belongs to no Machine and must go", live.Describe(&virtualMachines[i]))
		}
	}
	return missing.String(), nil
}

// replace puts an object in the place of another of the file, as the library's next output does.
func (c *checker) replace(old, replacement *live.Object) {
	for i, object := range c.objects {
		if object == old {
			c.objects[i] = replacement
		}
	}
}
