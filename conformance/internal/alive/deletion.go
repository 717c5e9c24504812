package alive

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/gitops"
	"conformance/internal/live"
)

// goingWithCluster are kinds of which a deleted Cluster leaves nothing in its Namespace. A release that cannot be uninstalled any more is forgotten.
var goingWithCluster = []schema.GroupKind{
	live.Cluster, live.MachineDeployment, live.MachineSet, live.Machine, live.MachineHealthCheck, live.KamajiControlPlane, live.KubevirtCluster,
	live.VirtualMachine, gitops.HelmReleaseProxy,
}

// deletionSteps are those of docs/guides/remove-a-tenant.md, for a page that is applied object by object.
func (t *tenant) deletionSteps() []step {
	if t.appliedByFlux() {
		return nil
	}
	return []step{
		{"the Cluster goes with its machines, control plane and releases", t.removeCluster},
		{"the rest of the page goes, and the Namespace", t.removeRest},
	}
}

func (t *tenant) removeCluster(ctx context.Context) error {
	if err := t.client.Delete(ctx, t.cluster); err != nil {
		return err
	}
	return await(ctx, removalLimit, func() (string, error) {
		var left []string
		for _, kind := range goingWithCluster {
			objects, err := t.client.List(ctx, kind, t.namespace(), nil)
			if err != nil {
				return "", err
			}
			for i := range objects {
				left = append(left, live.Describe(&objects[i]))
			}
		}
		return strings.Join(left, "\n    "), nil
	})
}

func (t *tenant) removeRest(ctx context.Context) error {
	for _, object := range slices.Backward(t.objects) {
		if object.GroupVersionKind().GroupKind() == live.Namespace {
			continue // It would take everything with it.
		}
		if err := t.client.Delete(ctx, object); err != nil {
			return err
		}
	}
	if err := t.awaitUnwritten(ctx); err != nil {
		return err
	}
	namespace := cluster.NewNamespace(t.namespace())
	if err := t.client.Delete(ctx, namespace); err != nil {
		return err
	}
	return await(ctx, removalLimit, func() (string, error) {
		found, err := t.client.Get(ctx, live.Namespace, "", t.namespace())
		if err != nil || found == nil {
			return "", err
		}
		all, err := t.client.All(ctx, t.namespace())
		if err != nil {
			return "", err
		}
		left := []string{live.Describe(found)}
		for i := range all {
			left = append(left, live.Describe(&all[i]))
		}
		return strings.Join(left, "\n    "), nil
	})
}
