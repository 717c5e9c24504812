package gitops

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
)

const windowedEntry = "tenant-acme.acme"

var (
	cronJob         = schema.GroupKind{Group: "batch", Kind: "CronJob"}
	windowedSetting = []string{"data", "revision"}
)

// TestWindows runs the controllers of Flux with entry points that have a source for a window. The Jobs that open and close it are played by their command.
func TestWindows(t *testing.T) {
	f := startFlux(t)
	first := f.windowedPage("one")
	f.await(Kustomization, namespace, windowedEntry, Applied(first))
	source := f.windowedSource()

	// A closed window: the entry points apply the new revision, the cluster keeps the old one, and a change by hand is undone.
	f.switchSource(source, "close")
	second := f.windowedPage("two")
	f.await(Kustomization, namespace, namespace, Applied(second))
	f.stays(first, "one")
	settings := &live.Object{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "settings", "namespace": tenantNamespace},
	}}
	if err := f.client.Merge(t.Context(), settings, map[string]any{"data": map[string]any{"revision": "by hand"}}); err != nil {
		t.Fatal(err)
	}
	f.reconcile(Kustomization, windowedEntry)
	f.await(configMap, tenantNamespace, "settings", f.revision("one"))
	f.reconcile(GitRepository, source)
	f.stays(first, "one")

	// An open window, and one that closes again.
	f.switchSource(source, "open")
	f.await(Kustomization, namespace, windowedEntry, Applied(second))
	f.await(configMap, tenantNamespace, "settings", f.revision("two"))
	f.switchSource(source, "close")
	third := f.windowedPage("three")
	f.await(Kustomization, namespace, namespace, Applied(third))
	f.stays(second, "two")

	// Flux sets back fields of managers whose names begin with kubectl: the window would be open.
	f.switchSource(source, "open")
	f.await(Kustomization, namespace, windowedEntry, Applied(third))
	f.suspend(source, "kubectl-patch", true)
	f.reconcile(Kustomization, namespace)
	f.await(GitRepository, namespace, source, existing(func(object *live.Object) string {
		return expect("suspend", suspendOf(object), "false")
	}))
}

// windowedPage commits what the library writes for a cluster with a window, and a setting of it, and lets Flux know.
func (f *flux) windowedPage(revision string) string {
	f.Helper()
	folder := f.TempDir()
	command := exec.CommandContext(f.Context(), "node", "-r", "./scripts/esbuild-register.js", "scripts/conformance/windows/main.ts",
		folder, f.repository.URL(), revision)
	command.Dir = "../../.."
	if output, err := command.CombinedOutput(); err != nil {
		f.Fatalf("%v\n%s", err, output)
	}
	committed, err := f.repository.Commit(f.Context(), folder, revision)
	if err != nil {
		f.Fatal(err)
	}
	f.reconcile(GitRepository, namespace)
	return committed
}

// windowedSource returns the name of the source of the window.
func (f *flux) windowedSource() string {
	f.Helper()
	object, err := f.client.Get(f.Context(), Kustomization, namespace, windowedEntry)
	if err != nil || object == nil {
		f.Fatal("the entry of the cluster: ", err)
	}
	name := live.String(object.Object, "spec", "sourceRef", "name")
	if name == namespace {
		f.Fatal("the cluster has no source of its own")
	}
	return name
}

// switchSource plays a Job: it does what the command of its CronJob says.
func (f *flux) switchSource(source, action string) {
	f.Helper()
	job, err := f.client.Get(f.Context(), cronJob, namespace, source+"-"+action)
	if err != nil || job == nil {
		f.Fatal("the CronJob of the window: ", err)
	}
	container := live.Maps(job.Object, "spec", "jobTemplate", "spec", "template", "spec", "containers")[0]
	command, _, _ := unstructured.NestedStringSlice(container, "command")
	if want := []string{"kubectl", "patch", "gitrepositories.source.toolkit.fluxcd.io/" + source, "--namespace=" + namespace}; !slices.Equal(want, command[:len(want)]) {
		f.Fatalf("the command is %q", command)
	}
	options := map[string]string{}
	for _, word := range command[4:] {
		name, value, _ := strings.Cut(word, "=")
		options[name] = value
	}
	var patch struct{ Spec struct{ Suspend *bool } }
	if err := json.Unmarshal([]byte(options["--patch"]), &patch); err != nil || patch.Spec.Suspend == nil {
		f.Fatalf("the patch is %q: %v", options["--patch"], err)
	}
	f.suspend(source, options["--field-manager"], *patch.Spec.Suspend)
}

func (f *flux) suspend(source, manager string, suspend bool) {
	f.Helper()
	client, err := live.NewClient(f.config, manager)
	if err != nil {
		f.Fatal(err)
	}
	if err := client.Merge(f.Context(), f.named(GitRepository, source), map[string]any{"spec": map[string]any{"suspend": suspend}}); err != nil {
		f.Fatal(err)
	}
}

func (f *flux) reconcile(kind schema.GroupKind, name string) {
	f.Helper()
	if err := Reconcile(f.Context(), f.client, f.named(kind, name)); err != nil {
		f.Fatal(err)
	}
}

func (f *flux) named(kind schema.GroupKind, name string) *live.Object {
	return &live.Object{Object: map[string]any{
		"apiVersion": kind.Group + "/v1", "kind": kind.Kind, "metadata": map[string]any{"name": name, "namespace": namespace},
	}}
}

// stays watches for a while that the cluster keeps a revision.
func (f *flux) stays(revision, setting string) {
	f.Helper()
	for range 5 {
		time.Sleep(time.Second)
		f.await(Kustomization, namespace, windowedEntry, Applied(revision))
		f.await(configMap, tenantNamespace, "settings", f.revision(setting))
	}
}

func (f *flux) revision(want string) State {
	return existing(func(object *live.Object) string {
		return expect("the setting", live.String(object.Object, windowedSetting...), want)
	})
}

func suspendOf(object *live.Object) string {
	if spec, isMap := object.Object["spec"].(map[string]any); isMap && spec["suspend"] == true {
		return "true"
	}
	return "false"
}
