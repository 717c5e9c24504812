package corpus

import (
	"context"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/admission"
	"conformance/internal/cluster"
	"conformance/internal/controllers"
	"conformance/internal/gitops"
	"conformance/internal/live"
	"conformance/internal/process"
)

// startHelmProvider starts Cluster API's add-on provider for Helm with its webhooks.
func startHelmProvider(ctx context.Context, setup *controllers.Setup, deliveries *Deliveries) (*process.Process, error) {
	authorities, err := writeAuthorities(setup)
	if err != nil {
		return nil, err
	}
	directory := filepath.Join(setup.Dir, admission.HelmProviderName)
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return nil, err
	}
	creator, err := cluster.NewClient(setup.ControlPlane.Config)
	if err != nil {
		return nil, err
	}
	program := deliveries.Programs[admission.HelmProviderName]
	return admission.Start(
		ctx, admission.HelmProvider(directory, authorities), filepath.Join(deliveries.Upstream, admission.HelmProviderName), filepath.Dir(program), setup.Dir,
		setup.ControlPlane, creator,
	)
}

// giveClusterKubeconfigs makes the Secrets with which the provider reaches Clusters. The API server of each Cluster is that of the run.
func (p *player) giveClusterKubeconfigs(ctx context.Context, objects []*live.Object) error {
	for _, object := range objects {
		if object.GroupVersionKind().GroupKind() != live.Cluster {
			continue
		}
		labels := map[string]string{live.ClusterLabel: object.GetName()}
		if err := p.giveKubeconfig(ctx, object.GetNamespace(), object.GetName()+"-kubeconfig", "value", labels); err != nil {
			return err
		}
	}
	return nil
}

// lookAtHelmProvider notes what the provider has not done.
func lookAtHelmProvider(l *look, lists map[schema.GroupKind][]*live.Object) {
	for _, kind := range helmKinds {
		for _, object := range lists[kind] {
			if live.IsDeleting(object) {
				l.miss(object, "it is being deleted")
			} else if missing := gitops.Ready(object); missing != "" {
				l.miss(object, "%s", missing)
			}
		}
	}
}
