package rights

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// objectsOf reads objects of YAML.
func objectsOf(t *testing.T, documents ...string) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, document := range documents {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
	return objects
}

const (
	serviceAccount = `{apiVersion: v1, kind: ServiceAccount, metadata: {namespace: ns, name: sa}}`
	roleBinding    = `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {namespace: ns, name: r},
		roleRef: {kind: Role, name: r}, subjects: [{kind: ServiceAccount, name: sa, namespace: ns}]}`
)

func roleOf(rules string) string {
	return fmt.Sprintf(`{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {namespace: ns, name: r}, rules: [%s]}`, rules)
}

// texts describes rights, without the role.
func texts(rights []Right) []string {
	var all []string
	for _, right := range rights {
		_, text, _ := strings.Cut(right.String(), ": ")
		all = append(all, text)
	}
	return all
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\ngot  %q\nwant %q", what, got, want)
	}
}

// TestReadLogOfServer reads what kube-apiserver 1.37.2 wrote about requests of a ServiceAccount with this role.
func TestReadLogOfServer(t *testing.T) {
	log, err := os.Open("testdata/audit.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	report, err := Read(log, objectsOf(t, serviceAccount, roleBinding, roleOf(`
		{apiGroups: [""], resources: [configmaps], verbs: [get, list, watch, create, patch, update, deletecollection], resourceNames: [one]},
		{apiGroups: [""], resources: [pods], verbs: [list, watch]},
		{apiGroups: [""], resources: [secrets], verbs: [create, patch]},
		{apiGroups: [""], resources: [services], verbs: [patch, update]}`)))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "used", texts(report.Used), []string{
		// A patch created the ConfigMap, and a request to create it was refused: only the first one has a name.
		"create configmaps one", "create secrets", "list configmaps one", "list pods", "patch configmaps one", "patch secrets", "patch services",
		"watch configmaps one", "watch pods",
	})
	// A field selector counts for list and watch alone.
	equal(t, "unused", texts(report.Unused), []string{"deletecollection configmaps one", "get configmaps one", "update configmaps one", "update services"})
	var refused []string
	for _, refusal := range report.Refused {
		refused = append(refused, fmt.Sprintf("%dx %s %s, namespace %q, first %q %s", refusal.Count, refusal.Verb, refusal.what(), refusal.Namespace, refusal.Name, refusal.URI))
	}
	equal(t, "refused", refused, []string{
		`1x get /metrics, namespace "", first "" /metrics`,
		`1x create configmaps, namespace "ns", first "" /api/v1/namespaces/ns/configmaps`,
		`1x deletecollection configmaps, namespace "ns", first "" /api/v1/namespaces/ns/configmaps?fieldSelector=metadata.name%3Done`,
		`1x list configmaps, namespace "ns", first "" /api/v1/namespaces/ns/configmaps`,
		`1x list nodes, namespace "", first "" /api/v1/nodes`,
		`1x impersonate-on:user-info:list pods, namespace "ns", first "" /api/v1/namespaces/ns/pods`,
		`1x list secrets, namespace "ns", first "" /api/v1/namespaces/ns/secrets`,
		`1x create services, namespace "ns", first "s" /api/v1/namespaces/ns/services/s?fieldManager=x`,
	})
	if got := fmt.Sprint(report.Requests); got != "map[system:serviceaccount:ns:sa:17]" {
		t.Errorf("got requests %s", got)
	}
}

func TestReadCounts(t *testing.T) {
	const line = `{"apiVersion": "audit.k8s.io/v1", "kind": "Event", "auditID": %q, "stage": %q, "verb": "watch", "requestURI": "/api/v1/%s",
		"user": {"username": %q}, "objectRef": {"resource": "pods", "namespace": "ns", "name": %q}, "annotations": {"authorization.k8s.io/decision": "forbid"}}`
	const user = "system:serviceaccount:ns:sa"
	var log strings.Builder
	for i, event := range [][3]string{
		{"a", "RequestReceived", user}, {"a", "ResponseStarted", user}, {"b", "ResponseComplete", user}, {"a", "ResponseComplete", user},
		{"c", "ResponseStarted", user}, {"d", "ResponseComplete", "somebody"}, {"e", "Panic", user},
	} {
		fmt.Fprintln(&log, strings.ReplaceAll(fmt.Sprintf(line, event[0], event[1], event[0], event[2], fmt.Sprint(i)), "\n", ""))
	}
	report, err := Read(strings.NewReader(log.String()), objectsOf(t, serviceAccount, strings.ReplaceAll(serviceAccount, "sa}", "idle}")))
	if err != nil {
		t.Fatal(err)
	}
	if report.Requests[user] != 4 || len(report.Requests) != 2 {
		t.Errorf("got requests %v, want four of one and none of the other", report.Requests)
	}
	want := "system:serviceaccount:ns:sa: watch pods (namespace ns): refused by RBAC, requests: 4, first: 1 /api/v1/a; grant the right, or keep the program from asking"
	if len(report.Refused) != 1 || report.Refused[0].String() != want {
		t.Errorf("got %v\nwant %s", report.Refused, want)
	}
}

func TestReadLines(t *testing.T) {
	const event = `{"apiVersion": "audit.k8s.io/v1", "kind": "Event"}`
	for log, want := range map[string]string{
		"":                                    "",
		event + "\n\n" + event:                "",
		event + "\n" + event[:20]:             "",
		event + "\n{}\n{":                     `read the audit log: line 2: kind "" of "": expected Event of audit.k8s.io/v1`,
		event + "\n[\n":                       "read the audit log: line 2: unexpected end of JSON input",
		`{"apiVersion": "v1", "kind": "Pod"}`: `read the audit log: line 1: kind "Pod" of "v1": expected Event of audit.k8s.io/v1`,
	} {
		_, err := Read(strings.NewReader(log), nil)
		if got := fmt.Sprint(err); err == nil && want != "" || err != nil && got != want {
			t.Errorf("%q: got %s, want %q", log, got, want)
		}
	}
}
