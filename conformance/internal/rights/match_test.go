package rights

import "testing"

func TestAllows(t *testing.T) {
	pods := request{verb: "get", resource: "pods", name: "p"}
	scale := request{verb: "get", group: "apps", resource: "deployments/scale", subresource: "scale", name: "d"}
	path := request{verb: "get", path: "/healthz/etcd"}
	for _, test := range []struct {
		name  string
		right Right
		asked request
		want  bool
	}{
		{"the same", Right{Resource: "pods", Verb: "get"}, pods, true},
		{"another verb", Right{Resource: "pods", Verb: "list"}, pods, false},
		{"every verb", Right{Resource: "pods", Verb: "*"}, pods, true},
		{"another group", Right{Group: "apps", Resource: "pods", Verb: "get"}, pods, false},
		{"every group", Right{Group: "*", Resource: "pods", Verb: "get"}, pods, true},
		{"another resource", Right{Resource: "nodes", Verb: "get"}, pods, false},
		{"every resource", Right{Resource: "*", Verb: "get"}, pods, true},
		{"every resource has every subresource", Right{Group: "apps", Resource: "*", Verb: "get"}, scale, true},
		{"a resource does not have its subresources", Right{Group: "apps", Resource: "deployments", Verb: "get"}, scale, false},
		{"a subresource", Right{Group: "apps", Resource: "deployments/scale", Verb: "get"}, scale, true},
		{"a subresource of every resource", Right{Group: "apps", Resource: "*/scale", Verb: "get"}, scale, true},
		{"another subresource of every resource", Right{Group: "apps", Resource: "*/status", Verb: "get"}, scale, false},
		{"every subresource is no pattern", Right{Group: "apps", Resource: "deployments/*", Verb: "get"}, scale, false},
		{"a subresource is not the resource", Right{Resource: "*/", Verb: "get"}, pods, false},
		{"the name", Right{Resource: "pods", Verb: "get", Name: "p"}, pods, true},
		{"another name", Right{Resource: "pods", Verb: "get", Name: "q"}, pods, false},
		{"a name is no pattern", Right{Resource: "pods", Verb: "get", Name: "*"}, pods, false},
		{"no name in the request", Right{Resource: "pods", Verb: "get", Name: "p"}, request{verb: "get", resource: "pods"}, false},
		{"a path", Right{Verb: "get", URL: "/healthz/etcd"}, path, true},
		{"another path", Right{Verb: "get", URL: "/healthz"}, path, false},
		{"what begins with a path", Right{Verb: "get", URL: "/healthz/*"}, path, true},
		{"what does not begin with it", Right{Verb: "get", URL: "/livez/*"}, path, false},
		{"every path", Right{Verb: "get", URL: "*"}, path, true},
		{"a star elsewhere is no pattern", Right{Verb: "get", URL: "/*/etcd"}, path, false},
		{"another verb for a path", Right{Verb: "post", URL: "*"}, path, false},
		{"resources are no paths", Right{Group: "*", Resource: "*", Verb: "*"}, path, false},
		{"paths are no resources", Right{Verb: "*", URL: "*"}, pods, false},
	} {
		if got := test.right.allows(test.asked); got != test.want {
			t.Errorf("%s: got %t", test.name, got)
		}
	}
}
