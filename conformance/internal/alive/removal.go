package alive

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"conformance/internal/gitops"
	"conformance/internal/live"
)

// removalLimit is long enough to drain and delete all machines of a tenant, and for the garbage collector.
const removalLimit = 5 * time.Minute

// keptKinds are what a tenant leaves in the management cluster, by the label of its cluster (docs/guides/remove-a-tenant.md).
var keptKinds = []schema.GroupKind{live.Service, live.DataVolume, snapshotKind, {Kind: "ConfigMap"}}

// own is what every Namespace has.
var own = []string{"ConfigMap kube-root-ca.crt", "ServiceAccount default"}

// keep makes the tenant use what stays when it sleeps, and when it is removed: a load balancer, a volume, a snapshot.
func (t *tenant) keepSteps() []step {
	var steps []step
	if t.hasDeployment("cloud-controller-manager") {
		steps = append(steps, step{"a Service of the tenant has a load balancer again", t.publish})
	}
	if t.hasDeployment("csi-driver") {
		steps = append(steps, step{"a claim has a volume again", t.attach}, step{"a snapshot of it is ready again", t.snapshot})
	}
	return append(steps, step{"what the tenant has is known", t.readKept})
}

// readKept reads what the tenant has in the management cluster, beside what the page says and what goes with machines.
func (t *tenant) readKept(ctx context.Context) (err error) {
	t.kept, err = t.keptObjects(ctx)
	return err
}

func (t *tenant) keptObjects(ctx context.Context) (map[string]*live.Object, error) {
	kept := map[string]*live.Object{}
	for _, kind := range keptKinds {
		found, err := t.client.List(ctx, kind, t.namespace(), t.labels())
		if err != nil {
			return nil, err
		}
		for i := range found {
			if len(found[i].GetOwnerReferences()) == 0 && t.find(kind, t.namespace(), found[i].GetName()) == nil {
				kept[nameOf(&found[i])] = &found[i]
			}
		}
	}
	return kept, nil
}

func nameOf(object *live.Object) string { return object.GetKind() + " " + object.GetName() }

// checkKept finds what the tenant had as it was.
func (t *tenant) checkKept(ctx context.Context) error {
	now, err := t.keptObjects(ctx)
	if err != nil {
		return err
	}
	for name, was := range t.kept {
		switch found := now[name]; {
		case found == nil || found.GetUID() != was.GetUID() || live.IsDeleting(found):
			return fmt.Errorf("%s is gone", name)
		case ingressAddress(found) != ingressAddress(was):
			return fmt.Errorf("%s has the address %q, not %q", name, ingressAddress(found), ingressAddress(was))
		}
	}
	if !maps.EqualFunc(now, t.kept, func(a, b *live.Object) bool { return a.GetUID() == b.GetUID() }) {
		return fmt.Errorf("the tenant has %v, and had %v", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(t.kept)))
	}
	return nil
}

// decommissionSteps are those of the first commit of a removal.
func (t *tenant) decommissionSteps(next *page) []step {
	return []step{
		{"Flux has the page", func(ctx context.Context) error { return t.turn(ctx, next) }},
		{"the Cluster is gone with all that belongs to it", func(ctx context.Context) error { return t.awaitOnly(ctx) }},
	}
}

// removalSteps are those of the second commit.
func (t *tenant) removalSteps(next *page) []step {
	return []step{
		{"Flux has no page", func(ctx context.Context) error { return t.turn(ctx, next) }},
		{"what was written is gone", t.awaitUnwritten},
		{"only what the guide lists is left", func(ctx context.Context) error { return t.awaitOnly(ctx) }},
		{"no container is left", t.awaitNoContainers},
		{"the Namespace can be deleted", t.deleteNamespace},
	}
}

// awaitOnly waits until the namespace has only what the page says, what stays when a tenant is removed, and what is made for these.
func (t *tenant) awaitOnly(ctx context.Context) error {
	return await(ctx, removalLimit, func() (string, error) {
		all, err := t.client.All(ctx, t.namespace())
		if err != nil {
			return "", err
		}
		owners := map[types.UID]*live.Object{}
		for i := range all {
			owners[all[i].GetUID()] = &all[i]
		}
		var left []string
		found := map[string]bool{}
		for i := range all {
			found[nameOf(&all[i])] = true
			if !t.mayStay(&all[i], owners) {
				left = append(left, live.Describe(&all[i])+", owned by "+live.Owners(&all[i]))
			}
		}
		for name := range t.kept {
			if !found[name] {
				left = append(left, name+" has not stayed")
			}
		}
		slices.Sort(left)
		return strings.Join(left, "\n    "), nil
	})
}

// mayStay reports whether an object may be there when the Cluster is gone.
func (t *tenant) mayStay(object *live.Object, owners map[types.UID]*live.Object) bool {
	kind := object.GroupVersionKind().GroupKind()
	switch {
	case live.IsDeleting(object) && kind != podKind: // Pods end in their time.
		return false
	case slices.Contains(own, nameOf(object)), t.find(kind, object.GetNamespace(), object.GetName()) != nil, t.kept[nameOf(object)] != nil:
		return true
	case kind == gitops.HelmChart:
		// Flux lets go of a suspended release without its chart (fluxcd/helm-controller internal/controller/helmrelease_controller.go).
		return slices.ContainsFunc(t.pages, func(p *page) bool {
			return p.find(gitops.HelmRelease, t.namespace(), strings.TrimPrefix(object.GetName(), t.namespace()+"-")) != nil
		})
	case kind.Kind == "Endpoints":
		return t.kept["Service "+object.GetName()] != nil
	}
	return slices.ContainsFunc(object.GetOwnerReferences(), func(reference metav1.OwnerReference) bool {
		owner := owners[reference.UID]
		return owner != nil && t.mayStay(owner, owners)
	})
}

// awaitUnwritten waits until nothing is there that any state of the page had, but the Namespace.
func (t *tenant) awaitUnwritten(ctx context.Context) error {
	return await(ctx, removalLimit, func() (string, error) {
		for _, p := range t.pages {
			for _, written := range p.objects {
				kind := written.GroupVersionKind().GroupKind()
				found, err := t.client.Get(ctx, kind, written.GetNamespace(), written.GetName())
				if err != nil {
					return "", err
				}
				if found != nil && kind != live.Namespace {
					return live.Describe(found) + " is still there", nil
				}
			}
		}
		return "", nil
	})
}

func (t *tenant) awaitNoContainers(ctx context.Context) error {
	return await(ctx, machinesLimit, func() (string, error) {
		for _, c := range t.containers() {
			if !c.IsGone {
				return c.Pod + " " + c.Container + " is still there", nil
			}
		}
		return "", nil
	})
}

// deleteNamespace does what a person does in the end.
func (t *tenant) deleteNamespace(ctx context.Context) error {
	return await(ctx, machinesLimit, func() (string, error) {
		namespace, err := t.client.Get(ctx, live.Namespace, "", t.namespace())
		if err != nil || namespace == nil {
			return "", err
		}
		return "it is still there: " + live.Describe(namespace), t.client.Delete(ctx, namespace)
	})
}
