package main

import (
	"path/filepath"
	"strings"
	"testing"

	"conformance/internal/golden"
	"conformance/internal/live"
)

// dataStoreExample has the release of a data store, and a Job that is applied beside it.
const dataStoreExample = "example-management-cluster"

// TestAuthenticationOfDataStore runs the Job that closes a data store, with its command, variables and tools, on an etcd of the version that the chart installs:
// all tenants of the store have certificates of one authority, and authentication is all that keeps them apart.
func TestAuthenticationOfDataStore(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	store := startStore(t, "default")
	command, env, image := jobContainer(t, "Job", "authentication")
	if output, err := store.run(t, "root", nil, store.jobs, "etcdctl", "version"); err != nil || !strings.Contains(output, "etcdctl version: "+tagOf(image)) {
		t.Fatalf("the Job has %s, and etcd/jobs.mod: %s%v", image, output, err)
	}

	if output, err := store.run(t, "tenant", nil, store.bin, "etcdctl", "put", "/of/another", "secret"); err != nil {
		t.Fatalf("everything is open at first: %v\n%s", err, output)
	}
	for _, attempt := range []string{"the first time", "once more"} {
		if output, err := store.run(t, "root", env, store.jobs, command...); err != nil {
			t.Fatalf("the Job fails %s: %v\n%s", attempt, err, output)
		}
	}
	if output, err := store.run(t, "tenant", nil, store.bin, "etcdctl", "get", "/of/another"); err == nil || !strings.Contains(output, "permission denied") {
		t.Errorf("a tenant reads what another one has: %s", output)
	}
	// Steps of a backup.
	snapshot := filepath.Join(store.dir, "snapshot.db")
	for _, command := range [][]string{{"etcdctl", "snapshot", "save", snapshot}, {"etcdutl", "snapshot", "status", snapshot}} {
		if output, err := store.run(t, "root", nil, store.bin, command...); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, output)
		}
	}
}

// tagOf returns 3.5.6 of quay.io/coreos/etcd:v3.5.6.
func tagOf(image string) string { return image[strings.LastIndex(image, ":v")+2:] }

// installedVersion returns the version of etcd that the release of a data store installs.
func installedVersion(t *testing.T) string {
	for _, document := range golden.Read(t, "management", dataStoreExample) {
		if live.String(document.Object.Object, "spec", "chart", "spec", "chart") == "kamaji-etcd" {
			return strings.TrimPrefix(live.String(document.Object.Object, "spec", "values", "image", "tag"), "v")
		}
	}
	t.Fatalf("%s has no release of a data store", dataStoreExample)
	return ""
}

// jobContainer returns the command, the variables and the image of the container of a Job or CronJob for an etcd.
func jobContainer(t *testing.T, kind, component string) (command []string, env map[string]string, image string) {
	for _, document := range golden.Read(t, "tenants", dataStoreExample) {
		object := document.Object
		if object.GetKind() != kind || object.GetLabels()["app.kubernetes.io/component"] != component {
			continue
		}
		path := []string{"spec", "template", "spec", "containers"}
		if kind == "CronJob" {
			path = append([]string{"spec", "jobTemplate"}, path...)
		}
		container := live.Maps(object.Object, path...)[0]
		for _, argument := range container["command"].([]any) {
			command = append(command, argument.(string))
		}
		env = map[string]string{}
		for _, variable := range live.Maps(container, "env") {
			env[live.String(variable, "name")] = live.String(variable, "value")
		}
		return command, env, live.String(container, "image")
	}
	t.Fatalf("%s has no %s for the %s of a data store", dataStoreExample, kind, component)
	return nil, nil, ""
}
