package progress

import (
	"context"
	"fmt"
	"time"

	"conformance/internal/live"
)

// lostHost is the host of the management cluster that is drained, and lost later.
const lostHost = "host-1"

// perHost is how many machines of each pool are on it.
const perHost = 2

// silentFor is how long the kubelets of stopped machines have been silent: longer than health checks wait.
const silentFor = time.Hour

// loseHosts drains a host with two machines of each pool, and then lets it die with two others. A health check that allows one machine
// replaces none of them; the health checks of the manifest replace all, one at a time.
func (c *checker) loseHosts(ctx context.Context) error {
	drained, err := c.putOnHost(ctx)
	if err != nil || len(drained) == 0 {
		return err
	}
	if err := c.limitHealthChecks(ctx, drained, 1); err != nil {
		return err
	}
	if err := c.drainHost(ctx, drained); err != nil {
		return err
	}
	if err := c.staysBroken(ctx, drained); err != nil {
		return err
	}
	if err := c.apply(ctx); err != nil {
		return err
	}
	if err := c.untilReplaced(ctx, drained, "drained"); err != nil {
		return err
	}

	lost, err := c.putOnHost(ctx)
	if err != nil {
		return err
	}
	c.standIns.LoseHost(lostHost)
	if err := c.untilReplaced(ctx, lost, "lost"); err != nil {
		return err
	}
	return c.freeHost(ctx, lost)
}

// onHost are the machines of a pool that are on the host, of so many that the pool has.
type onHost struct {
	pool     *pool
	machines []live.Object
	size     int64
}

// putOnHost says that the first machines of each pool that has enough of them, and a health check, run on the host.
func (c *checker) putOnHost(ctx context.Context) ([]onHost, error) {
	var all []onHost
	for _, p := range c.pools {
		machines, err := c.client.List(ctx, live.Machine, c.namespace, p.labels())
		if err != nil {
			return nil, err
		}
		if len(machines) < perHost || c.healthCheckOf(p) == nil {
			continue
		}
		on := onHost{pool: p, machines: machines[:perHost], size: int64(len(machines))}
		for i := range on.machines {
			instance, err := c.instanceOf(ctx, &on.machines[i])
			if err != nil {
				return nil, err
			}
			if err := c.client.Merge(ctx, instance, map[string]any{"status": map[string]any{"nodeName": lostHost}}); err != nil {
				return nil, err
			}
		}
		all = append(all, on)
	}
	return all, nil
}

func (c *checker) instanceOf(ctx context.Context, machine *live.Object) (*live.Object, error) {
	instance, err := c.client.Get(ctx, live.VirtualMachineInstance, c.namespace, live.String(machine.Object, "spec", "infrastructureRef", "name"))
	if err == nil && instance == nil {
		err = fmt.Errorf("Machine %s has no VirtualMachineInstance", machine.GetName())
	}
	return instance, err
}

// limitHealthChecks applies the health checks of the manifest with another limit.
func (c *checker) limitHealthChecks(ctx context.Context, hosts []onHost, limit int64) error {
	for _, on := range hosts {
		limited := c.healthCheckOf(on.pool).DeepCopy()
		trigger := limited.Object["spec"].(map[string]any)["remediation"].(map[string]any)["triggerIf"].(map[string]any)
		trigger["unhealthyLessThanOrEqualTo"] = limit
		if _, err := c.client.Apply(ctx, limited); err != nil {
			return err
		}
	}
	return nil
}

// drainHost does what KubeVirt does when the pods of virtual machines are evicted, and waits until the provider has drained the nodes and
// stopped the machines. A machine that starts again has lost what it joined with, and one with a disk stays stopped: their kubelets are silent.
func (c *checker) drainHost(ctx context.Context, hosts []onHost) error {
	for _, on := range hosts {
		for i := range on.machines {
			instance, err := c.instanceOf(ctx, &on.machines[i])
			if err != nil {
				return err
			}
			if err := c.client.Merge(ctx, instance, map[string]any{"status": map[string]any{"evacuationNodeName": lostHost}}); err != nil {
				return err
			}
		}
	}
	what := fmt.Sprintf("the provider has drained the nodes of %d machines of each of %d pools, and stopped them", perHost, len(hosts))
	if err := c.until(ctx, what, growTime, func(ctx context.Context) (string, error) { return c.running(ctx, hosts) }); err != nil {
		return err
	}
	since := time.Now().Add(-silentFor).UTC().Format(time.RFC3339)
	for _, on := range hosts {
		for i := range on.machines {
			node, err := c.workload.Get(ctx, live.Node, "", live.String(on.machines[i].Object, "status", "nodeRef", "name"))
			if err != nil {
				return err
			}
			if node == nil || !live.Bool(node.Object, "spec", "unschedulable") {
				return fmt.Errorf("the node of Machine %s is not cordoned", on.machines[i].GetName())
			}
			if err := c.workload.Merge(ctx, node, map[string]any{"status": map[string]any{"conditions": []any{map[string]any{
				"type": "Ready", "status": "Unknown", "reason": "NodeStatusUnknown", "lastTransitionTime": since, "lastHeartbeatTime": since,
			}}}}, "status"); err != nil {
				return err
			}
		}
	}
	return nil
}

// running names the instances of machines that still run.
func (c *checker) running(ctx context.Context, hosts []onHost) (string, error) {
	var missing findings
	for _, on := range hosts {
		for i := range on.machines {
			name := live.String(on.machines[i].Object, "spec", "infrastructureRef", "name")
			instance, err := c.client.Get(ctx, live.VirtualMachineInstance, c.namespace, name)
			if err != nil {
				return "", err
			}
			if instance != nil {
				missing.add("%s still runs", live.Describe(instance))
			}
		}
	}
	return missing.String(), nil
}

// staysBroken waits until the health checks refuse to replace the machines, and checks that it stays so.
func (c *checker) staysBroken(ctx context.Context, hosts []onHost) error {
	refused := func(ctx context.Context) (string, error) {
		var missing findings
		for _, on := range hosts {
			check, err := c.client.Get(ctx, live.MachineHealthCheck, c.namespace, c.healthCheckOf(on.pool).GetName())
			if err != nil {
				return "", err
			}
			if !hasCondition(check, "RemediationAllowed", "False") {
				missing.add("%s must refuse", live.Describe(check))
			}
		}
		return missing.String(), nil
	}
	if err := c.until(ctx, "health checks that allow one machine refuse to replace those of the drained host", growTime, refused); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(settleTime):
	}
	left, err := c.left(ctx, hosts)
	if err != nil {
		return err
	}
	if len(left) != len(hosts)*perHost {
		return fmt.Errorf("a health check that allows one machine has replaced some of %d: %d are left", len(hosts)*perHost, len(left))
	}
	return nil
}

// untilReplaced waits until the health checks of the manifest have replaced the machines of the host, one of each pool at a time.
func (c *checker) untilReplaced(ctx context.Context, hosts []onHost, how string) error {
	what := fmt.Sprintf("the health checks have replaced the machines of the %s host, one of each pool at a time", how)
	return c.until(ctx, what, growTime, func(ctx context.Context) (string, error) {
		missing, err := c.left(ctx, hosts)
		if err != nil {
			return "", err
		}
		for _, on := range hosts {
			if err := c.oneAtATime(ctx, on.pool); err != nil {
				return "", err
			}
			found, err := c.poolReady(on.pool, on.size)(ctx)
			if err != nil {
				return "", err
			}
			if found != "" {
				missing.add("%s", found)
			}
		}
		return missing.String(), nil
	})
}

func (c *checker) oneAtATime(ctx context.Context, p *pool) error {
	machines, err := c.client.List(ctx, live.Machine, c.namespace, p.labels())
	if err != nil {
		return err
	}
	deleting := 0
	for i := range machines {
		if live.IsDeleting(&machines[i]) {
			deleting++
		}
	}
	if deleting > 1 {
		return &violation{fmt.Sprintf("pool %s loses %d machines at the same time", p.name(), deleting)}
	}
	return nil
}

// left names the machines of the host that exist.
func (c *checker) left(ctx context.Context, hosts []onHost) (findings, error) {
	var left findings
	for _, on := range hosts {
		for i := range on.machines {
			machine, err := c.client.Get(ctx, live.Machine, c.namespace, on.machines[i].GetName())
			if err != nil {
				return nil, err
			}
			if machine != nil {
				left.add("%s is on the host", live.Describe(machine))
			}
		}
	}
	return left, nil
}

// freeHost checks that the dead host keeps its virtual machines, until it is out of service.
func (c *checker) freeHost(ctx context.Context, hosts []onHost) error {
	kept, err := c.abandonedMachines(ctx)
	if err != nil {
		return err
	}
	if kept == "" {
		return fmt.Errorf("no virtual machine of the lost host is left, although nothing has freed it")
	}
	c.standIns.FreeHost(lostHost)
	return c.until(ctx, "the virtual machines of the lost host go when it is out of service", growTime, func(ctx context.Context) (string, error) {
		if missing, err := c.running(ctx, hosts); err != nil || missing != "" {
			return missing, err
		}
		return c.abandonedMachines(ctx)
	})
}

func hasCondition(object *live.Object, kind, status string) bool {
	for _, condition := range live.Maps(object.Object, "status", "conditions") {
		if live.String(condition, "type") == kind && live.String(condition, "status") == status {
			return true
		}
	}
	return false
}
