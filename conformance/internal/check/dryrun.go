package check

import (
	"context"

	"conformance/internal/cluster"
	"conformance/internal/manifest"
)

// DryRun tries the objects of a file without storing anything. A namespace that is not empty takes the place of those in the file.
func DryRun(ctx context.Context, client *cluster.Client, visited *cluster.Visited, path, namespace string) ([]*Result, error) {
	documents, err := manifest.ReadFile(path)
	if err != nil {
		return nil, err
	}
	results := make([]*Result, 0, len(documents))
	for _, document := range documents {
		if namespace != "" {
			if document, err = moved(client, document, namespace); err != nil {
				return nil, err
			}
		}
		result := &Result{Object: document.Object}
		if result.Obstacle, err = visited.Obstacle(ctx, document.Object); err != nil {
			return nil, err
		}
		if result.Obstacle == "" {
			stored, warnings, err := client.DryRun(ctx, document.Object, document.Raw)
			if result.Refused, result.Warnings = err, warnings; err == nil {
				result.Drift = Compare(document.Object.Object, stored.Object)
			}
		}
		results = append(results, result)
	}
	return results, ctx.Err()
}

// moved returns a document in another namespace, unless its kind has none or is not served.
func moved(client *cluster.Client, document manifest.Document, namespace string) (manifest.Document, error) {
	if namespaced, err := client.IsNamespaced(document.Object); err != nil || !namespaced {
		return document, nil // Whoever looks for obstacles finds the error.
	}
	object := document.Object.DeepCopy()
	object.SetNamespace(namespace)
	raw, err := object.MarshalJSON()
	return manifest.Document{Raw: raw, Object: object}, err
}
