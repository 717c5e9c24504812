package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/gitops"
	"conformance/internal/live"
	"conformance/internal/rollouts"
)

// configMap is the kind of the one object of each chart that the run serves.
var configMap = schema.GroupKind{Kind: "ConfigMap"}

// ownedLabel is that of what the topology controller makes.
const ownedLabel = "topology.cluster.x-k8s.io/owned"

// topologyPoolLabel has the name of a pool in the topology.
const topologyPoolLabel = "topology.cluster.x-k8s.io/deployment-name"

// computed are the kinds of what the topology controller makes of the classes of the corpus.
var computed = []schema.GroupKind{
	live.DevCluster, live.DevMachineTemplate, live.KubevirtCluster, live.KubevirtMachineTemplate, live.KubeadmControlPlane, live.KamajiControlPlane,
	live.KubeadmConfigTemplate, live.MachineDeployment, live.MachineHealthCheck,
}

// watchedKinds are the kinds that are looked at again and again.
var watchedKinds = append(slices.Clone(rollouts.Kinds), live.Cluster, configMap)

// fluxKinds are watched where Flux runs.
var fluxKinds = []schema.GroupKind{gitops.GitRepository, gitops.Kustomization, gitops.HelmRelease}

// helmKinds are watched where Cluster API's add-on provider for Helm runs.
var helmKinds = []schema.GroupKind{gitops.HelmChartProxy, gitops.HelmReleaseProxy}

// look is what there is at a time.
type look struct {
	missing  string
	clusters map[string]clusterLook
	// releases are the versions of the object of each release, with its id.
	releases map[string][2]string
}

type clusterLook struct {
	id       string
	machines rollouts.Machines
	// pools are the names that people give pools, by those of their MachineDeployments.
	pools map[string]string
}

// newLook reads what is in the namespaces of a pair.
func (p *player) newLook(watched *live.Watched) (*look, error) {
	lists := map[schema.GroupKind][]*live.Object{}
	kinds := watchedKinds
	if p.pair.Flux {
		kinds = slices.Concat(kinds, fluxKinds)
	}
	if p.pair.HelmProvider {
		kinds = slices.Concat(kinds, helmKinds)
	}
	if p.pair.ArgoCD {
		kinds = slices.Concat(kinds, argoKinds)
	}
	for _, kind := range kinds {
		list, err := watched.ListAll(kind)
		if err != nil {
			return nil, err
		}
		lists[kind] = slices.DeleteFunc(list, func(object *live.Object) bool {
			return !p.names.has(object.GetNamespace())
		})
	}
	l := &look{clusters: map[string]clusterLook{}, releases: map[string][2]string{}}
	l.readClusters(lists)
	for _, object := range lists[configMap] {
		if object.GetLabels()["conformance"] == "values" {
			l.releases[object.GetNamespace()+"/"+strings.TrimSuffix(object.GetName(), "-values")] = [2]string{string(object.GetUID()), object.GetResourceVersion()}
		}
	}
	if p.pair.Flux {
		p.lookAtFlux(l, lists)
	}
	if p.pair.HelmProvider {
		lookAtHelmProvider(l, lists)
	}
	if p.pair.ArgoCD {
		p.lookAtArgoCD(l, lists)
	}
	return l, nil
}

func (l *look) miss(object *live.Object, format string, args ...any) {
	l.missing += fmt.Sprintf("%s: %s\n", live.Describe(object), fmt.Sprintf(format, args...))
}

// readClusters reads machines by the Cluster that they belong to, also where it is gone before them.
func (l *look) readClusters(lists map[schema.GroupKind][]*live.Object) {
	ids := map[string]string{}
	for _, object := range lists[live.Cluster] {
		ids[object.GetNamespace()+"/"+object.GetName()] = string(object.GetUID())
		if live.IsDeleting(object) {
			l.miss(object, "it is being deleted")
		} else {
			l.lookAtTopology(object)
		}
	}
	of := map[string]map[schema.GroupKind][]*live.Object{}
	for _, kind := range rollouts.Kinds {
		for _, object := range lists[kind] {
			key := object.GetNamespace() + "/" + clusterName(object)
			if of[key] == nil {
				of[key] = map[schema.GroupKind][]*live.Object{}
			}
			of[key][kind] = append(of[key][kind], object)
		}
	}
	for key := range ids {
		if of[key] == nil {
			of[key] = map[schema.GroupKind][]*live.Object{}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(of)) {
		machines := rollouts.Look(of[key])
		pools := map[string]string{}
		for _, pool := range of[key][live.MachineDeployment] {
			if name := pool.GetLabels()[topologyPoolLabel]; name != "" {
				pools[pool.GetName()] = name
			}
		}
		l.missing += machines.Missing()
		l.clusters[key] = clusterLook{ids[key], machines, pools}
	}
}

func clusterName(object *live.Object) string {
	if name := object.GetLabels()[live.ClusterLabel]; name != "" {
		return name
	}
	return live.String(object.Object, "spec", "clusterName")
}

// lookAtTopology notes that the topology controller has not done what a Cluster says.
func (l *look) lookAtTopology(object *live.Object) {
	if _, isTopology := object.Object["spec"].(map[string]any)["topology"]; !isTopology || live.Bool(object.Object, "spec", "paused") {
		return
	}
	for _, condition := range live.Maps(object.Object, "status", "conditions") {
		if live.String(condition, "type") != "TopologyReconciled" {
			continue
		}
		if live.String(condition, "status") != "True" || live.Int(condition, "observedGeneration") != object.GetGeneration() {
			l.miss(object, "TopologyReconciled: %s", live.String(condition, "message"))
		}
		return
	}
	l.miss(object, "the topology controller has not seen it")
}

// signature is the same for looks that find the same.
func (l *look) signature() string {
	var out strings.Builder
	for _, key := range slices.Sorted(maps.Keys(l.clusters)) {
		fmt.Fprintln(&out, key, l.clusters[key].id, l.clusters[key].machines.Signature())
	}
	text, err := json.Marshal(l.releases)
	if err != nil {
		panic(err) // A map of texts.
	}
	return out.String() + string(text)
}

// count is how many machines there are.
func (l *look) count() (sum int) {
	for _, one := range l.clusters {
		sum += one.machines.Count()
	}
	return sum
}

// compare tells what became of clusters and releases.
func (l *look) compare(after *look, n names, outcome *Outcome, prefix string) {
	for key := range merged(l.clusters, after.clusters) {
		old, isOld := l.clusters[key]
		now, isNew := after.clusters[key]
		if !isOld {
			old.machines = rollouts.ReadMachines(nil, nil)
		}
		if !isNew {
			now.machines = rollouts.ReadMachines(nil, nil)
		}
		made, controlPlane := old.machines.Compare(now.machines)
		pools := map[string]rollouts.Set{}
		for name, set := range made {
			for _, named := range []map[string]string{old.pools, now.pools} {
				if people := named[name]; people != "" {
					name = people
					break
				}
			}
			pools[name] = set
		}
		outcome.Clusters[prefix+n.written(key)] = Cluster{changeOf(old.id, now.id), controlPlane, pools}
	}
	for key := range merged(l.releases, after.releases) {
		old, now := l.releases[key], after.releases[key]
		outcome.Releases[prefix+n.written(key)] = releaseChange(old, now)
	}
}

func merged[V any](one, other map[string]V) map[string]V {
	all := maps.Clone(one)
	maps.Copy(all, other)
	return all
}

func changeOf(old, now string) string {
	switch {
	case old == now:
		return "kept"
	case old == "":
		return "created"
	case now == "":
		return "removed"
	default:
		return "replaced"
	}
}

func releaseChange(old, now [2]string) string {
	switch {
	case old == now:
		return "kept"
	case old[0] == "":
		return "installed"
	case now[0] == "":
		return "uninstalled"
	case old[0] != now[0]:
		return "reinstalled"
	default:
		return "upgraded"
	}
}

// topologies returns what the topology controller has made, without what differs from run to run.
func (p *player) topologies(ctx context.Context) (objects []live.Object, err error) {
	for _, kind := range computed {
		list, err := p.client.List(ctx, kind, "", nil)
		if err != nil {
			return nil, err
		}
		for _, object := range list {
			if _, isOwned := object.GetLabels()[ownedLabel]; !isOwned || !p.names.has(object.GetNamespace()) || live.IsDeleting(&object) {
				continue
			}
			delete(object.Object, "status")
			kept := map[string]any{}
			for _, field := range []string{"name", "namespace", "labels", "annotations"} {
				if value, isSet := object.Object["metadata"].(map[string]any)[field]; isSet {
					kept[field] = value
				}
			}
			object.Object["metadata"] = kept
			text, err := object.MarshalJSON()
			if err != nil {
				return nil, err
			}
			var written live.Object
			if err := written.UnmarshalJSON([]byte(p.names.written(string(text)))); err != nil {
				return nil, err
			}
			objects = append(objects, written)
		}
	}
	return objects, nil
}
