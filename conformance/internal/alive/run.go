package alive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"conformance/internal/gitops"
	"conformance/internal/live"
)

// Limits of what takes minutes on a busy machine.
const (
	controlPlaneLimit = 5 * time.Minute
	machinesLimit     = 5 * time.Minute
)

// ErrFailed ends a run after a report that says what is wrong.
var ErrFailed = errors.New("a living tenant is not as its page says")

// Run brings the tenant of a folder to life and takes it through its days. Further folders are later states of its page, each committed over the former one.
func Run(ctx context.Context, setup *Setup, folders []string) error {
	pages, err := readPages(folders)
	if err != nil {
		return err
	}
	fmt.Fprintln(setup.Out, folders[0])
	ctx, end := context.WithCancel(ctx)
	w, err := newWorld(ctx, setup, pages)
	defer w.stop()
	defer end()
	if err != nil {
		return err
	}
	if err := w.startStandIns(ctx, pages[0]); err != nil {
		return err
	}
	if err := w.startHelmProvider(ctx, pages[0]); err != nil {
		return err
	}
	t := &tenant{world: w, page: pages[0], pages: pages, life: life{values: map[string]string{}, handOut: func() {}}}
	for _, step := range t.steps() {
		begun := time.Now()
		if err := step.run(ctx); err != nil {
			fmt.Fprintf(w.Out, "  FAILED %s: %v\n", step.name, err)
			t.explain()
			return ErrFailed
		}
		w.note("%s, after %.1f s", step.name, time.Since(begun).Seconds())
	}
	return nil
}

// tenant is a living one.
type tenant struct {
	*world
	// page is the state that holds.
	*page
	// pages are all states.
	pages []*page
	life
}

// step is something that must come true.
type step struct {
	name string
	run  func(ctx context.Context) error
}

func (t *tenant) steps() []step {
	steps := []step{
		{"the page is applied", t.add},
		{"the control plane is available", t.awaitControlPlane},
		{"the controllers are available", t.awaitControllers},
		{"all machines are nodes", t.awaitMachines},
		{"kubeadm joins, and kubelets start", t.joinMachines},
	}
	steps = append(steps, t.releaseSteps()...)
	steps = append(steps, t.deliverySteps()...)
	steps = append(steps, t.initializationSteps()...)
	steps = append(steps, t.scaleUpSteps()...)
	steps = append(steps, t.cloudSteps()...)
	steps = append(steps, t.storageSteps()...)
	steps = append(steps, t.scaleDownSteps()...)
	if len(t.pages) > 1 {
		steps = append(steps, t.keepSteps()...)
	}
	for i, next := range t.pages[1:] {
		if !next.hasCluster() && t.pages[i].hasCluster() {
			steps = append(steps, t.judgingSteps()...)
		}
		steps = append(steps, t.laterSteps(t.pages[i], next)...)
	}
	if t.pages[len(t.pages)-1].hasCluster() {
		steps = append(steps, t.judgingSteps()...)
	}
	return append(steps, t.deletionSteps()...)
}

// judgingSteps look back at the whole run. What a Cluster is removed from loses its rights in no order.
func (t *tenant) judgingSteps() []step {
	steps := []step{{"every container stays up", t.checkContainers}}
	if len(t.ofKind(policyKind)) > 0 {
		steps = append(steps, step{"NetworkPolicies let all connections through", t.checkConnections})
	}
	return append(steps, step{"no right is missing, and none is left over", t.checkRights})
}

// addByFlux commits the page.
func (t *tenant) addByFlux(ctx context.Context) error {
	var err error
	if t.revision, err = t.commit(ctx, t.page, "Add "+t.name()); err != nil {
		return err
	}
	return await(ctx, applyLimit, func() (string, error) {
		found, err := t.client.Get(ctx, gitops.GitRepository, "flux-system", "flux-system")
		if err != nil || found == nil {
			return "there is no GitRepository", err
		}
		if got := live.String(found.Object, "status", "artifact", "revision"); got != t.revision {
			return fmt.Sprintf("Flux has fetched %q, not %s", got, t.revision), nil
		}
		found, err = t.client.Get(ctx, live.Cluster, t.namespace(), t.name())
		if err != nil || found == nil {
			return "there is no Cluster", err
		}
		return "", nil
	})
}

// explain says what runs and what does not.
func (t *tenant) explain() {
	for _, c := range append(t.kubelet.Containers(), t.machineContainers()...) {
		if c.IsGone {
			continue
		}
		state := "ready"
		switch {
		case c.Problem != "":
			state = c.Problem
		case !c.Ready && c.End != nil:
			state = fmt.Sprintf("ended with %d: %s", c.End.ExitCode, lastLine(c.End.Message))
		case !c.Ready:
			state = "not ready"
		}
		fmt.Fprintf(t.Out, "    %s/%s %s, %d restarts: %s\n", c.Namespace, c.Pod, c.Container, c.Restarts, state)
	}
}
