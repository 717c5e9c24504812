package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"conformance/internal/cluster"
	"conformance/internal/live"
	"conformance/internal/manifest"
)

// keepsObject are annotations with which a tool that prunes leaves an object alone.
var keepsObject = map[string]string{
	"kustomize.toolkit.fluxcd.io/prune": "disabled",
	"argocd.argoproj.io/sync-options":   "Prune=false",
}

// objectsOf reads the manifests of a folder, as kustomize builds them if it is one of kustomize. None are in a folder that is not there.
func objectsOf(folder string) ([]*live.Object, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var objects []*live.Object
	if _, err := os.Stat(filepath.Join(folder, "kustomization.yaml")); err == nil {
		built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", folder, err)
		}
		text, err := built.AsYaml()
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", folder, err)
		}
		documents, err := manifest.Parse(text)
		if err != nil {
			return nil, err
		}
		for _, document := range documents {
			objects = append(objects, document.Object)
		}
	} else {
		files, err := manifest.Files([]string{folder})
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			documents, err := manifest.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, document := range documents {
				objects = append(objects, document.Object)
			}
		}
	}
	slices.SortStableFunc(objects, func(a, b *live.Object) int { return cluster.Rank(a) - cluster.Rank(b) })
	return objects, nil
}

// apply applies objects and deletes those of before that are not among them. It returns the refusals of the server.
func apply(ctx context.Context, client *live.Client, before, objects []*live.Object) (refused []Refusal, err error) {
	for _, object := range objects {
		if _, err := client.Overwrite(ctx, object); isRefusal(err) {
			refused = append(refused, Refusal{keyOf(object), err.Error()})
		} else if err != nil {
			return nil, err
		}
	}
	for _, object := range before {
		isThere := slices.ContainsFunc(objects, func(other *live.Object) bool { return keyOf(other) == keyOf(object) })
		if isThere || isKept(object) {
			continue
		}
		if err := client.Delete(ctx, object); err != nil {
			return nil, err
		}
	}
	return refused, nil
}

func isRefusal(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && (apierrors.IsInvalid(err) || apierrors.IsForbidden(err) || apierrors.IsBadRequest(err))
}

func isKept(object *live.Object) bool {
	for key, value := range keepsObject {
		if object.GetAnnotations()[key] == value {
			return true
		}
	}
	return false
}

func keyOf(object *live.Object) string {
	if object.GetNamespace() == "" {
		return object.GetKind() + " " + object.GetName()
	}
	return object.GetKind() + " " + object.GetNamespace() + "/" + object.GetName()
}

// fluxRefusal is how kustomize-controller names an object that a dry run does not accept.
var fluxRefusal = regexp.MustCompile(`(\w+)/([^/ ]+)/([^/ ]+) dry-run failed[^:]*: (.*)`)
