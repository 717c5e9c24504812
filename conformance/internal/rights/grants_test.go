package rights

import (
	"fmt"
	"strings"
	"testing"
)

func TestGrants(t *testing.T) {
	const (
		pods        = `{apiGroups: [""], resources: [pods], verbs: [get]}`
		paths       = `{nonResourceURLs: [/metrics], verbs: [get]}`
		clusterRole = `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: c}, rules: [` + pods + `, ` + paths + `]}`
	)
	binding := func(kind, metadata, roleRef, subject string) string {
		return fmt.Sprintf(`{apiVersion: rbac.authorization.k8s.io/v1, kind: %s, metadata: {name: b%s}, roleRef: {%s}, subjects: [{%s}]}`, kind, metadata, roleRef, subject)
	}
	const inNamespace, inOther = ", namespace: ns", ", namespace: other"
	const toRole, toClusterRole = "kind: Role, name: r", "kind: ClusterRole, name: c"
	const account = "kind: ServiceAccount, namespace: ns, name: sa"
	for _, test := range []struct {
		name    string
		role    string
		binding string
		// used and unused are the rights after a request for a Pod of the namespace "ns", and one for /metrics.
		used, unused []string
	}{
		{"a role", roleOf(pods), binding("RoleBinding", inNamespace, toRole, account), []string{"get pods"}, nil},
		{"a role for an account without a namespace", roleOf(pods), binding("RoleBinding", inNamespace, toRole, "kind: ServiceAccount, name: sa"), []string{"get pods"}, nil},
		{"a role of another namespace", roleOf(pods), binding("RoleBinding", inOther, toRole, account), nil, nil},
		{"a role is not for the whole cluster", roleOf(pods), binding("ClusterRoleBinding", "", toRole, account), nil, nil},
		{"another account", roleOf(pods), binding("RoleBinding", inNamespace, toRole, "kind: ServiceAccount, namespace: other, name: sa"), nil, []string{"get pods"}},
		{"a person", roleOf(pods), binding("RoleBinding", inNamespace, toRole, "kind: User, name: jane"), nil, nil},
		{"the user of the account", roleOf(pods), binding("RoleBinding", inNamespace, toRole, "kind: User, name: 'system:serviceaccount:ns:sa'"), []string{"get pods"}, nil},
		{"the accounts of its namespace", roleOf(pods), binding("RoleBinding", inNamespace, toRole, "kind: Group, name: 'system:serviceaccounts:ns'"), []string{"get pods"}, nil},
		{"the accounts of another namespace", roleOf(pods), binding("RoleBinding", inNamespace, toRole, "kind: Group, name: 'system:serviceaccounts:n'"), nil, nil},
		{"all accounts", roleOf(pods), binding("RoleBinding", inNamespace, toRole, "kind: Group, name: 'system:serviceaccounts'"), []string{"get pods"}, nil},
		{"all users", roleOf(pods), binding("RoleBinding", inNamespace, toRole, "kind: Group, name: 'system:authenticated'"), []string{"get pods"}, nil},
		{"a ClusterRole in the cluster", clusterRole, binding("ClusterRoleBinding", "", toClusterRole, account), []string{"get /metrics", "get pods"}, nil},
		{"a ClusterRole in a namespace has no paths", clusterRole, binding("RoleBinding", inNamespace, toClusterRole, account), []string{"get pods"}, []string{"get /metrics"}},
		{"a ClusterRole in another namespace", clusterRole, binding("RoleBinding", inOther, toClusterRole, account), nil, []string{"get /metrics", "get pods"}},
		{"the same right twice", roleOf(pods + ", " + pods), binding("RoleBinding", inNamespace, toRole, account), []string{"get pods"}, nil},
		{"a role without a binding", roleOf(pods), serviceAccount, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			grants, err := newGrants(objectsOf(t, test.binding, test.role, serviceAccount))
			if err != nil {
				t.Fatal(err)
			}
			grants.use("system:serviceaccount:ns:sa", request{verb: "get", resource: "pods", namespace: "ns"})
			grants.use("system:serviceaccount:ns:sa", request{verb: "get", path: "/metrics"})
			used, unused := grants.sort()
			equal(t, "used", texts(used), test.used)
			equal(t, "unused", texts(unused), test.unused)
		})
	}
}

func TestRightsOfRoles(t *testing.T) {
	const rules = `{apiGroups: ["", apps], resources: [x, y/z], verbs: [get, list]}, {apiGroups: [apps], resources: [x], verbs: [get], resourceNames: [one, two]}`
	report, err := Read(strings.NewReader(""), objectsOf(t, serviceAccount, roleBinding, roleBinding, roleOf(rules)))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rights", texts(report.Unused), []string{
		"get x", "get x.apps", "get x.apps one", "get x.apps two", "get y.apps/z", "get y/z", "list x", "list x.apps", "list y.apps/z", "list y/z",
	})
	if role := report.Unused[0].Role; role != "Role ns/r" {
		t.Errorf("got role %q", role)
	}
}

func TestBadRole(t *testing.T) {
	_, err := Read(strings.NewReader(""), objectsOf(t, roleOf(`{verbs: get}`)))
	if err == nil || !strings.HasPrefix(err.Error(), "read Role ns/r: ") {
		t.Errorf("got %v", err)
	}
}
