package check

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/cluster"
	"conformance/internal/manifest"
)

// Result is what the server made of one object.
type Result struct {
	Object *unstructured.Unstructured
	// Obstacle is why the object was not tried, empty if it was.
	Obstacle string
	// Refused is the server's answer to the first apply, nil if it accepted the object.
	Refused error
	// Warnings are the server's warnings on the first apply.
	Warnings []string
	// Drift is what the stored object has beyond or instead of the applied one.
	Drift []Change
	// Reapply is why the second, identical apply was not without effect, nil if it was.
	Reapply error
}

// File applies the objects of a file twice and removes them again. Objects of the API groups that are known to be missing are not tried.
// An error means that the check itself failed, not that the server refused something.
func File(ctx context.Context, client *cluster.Client, path string, missing []string) (_ []*Result, err error) {
	documents, err := manifest.ReadFile(path)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(documents, func(a, b manifest.Document) int {
		return cluster.Rank(a.Object) - cluster.Rank(b.Object)
	})

	created, err := createMissingNamespaces(ctx, client, documents)
	if err != nil {
		return nil, err
	}
	defer func() {
		err = errors.Join(err, remove(ctx, client, append(created, documents...)))
	}()

	results := make([]*Result, 0, len(documents))
	first := make([]*unstructured.Unstructured, 0, len(documents))
	for _, document := range documents {
		if slices.Contains(missing, document.Object.GroupVersionKind().Group) {
			results, first = append(results, &Result{Object: document.Object, Obstacle: cluster.NotServed}), append(first, nil)
			continue
		}
		stored, warnings, err := client.Apply(ctx, document.Object, document.Raw)
		result := &Result{Object: document.Object, Refused: err, Warnings: warnings}
		if err == nil {
			result.Drift = Compare(document.Object.Object, stored.Object)
			if cluster.IsDefinition(document.Object) {
				if err := client.AwaitDefinition(ctx, document.Object); err != nil {
					return nil, err
				}
			}
		}
		results, first = append(results, result), append(first, stored)
	}
	for i, document := range documents {
		if results[i].Obstacle == "" && results[i].Refused == nil {
			results[i].Reapply = reapply(ctx, client, document, first[i])
		}
	}
	return results, ctx.Err()
}

// reapply applies a document again and returns an error if that is refused or has an effect.
func reapply(ctx context.Context, client *cluster.Client, document manifest.Document, before *unstructured.Unstructured) error {
	after, _, err := client.Apply(ctx, document.Object, document.Raw)
	if err != nil {
		return fmt.Errorf("refused: %w", err)
	}
	var problems []error
	if before.GetGeneration() != after.GetGeneration() {
		problems = append(problems, fmt.Errorf("generation %d -> %d", before.GetGeneration(), after.GetGeneration()))
	}
	for _, change := range Compare(before.Object, after.Object) {
		problems = append(problems, errors.New(change.String()))
	}
	if len(problems) == 0 && before.GetResourceVersion() != after.GetResourceVersion() && !hasDefaultStatus(before) {
		problems = append(problems, errors.New("written again without a change"))
	}
	return errors.Join(problems...)
}

// hasDefaultStatus reports whether the status of an object comes from a default of its definition: no controller runs here that
// would write one. The server stores such an object again on every apply, with the same content; without that default it does not.
func hasDefaultStatus(object *unstructured.Unstructured) bool {
	_, found := object.Object["status"]
	return found && object.GroupVersionKind().Group != ""
}

// createMissingNamespaces creates the namespaces that objects are in but that are not among the documents.
func createMissingNamespaces(ctx context.Context, client *cluster.Client, documents []manifest.Document) ([]manifest.Document, error) {
	known := map[string]bool{"": true, "default": true, "kube-system": true, "kube-public": true, "kube-node-lease": true}
	for _, document := range documents {
		if cluster.IsNamespace(document.Object) {
			known[document.Object.GetName()] = true
		}
	}
	var created []manifest.Document
	for _, document := range documents {
		name := document.Object.GetNamespace()
		if known[name] {
			continue
		}
		known[name] = true
		namespace := cluster.NewNamespace(name)
		if err := client.Create(ctx, namespace); err != nil {
			return nil, err
		}
		created = append(created, manifest.Document{Object: namespace})
	}
	return created, nil
}

// remove deletes the objects of the documents, the last one first.
func remove(ctx context.Context, client *cluster.Client, documents []manifest.Document) error {
	for _, document := range slices.Backward(documents) {
		if err := client.Remove(ctx, document.Object); err != nil {
			return err
		}
	}
	return nil
}
