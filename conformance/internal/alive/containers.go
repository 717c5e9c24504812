package alive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	corev1 "k8s.io/api/core/v1"

	"conformance/internal/kubelet"
	"conformance/internal/programs"
)

// stay is how long a container must stay ready.
const stay = 20 * time.Second

// crashes is how often a container may end before it is clear that it will end again. Controllers end once or twice while the API server of a new tenant is replaced.
const crashes = 5

// watchCrashes returns a function whose error is about a container of the page that has ended again and again since then, and does not run.
func (t *tenant) watchCrashes() (crashed func() error) {
	before := map[string]int{}
	for _, c := range t.kubelet.Containers() {
		before[c.Pod+" "+c.Container] = c.Restarts
	}
	return func() error {
		for _, c := range t.kubelet.Containers() {
			restarts := c.Restarts - before[c.Pod+" "+c.Container]
			if c.Namespace == t.namespace() && !c.IsGone && !c.Ready && restarts >= crashes && c.End != nil {
				return fmt.Errorf("%w: %s %s has ended %d times, last with %d: %s", errHopeless, c.Pod, c.Container, restarts, c.End.ExitCode, lastLine(c.End.Message))
			}
		}
		return nil
	}
}

// checkContainers waits, and then finds every container of the page ready, without a restart or a failed probe since, and within its limit of memory.
// Earlier restarts are only told: controllers end when their API server is replaced while it is new.
func (t *tenant) checkContainers(ctx context.Context) error {
	before := map[string]kubelet.ContainerRecord{}
	for _, c := range t.containers() {
		before[c.Pod+" "+c.Container] = c
		if c.Restarts > 0 && c.End != nil {
			t.note("%s %s has restarted, times: %d, last: %s", c.Pod, c.Container, c.Restarts, lastLine(c.End.Message))
		}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(stay):
	}
	var faults []string
	var mains []kubelet.ContainerRecord
	for _, c := range t.containers() {
		name := c.Pod + " " + c.Container
		if c.Restarts > before[name].Restarts {
			faults = append(faults, fmt.Sprintf("%s has restarted, log: %s", name, c.Log))
		}
		for _, failure := range c.Unready[len(before[name].Unready):] {
			faults = append(faults, name+" was ready, then: "+failure)
		}
		if limit := c.Limits[corev1.ResourceMemory]; !limit.IsZero() && c.Usage.Memory > limit.Value() {
			faults = append(faults, fmt.Sprintf("%s took %s of memory, above its limit %s", name, megabytes(c.Usage.Memory), limit.String()))
		}
		if !c.IsInit && !c.IsGone {
			mains = append(mains, c)
			if !c.Ready {
				faults = append(faults, cmp.Or(c.Problem, "is not ready")+": "+name)
			}
		}
	}
	if len(mains) == 0 {
		return errors.New("there are no containers")
	}
	t.writeUsage(mains)
	// Pods on machines take nothing from the management cluster.
	beside := slices.DeleteFunc(mains, func(c kubelet.ContainerRecord) bool { return c.Namespace != t.namespace() })
	if err := t.Usage.add(t.Table, beside); err != nil {
		return err
	}
	if len(faults) > 0 {
		return errors.New("\n    " + strings.Join(faults, "\n    "))
	}
	return nil
}

// writeUsage shows what containers took beside what they ask for, but not what stands in for a program.
func (t *tenant) writeUsage(records []kubelet.ContainerRecord) {
	table := tabwriter.NewWriter(t.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "    container\tmemory\trequest\tlimit\tCPU time\trequest\tlimit")
	slices.SortStableFunc(records, func(a, b kubelet.ContainerRecord) int { return cmp.Compare(a.Container, b.Container) })
	for _, c := range records {
		if image, err := t.Table.Find(c.Image); err == nil && image.Program == programs.HostSleep {
			continue
		}
		fmt.Fprintf(table, "    %s/%s\t%s\t%s\t%s\t%.1fs\t%s\t%s\n", workload(c), c.Container, megabytes(c.Usage.Memory),
			quantity(c.Request, corev1.ResourceMemory), quantity(c.Limits, corev1.ResourceMemory),
			c.Usage.CPU.Seconds(), quantity(c.Request, corev1.ResourceCPU), quantity(c.Limits, corev1.ResourceCPU))
	}
	_ = table.Flush() // It is written to what the run prints to.
}

// workload is the name of the workload of a pod, without the hash of its ReplicaSet.
func workload(c kubelet.ContainerRecord) string {
	kind, name, _ := strings.Cut(c.Owner, " ")
	if kind == "ReplicaSet" {
		return name[:strings.LastIndex(name, "-")]
	}
	return cmp.Or(name, c.Pod)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func quantity(list corev1.ResourceList, name corev1.ResourceName) string {
	if value, found := list[name]; found {
		return value.String()
	}
	return "-"
}

func megabytes(bytes int64) string { return fmt.Sprintf("%dMi", bytes>>20) }
