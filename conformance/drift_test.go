package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/live"
	"conformance/internal/manifest"
)

// livingDump is what `kubectl get --output json --show-managed-fields` prints of the objects of TestDriftOfLivingClusters, which test/cli/drift compares
// with their manifests.
const livingDump = "../test/cli/drift/living-clusters.json"

// livingClusters are the pairs whose old states are applied, with their namespaces.
var livingClusters = map[string]string{"dev-page-machines": movedNamespace, "dev-class-version": "tenant-acme"}

// executables are the names of controllers here. In their images each is `manager`, which is what their writes are named after.
var executables = []string{"clusterapi", "dev", "cluster-api-controller-manager", "kubeadm-bootstrap-manager", "kubeadm-control-plane-manager"}

// TestDriftOfLivingClusters lets the real controllers make the machines of a cluster, and of one with a ClusterClass, changes both as people and the
// autoscaler do, and compares who has written what with the recorded dump. RECORD=true records it anew.
func TestDriftOfLivingClusters(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	requireExecutables(t)
	h := startHall(t, "hall")
	for _, pair := range slices.Sorted(maps.Keys(livingClusters)) {
		h.deliverAsFlux(t, pair, livingClusters[pair])
	}
	h.awaitMachines(t)
	h.awaitPools(t, "tenant-acme", 2)
	h.changeByHand(t)
	time.Sleep(5 * time.Second)

	var found []unstructured.Unstructured
	for _, namespace := range slices.Sorted(maps.Values(livingClusters)) {
		objects, err := h.client.All(t.Context(), namespace)
		if err != nil {
			t.Fatal(err)
		}
		own, err := h.client.Get(t.Context(), live.Namespace, "", namespace)
		if err != nil || own == nil {
			t.Fatalf("no Namespace %s: %v", namespace, err)
		}
		found = append(found, append(objects, *own)...)
	}
	for i := range found {
		withoutContent(&found[i])
	}
	if os.Getenv("RECORD") == "true" {
		record(t, found)
	}
	compareWriters(t, found)
}

// deliverAsFlux applies manifests as kustomize-controller does, with its marks.
func (h *hall) deliverAsFlux(t *testing.T, pair, namespace string) {
	t.Helper()
	if err := h.client.Ensure(t.Context(), cluster.NewNamespace(namespace)); err != nil {
		t.Fatal(err)
	}
	documents, err := manifest.ReadFile(filepath.Join("plan", pair, "old.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range documents {
		labels := document.Object.GetLabels()
		if labels == nil {
			labels = map[string]string{}
		}
		labels["kustomize.toolkit.fluxcd.io/name"], labels["kustomize.toolkit.fluxcd.io/namespace"] = "tenants", "flux-system"
		document.Object.SetLabels(labels)
	}
	h.deliver(t, documents)
}

// awaitPools waits until all pools of a namespace have their machines, with nodes.
func (h *hall) awaitPools(t *testing.T, namespace string, machines int) {
	t.Helper()
	for end := time.Now().Add(moveLimit); time.Now().Before(end); time.Sleep(time.Second) {
		list, err := h.client.List(t.Context(), live.Machine, namespace, nil)
		if err != nil {
			t.Fatal(err)
		}
		isWithoutNode := func(machine unstructured.Unstructured) bool {
			return live.String(machine.Object, "status", "nodeRef", "name") == ""
		}
		if len(list) >= machines && !slices.ContainsFunc(list, isWithoutNode) {
			return
		}
	}
	t.Fatalf("the machines of %s do not get their nodes", namespace)
}

// changeByHand changes objects as people do, which is drift, and sizes a pool as an autoscaler does, which is not.
func (h *hall) changeByHand(t *testing.T) {
	t.Helper()
	as := func(manager string) *live.Client {
		client, err := live.NewClient(h.server.Config, manager)
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	merge := func(client *live.Client, kind schema.GroupKind, namespace, name, patch string, subresources ...string) {
		object, err := client.Get(t.Context(), kind, namespace, name)
		if err != nil || object == nil {
			t.Fatalf("no %s %s: %v", kind.Kind, name, err)
		}
		var fields map[string]any
		if err := json.Unmarshal([]byte(patch), &fields); err != nil {
			t.Fatal(err)
		}
		if err := client.Merge(t.Context(), object, fields, subresources...); err != nil {
			t.Fatal(err)
		}
	}
	pools, err := h.client.List(t.Context(), live.MachineDeployment, movedNamespace, nil)
	if err != nil || len(pools) == 0 {
		t.Fatalf("no pool: %v", err)
	}
	merge(as("kubectl-edit"), live.MachineDeployment, movedNamespace, pools[0].GetName(), `{"spec": {"template": {"spec": {"deletion": {"nodeDrainTimeoutSeconds": 77}}}}}`)
	merge(as("cluster-autoscaler"), live.MachineDeployment, movedNamespace, pools[0].GetName(), `{"spec": {"replicas": 2}}`, "scale")
	merge(as("kubectl-label"), live.Cluster, "tenant-acme", "acme", `{"metadata": {"labels": {"team": "blue"}}}`)
	config := parseObject(t, fmt.Sprintf(`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "notes", "namespace": %q}, "data": {"a": "b"}}`, movedNamespace))
	if err := as("kubectl-create").Ensure(t.Context(), config); err != nil {
		t.Fatal(err)
	}
}

// withoutContent takes out what is secret or different in each run and has no meaning for drift.
func withoutContent(object *unstructured.Unstructured) {
	delete(object.Object, "status")
	if object.GetKind() == live.Secret.Kind || object.GetName() == "kube-root-ca.crt" {
		data, _, _ := unstructured.NestedMap(object.Object, "data")
		for key := range data {
			data[key] = ""
		}
		if data != nil {
			object.Object["data"] = data
		}
	}
	token := []string{"spec", "joinConfiguration", "discovery", "bootstrapToken", "token"}
	if live.String(object.Object, token...) != "" {
		_ = unstructured.SetNestedField(object.Object, "", token...)
	}
	entries := object.GetManagedFields()
	entries = slices.DeleteFunc(entries, func(entry metav1.ManagedFieldsEntry) bool { return entry.Subresource == "status" })
	for i := range entries {
		if slices.Contains(executables, entries[i].Manager) {
			entries[i].Manager = "manager"
		}
	}
	object.SetManagedFields(entries)
}

func record(t *testing.T, objects []unstructured.Unstructured) {
	t.Helper()
	var text bytes.Buffer
	text.WriteString("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n")
	for i := range objects {
		line, err := json.Marshal(objects[i].Object)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(line)
		if i < len(objects)-1 {
			text.WriteByte(',')
		}
		text.WriteByte('\n')
	}
	text.WriteString("]}\n")
	if err := os.WriteFile(livingDump, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compareWriters compares which programs have written objects of each kind, other than their status, with those of the recorded dump.
func compareWriters(t *testing.T, objects []unstructured.Unstructured) {
	t.Helper()
	text, err := os.ReadFile(livingDump)
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct{ Items []unstructured.Unstructured }
	if err := json.Unmarshal(text, &recorded); err != nil {
		t.Fatal(err)
	}
	want, got := writersOf(recorded.Items), writersOf(objects)
	for _, kind := range slices.Sorted(maps.Keys(want)) {
		if want[kind] != got[kind] {
			t.Errorf("%s is written by %s, and was by %s: record the dump anew, and look at what drift says of it", kind, got[kind], want[kind])
		}
	}
}

func writersOf(objects []unstructured.Unstructured) map[string]string {
	found := map[string]map[string]bool{}
	for i := range objects {
		kind := objects[i].GetNamespace() + " " + objects[i].GetKind()
		for _, entry := range objects[i].GetManagedFields() {
			if found[kind] == nil {
				found[kind] = map[string]bool{}
			}
			found[kind][strings.TrimSpace(fmt.Sprintf("%s %s %s", entry.Manager, entry.Operation, entry.Subresource))] = true
		}
	}
	words := map[string]string{}
	for kind, writers := range found {
		words[kind] = strings.Join(slices.Sorted(maps.Keys(writers)), ", ")
	}
	return words
}
