package corpus

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/controllers"
	"conformance/internal/gitops"
	"conformance/internal/live"
	"conformance/internal/manifest"
	"conformance/internal/process"
)

const (
	// repositoryURL and chartsURL are those of the manifests, which are served on loopback.
	repositoryURL = "https://git.example.com/fleet.git"
	chartsURL     = "https://charts.example.com"
	// syncFile is what a bootstrap commits: the source and the first Kustomization.
	syncFile = "gotk-sync.yaml"
)

// serveCharts serves a small chart in place of each that the releases of the pairs name.
func serveCharts(setup *controllers.Setup, pairs []*Pair) (*gitops.Server, string, error) {
	ports, err := process.FreePorts(1)
	if err != nil {
		return nil, "", err
	}
	address := "https://" + net.JoinHostPort("localhost", strconv.Itoa(ports[0]))
	var all []*live.Object
	for number, pair := range pairs {
		if !pair.Flux && !pair.HelmProvider {
			continue
		}
		for state, folder := range []string{pair.Old, pair.New} {
			objects, err := releasesOf(folder, func(text string) string {
				// Sources are found by their names, which many pairs share.
				return strings.ReplaceAll(newNames(number, state).own(text), chartsURL, address)
			})
			if err != nil {
				return nil, "", err
			}
			all = append(all, objects...)
		}
	}
	charts, err := gitops.NewCharts(all, nil)
	if err != nil {
		return nil, "", err
	}
	server, err := charts.Serve("127.0.0.1", setup.ControlPlane.PKI)
	return server, address, err
}

// releasesOf returns the HelmReleases and HelmChartProxies of a folder and their repositories, with texts replaced.
func releasesOf(folder string, replace func(string) string) (releases []*live.Object, err error) {
	objects, err := deliveryObjects(folder)
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		if !slices.Contains([]string{gitops.HelmRelease.Kind, gitops.HelmRepository.Kind, gitops.HelmChartProxy.Kind}, object.GetKind()) {
			continue
		}
		text, err := object.MarshalJSON()
		if err != nil {
			return nil, err
		}
		own := &live.Object{}
		if err := own.UnmarshalJSON([]byte(replace(string(text)))); err != nil {
			return nil, err
		}
		releases = append(releases, own)
	}
	return releases, nil
}

// startFlux starts the controllers of Flux.
func startFlux(ctx context.Context, setup *controllers.Setup, deliveries *Deliveries) ([]*process.Process, error) {
	authorities, err := writeAuthorities(setup)
	if err != nil {
		return nil, err
	}
	return gitops.Start(ctx, gitops.Setup{
		Kubeconfig: setup.ControlPlane.Kubeconfig, Programs: deliveries.Programs, Dir: setup.Dir, Address: "127.0.0.1", Authorities: authorities,
	})
}

// writeAuthorities writes the certificate that the controllers trust, and returns the path of the file.
func writeAuthorities(setup *controllers.Setup) (string, error) {
	path := filepath.Join(setup.Dir, "authorities.crt")
	return path, os.WriteFile(path, setup.ControlPlane.PKI.CA, 0o600)
}

// repository is the repository of a pair that Flux applies.
type repository struct {
	*gitops.Repository
	server   *gitops.Server
	folder   string
	revision string
}

// newRepository serves an empty repository. The caller closes its server.
func newRepository(ctx context.Context, dir string) (*repository, error) {
	ports, err := process.FreePorts(1)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	git, err := gitops.NewPlainRepository(ctx, dir, net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[0])))
	if err != nil {
		return nil, err
	}
	server, err := git.Serve(ctx)
	if err != nil {
		return nil, err
	}
	return &repository{Repository: git, server: server}, nil
}

// commit commits a state and lets Flux know.
func (p *player) commit(ctx context.Context, folder string) error {
	revision, err := p.repository.Commit(ctx, folder, "State")
	if err != nil {
		return err
	}
	p.repository.revision = revision
	objects, err := deliveryObjects(folder)
	if err != nil {
		return err
	}
	if err := p.giveKubeconfigs(ctx, objects); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "clusters", "*", "flux-system", syncFile))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("%s: expected one file clusters/NAME/flux-system/%s: %v", folder, syncFile, err)
	}
	documents, err := manifest.ReadFile(files[0])
	if err != nil {
		return err
	}
	for _, document := range documents {
		object := document.Object
		if err := p.client.Ensure(ctx, cluster.NewNamespace(object.GetNamespace())); err != nil {
			return err
		}
		if err := p.client.Ensure(ctx, object); err != nil {
			return err
		}
		if object.GetKind() == gitops.GitRepository.Kind {
			if err := gitops.Reconcile(ctx, p.client, object); err != nil {
				return err
			}
		}
	}
	return nil
}

// deliveryGroups are parts of the groups of what delivers.
var deliveryGroups = []string{".toolkit.fluxcd.io/", "addons.cluster.x-k8s.io/"}

// deliveryObjects returns the objects of Flux, and those of Cluster API's add-on providers, in files that have some. Files of kustomize have no names.
func deliveryObjects(folder string) (objects []*live.Object, err error) {
	files, err := manifest.Files([]string{folder})
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(deliveryGroups, func(group string) bool { return strings.Contains(string(text), group) }) {
			continue
		}
		documents, err := manifest.Parse(text)
		if err != nil {
			return nil, err
		}
		for _, document := range documents {
			objects = append(objects, document.Object)
		}
	}
	return objects, nil
}

// giveKubeconfigs makes the Secrets of tenants, in which releases are installed. The API server of each tenant is that of the run.
func (p *player) giveKubeconfigs(ctx context.Context, objects []*live.Object) error {
	for _, object := range objects {
		reference := live.Strings(object.Object, "spec", "kubeConfig", "secretRef")
		if reference["name"] == "" {
			continue
		}
		if err := p.client.Ensure(ctx, cluster.NewNamespace(object.GetNamespace())); err != nil {
			return err
		}
		key := reference["key"]
		if key == "" {
			key = "value"
		}
		if err := p.giveKubeconfig(ctx, object.GetNamespace(), reference["name"], key, nil); err != nil {
			return err
		}
	}
	return nil
}

// giveKubeconfig makes a Secret with a kubeconfig for the API server of the run.
func (p *player) giveKubeconfig(ctx context.Context, namespace, name, key string, labels map[string]string) error {
	secret := &live.Object{Object: map[string]any{
		"apiVersion": "v1", "kind": live.Secret.Kind,
		"data": map[string]any{key: base64.StdEncoding.EncodeToString(p.kubeconfig)},
	}}
	secret.SetNamespace(namespace)
	secret.SetName(name)
	secret.SetLabels(labels)
	return p.client.Ensure(ctx, secret)
}

// lookAtFlux notes what the controllers of Flux have not done.
func (p *player) lookAtFlux(l *look, lists map[schema.GroupKind][]*live.Object) {
	p.refused = nil
	for _, source := range lists[gitops.GitRepository] {
		if missing := gitops.Fetched(p.repository.revision)(source); missing != "" {
			l.miss(source, "%s", missing)
		}
	}
	for _, object := range lists[gitops.Kustomization] {
		if live.Bool(object.Object, "spec", "suspend") {
			continue
		}
		if live.IsDeleting(object) {
			l.miss(object, "it is being deleted")
		} else if missing := gitops.Applied(p.repository.revision)(object); missing != "" {
			l.miss(object, "%s", missing)
			p.readRefusal(object)
		}
	}
	for _, object := range lists[gitops.HelmRelease] {
		if live.Bool(object.Object, "spec", "suspend") {
			continue
		}
		if live.IsDeleting(object) {
			l.miss(object, "it is being deleted")
		} else if missing := gitops.Ready(object); missing != "" {
			l.miss(object, "%s", missing)
		}
	}
}

// readRefusal reads which object a dry run of Flux did not accept.
func (p *player) readRefusal(kustomization *live.Object) {
	for _, condition := range live.Maps(kustomization.Object, "status", "conditions") {
		if found := fluxRefusal.FindStringSubmatch(live.String(condition, "message")); live.String(condition, "type") == "Ready" && found != nil {
			p.refused = []Refusal{{found[1] + " " + found[2] + "/" + found[3], found[4]}}
		}
	}
}
