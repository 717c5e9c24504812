// Package rights compares what the synthesized Roles allow with what an API server's audit log shows: requests that RBAC refused,
// and rights that were never used.
//
// The log needs the level Metadata and the stages ResponseStarted and ResponseComplete: without the first one, a watch is missing until it
// ends. It shows no right that the API server looks up beside a request, such as bind, escalate, impersonate and use.
package rights

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Right is one thing that a role allows. A field has what the role has, wildcards included.
type Right struct {
	// Role is the role, such as "Role tenant-acme/acme-csi-driver" or "ClusterRole csi-driver".
	Role string
	// Group is the API group, empty for the core group. Resource has the subresource, such as machinedeployments/scale.
	Group, Resource, Verb string
	// Name is the only object that is allowed, or empty.
	Name string
	// URL is the path, in place of group, resource and name.
	URL string
}

// Refusal is a kind of request that RBAC refused.
type Refusal struct {
	User, Verb string
	// Group and Resource are empty for a request to a path that is no resource.
	Group, Resource, Path string
	// Namespace is empty for cluster-wide requests.
	Namespace string
	Count     int
	// Name, which some requests lack, and URI are those of the first such request.
	Name, URI string
}

// Report is what a log shows.
type Report struct {
	Refused []Refusal
	// Used and Unused are all rights that ServiceAccounts are given by the synthesized bindings of synthesized roles.
	Used, Unused []Right
	// Requests counts the requests of each ServiceAccount. Those without any are among them.
	Requests map[string]int
}

// Read reads an audit log, JSON by line, and looks at the requests of all ServiceAccounts that the synthesized objects have or give rights
// to. It ignores other users, and roles that are not among the objects.
func Read(log io.Reader, objects []*unstructured.Unstructured) (*Report, error) {
	grants, err := newGrants(objects)
	if err != nil {
		return nil, err
	}
	report := &Report{Requests: map[string]int{}}
	for user := range grants.users {
		report.Requests[user] = 0
	}
	refusals := map[Refusal]*Refusal{}
	// Requests that were judged when their response started; they end with a second event.
	started := map[string]bool{}
	for event, err := range events(log) {
		if err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
		user := event.user()
		if _, known := grants.users[user]; !known || event.Stage == stageReceived {
			continue
		}
		if started[event.AuditID] {
			delete(started, event.AuditID)
			continue
		}
		if event.Stage == stageStarted {
			started[event.AuditID] = true
		}
		report.Requests[user]++
		asked := event.request()
		if verb, refused := event.refusedVerb(); refused {
			key := Refusal{User: user, Verb: verb, Group: asked.group, Resource: asked.resource, Path: asked.path, Namespace: asked.namespace}
			if refusals[key] == nil {
				refusals[key] = &Refusal{Name: asked.name, URI: event.RequestURI}
			}
			refusals[key].Count++
		}
		if event.Annotations[decision] == "allow" {
			for _, request := range event.authorized() {
				grants.use(user, request)
			}
		}
	}
	for key, refusal := range refusals {
		key.Count, key.Name, key.URI = refusal.Count, refusal.Name, refusal.URI
		report.Refused = append(report.Refused, key)
	}
	slices.SortFunc(report.Refused, func(a, b Refusal) int {
		return cmp.Or(
			cmp.Compare(a.User, b.User), cmp.Compare(a.what(), b.what()), cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Namespace, b.Namespace),
		)
	})
	report.Used, report.Unused = grants.sort()
	return report, nil
}

// String describes the right in one line.
func (r Right) String() string {
	what := r.URL
	if what == "" {
		what = qualified(r.Group, r.Resource)
	}
	if r.Name != "" {
		what += " " + r.Name
	}
	return fmt.Sprintf("%s: %s %s", r.Role, r.Verb, what)
}

// String describes the refusal in one line.
func (r Refusal) String() string {
	where := "cluster-wide"
	switch {
	case r.Path != "":
		where = "no resource"
	case r.Namespace != "":
		where = "namespace " + r.Namespace
	}
	return fmt.Sprintf("%s: %s %s (%s): refused by RBAC, requests: %d, first: %s; grant the right, or keep the program from asking",
		r.User, r.Verb, r.what(), where, r.Count, strings.TrimSpace(r.Name+" "+r.URI))
}

func (r Refusal) what() string {
	if r.Path != "" {
		return r.Path
	}
	return qualified(r.Group, r.Resource)
}

// qualified writes a resource as kubectl does: deployments.apps/scale.
func qualified(group, resource string) string {
	if group == "" {
		return resource
	}
	resource, subresource, found := strings.Cut(resource, "/")
	if found {
		subresource = "/" + subresource
	}
	return resource + "." + group + subresource
}
