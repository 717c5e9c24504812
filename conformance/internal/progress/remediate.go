package progress

import (
	"context"
	"fmt"

	"conformance/internal/live"
)

// lastPhases are the phases of an instance that a VirtualMachine of a run strategy does not start again from.
var lastPhases = map[string]string{"Once": "Failed", "RerunOnFailure": "Succeeded"}

// remediate ends a virtual machine for good and waits until the health check of its pool has replaced it.
func (c *checker) remediate(ctx context.Context) error {
	for _, p := range c.pools {
		strategy := live.String(p.machines.Object, "spec", "template", "spec", "virtualMachineTemplate", "spec", "runStrategy")
		phase, ends := lastPhases[strategy]
		if !ends || c.healthCheckOf(p) == nil {
			continue
		}
		machines, err := c.client.List(ctx, live.Machine, c.namespace, p.labels())
		if err != nil {
			return err
		}
		if len(machines) > 0 {
			return c.remediatePool(ctx, p, machines, phase)
		}
	}
	return nil
}

func (c *checker) remediatePool(ctx context.Context, p *pool, machines []live.Object, phase string) error {
	broken := machines[0].GetName()
	instance, err := c.client.Get(ctx, live.VirtualMachineInstance, c.namespace, live.String(machines[0].Object, "spec", "infrastructureRef", "name"))
	if err != nil {
		return err
	}
	if instance == nil {
		return fmt.Errorf("Machine %s has no VirtualMachineInstance", broken)
	}
	if err := c.client.Merge(ctx, instance, map[string]any{"status": map[string]any{
		"phase":      phase,
		"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "PodTerminated"}},
	}}); err != nil {
		return err
	}
	size := int64(len(machines))
	what := fmt.Sprintf("the health check of pool %s has replaced Machine %s, whose virtual machine has ended", p.name(), broken)
	ready := c.poolReady(p, size)
	if err := c.until(ctx, what, growTime, func(ctx context.Context) (string, error) {
		machine, err := c.client.Get(ctx, live.Machine, c.namespace, broken)
		if err != nil {
			return "", err
		}
		if machine != nil {
			return c.describeMachine(ctx, machine)
		}
		return ready(ctx)
	}); err != nil {
		return err
	}
	return c.compareMachines(ctx, p)
}
