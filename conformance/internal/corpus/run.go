package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
	"conformance/internal/controllers"
	"conformance/internal/gitops"
	"conformance/internal/live"
)

const (
	// sideBySide is how many pairs are worked on at one time: most of it is waiting.
	sideBySide = 20
	// settleLimit is how long a state may take, with everything that runs beside it.
	settleLimit = 8 * time.Minute
	// lookInterval is the time between two looks.
	lookInterval = time.Second
	// quiet is how long nothing may happen until a state is settled, and of a new state also a part of the time that the old one took:
	// on a busy machine, controllers begin late.
	quiet, quietPart = 8 * time.Second, 4
	// quietWaiting is the same of a new state whose controllers still wait for something, and at least as long as the old state took.
	quietWaiting = 45 * time.Second
	// endless is a number of machines that none of the manifests asks for.
	endless = 40
)

// Deliveries is what a run needs for pairs that Flux applies, or whose charts Cluster API's add-on provider for Helm installs.
type Deliveries struct {
	// Programs are the paths of the controllers, by name.
	Programs map[string]string
	// Upstream is the directory with their sources.
	Upstream string
}

// player plays one target of a pair.
type player struct {
	pair       *Pair
	names      names
	client     *live.Client
	kubeconfig []byte
	charts     string
	repository *repository
	dir        string
	refused    []Refusal
	// quiet is how long nothing may happen until a state is settled.
	quiet time.Duration
}

// Run starts the controllers, applies all pairs and stops the controllers. done is told each outcome as soon as it is known.
func Run(ctx context.Context, setup *controllers.Setup, deliveries *Deliveries, pairs []*Pair, done func(*Outcome) error) error {
	tenants, err := controllers.Tenants()
	if err != nil {
		return err
	}
	processes, err := controllers.Start(ctx, setup, tenants...)
	defer func() { controllers.Stop(processes) }()
	if err != nil {
		return err
	}
	kinds, charts := watchedKinds, ""
	isFlux, isHelm := slices.ContainsFunc(pairs, func(pair *Pair) bool { return pair.Flux }), slices.ContainsFunc(pairs, func(pair *Pair) bool { return pair.HelmProvider })
	if isFlux || isHelm {
		server, address, err := serveCharts(setup, pairs)
		if err != nil {
			return err
		}
		defer server.Close()
		charts = address
	}
	if isFlux {
		started, err := startFlux(ctx, setup, deliveries)
		processes = append(processes, started...)
		if err != nil {
			return err
		}
		kinds = slices.Concat(kinds, fluxKinds)
	}
	if isHelm {
		started, err := startHelmProvider(ctx, setup, deliveries)
		if err != nil {
			return err
		}
		processes = append(processes, started)
		kinds = slices.Concat(kinds, helmKinds)
	}
	client, err := live.NewClient(setup.ControlPlane.Config, "kubectl")
	if err != nil {
		return err
	}
	kubeconfig, err := os.ReadFile(setup.ControlPlane.Kubeconfig)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(pairs, func(pair *Pair) bool { return pair.ArgoCD }) {
		started, err := startArgoCD(ctx, setup, deliveries, client)
		processes = append(processes, started...)
		if err != nil {
			return err
		}
		kinds = slices.Concat(kinds, argoKinds)
	}
	watched, err := client.Watch(ctx, kinds...)
	if err != nil {
		return err
	}
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(sideBySide)
	for number, pair := range pairs {
		workers.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			started := time.Now()
			outcome := &Outcome{ID: pair.ID, Clusters: map[string]Cluster{}, Releases: map[string]string{}}
			for target, folder := range pair.Targets {
				p := &player{
					pair: pair, names: newNames(number, target), client: client, kubeconfig: kubeconfig, charts: charts,
					dir: filepath.Join(setup.Dir, fmt.Sprintf("pair-%d-%d", number, target)),
				}
				if err := p.play(ctx, watched, folder, outcome); err != nil {
					outcome.Error = p.names.written(err.Error())
				}
			}
			outcome.Seconds = time.Since(started).Seconds()
			return done(outcome)
		})
	}
	return workers.Wait()
}

// play applies both states of a target.
func (p *player) play(ctx context.Context, watched *live.Watched, target string, outcome *Outcome) error {
	if p.pair.Flux || p.pair.ArgoCD {
		var err error
		if p.repository, err = newRepository(ctx, filepath.Join(p.dir, "git")); err != nil {
			return err
		}
		defer p.repository.server.Close()
	}
	started := time.Now()
	p.quiet = quiet
	before, err := p.state(ctx, watched, p.pair.Old, target, nil, settleLimit)
	if err != nil {
		return fmt.Errorf("the old state: %w", err)
	}
	if len(p.refused) > 0 {
		return fmt.Errorf("the old state is refused: %s: %s", p.refused[0].Object, p.refused[0].Message)
	}
	p.quiet = max(quiet, time.Since(started)/quietPart)
	after, err := p.state(ctx, watched, p.pair.New, target, before, max(quietWaiting, time.Since(started)))
	if err != nil {
		return fmt.Errorf("the new state: %w", err)
	}
	prefix := ""
	if len(p.pair.Targets) > 1 {
		prefix = target + ":"
	}
	for _, refusal := range p.refused {
		outcome.Refused = append(outcome.Refused, Refusal{prefix + p.names.written(refusal.Object), p.names.written(refusal.Message)})
	}
	outcome.Waits += p.names.written(after.look.missing)
	before.look.compare(after.look, p.names, outcome, prefix)
	outcome.Topologies[0] = append(outcome.Topologies[0], before.topologies...)
	outcome.Topologies[1] = append(outcome.Topologies[1], after.topologies...)
	return p.rest(ctx, watched)
}

// state is a state that was applied.
type state struct {
	objects    []*live.Object
	look       *look
	topologies []live.Object
}

// state applies a state after another and waits until it is settled, or until nothing happens for a time although controllers wait.
func (p *player) state(ctx context.Context, watched *live.Watched, folder, target string, before *state, waiting time.Duration) (*state, error) {
	now := time.Now()
	own, err := os.MkdirTemp(filepath.Dir(p.dir), "state-")
	if err != nil {
		return nil, err
	}
	if err := copyFolder(folder, own, func(text string) string {
		text = p.pair.at(p.names.own(text), now)
		if p.repository != nil {
			text = strings.ReplaceAll(text, repositoryURL, p.repository.URL())
		}
		if p.charts != "" {
			text = strings.ReplaceAll(text, chartsURL, p.charts)
		}
		return text
	}); err != nil {
		return nil, err
	}
	s := &state{}
	if p.pair.Flux {
		if err := p.commit(ctx, own); err != nil {
			return nil, err
		}
	} else if p.pair.ArgoCD {
		if err := p.commitForArgoCD(ctx, own, watched); err != nil {
			return nil, err
		}
	} else {
		if s.objects, err = objectsOf(filepath.Join(own, target)); err != nil {
			return nil, err
		}
		for _, object := range s.objects {
			if namespace := object.GetNamespace(); namespace != "" {
				if err := p.client.Ensure(ctx, cluster.NewNamespace(namespace)); err != nil {
					return nil, err
				}
			}
		}
		if p.pair.HelmProvider {
			if err := p.giveClusterKubeconfigs(ctx, s.objects); err != nil {
				return nil, err
			}
		}
		var former []*live.Object
		if before != nil {
			former = before.objects
		}
		if p.refused, err = apply(ctx, p.client, former, s.objects); err != nil {
			return nil, err
		}
	}
	if s.look, err = p.settle(ctx, watched, waiting); err != nil {
		return nil, err
	}
	if before != nil {
		if err := p.lookAgain(ctx, watched); err != nil {
			return nil, err
		}
		if s.look, err = p.settle(ctx, watched, waiting); err != nil {
			return nil, err
		}
	}
	s.topologies, err = p.topologies(ctx)
	return s, err
}

// lookAgain lets controllers look again at what they have done, as they do after an interval: of some changes nothing tells them.
func (p *player) lookAgain(ctx context.Context, watched *live.Watched) error {
	if p.pair.ArgoCD {
		if err := p.refreshApplications(ctx, watched); err != nil {
			return err
		}
	}
	kinds := []schema.GroupKind{live.Cluster}
	if p.pair.Flux {
		kinds = append(kinds, gitops.Kustomization, gitops.HelmRelease)
	}
	for _, kind := range kinds {
		objects, err := watched.ListAll(kind)
		if err != nil {
			return err
		}
		for _, object := range objects {
			if !p.names.has(object.GetNamespace()) {
				continue
			}
			// A webhook may refuse it, for what else is in a Cluster.
			if err := gitops.Reconcile(ctx, p.client, object); err != nil && !isRefusal(err) {
				return err
			}
		}
	}
	return nil
}

// settle waits until nothing happens any more.
func (p *player) settle(ctx context.Context, watched *live.Watched, waiting time.Duration) (*look, error) {
	limited, cancel := context.WithTimeoutCause(ctx, settleLimit, fmt.Errorf("not settled after %s", settleLimit))
	defer cancel()
	ticker := time.NewTicker(lookInterval)
	defer ticker.Stop()
	last, lastMissing, since, missingSince := "", "", time.Now(), time.Now()
	for {
		if p.pair.ArgoCD {
			if err := p.syncByHand(ctx, watched); err != nil {
				return nil, err
			}
		}
		found, err := p.newLook(watched)
		if err != nil {
			return nil, err
		}
		now := time.Now()
		if signature := found.signature(); signature != last {
			last, since = signature, now
		}
		if found.missing != lastMissing {
			lastMissing, missingSince = found.missing, now
		}
		switch {
		case found.missing == "" && now.Sub(since) >= p.quiet && now.Sub(missingSince) >= p.quiet,
			found.missing != "" && now.Sub(since) >= waiting,
			found.count() > endless:
			return found, nil
		}
		select {
		case <-limited.Done():
			return nil, fmt.Errorf("%w:\n%s", context.Cause(limited), found.missing)
		case <-ticker.C:
		}
	}
}

// rest pauses the Clusters, so that controllers have time for those that are still compared.
func (p *player) rest(ctx context.Context, watched *live.Watched) error {
	clusters, err := watched.ListAll(live.Cluster)
	if err != nil {
		return err
	}
	for _, object := range clusters {
		if !p.names.has(object.GetNamespace()) {
			continue
		}
		// A webhook may refuse it, for what else is in the Cluster.
		if err := p.client.Merge(ctx, object, map[string]any{"spec": map[string]any{"paused": true}}); err != nil && !isRefusal(err) {
			return err
		}
	}
	return nil
}
