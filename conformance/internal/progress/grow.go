package progress

import (
	"context"
	"fmt"
	"time"

	"conformance/internal/live"
)

// clonedFrom is the annotation that names the template an object was made from.
const clonedFrom = "cluster.x-k8s.io/cloned-from-name"

// growTime is long enough for a few machines one after the other on a slow computer.
const growTime = 2 * time.Minute

// apply applies everything in the file, in its order, as a GitOps tool does. Namespaces come first, also those the file takes for granted.
func (c *checker) apply(ctx context.Context) error {
	for _, name := range c.namespaces() {
		if err := c.client.Ensure(ctx, newNamespace(name)); err != nil {
			return err
		}
	}
	for _, object := range c.objects {
		if _, err := c.client.Apply(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

func newNamespace(name string) *live.Object {
	namespace := &live.Object{}
	namespace.SetAPIVersion("v1")
	namespace.SetKind(live.Namespace.Kind)
	namespace.SetName(name)
	return namespace
}

// grow waits until the cluster is available with all machines of all pools, and compares what became of the templates.
func (c *checker) grow(ctx context.Context) error {
	if err := c.until(ctx, "the control plane and the infrastructure of the Cluster are ready", time.Minute, c.clusterProvisioned); err != nil {
		return err
	}
	for _, p := range c.pools {
		if err := c.untilReady(ctx, p, p.size()); err != nil {
			return err
		}
	}
	return c.until(ctx, "the Cluster is available", time.Minute, c.clusterAvailable)
}

// untilReady waits until a pool has so many machines and compares each with its templates.
func (c *checker) untilReady(ctx context.Context, p *pool, size int64) error {
	what := fmt.Sprintf("pool %s has %d machines with bootstrap data, virtual machine and ready node", p.name(), size)
	if err := c.until(ctx, what, growTime, c.poolReady(p, size)); err != nil {
		return err
	}
	return c.compareMachines(ctx, p)
}

func (c *checker) clusterProvisioned(ctx context.Context) (string, error) {
	cluster, err := c.client.Get(ctx, live.Cluster, c.namespace, c.name)
	if err != nil || cluster == nil {
		return "the Cluster", err
	}
	if live.Bool(cluster.Object, "status", "initialization", "infrastructureProvisioned") &&
		live.Bool(cluster.Object, "status", "initialization", "controlPlaneInitialized") {
		return "", nil
	}
	return live.Describe(cluster), nil
}

func (c *checker) clusterAvailable(ctx context.Context) (string, error) {
	cluster, err := c.client.Get(ctx, live.Cluster, c.namespace, c.name)
	if err != nil || cluster == nil {
		return "the Cluster", err
	}
	if hasCondition(cluster, "Available", "True") {
		return "", nil
	}
	return live.Describe(cluster), nil
}

// poolReady is the goal that a pool has reached its size and rolled out its templates.
func (c *checker) poolReady(p *pool, size int64) goal {
	return func(ctx context.Context) (string, error) {
		deployment, err := c.client.Get(ctx, live.MachineDeployment, c.namespace, p.name())
		if err != nil || deployment == nil {
			return "the MachineDeployment", err
		}
		machines, err := c.client.List(ctx, live.Machine, c.namespace, p.labels())
		if err != nil {
			return "", err
		}
		var missing findings
		if live.Int(deployment.Object, "status", "observedGeneration") != deployment.GetGeneration() {
			missing.add("the controller has not seen the last change of the MachineDeployment")
		}
		for _, field := range []string{"replicas", "readyReplicas", "availableReplicas", "upToDateReplicas"} {
			if got := live.Int(deployment.Object, "status", field); got != size {
				missing.add("status.%s is %d, not %d", field, got, size)
			}
		}
		if int64(len(machines)) != size {
			missing.add("there are %d Machines, not %d", len(machines), size)
		}
		if len(missing) == 0 {
			missing, err = c.otherTemplates(ctx, p, machines)
			if err != nil {
				return "", err
			}
		}
		if len(missing) == 0 {
			return "", nil
		}
		missing.add("%s", live.Describe(deployment))
		for i := range machines {
			described, err := c.describeMachine(ctx, &machines[i])
			if err != nil {
				return "", err
			}
			missing.add("  %s", described)
		}
		return missing.String(), nil
	}
}

// otherTemplates names the machines that were made from other templates than the manifest gives the pool now.
// The status of a MachineDeployment counts such machines as up to date until its controller has seen the change.
func (c *checker) otherTemplates(ctx context.Context, p *pool, machines []live.Object) (findings, error) {
	var other findings
	for i := range machines {
		bootstrap, infrastructure, err := c.referredBy(ctx, &machines[i])
		if err != nil {
			return nil, err
		}
		for _, pair := range []struct{ clone, template *live.Object }{{infrastructure, p.machines}, {bootstrap, p.bootstrap}} {
			if pair.clone == nil || pair.clone.GetAnnotations()[clonedFrom] != pair.template.GetName() {
				other.add("Machine %s is not made from %s %s", machines[i].GetName(), pair.template.GetKind(), pair.template.GetName())
			}
		}
	}
	return other, nil
}

// referredBy returns the objects that a Machine refers to, nil for those that do not exist.
func (c *checker) referredBy(ctx context.Context, machine *live.Object) (bootstrap, infrastructure *live.Object, err error) {
	bootstrap, err = c.client.Get(ctx, live.KubeadmConfig, c.namespace, live.String(machine.Object, "spec", "bootstrap", "configRef", "name"))
	if err != nil {
		return nil, nil, err
	}
	infrastructure, err = c.client.Get(ctx, live.KubevirtMachine, c.namespace, live.String(machine.Object, "spec", "infrastructureRef", "name"))
	return bootstrap, infrastructure, err
}

// describeMachine shows the state of a Machine and of what it refers to.
func (c *checker) describeMachine(ctx context.Context, machine *live.Object) (string, error) {
	parts := findings{live.Describe(machine)}
	bootstrap, infrastructure, err := c.referredBy(ctx, machine)
	if err != nil {
		return "", err
	}
	for _, object := range []*live.Object{bootstrap, infrastructure} {
		if object != nil {
			parts.add("    %s", live.Describe(object))
		}
	}
	return parts.String(), nil
}
