package progress

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"conformance/internal/live"
)

// removeTime is long enough to drain and delete all machines of a tenant, and for the garbage collector.
const removeTime = 2 * time.Minute

// remove deletes the Cluster and waits until everything is gone that does not come from the manifest alone. What is left, only
// the tool that applied the manifest can remove; that and the namespace are deleted then.
func (c *checker) remove(ctx context.Context) error {
	if err := c.until(ctx, "the Cluster owns its health checks", time.Minute, c.ownsHealthChecks); err != nil {
		return err
	}
	if err := c.client.Delete(ctx, c.cluster); err != nil {
		return err
	}
	var kept []live.Object
	if err := c.until(ctx, "the Cluster is deleted with everything that belongs to it", removeTime, func(ctx context.Context) (string, error) {
		all, err := c.client.All(ctx, c.namespace)
		if err != nil {
			return "", err
		}
		var missing findings
		kept = nil
		for i := range all {
			if why := c.whyLeft(&all[i]); why == "" {
				missing.add("%s\n      must go; owned by %s", live.Describe(&all[i]), live.Owners(&all[i]))
			} else {
				kept = append(kept, all[i])
			}
		}
		return missing.String(), nil
	}); err != nil {
		return err
	}
	c.reportLeft(kept)
	return c.removeNamespace(ctx)
}

// ownsHealthChecks is the goal that every MachineHealthCheck goes with the Cluster. One that was applied before the Cluster waits for
// its controller to look again.
func (c *checker) ownsHealthChecks(ctx context.Context) (string, error) {
	checks, err := c.client.List(ctx, live.MachineHealthCheck, c.namespace, nil)
	if err != nil {
		return "", err
	}
	var missing findings
	for i := range checks {
		if !live.HasOwner(&checks[i], live.Cluster.Kind) {
			missing.add("%s is owned by %s", live.Describe(&checks[i]), live.Owners(&checks[i]))
		}
	}
	return missing.String(), nil
}

// whyLeft says why an object may be there after its Cluster is deleted, empty if it may not.
func (c *checker) whyLeft(object *live.Object) string {
	switch {
	case live.IsDeleting(object):
		return ""
	case belongsToCluster(object):
		return ""
	case slices.ContainsFunc(c.objects, func(applied *live.Object) bool { return isSame(applied, object) }):
		return "only the tool that applied it removes it"
	default:
		return ""
	}
}

// belongsToCluster reports whether an object is of a kind that must be gone after its Cluster, whoever created it.
func belongsToCluster(object *live.Object) bool {
	if object.GetKind() == live.Secret.Kind {
		_, labelled := object.GetLabels()[live.ClusterLabel]
		return labelled
	}
	switch object.GroupVersionKind().Group {
	case live.Cluster.Group, live.KubeadmControlPlane.Group, live.KubeadmConfig.Group, live.KubevirtCluster.Group,
		live.VirtualMachine.Group, live.DataVolume.Group:
		return true
	default:
		return false
	}
}

func isSame(a, b *live.Object) bool {
	return a.GroupVersionKind().GroupKind() == b.GroupVersionKind().GroupKind() && a.GetNamespace() == b.GetNamespace() && a.GetName() == b.GetName()
}

// reportLeft lists what is left, by kind.
func (c *checker) reportLeft(objects []live.Object) {
	names := map[string][]string{}
	for i := range objects {
		names[objects[i].GetKind()] = append(names[objects[i].GetKind()], objects[i].GetName())
	}
	kinds := make([]string, 0, len(names))
	for kind := range names {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	c.note("left are %d objects that only the tool that applied them removes:", len(objects))
	for _, kind := range kinds {
		fmt.Fprintf(c.out, "            %s: %s\n", kind, strings.Join(names[kind], ", "))
	}
}

// removeNamespace deletes the rest of the manifest and the namespaces: that of the tenant must become empty.
func (c *checker) removeNamespace(ctx context.Context) error {
	for _, object := range slices.Backward(c.objects) {
		if err := c.client.Delete(ctx, object); err != nil {
			return err
		}
	}
	for _, name := range c.namespaces() {
		// Kubernetes' own namespaces cannot be deleted.
		if name == metav1.NamespaceDefault || strings.HasPrefix(name, "kube-") {
			continue
		}
		if err := c.client.Delete(ctx, newNamespace(name)); err != nil {
			return err
		}
	}
	return c.until(ctx, "the namespace is gone when the rest of the manifest is deleted", removeTime, func(ctx context.Context) (string, error) {
		namespace, err := c.client.Get(ctx, live.Namespace, "", c.namespace)
		if err != nil || namespace == nil {
			return "", err
		}
		all, err := c.client.All(ctx, c.namespace)
		if err != nil {
			return "", err
		}
		missing := findings{live.Describe(namespace)}
		for i := range all {
			missing.add("  %s", live.Describe(&all[i]))
		}
		return missing.String(), nil
	})
}
