package alive

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"conformance/internal/live"
)

const (
	// sizeAnnotation bounds a pool for the autoscaler (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md).
	sizeAnnotation = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-m"
	minAnnotation  = sizeAnnotation + "in-size"
	maxAnnotation  = sizeAnnotation + "ax-size"
	// scaleLimit is how long the autoscaler and a new machine may take.
	scaleLimit = 3 * time.Minute
)

// scaleUpSteps are what the autoscaler does with pods that no node takes.
func (t *tenant) scaleUpSteps() []step {
	if t.scaledPool() == nil {
		return nil
	}
	return []step{{"pods without a node bring a machine", t.scaleUp}}
}

// scaleDownSteps are what it does with nodes that nobody needs.
func (t *tenant) scaleDownSteps() []step {
	if t.scaledPool() == nil || !t.scalesDownSoon() {
		return nil
	}
	return []step{{"the machine goes when it is not needed", t.scaleDown}}
}

// scaledPool is the first pool that the autoscaler sizes.
func (t *tenant) scaledPool() *live.Object {
	for _, pool := range t.ofKind(live.MachineDeployment) {
		if pool.GetAnnotations()[maxAnnotation] != "" {
			return pool
		}
	}
	return nil
}

// scalesDownSoon reports whether the page sets how long a node may be unneeded: the ten minutes of the autoscaler's default are too long for a run.
func (t *tenant) scalesDownSoon() bool {
	for _, deployment := range t.ofKind(live.Deployment) {
		if deployment.GetName() != t.name()+"-cluster-autoscaler" {
			continue
		}
		for _, container := range live.Maps(deployment.Object, "spec", "template", "spec", "containers") {
			args, _ := container["args"].([]any)
			return slices.ContainsFunc(args, func(arg any) bool { return strings.HasPrefix(fmt.Sprint(arg), "--scale-down-unneeded-time=") })
		}
	}
	return false
}

// largePod is a pod of the tenant that takes most of a node of four cores.
func largePod(number int) *live.Object {
	pod := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": podKind.Kind, "spec": map[string]any{
		// A taint of a node that is not ready keeps it away, so that the autoscaler counts only on pools.
		"tolerations": []any{
			map[string]any{"key": "node.cilium.io/agent-not-ready", "operator": "Exists"},
			// A pool may keep all other pods away, of which those of kube-system would keep its nodes.
			map[string]any{"key": "dedicated", "operator": "Exists"},
		},
		"containers": []any{map[string]any{
			"name": "main", "image": "registry.example.com/played:1", "resources": map[string]any{"requests": map[string]any{"cpu": "3"}},
		}},
	}}}
	pod.SetNamespace("default")
	pod.SetName(fmt.Sprintf("large-%d", number))
	// Without a controller, the autoscaler would not take a node away from under it.
	pod.SetAnnotations(map[string]string{"cluster-autoscaler.kubernetes.io/safe-to-evict": "true"})
	return pod
}

// poolSize is how many machines a pool wants and has.
func (t *tenant) poolSize(ctx context.Context, pool *live.Object) (wanted, ready int64, err error) {
	found, err := t.client.Get(ctx, live.MachineDeployment, pool.GetNamespace(), pool.GetName())
	if err != nil || found == nil {
		return 0, 0, fmt.Errorf("find pool %s: %w", pool.GetName(), err)
	}
	return live.Int(found.Object, "spec", "replicas"), live.Int(found.Object, "status", "readyReplicas"), nil
}

// scaleUp makes one large pod more than the pool has machines, and waits until each has a node.
func (t *tenant) scaleUp(ctx context.Context) error {
	pool := t.scaledPool()
	before, _, err := t.poolSize(ctx, pool)
	if err != nil {
		return err
	}
	return t.awaitInTenant(ctx, scaleLimit, func(client *live.Client) (string, error) {
		for number := range before + 1 {
			pod := largePod(int(number))
			if err := client.Ensure(ctx, pod); err != nil {
				return "", err
			}
			found, err := client.Get(ctx, podKind, pod.GetNamespace(), pod.GetName())
			if err != nil || found == nil {
				return "there is no Pod " + pod.GetName(), err
			}
			if live.String(found.Object, "spec", "nodeName") == "" {
				return "Pod " + pod.GetName() + " has no node: " + live.Describe(found), nil
			}
		}
		// On a busy machine the autoscaler looks again before the new node is there, and may ask for one more.
		wanted, ready, err := t.poolSize(ctx, pool)
		if err != nil || wanted <= before || ready != wanted {
			return fmt.Sprintf("pool %s wants %d machines and has %d, after %d", pool.GetName(), wanted, ready, before), err
		}
		return "", nil
	})
}

// scaleDown deletes the pods, and waits until the pool is as small as it may be.
func (t *tenant) scaleDown(ctx context.Context) error {
	pool := t.scaledPool()
	least, err := strconv.ParseInt(pool.GetAnnotations()[minAnnotation], 10, 64)
	if err != nil {
		return fmt.Errorf("read the least size of pool %s: %w", pool.GetName(), err)
	}
	return t.awaitInTenant(ctx, scaleLimit, func(client *live.Client) (string, error) {
		for number := range least + 2 {
			if err := client.Delete(ctx, largePod(int(number))); err != nil {
				return "", err
			}
		}
		wanted, ready, err := t.poolSize(ctx, pool)
		if err != nil || wanted != least || ready != least {
			return fmt.Sprintf("pool %s wants %d machines and has %d, not %d", pool.GetName(), wanted, ready, least), err
		}
		return "", nil
	})
}
