package rights

import (
	"fmt"
	"strings"
	"testing"
)

func TestRightsOfRequests(t *testing.T) {
	const pod = `"objectRef": {"resource": "pods", "namespace": "ns", "name": "p"}`
	const token = `"objectRef": {"resource": "serviceaccounts", "subresource": "token", "namespace": "ns", "name": "p"}`
	const allow, forbid = `"annotations": {"authorization.k8s.io/decision": "allow"}`, `"annotations": {"authorization.k8s.io/decision": "forbid"}`
	status := func(code int, message string) string {
		return fmt.Sprintf(`"responseStatus": {"code": %d, "message": %q}`, code, message)
	}
	const line = `{"apiVersion": "audit.k8s.io/v1", "kind": "Event", "stage": "ResponseComplete", "user": {"username": "system:serviceaccount:ns:sa"}, %s}`
	const role = `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: c}, rules: [
		{apiGroups: [""], resources: [pods], verbs: [create, get, patch]},
		{apiGroups: [""], resources: [pods, serviceaccounts/token], verbs: [create, get], resourceNames: [p]},
		{nonResourceURLs: [/metrics], verbs: [get]}]}`
	const binding = `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: c},
		roleRef: {kind: ClusterRole, name: c}, subjects: [{kind: ServiceAccount, name: sa, namespace: ns}]}`
	const message = `pods "p" is forbidden: User "u" cannot create resource "pods" in API group ""`
	for _, test := range []struct {
		name, verb string
		fields     []string
		used       []string
		// refused is the verb that was refused.
		refused string
	}{
		{"an object", "get", []string{pod, allow, status(200, "")}, []string{"get pods", "get pods p"}, ""},
		{"an object that is not there", "get", []string{pod, allow, status(404, "")}, []string{"get pods", "get pods p"}, ""},
		{"a new object has no name", "create", []string{pod, allow, status(201, "")}, []string{"create pods"}, ""},
		{"its subresource has one", "create", []string{token, allow, status(201, "")}, []string{"create serviceaccounts/token p"}, ""},
		{"a patch", "patch", []string{pod, allow, status(200, "")}, []string{"patch pods"}, ""},
		{"a patch that creates", "patch", []string{pod, allow, status(201, "")}, []string{"create pods", "create pods p", "patch pods"}, ""},
		{"a patch that must not create", "patch", []string{pod, allow, status(403, message)}, []string{"patch pods"}, "create"},
		{"a connection that answers with 201", "get", []string{pod, allow, status(201, "")}, []string{"get pods", "get pods p"}, ""},
		{"a refused request", "get", []string{pod, forbid, status(403, "")}, nil, "get"},
		{"a request without a decision", "get", []string{pod, status(401, "")}, nil, ""},
		{"a request that admission refuses", "create", []string{pod, allow, status(403, `pods "p" is forbidden: exceeded quota`)}, []string{"create pods"}, ""},
		{"a message of something else", "get", []string{pod, allow, status(500, message)}, []string{"get pods", "get pods p"}, ""},
		{"a path", "get", []string{allow, `"requestURI": "/metrics?a=b"`}, []string{"get /metrics"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			fields := strings.Join(append(test.fields, fmt.Sprintf(`"verb": %q`, test.verb)), ", ")
			report, err := Read(strings.NewReader(fmt.Sprintf(line, fields)), objectsOf(t, role, binding))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "used", texts(report.Used), test.used)
			refused := ""
			for _, refusal := range report.Refused {
				refused += refusal.Verb
			}
			if refused != test.refused {
				t.Errorf("refused: got %q, want %q", refused, test.refused)
			}
		})
	}
}
