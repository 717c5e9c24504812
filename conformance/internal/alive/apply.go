package alive

import (
	"context"
	"errors"
	"slices"

	"conformance/internal/cluster"
	"conformance/internal/live"
)

// entryGroup is the group of the objects with which a page tells Flux what to apply.
const entryGroup = "kustomize.toolkit.fluxcd.io"

// add lets the page be applied: by Flux if the page has its entry points, and otherwise object by object, as a tool does that tries again what was too early.
func (t *tenant) add(ctx context.Context) error {
	t.handOut = t.withhold()
	if t.appliedByFlux() {
		return t.addByFlux(ctx)
	}
	// Namespaces that a page does not declare exist before it, such as that of Argo CD.
	for _, object := range t.objects {
		if namespace := object.GetNamespace(); namespace != "" && namespace != t.namespace() {
			if err := t.client.Ensure(ctx, cluster.NewNamespace(namespace)); err != nil {
				return err
			}
		}
	}
	pending := t.objects
	return await(ctx, applyLimit, func() (string, error) {
		var refused []*live.Object
		var problems []error
		for _, object := range pending {
			if _, err := t.client.Overwrite(ctx, object); err != nil {
				refused, problems = append(refused, object), append(problems, err)
			}
		}
		pending = refused
		return "", errors.Join(problems...)
	})
}

// appliedByFlux reports whether Flux applies the page.
func (t *tenant) appliedByFlux() bool {
	return slices.ContainsFunc(t.objects, func(object *live.Object) bool { return object.GroupVersionKind().Group == entryGroup })
}
