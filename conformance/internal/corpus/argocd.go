package corpus

import (
	"context"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/controllers"
	"conformance/internal/gitops"
	"conformance/internal/live"
	"conformance/internal/manifest"
	"conformance/internal/process"
)

// rootFile has the first Application of a folder, which its owner applies.
const rootFile = "root.yaml"

// argoKinds are watched where Argo CD runs.
var argoKinds = []schema.GroupKind{gitops.Application, gitops.ApplicationSet}

// startArgoCD starts the controllers of Argo CD, after what they need is there.
func startArgoCD(ctx context.Context, setup *controllers.Setup, deliveries *Deliveries, client *live.Client) ([]*process.Process, error) {
	for _, object := range gitops.ArgoCDSettings() {
		if err := client.Ensure(ctx, object); err != nil {
			return nil, err
		}
	}
	return gitops.StartArgoCD(ctx, gitops.Setup{
		Kubeconfig: setup.ControlPlane.Kubeconfig, Programs: deliveries.Programs, Dir: setup.Dir, Address: "127.0.0.1",
	})
}

// commitForArgoCD commits a state, applies its first Application, and lets Argo CD know.
func (p *player) commitForArgoCD(ctx context.Context, folder string, watched *live.Watched) error {
	revision, err := p.repository.Commit(ctx, folder, "State")
	if err != nil {
		return err
	}
	// Argo CD has the hash alone.
	p.repository.revision = revision[strings.LastIndex(revision, ":")+1:]
	documents, err := manifest.ReadFile(filepath.Join(folder, rootFile))
	if err != nil {
		return err
	}
	for _, document := range documents {
		if err := p.client.Ensure(ctx, cluster.NewNamespace(document.Object.GetNamespace())); err != nil {
			return err
		}
		if _, err := p.client.Overwrite(ctx, document.Object); err != nil {
			return err
		}
	}
	return p.refreshApplications(ctx, watched)
}

// refreshApplications has Argo CD look at the sources of all Applications of a pair.
func (p *player) refreshApplications(ctx context.Context, watched *live.Watched) error {
	applications, err := watched.ListAll(gitops.Application)
	if err != nil {
		return err
	}
	for _, application := range applications {
		if !p.names.has(application.GetNamespace()) || live.IsDeleting(application) {
			continue
		}
		if err := gitops.Refresh(ctx, p.client, application); err != nil {
			return err
		}
	}
	return nil
}

// syncByHand syncs the Applications of a pair that never did and do not sync by themselves, as their owner did before the change.
func (p *player) syncByHand(ctx context.Context, watched *live.Watched) error {
	applications, err := watched.ListAll(gitops.Application)
	if err != nil {
		return err
	}
	for _, application := range applications {
		if !p.names.has(application.GetNamespace()) || !gitops.WaitsForFirstSync(application) {
			continue
		}
		sync := map[string]any{"syncOptions": gitops.SyncOptions(application)}
		if err := p.client.Merge(ctx, application, map[string]any{"operation": map[string]any{"sync": sync}}); err != nil {
			return err
		}
	}
	return nil
}

// lookAtArgoCD notes what Argo CD has not done, and reads what the server did not accept.
func (p *player) lookAtArgoCD(l *look, lists map[schema.GroupKind][]*live.Object) {
	p.refused = nil
	synced := gitops.Synced(p.repository.URL(), p.repository.revision)
	for _, application := range lists[gitops.Application] {
		if live.IsDeleting(application) {
			l.miss(application, "it is being deleted")
			continue
		}
		if missing := synced(application); missing != "" {
			l.miss(application, "%s", missing)
		}
		status, _ := application.Object["status"].(map[string]any)
		operation, _ := status["operationState"].(map[string]any)
		result, _ := operation["syncResult"].(map[string]any)
		for _, resource := range live.Maps(result, "resources") {
			if live.String(resource, "status") == "SyncFailed" && live.String(result, "revision") == p.repository.revision {
				name := live.String(resource, "kind") + " " + live.String(resource, "namespace") + "/" + live.String(resource, "name")
				p.refused = append(p.refused, Refusal{name, live.String(resource, "message")})
			}
		}
	}
	for _, set := range lists[gitops.ApplicationSet] {
		if live.IsDeleting(set) {
			l.miss(set, "it is being deleted")
		}
	}
}
