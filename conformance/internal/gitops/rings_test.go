package gitops

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/admission"
	"conformance/internal/cluster"
	"conformance/internal/controllers"
	"conformance/internal/controlplane"
	"conformance/internal/definitions"
	"conformance/internal/live"
	"conformance/internal/manifest"
	"conformance/internal/process"
	"conformance/internal/programs"
)

const (
	// soak is the soak of the page, in place of five minutes.
	soak = 20 * time.Second
	// ringLimit is how long a step of a rollout may take.
	ringLimit = 4 * time.Minute
	// sickFor is how long nothing may happen behind a sick cluster.
	sickFor = 45 * time.Second
)

// devMachine is the kind of machines in the memory of the development provider.
var devMachine = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "DevMachine"}

// rings is a fleet with gates, whose clusters live in the memory of Cluster API's development provider.
type rings struct {
	*flux
	// argoCD is true if Argo CD applies the page, otherwise Flux does. Its soak begins with the change, not with the end of the rollout.
	argoCD bool
}

// TestRings commits changes to a fleet with gates, with the real Flux and the real controllers of Cluster API: a change reaches a ring when the ring
// before has rolled out and soaked; behind a sick cluster nothing changes, what has not changed is repaired, and an exception lets the rest go on.
func TestRings(t *testing.T) {
	r := &rings{}
	r.start(t)

	r.page("1,1,1,1", "")
	for _, name := range []string{"a", "b", "c", "d"} {
		r.awaitMachines(name, 1)
	}
	r.awaitStep("ring-early")

	// A change in all rings but for one cluster.
	r.page("3,3,3,1", "")
	r.inOrder("a", "b")
	r.inOrder("b", "c")
	if got := r.startup("d"); got != 1 {
		t.Errorf("the machines of d take %d seconds, though d has not changed", got)
	}

	// The new machine of the canary does not come up.
	r.page("3600,4,4,1", "")
	r.awaitStartup("a", 3600)
	time.Sleep(sickFor)
	for _, name := range []string{"b", "c"} {
		if got := r.startup(name); got != 3 {
			t.Errorf("behind a sick canary, the machines of %s have got %d seconds", name, got)
		}
	}
	r.drift("d")
	r.repaired("d")

	// A commit excepts the canary. The others go on in their order.
	r.page("3600,4,4,1", "a")
	r.inOrder("b", "c")
}

// TestArgoCDRings does the same with Argo CD, whose Applications are synced one step after the other. It does not correct drift meanwhile.
func TestArgoCDRings(t *testing.T) {
	r := &rings{argoCD: true}
	r.start(t)

	r.page("1,1,1,1", "")
	for _, name := range []string{"a", "b", "c", "d"} {
		r.awaitMachines(name, 1)
	}

	r.page("3,3,3,1", "")
	r.inOrder("a", "b")
	r.inOrder("b", "c")
	r.awaitMachines("c", 3)

	r.page("3600,4,4,1", "")
	r.awaitStartup("a", 3600)
	time.Sleep(sickFor)
	for _, name := range []string{"b", "c"} {
		if got := r.startup(name); got != 3 {
			t.Errorf("behind a sick canary, the machines of %s have got %d seconds", name, got)
		}
	}

	r.page("3600,4,4,1", "a")
	r.inOrder("b", "c")
}

// start starts Flux or Argo CD, and Cluster API.
func (r *rings) start(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts servers, and takes minutes")
	}
	if _, err := os.Stat("../../../node_modules"); err != nil {
		t.Skip("the page is synthesized, which takes the packages of npm: ", err)
	}
	bin, err := filepath.Abs("../../bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"clusterapi", "dev", "tenants", "kube-controller-manager"} {
		if _, err := os.Stat(filepath.Join(bin, name)); err != nil {
			t.Skip("run the program once, so that there are executables: ", err)
		}
	}
	setup := Setup{Dir: t.TempDir(), Address: "127.0.0.1", Progressive: true}
	if r.argoCD {
		setup.Programs = built(t, programs.ArgoCD)
	} else {
		setup.Programs = executables(t)
	}
	server := startServer(t)
	r.flux = &flux{T: t, client: clientOf(t, server), repository: newRepository(t)}
	r.startClusterAPI(server, bin)
	r.ensure(Namespace())
	setup.Kubeconfig, setup.Authorities = server.Kubeconfig, filepath.Join(setup.Dir, "authorities.crt")
	write(t, setup.Dir, "authorities.crt", string(server.PKI.CA))
	if r.argoCD {
		r.prepareArgoCD()
	}
	start := map[bool]func(context.Context, Setup) ([]*process.Process, error){true: StartArgoCD, false: Start}[r.argoCD]
	processes, err := start(t.Context(), setup)
	for _, p := range processes {
		t.Cleanup(p.Stop)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r.argoCD {
		go r.refresh()
		return
	}
	for _, object := range r.repository.Sync() {
		r.ensure(object)
	}
}

// prepareArgoCD creates the settings of Argo CD, with the health checks that the guide gives, and builds the kustomize that it calls.
func (r *rings) prepareArgoCD() {
	r.Helper()
	if _, err := exec.LookPath("kustomize"); err != nil {
		directory := r.TempDir()
		if err := programs.Compile(r.Context(), "../../renderers", "sigs.k8s.io/kustomize/kustomize/v5", filepath.Join(directory, "kustomize"), directory); err != nil {
			r.Fatal(err)
		}
		r.Setenv("PATH", directory+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	guide, err := os.ReadFile("../../../docs/guides/gated-rings.md")
	if err != nil {
		r.Fatal(err)
	}
	_, text, isFound := strings.Cut(string(guide), "```yaml\n")
	text, _, isClosed := strings.Cut(text, "```")
	if !isFound || !isClosed {
		r.Fatal("the guide has no health checks")
	}
	for _, object := range ArgoCDSettings() {
		if object.GetName() == "argocd-cm" {
			data, _, _ := unstructured.NestedStringMap(object.Object, "data")
			checks, _, _ := unstructured.NestedStringMap(parse(r.T, text)[0].Object, "data")
			maps.Copy(data, checks)
			if err := unstructured.SetNestedStringMap(object.Object, data, "data"); err != nil {
				r.Fatal(err)
			}
		}
		r.ensure(object)
	}
}

// refresh has Argo CD look at the repository and at the health of clusters, as it does every few minutes. It looks at one Application after the other, in
// the order of steps, which is that of names: RollingSync syncs an Application at once that sees a commit before those of earlier steps do, as the guide
// says.
func (r *rings) refresh() {
	for r.Context().Err() == nil {
		applications, err := r.client.List(r.Context(), Application, argoNamespace, nil)
		if err == nil {
			for i := range applications {
				r.refreshOne(applications[i].GetName())
			}
		}
		time.Sleep(3 * time.Second)
	}
}

// refreshOne waits until Argo CD has looked at an Application, for a while: it removes the annotation then.
func (r *rings) refreshOne(name string) {
	application, err := r.client.Get(r.Context(), Application, argoNamespace, name)
	if err != nil || application == nil {
		return
	}
	_ = r.client.Merge(r.Context(), application, map[string]any{"metadata": map[string]any{"annotations": map[string]any{refresh: "normal"}}})
	for range 60 {
		time.Sleep(250 * time.Millisecond)
		application, err = r.client.Get(r.Context(), Application, argoNamespace, name)
		if err != nil || application == nil || application.GetAnnotations()[refresh] == "" {
			return
		}
	}
}

// startClusterAPI creates the definitions of Cluster API and Flux, and starts Cluster API with its webhooks and its development provider.
func (r *rings) startClusterAPI(server *controlplane.ControlPlane, bin string) {
	r.Helper()
	project := "../../.."
	known, err := definitions.Find(definitions.Places{
		Explicit: os.Getenv("CRDS_DIR"),
		Shared:   filepath.Join(project, "..", "shared", "crds"),
		Cache:    filepath.Join(project, ".crds-cache"),
		Sources:  filepath.Join(project, "scripts", "crds", "sources.json"),
	})
	if err != nil {
		r.Skip(err)
	}
	modules := map[string]string{}
	providers := []admission.Provider{admission.Providers()[0], admission.Development()}
	for _, provider := range providers {
		directory, _, err := programs.Module(r.Context(), filepath.Join("../../webhooks", provider.Name), provider.Module)
		if err != nil {
			r.Fatal(err)
		}
		modules[provider.Name] = directory
		if provider.Definitions == "" {
			continue
		}
		if err := known.Replace(filepath.Join(directory, provider.Definitions), provider.Labels); err != nil {
			r.Fatal(err)
		}
	}
	more, err := Definitions(known.Definitions, "../../upstream")
	if err != nil {
		r.Skip("run the program once, so that there are sources: ", err)
	}
	creator, err := cluster.NewClient(server.Config)
	if err != nil {
		r.Fatal(err)
	}
	if err := creator.CreateDefinitions(r.Context(), append(known.Definitions, more...)); err != nil {
		r.Fatal(err)
	}
	for _, provider := range providers {
		webhooks, err := admission.Start(r.Context(), provider, modules[provider.Name], bin, r.TempDir(), server, creator)
		if err != nil {
			r.Fatal(err)
		}
		r.Cleanup(webhooks.Stop)
	}
	tenants, err := controllers.Tenants()
	if err != nil {
		r.Fatal(err)
	}
	processes, err := controllers.Start(r.Context(), &controllers.Setup{ControlPlane: server, BinDir: bin, Dir: r.TempDir()}, tenants...)
	r.Cleanup(func() { controllers.Stop(processes) })
	if err != nil {
		r.Fatal(err)
	}
}

// page commits the page, with shorter times. A Kustomization of a step looks at its clusters more often, which changes no order.
func (r *rings) page(startups, excepted string) {
	r.Helper()
	folder := r.TempDir()
	tool, entries := "flux", "flux"
	if r.argoCD {
		tool, entries = "argo-cd", "argocd"
	}
	command := exec.CommandContext(r.Context(), "node", "-r", "./scripts/esbuild-register.js", "scripts/conformance/rings/main.ts",
		folder, startups, excepted, tool)
	command.Dir = "../../.."
	if output, err := command.CombinedOutput(); err != nil {
		r.Fatalf("%v\n%s", err, output)
	}
	files, err := filepath.Glob(filepath.Join(folder, entries, "*.yaml"))
	if err != nil || len(files) == 0 {
		r.Fatalf("no entry points are in %s: %v", folder, err)
	}
	markers, err := filepath.Glob(filepath.Join(folder, "clusters", "*", "*", "ring.yaml"))
	if err != nil {
		r.Fatal(err)
	}
	for _, file := range append(files, markers...) {
		text, err := os.ReadFile(file)
		if err != nil {
			r.Fatal(err)
		}
		seconds := int(soak.Seconds())
		shorter := strings.NewReplacer(
			`duration("300s")`, fmt.Sprintf(`duration("%ds")`, seconds), `soak: "300"`, fmt.Sprintf(`soak: "%d"`, seconds),
			"https://git.example.com/tenants.git", r.repository.URL(),
		).Replace(string(text))
		if strings.HasPrefix(filepath.Base(file), "ring-") {
			shorter = strings.NewReplacer("interval: 1m0s", "interval: 5s", "retryInterval: 1m0s", "retryInterval: 5s", "timeout: 5m0s", "timeout: 20s").Replace(shorter)
		}
		if err := os.WriteFile(file, []byte(shorter), 0o600); err != nil {
			r.Fatal(err)
		}
	}
	if _, err := r.repository.Commit(r.Context(), folder, startups+" "+excepted); err != nil {
		r.Fatal(err)
	}
	if r.argoCD {
		documents, err := manifest.ReadFile(filepath.Join(folder, "argocd", "all.yaml"))
		if err != nil {
			r.Fatal(err)
		}
		for _, document := range documents {
			if _, err := r.client.Apply(r.Context(), document.Object); err != nil {
				r.Fatal(err)
			}
		}
	} else if err := Reconcile(r.Context(), r.client, r.repository.Sync()[0]); err != nil {
		r.Fatal(err)
	}
	r.Logf("committed %s, excepted %q", startups, excepted)
}

// startup returns the time in seconds that the machines of a cluster are to take, by the template that its pool names; 0 if it has none yet.
func (r *rings) startup(name string) int64 {
	r.Helper()
	pool, err := r.client.Get(r.Context(), live.MachineDeployment, "tenant-"+name, name+"-workers")
	if err != nil {
		r.Fatal(err)
	}
	if pool == nil {
		return 0
	}
	template, err := r.client.Get(r.Context(), live.DevMachineTemplate, "tenant-"+name, live.String(pool.Object, "spec", "template", "spec", "infrastructureRef", "name"))
	if err != nil {
		r.Fatal(err)
	}
	if template == nil {
		return 0
	}
	text := live.String(template.Object, "spec", "template", "spec", "backend", "inMemory", "vm", "provisioning", "startupDuration")
	duration, err := time.ParseDuration(text)
	if err != nil {
		r.Fatal(err)
	}
	return int64(duration.Seconds())
}

// until waits until something holds.
func (r *rings) until(what string, holds func() bool) {
	r.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), ringLimit)
	defer cancel()
	started := time.Now()
	for !holds() {
		if ctx.Err() != nil {
			r.describe()
			r.Fatalf("after %s, not yet: %s", ringLimit, what)
		}
		time.Sleep(time.Second)
	}
	r.Logf("%s after %.0f s", what, time.Since(started).Seconds())
}

// describe logs what the Kustomizations say.
func (r *rings) describe() {
	if r.argoCD {
		sets, err := r.client.List(r.Context(), ApplicationSet, argoNamespace, nil)
		for i := range sets {
			r.Logf("%v", sets[i].Object["status"])
		}
		applications, _ := r.client.List(r.Context(), Application, argoNamespace, nil)
		for i := range applications {
			r.Logf("%s: %v", applications[i].GetName(), applications[i].Object["status"])
		}
		if err != nil {
			r.Log(err)
		}
		return
	}
	list, err := r.client.List(r.Context(), Kustomization, "", nil)
	if err != nil {
		r.Log(err)
	}
	for i := range list {
		condition := readyCondition(&list[i])
		r.Logf("%s: Ready %s: %s", list[i].GetName(), live.String(condition, "status"), live.String(condition, "message"))
	}
}

func (r *rings) awaitStartup(name string, seconds int64) {
	r.Helper()
	r.until(fmt.Sprintf("%s has machines of %d seconds", name, seconds), func() bool { return r.startup(name) == seconds })
}

// isDone reports whether the machines of a cluster are those of its page, by the machines themselves: the conditions of the Cluster, which the steps
// go by, are not asked.
func (r *rings) isDone(name string) bool {
	r.Helper()
	pool, err := r.client.Get(r.Context(), live.MachineDeployment, "tenant-"+name, name+"-workers")
	if err != nil {
		r.Fatal(err)
	}
	if pool == nil {
		return false
	}
	wanted := live.String(pool.Object, "spec", "template", "spec", "infrastructureRef", "name")
	machines, err := r.client.List(r.Context(), live.Machine, "tenant-"+name, map[string]string{live.PoolLabel: name + "-workers"})
	if err != nil {
		r.Fatal(err)
	}
	for i := range machines {
		reference := live.String(machines[i].Object, "spec", "infrastructureRef", "name")
		infrastructure, err := r.client.Get(r.Context(), devMachine, "tenant-"+name, reference)
		if err != nil {
			r.Fatal(err)
		}
		if infrastructure == nil || infrastructure.GetAnnotations()["cluster.x-k8s.io/cloned-from-name"] != wanted || live.String(machines[i].Object, "status", "phase") != "Running" {
			return false
		}
	}
	return len(machines) == 1
}

func (r *rings) awaitMachines(name string, seconds int64) {
	r.Helper()
	r.awaitStartup(name, seconds)
	r.until(name+" has its machines", func() bool { return r.isDone(name) })
}

// awaitStep waits until a step is done.
func (r *rings) awaitStep(name string) {
	r.Helper()
	r.until(name+" is ready", func() bool {
		step, err := r.client.Get(r.Context(), Kustomization, namespace, name)
		if err != nil {
			r.Fatal(err)
		}
		return step != nil && ready(step) == ""
	})
}

// inOrder waits until a cluster gets its change, which must be when all machines of the cluster before have been those of its page for the soak.
func (r *rings) inOrder(before, after string) {
	r.Helper()
	old := r.startup(after)
	done := time.Time{}
	r.until(after+" gets its change, after "+before, func() bool {
		// The cluster after is asked first: it must not have changed before what is then asked of the other one.
		changed := r.startup(after) != old
		hasNew := r.startup(before) != old
		isDone := r.isDone(before) && hasNew
		switch begins := isDone || (r.argoCD && hasNew); {
		case !begins:
			done = time.Time{}
		case done.IsZero():
			done = time.Now()
		}
		// Rollouts are noticed at most a second late, and times of Flux are whole seconds.
		if changed && (!isDone || done.IsZero() || time.Since(done) < soak-3*time.Second) {
			r.Errorf("%s gets its change %s after the machines of %s are there, with a soak of %s", after, time.Since(done), before, soak)
		}
		return changed
	})
}

// drift changes a label that the page sets.
func (r *rings) drift(name string) {
	r.Helper()
	object := &live.Object{Object: map[string]any{
		"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment",
		"metadata": map[string]any{"name": name + "-workers", "namespace": "tenant-" + name},
	}}
	if err := r.client.Merge(r.Context(), object, map[string]any{"spec": map[string]any{"replicas": 2}}); err != nil {
		r.Fatal(err)
	}
}

// repaired has Flux compare a cluster with the repository, as it does after each interval, and waits until it has undone the change.
func (r *rings) repaired(name string) {
	r.Helper()
	object := &live.Object{Object: map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": Kustomization.Kind,
		"metadata": map[string]any{"name": "tenant-" + name + "." + name, "namespace": namespace},
	}}
	if err := Reconcile(r.Context(), r.client, object); err != nil {
		r.Fatal(err)
	}
	r.until(name+" is repaired behind a sick canary", func() bool {
		pool, err := r.client.Get(r.Context(), live.MachineDeployment, "tenant-"+name, name+"-workers")
		if err != nil {
			r.Fatal(err)
		}
		return live.Int(pool.Object, "spec", "replicas") == 1
	})
}
