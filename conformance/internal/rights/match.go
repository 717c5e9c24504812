package rights

import (
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// request is what RBAC is asked about.
type request struct {
	verb, group string
	// resource has the subresource. It is empty for paths that are no resource.
	resource, subresource string
	namespace             string
	// name is the name in the path, or for list and watch the only one that the field selector metadata.name leaves
	// (kubernetes/apiserver pkg/endpoints/request/requestinfo.go).
	name string
	path string
}

// allows reports whether RBAC lets a request through by this right (kubernetes/kubernetes pkg/apis/rbac/v1/evaluation_helpers.go).
func (r Right) allows(asked request) bool {
	if r.Verb != rbacv1.VerbAll && r.Verb != asked.verb {
		return false
	}
	if asked.resource == "" {
		prefix, isPrefix := strings.CutSuffix(r.URL, rbacv1.NonResourceAll)
		return r.URL != "" && (r.URL == asked.path || isPrefix && strings.HasPrefix(asked.path, strings.TrimRight(prefix, rbacv1.NonResourceAll)))
	}
	return r.URL == "" &&
		(r.Group == rbacv1.APIGroupAll || r.Group == asked.group) &&
		(r.Resource == rbacv1.ResourceAll || r.Resource == asked.resource || asked.subresource != "" && r.Resource == "*/"+asked.subresource) &&
		(r.Name == "" || r.Name == asked.name)
}
