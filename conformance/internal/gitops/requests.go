package gitops

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"

	"conformance/internal/live"
)

// request is a chart that an object asks for.
type request struct {
	// isImage reports whether the chart is in a registry, and not in a repository of Helm.
	isImage bool
	// host has a port if the URL has one, and folder begins with a slash unless it is empty.
	host, folder  string
	name, version string
}

// requests returns the charts that the HelmReleases and HelmChartProxies among the objects ask for, each once.
func requests(objects []*live.Object) ([]request, error) {
	sources := map[string]*live.Object{}
	for _, object := range objects {
		sources[sourceKey(object.GetKind(), object.GetNamespace(), object.GetName())] = object
	}
	var found []request
	var problems []error
	for _, object := range objects {
		wanted, err := requestOf(object, sources)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s %s/%s: %w", object.GetKind(), object.GetNamespace(), object.GetName(), err))
		} else if wanted != nil && !slices.Contains(found, *wanted) {
			found = append(found, *wanted)
		}
	}
	return found, errors.Join(problems...)
}

// requestOf returns the chart that an object asks for, nil if it asks for none.
func requestOf(object *live.Object, sources map[string]*live.Object) (*request, error) {
	spec, _, _ := unstructured.NestedMap(object.Object, "spec")
	switch object.GroupVersionKind().GroupKind() {
	case HelmChartProxy:
		return newRequest(live.String(spec, "repoURL"), live.String(spec, "chartName"), live.String(spec, "version"))
	case HelmRelease:
		if chart := live.String(spec, "chart", "spec", "chart"); chart != "" {
			source, err := findSource(object, sources, HelmRepository, "spec", "chart", "spec", "sourceRef")
			if err != nil {
				return nil, err
			}
			return newRequest(live.String(source.Object, "spec", "url"), chart, live.String(spec, "chart", "spec", "version"))
		}
		source, err := findSource(object, sources, OCIRepository, "spec", "chartRef")
		if err != nil {
			return nil, err
		}
		folder, name := path.Split(live.String(source.Object, "spec", "url"))
		return newRequest(folder, name, tagVersion(live.String(source.Object, "spec", "ref", "tag")))
	default:
		return nil, nil
	}
}

// findSource returns the object of a kind that a field of a release refers to.
func findSource(release *live.Object, sources map[string]*live.Object, kind schema.GroupKind, field ...string) (*live.Object, error) {
	reference, where := live.Strings(release.Object, field...), strings.Join(field, ".")
	if reference["kind"] != kind.Kind {
		return nil, fmt.Errorf("%s.kind: %q: expected %s", where, reference["kind"], kind.Kind)
	}
	of := reference["namespace"]
	if of == "" {
		of = release.GetNamespace()
	}
	source := sources[sourceKey(kind.Kind, of, reference["name"])]
	if source == nil {
		return nil, fmt.Errorf("%s: %s %s/%s is not among the objects", where, kind.Kind, of, reference["name"])
	}
	return source, nil
}

func sourceKey(kind, namespace, name string) string { return kind + "/" + namespace + "/" + name }

func newRequest(repository, name, wanted string) (*request, error) {
	address, err := url.Parse(repository)
	if err != nil {
		return nil, fmt.Errorf("read the URL of chart %s: %w", name, err)
	}
	if address.Scheme != "https" && address.Scheme != "oci" {
		return nil, fmt.Errorf("URL of chart %s: %q: expected https:// or oci://", name, repository)
	}
	if _, err := version.ParseSemantic(wanted); err != nil {
		return nil, fmt.Errorf("version of chart %s: %q: expected a version such as 1.2.3, neither a range nor a digest", name, wanted)
	}
	return &request{
		isImage: address.Scheme == "oci",
		host:    address.Host,
		folder:  strings.TrimSuffix(address.Path, "/"),
		name:    name,
		version: wanted,
	}, nil
}

// tag returns the tag of a version in a registry, where "+" is not allowed.
func (r request) tag() string { return strings.ReplaceAll(r.version, "+", "_") }

// tagVersion returns the version that a tag stands for.
func tagVersion(tag string) string { return strings.ReplaceAll(tag, "_", "+") }
