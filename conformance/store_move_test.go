package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/controlplane"
	"conformance/internal/definitions"
	"conformance/internal/golden"
	"conformance/internal/live"
)

const (
	kamajiNamespace = "kamaji-system"
	// tenantPrefix is where Kamaji has the data of the tenant.
	tenantPrefix = "/tenant_acme_acme/"
)

var (
	tenantKind = schema.GroupKind{Group: "kamaji.clastix.io", Kind: "TenantControlPlane"}
	secretKind = schema.GroupKind{Kind: "Secret"}
	jobKind    = schema.GroupKind{Group: "batch", Kind: "Job"}
)

// move plays the move of a control plane to another data store with Kamaji's own code: what its controller does for data stores, and its Job.
type move struct {
	program, kubeconfig string
	client              *live.Client
	stores              map[string]*store
}

// TestStoreIsMoved moves the data of a tenant from one etcd with authentication to another, to the one that the example names. Kamaji's code prepares the stores
// and makes the Job, whose command runs as it is. The policies of the same example are judged in internal/policies (TestPoliciesDuringMove).
func TestStoreIsMoved(t *testing.T) {
	target := movedTo(t)
	m := startMove(t, "default", target)
	former, next := m.stores["default"], m.stores[target]
	m.reconcile(t, "done")
	m.issueTenant(t, former)
	for _, key := range []string{"namespaces/default", "pods/web"} {
		former.etcdctl(t, former.members[0], "tenant", "put", tenantPrefix+key, "value")
	}
	former.etcdctl(t, former.members[0], "root", "put", "/tenant_beta_beta/namespaces/default", "other")

	m.merge(t, map[string]any{"spec": map[string]any{"dataStore": target}})
	m.reconcile(t, "waits")
	m.reconcile(t, "waits")
	if got := m.state(t); got != "default Migrating" {
		t.Errorf("while the Job copies, the control plane is %s", got)
	}
	m.runJob(t)
	m.reconcile(t, "done")
	if got := m.state(t); !strings.HasPrefix(got, target+" ") {
		t.Errorf("after the move, the control plane is %s", got)
	}

	m.issueTenant(t, next)
	for name, s := range m.stores {
		if got := keys(s.etcdctl(t, s.members[0], "root", "get", "--prefix", "/", "--keys-only"), tenantPrefix); got != 2 {
			t.Errorf("%s has %d keys of the tenant", name, got)
		}
	}
	next.etcdctl(t, next.members[0], "tenant", "put", tenantPrefix+"pods/new", "value")
	if output, err := next.run(t, "tenant", nil, next.jobs, "etcdctl", "put", "/tenant_beta_beta/pods/new", "value"); err == nil {
		t.Errorf("the tenant writes what another one has: %s", output)
	}
	if got := keys(next.etcdctl(t, next.members[0], "root", "get", "--prefix", "/", "--keys-only"), "/tenant_beta_beta/"); got != 0 {
		t.Errorf("%d keys of another tenant were copied", got)
	}
}

// movedTo returns the data store that the control plane of the example moves to.
func movedTo(t *testing.T) string {
	for _, document := range golden.Read(t, "management", "isolation-data-store-move") {
		if document.Object.GetKind() == "KamajiControlPlane" {
			return live.String(document.Object.Object, "spec", "dataStoreName")
		}
	}
	t.Fatal("the example has no control plane")
	return ""
}

// keys returns how many keys of a list begin with a prefix.
func keys(list, prefix string) int {
	return len(slices.DeleteFunc(strings.Fields(list), func(key string) bool { return !strings.HasPrefix(key, prefix) }))
}

// startMove starts an API server with a control plane in the first of the data stores.
func startMove(t *testing.T, names ...string) *move {
	if testing.Short() {
		t.Skip("starts servers")
	}
	requireExecutables(t)
	if _, err := os.Stat(filepath.Join("upstream", "kamaji")); err != nil {
		t.Skip("run npm run conformance -- --kamaji once, so that there are sources: ", err)
	}
	bin, err := filepath.Abs("bin")
	if err != nil {
		t.Fatal(err)
	}
	m := &move{program: filepath.Join(t.TempDir(), "kamaji"), stores: map[string]*store{}}
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-C", "kamaji", "-o", m.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build Kamaji's code: %v\n%s", err, output)
	}
	m.startServer(t, bin)
	for _, name := range names {
		m.startStore(t, name)
	}
	m.createTenant(t, names[0])
	return m
}

// startServer starts an API server with Kamaji's definitions.
func (m *move) startServer(t *testing.T, bin string) {
	t.Helper()
	server, err := controlplane.Start(t.Context(), bin, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	m.kubeconfig = server.Kubeconfig
	createKamajiDefinitions(t, server)
	if m.client, err = live.NewClient(server.Config, "test"); err != nil {
		t.Fatal(err)
	}
	for _, namespace := range []string{kamajiNamespace, tenantNamespace} {
		m.ensure(t, cluster.NewNamespace(namespace))
	}
}

// createTenant creates the control plane in a data store.
func (m *move) createTenant(t *testing.T, store string) {
	t.Helper()
	m.ensure(t, parseObject(t, fmt.Sprintf(`{
		"apiVersion": "kamaji.clastix.io/v1alpha1", "kind": "TenantControlPlane", "metadata": {"name": "acme", "namespace": %q},
		"spec": {
			"dataStore": %q, "dataStoreSchema": "tenant_acme_acme", "dataStoreUsername": "tenant_acme_acme",
			"controlPlane": {"deployment": {"replicas": 2}, "service": {"serviceType": "LoadBalancer"}},
			"kubernetes": {"version": "v1.35.4", "kubelet": {}}, "networkProfile": {"port": 6443}
		}
	}`, tenantNamespace, store)))
	// Pods of the control plane, which set this, do not run.
	m.merge(t, map[string]any{"status": map[string]any{"kubernetesResources": map[string]any{
		"version": map[string]any{"version": "v1.35.4", "status": "Ready"},
	}}}, "status")
}

func createKamajiDefinitions(t *testing.T, server *controlplane.ControlPlane) {
	known, err := definitions.Find((&options{dir: "."}).places())
	if err != nil {
		t.Skip(err)
	}
	client, err := cluster.NewClient(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.CreateDefinitions(t.Context(), slices.DeleteFunc(known.Definitions, func(definition *unstructured.Unstructured) bool {
		return live.String(definition.Object, "spec", "group") != tenantKind.Group
	})); err != nil {
		t.Fatal(err)
	}
}

// startStore starts an etcd of one member that asks for authentication, with the Job of the examples, and declares it.
func (m *move) startStore(t *testing.T, name string) {
	s := startStore(t, "etcd-"+name)
	command, env, _ := jobContainer(t, "Job", "authentication")
	if output, err := s.run(t, "root", env, s.jobs, command...); err != nil {
		t.Fatalf("authentication: %v\n%s", err, output)
	}
	m.declareStore(t, name, s)
}

// declareStore declares a running data store.
func (m *move) declareStore(t *testing.T, name string, s *store) {
	t.Helper()
	m.stores[name] = s
	data := map[string]any{"ca.crt": base64.StdEncoding.EncodeToString(s.pki.CA), "ca.key": base64.StdEncoding.EncodeToString(s.pki.CAKey)}
	for _, file := range []string{"tls.crt", "tls.key"} {
		content, err := os.ReadFile(filepath.Join(s.dir, "root", file))
		if err != nil {
			t.Fatal(err)
		}
		data[file] = base64.StdEncoding.EncodeToString(content)
	}
	secret := "etcd-" + name + "-certs"
	m.ensure(t, &live.Object{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": secret, "namespace": kamajiNamespace}, "data": data,
	}})
	at := func(key string) map[string]any {
		return map[string]any{"secretReference": map[string]any{"name": secret, "namespace": kamajiNamespace, "keyPath": key}}
	}
	m.ensure(t, &live.Object{Object: map[string]any{
		"apiVersion": "kamaji.clastix.io/v1alpha1", "kind": "DataStore", "metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"driver": "etcd", "endpoints": []any{strings.TrimPrefix(s.members[0].endpoint, "https://")},
			"tlsConfig": map[string]any{
				"certificateAuthority": map[string]any{"certificate": at("ca.crt"), "privateKey": at("ca.key")},
				"clientCertificate":    map[string]any{"certificate": at("tls.crt"), "privateKey": at("tls.key")},
			},
		},
	}})
}

func (m *move) ensure(t *testing.T, object *live.Object) {
	t.Helper()
	if err := m.client.Ensure(t.Context(), object); err != nil {
		t.Fatal(err)
	}
}

func (m *move) get(t *testing.T, kind schema.GroupKind, namespace, name string) *live.Object {
	t.Helper()
	found, err := m.client.Get(t.Context(), kind, namespace, name)
	if err != nil || found == nil {
		t.Fatalf("%s %s/%s: %v", kind, namespace, name, err)
	}
	return found
}

func (m *move) merge(t *testing.T, patch map[string]any, subresources ...string) {
	t.Helper()
	if err := m.client.Merge(t.Context(), m.get(t, tenantKind, tenantNamespace, "acme"), patch, subresources...); err != nil {
		t.Fatal(err)
	}
}

// run runs Kamaji's code with arguments.
func (m *move) run(t *testing.T, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), m.program, arguments...)
	command.Env = append(os.Environ(), "KUBECONFIG="+m.kubeconfig)
	var problems strings.Builder
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		t.Fatalf("kamaji %s: %v\n%s", strings.Join(arguments, " "), err, problems.String())
	}
	return strings.TrimSpace(string(output))
}

// reconcile reconciles the control plane once, which gets as far as it should.
func (m *move) reconcile(t *testing.T, want string) {
	t.Helper()
	if got := m.run(t, "store", tenantNamespace+"/acme"); got != want {
		t.Fatalf("Kamaji %s, and should be %s", got, want)
	}
}

// state returns the data store of the control plane, and the status of its version.
func (m *move) state(t *testing.T) string {
	t.Helper()
	status := m.get(t, tenantKind, tenantNamespace, "acme").Object
	return live.String(status, "status", "storage", "dataStoreName") + " " + live.String(status, "status", "kubernetesResources", "version", "status")
}

// runJob runs the container of the Job, and completes it.
func (m *move) runJob(t *testing.T) {
	t.Helper()
	job := m.get(t, jobKind, kamajiNamespace, "migrate-"+string(m.get(t, tenantKind, tenantNamespace, "acme").GetUID()))
	var arguments []string
	for _, argument := range live.Maps(job.Object, "spec", "template", "spec", "containers")[0]["args"].([]any) {
		arguments = append(arguments, argument.(string))
	}
	m.run(t, arguments...)
	now := time.Now().UTC().Format(time.RFC3339)
	condition := func(kind string) map[string]any {
		return map[string]any{"type": kind, "status": "True", "lastTransitionTime": now, "lastProbeTime": now}
	}
	if err := m.client.Merge(t.Context(), job, map[string]any{"status": map[string]any{
		"startTime": now, "completionTime": now, "succeeded": int64(1), "conditions": []any{condition("SuccessCriteriaMet"), condition("Complete")},
	}}, "status"); err != nil {
		t.Fatal(err)
	}
}

// issueTenant gives the tenant the certificate that its API servers have for the data store.
func (m *move) issueTenant(t *testing.T, s *store) {
	t.Helper()
	secret := m.get(t, secretKind, tenantNamespace, "acme-datastore-certificate")
	for file, key := range map[string]string{"tls.crt": "server.crt", "tls.key": "server.key"} {
		content, err := live.SecretData(secret, key)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(s.dir, "tenant", file), content)
	}
}
