package alive

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/gitops"
	"conformance/internal/live"
	"conformance/internal/rollouts"
)

// Outcome is what a state of a page made of the machines, and of the pods of the control plane.
type Outcome struct {
	rollouts.Outcome
	// Pods is set if the pods of the control plane were replaced.
	Pods bool `json:"pods"`
}

// life is what is known of a tenant whose page changes.
type life struct {
	// former is the state of the page before the one that is committed, nil for the first one.
	former *page
	// revision is the last commit.
	revision string
	// values are those with which each release is installed, as JSON.
	values map[string]string
	// handOut ends that charts are withheld.
	handOut func()
	// kept is what the tenant has in the management cluster, by its kind and name.
	kept map[string]*live.Object
}

// laterSteps bring a further state of the page, and what must come true of it.
func (t *tenant) laterSteps(former, next *page) []step {
	state := filepath.Base(next.folder)
	switch {
	case len(next.objects) == 0:
		return named(state, t.removalSteps(next))
	case !next.hasCluster():
		return named(state, t.decommissionSteps(next))
	}
	var before rollouts.Machines
	var servers map[string]string
	steps := []step{
		{"Flux has the page", func(ctx context.Context) (err error) {
			if before, err = t.machines(ctx); err != nil {
				return err
			}
			if servers, err = t.apiServers(ctx); err != nil {
				return err
			}
			return t.turn(ctx, next)
		}},
		{"the control plane is as it says", t.awaitControlPlane},
		{"the machines are as it says", t.awaitMachines},
		{"the controllers are as it says", t.awaitControllers},
		{"the deliveries are as it says", t.awaitDeliveries},
	}
	if next.hasNoMachines() && !next.isStopped() {
		steps = append(steps, step{"nothing is delivered", t.stayUndelivered})
	}
	if !next.isStopped() && former.isStopped() {
		steps = append(steps, step{"what the tenant had is untouched", t.checkKept})
	}
	if next.isStopped() {
		steps = append(steps, step{"no container is left", t.awaitNoContainers}, step{"nothing comes back", t.staysAsleep})
	}
	return named(state, append(steps, step{"its outcome is written", func(ctx context.Context) error {
		return t.writeOutcome(ctx, next.folder, before, servers)
	}}))
}

func named(state string, steps []step) []step {
	for i := range steps {
		steps[i].name = state + ": " + steps[i].name
	}
	return steps
}

// turn commits a further state of the page over the former one, and waits until Flux has its entry points.
func (t *tenant) turn(ctx context.Context, next *page) (err error) {
	t.former, t.page = t.page, next
	if t.revision, err = t.commit(ctx, next, filepath.Base(next.folder)); err != nil {
		return err
	}
	entry := t.delivery.repository.Sync()[1]
	return await(ctx, deliveryLimit, func() (string, error) { return t.missingState(ctx, entry, gitops.Applied(t.revision)) })
}

// await looks until something is there, as the function does. Meanwhile, nothing may be out of order.
func (t *tenant) await(ctx context.Context, limit time.Duration, look func() (missing string, err error)) error {
	return await(ctx, limit, func() (string, error) {
		if t.former != nil {
			if err := t.checkOrder(ctx); err != nil {
				return "", err
			}
			if err := t.checkBounds(ctx); err != nil {
				return "", err
			}
		}
		return look()
	})
}

// checkOrder returns an error if a pool has a machine of a new version before the control plane has it.
func (t *tenant) checkOrder(ctx context.Context) error {
	version := live.String(t.controlPlaneObject().Object, "spec", "version")
	if live.String(t.former.controlPlaneObject().Object, "spec", "version") == version {
		return nil
	}
	machines, err := t.client.List(ctx, live.Machine, t.namespace(), t.labels())
	if err != nil {
		return err
	}
	for i := range machines {
		if live.String(machines[i].Object, "spec", "version") != version {
			continue
		}
		servers, err := t.apiServers(ctx)
		if err != nil {
			return err
		}
		for pod, tag := range servers {
			if tag != version {
				return fmt.Errorf("%w: machine %s has version %s, and pod %s of the API server is %s", errHopeless, machines[i].GetName(), version, pod, tag)
			}
		}
	}
	return nil
}

// checkBounds returns an error if a pool whose size stays has more or fewer machines than its strategy allows.
func (t *tenant) checkBounds(ctx context.Context) error {
	for _, written := range t.ofKind(live.MachineDeployment) {
		size, isStated := statedSize(written)
		old := t.former.find(live.MachineDeployment, written.GetNamespace(), written.GetName())
		if !isStated || old == nil || sizeOf(old) != size {
			continue
		}
		strategy, _, _ := unstructured.NestedMap(written.Object, "spec", "rollout", "strategy", "rollingUpdate")
		surge, err := live.Scaled(strategy["maxSurge"], size, true)
		if err != nil {
			return err
		}
		unavailable, err := live.Scaled(strategy["maxUnavailable"], size, false)
		if err != nil {
			return err
		}
		pool, err := t.client.Get(ctx, live.MachineDeployment, written.GetNamespace(), written.GetName())
		if err != nil || pool == nil {
			return err
		}
		machines, err := t.client.List(ctx, live.Machine, t.namespace(), map[string]string{live.PoolLabel: pool.GetName()})
		if err != nil {
			return err
		}
		// Machines that are being deleted do not count, as for the controller.
		machines = slices.DeleteFunc(machines, func(machine live.Object) bool { return live.IsDeleting(&machine) })
		if got := int64(len(machines)); got > size+surge {
			return fmt.Errorf("%w: pool %s has %d machines, at most %d are allowed", errHopeless, pool.GetName(), got, size+surge)
		}
		if got := live.Int(pool.Object, "status", "availableReplicas"); got < size-unavailable {
			return fmt.Errorf("%w: pool %s has %d available machines, at least %d are demanded", errHopeless, pool.GetName(), got, size-unavailable)
		}
	}
	return nil
}

// machines are those of all pools.
func (t *tenant) machines(ctx context.Context) (rollouts.Machines, error) {
	machines, err := t.client.List(ctx, live.Machine, t.namespace(), t.labels())
	if err != nil {
		return rollouts.Machines{}, err
	}
	sets, err := t.client.List(ctx, live.MachineSet, t.namespace(), t.labels())
	return rollouts.ReadMachines(machines, sets), err
}

// writeOutcome adds what became of machines and API servers to the file of outcomes.
func (t *tenant) writeOutcome(ctx context.Context, id string, before rollouts.Machines, servers map[string]string) error {
	after, err := t.machines(ctx)
	if err != nil {
		return err
	}
	now, err := t.apiServers(ctx)
	if err != nil {
		return err
	}
	outcome := Outcome{Outcome: before.Outcome(id, after)}
	for pod := range now {
		if _, stayed := servers[pod]; !stayed && len(servers) > 0 {
			outcome.Pods = true
		}
	}
	if err := json.NewEncoder(t.Outcomes).Encode(outcome); err != nil {
		return fmt.Errorf("write the outcome of %s: %w", id, err)
	}
	return nil
}

// staysAsleep looks for a while whether a machine, or a pod of the page, comes back.
func (t *tenant) staysAsleep(ctx context.Context) error {
	over := time.After(stay)
	for {
		machines, err := t.client.List(ctx, live.Machine, t.namespace(), nil)
		if err != nil {
			return err
		}
		pods, err := t.client.List(ctx, podKind, t.namespace(), nil)
		if err != nil {
			return err
		}
		if len(machines)+len(pods) > 0 {
			return fmt.Errorf("%d machines and %d pods have come back", len(machines), len(pods))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-over:
			return nil
		case <-time.After(interval):
		}
	}
}
