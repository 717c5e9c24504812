package alive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"conformance/internal/live"
	"conformance/internal/manifest"
)

// parse reads objects from YAML.
func parse(t *testing.T, text string) []*live.Object {
	t.Helper()
	documents, err := manifest.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return objectsOf(documents)
}

// pageOf is a page with objects.
func pageOf(t *testing.T, text string) *page { return &page{objects: parse(t, text)} }

func TestReadPages(t *testing.T) {
	folders := []string{t.TempDir(), t.TempDir()}
	const cluster = "apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: tenant-acme}\n"
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(folders[0], "cluster.yaml"), cluster)
	write(filepath.Join(folders[0], "kustomization.yaml"), "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n")
	write(filepath.Join(folders[0], "delivered", "workloads", "manifests.yaml"), "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n")
	pages, err := readPages(folders)
	if err != nil {
		t.Fatal(err)
	}
	if len(pages[0].objects) != 1 || !pages[0].hasCluster() {
		t.Errorf("the first state has %d objects, want its Cluster alone", len(pages[0].objects))
	}
	if pages[1].hasCluster() || pages[1].name() != "acme" {
		t.Errorf("the last state has a Cluster, or is not that of acme: %q", pages[1].name())
	}
	if _, err := readPages(folders[1:]); err == nil || !strings.Contains(err.Error(), "has 0 Clusters") {
		t.Errorf("got %v of a page without a Cluster", err)
	}
}

func TestFirstReleases(t *testing.T) {
	const release = "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
	p := pageOf(t, release+"metadata: {name: network}\n"+
		release+"metadata: {name: middle}\nspec: {dependsOn: [{name: network}]}\n"+
		release+"metadata: {name: last}\nspec: {dependsOn: [{name: middle}]}\n"+
		release+"metadata: {name: alone}\n")
	if got := p.firstReleases(); len(got) != 1 || got[0].GetName() != "network" {
		t.Errorf("got %v, want network", got)
	}
}

func TestCollectKeys(t *testing.T) {
	keys := map[string][]string{}
	for _, object := range parse(t, `
kind: Things
volumes:
- {secret: {secretName: kubeconfig, items: [{key: admin.svc}, {key: super-admin.svc}]}}
- {secret: {secretName: others, optional: true, items: [{key: none}]}}
env:
- {valueFrom: {secretKeyRef: {name: password, key: text}}}
- {valueFrom: {secretKeyRef: {name: password, key: perhaps, optional: true}}}
kubeConfig: {secretRef: {name: kubeconfig, key: admin.conf}}
`) {
		collectKeys(object.Object, keys)
	}
	slices.Sort(keys["kubeconfig"])
	if want := []string{"admin.conf", "admin.svc", "super-admin.svc"}; !slices.Equal(keys["kubeconfig"], want) {
		t.Errorf("of kubeconfig, got %v, want %v", keys["kubeconfig"], want)
	}
	if want := []string{"text"}; len(keys) != 2 || !slices.Equal(keys["password"], want) {
		t.Errorf("got %v, want only text of password beside kubeconfig", keys)
	}
}

func TestNotRolledOut(t *testing.T) {
	const (
		spec    = "kind: Deployment\nmetadata: {name: d, generation: 2}\nspec: {replicas: 1, template: {spec: {containers: [{image: manager:1}]}}}\n"
		settled = "status: {observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1}\n"
	)
	for name, test := range map[string]struct{ written, found, missing string }{
		"all there":            {spec, spec + settled, ""},
		"not seen":             {spec, spec + strings.Replace(settled, "Generation: 2", "Generation: 1", 1), "has not seen"},
		"another image":        {strings.Replace(spec, "manager:1", "manager:2", 1), spec + settled, "images [manager:1], not [manager:2]"},
		"a former pod is left": {spec, spec + strings.Replace(settled, " replicas: 1", " replicas: 2", 1), "status.replicas is 2, not 1"},
		"stopped":              {strings.Replace(spec, "replicas: 1", "replicas: 0", 1), spec + "status: {observedGeneration: 2}\n", ""},
		"not stopped":          {strings.Replace(spec, "replicas: 1", "replicas: 0", 1), spec + settled, "status.replicas is 1, not 0"},
	} {
		t.Run(name, func(t *testing.T) {
			got := notRolledOut(parse(t, test.written)[0], parse(t, test.found)[0])
			if (got == "") != (test.missing == "") || !strings.Contains(got, test.missing) {
				t.Errorf("got %q, want %q", got, test.missing)
			}
		})
	}
}

func TestWhatMayStay(t *testing.T) {
	const text = `
{apiVersion: v1, kind: Service, metadata: {name: web, namespace: tenant, uid: web}}
---
{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: web-1, namespace: tenant, ownerReferences: [{kind: Service, name: web, uid: web}]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: kube-root-ca.crt, namespace: tenant}}
---
{apiVersion: v1, kind: Secret, metadata: {name: forgotten, namespace: tenant}}
---
{apiVersion: v1, kind: Secret, metadata: {name: child, namespace: tenant, ownerReferences: [{kind: Secret, name: forgotten, uid: forgotten}]}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: written, namespace: tenant}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: hanging, namespace: tenant, deletionTimestamp: "2001-02-03T04:05:06Z"}}
`
	objects := parse(t, text)
	tenant := &tenant{page: &page{objects: []*live.Object{objects[5], objects[6]}}, life: life{kept: map[string]*live.Object{"Service web": objects[0]}}}
	owners := map[types.UID]*live.Object{"web": objects[0], "forgotten": objects[3]}
	var staying []string
	for _, object := range objects {
		if tenant.mayStay(object, owners) {
			staying = append(staying, object.GetName())
		}
	}
	if want := []string{"web", "web-1", "kube-root-ca.crt", "written"}; !slices.Equal(staying, want) {
		t.Errorf("got %v, want %v", staying, want)
	}
}
