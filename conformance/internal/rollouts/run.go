package rollouts

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"conformance/internal/controllers"
	"conformance/internal/live"
)

const (
	// sideBySide is how many clusters are worked on at one time: most of it is waiting.
	sideBySide = 32
	// settleLimit is how long a state may take, with everything that runs beside it.
	settleLimit = 8 * time.Minute
	// lookInterval is the time between two looks at a cluster.
	lookInterval = time.Second
	// quietLooks is how many looks must find the same machines.
	quietLooks = 3
)

// Run starts the controllers, applies all pairs and stops the controllers. done is told each outcome as soon as it is known.
func Run(ctx context.Context, setup *controllers.Setup, pairs []*Pair, done func(*Outcome) error) error {
	tenants, err := controllers.Tenants()
	if err != nil {
		return err
	}
	processes, err := controllers.Start(ctx, setup, tenants...)
	defer controllers.Stop(processes)
	if err != nil {
		return err
	}
	client, err := live.NewClient(setup.ControlPlane.Config, "conformance")
	if err != nil {
		return err
	}
	watched, err := client.Watch(ctx, live.MachineDeployment, live.MachineSet, live.Machine, live.KubeadmControlPlane)
	if err != nil {
		return err
	}
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(sideBySide)
	for _, pair := range pairs {
		workers.Go(func() error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return done(outcomeOf(ctx, &cluster{client: client, watched: watched, namespace: pair.Namespace}, pair))
		})
	}
	return workers.Wait()
}

func outcomeOf(ctx context.Context, c *cluster, pair *Pair) *Outcome {
	started := time.Now()
	outcome := &Outcome{ID: pair.ID}
	if err := c.compare(ctx, pair, outcome); err != nil {
		outcome.Error = err.Error()
	}
	outcome.Seconds = time.Since(started).Seconds()
	return outcome
}

// compare applies both states of a pair.
func (c *cluster) compare(ctx context.Context, pair *Pair, outcome *Outcome) error {
	namespace := &live.Object{Object: map[string]any{"apiVersion": "v1", "kind": live.Namespace.Kind}}
	namespace.SetName(pair.Namespace)
	if err := c.client.Ensure(ctx, namespace); err != nil {
		return err
	}
	before, err := c.settle(ctx, pair.Old, nil)
	if err != nil {
		return fmt.Errorf("the old state: %w", err)
	}
	objects, err := pair.objectsNow(time.Now())
	if err != nil {
		return err
	}
	after, err := c.settle(ctx, objects, pair.Removed)
	if err != nil {
		return fmt.Errorf("the new state: %w", err)
	}
	outcome.Pools, outcome.ControlPlane = before.compare(after)
	return c.rest(ctx, objects)
}

// rest pauses the Cluster, so that controllers have time for those that are still compared.
func (c *cluster) rest(ctx context.Context, objects []*live.Object) error {
	for _, object := range objects {
		if object.GetKind() == live.Cluster.Kind {
			return c.client.Merge(ctx, object, map[string]any{"spec": map[string]any{"paused": true}})
		}
	}
	return nil
}

// objectsNow returns the new state as it is applied at a time.
func (p *Pair) objectsNow(now time.Time) ([]*live.Object, error) {
	if p.Now == "" {
		return p.New, nil
	}
	text, err := json.Marshal(p.New)
	if err != nil {
		return nil, fmt.Errorf("encode the new state: %w", err)
	}
	var objects []*live.Object
	return objects, json.Unmarshal([]byte(strings.ReplaceAll(string(text), p.Now, now.UTC().Format(time.RFC3339))), &objects)
}

// cluster is a Cluster that controllers work on, alone in its namespace.
type cluster struct {
	client    *live.Client
	watched   *live.Watched
	namespace string
	// generations are those that the pools and control planes of the state have at least, by kind and name.
	generations map[string]int64
}

// apply applies objects and deletes others, as a tool that prunes does: what is new is there before what refers to it goes.
func (c *cluster) apply(ctx context.Context, objects, removed []*live.Object) error {
	c.generations = map[string]int64{}
	for _, object := range objects {
		stored, err := c.client.Apply(ctx, object)
		if err != nil {
			return err
		}
		if kind := stored.GetKind(); kind == live.MachineDeployment.Kind || kind == live.KubeadmControlPlane.Kind {
			c.generations[keyOf(stored)] = stored.GetGeneration()
		}
	}
	for _, object := range removed {
		if err := c.client.Delete(ctx, object); err != nil {
			return err
		}
		c.generations[keyOf(object)] = gone
	}
	return nil
}

// gone is the generation of what is deleted: no object reaches it.
const gone = math.MaxInt64

func keyOf(object *live.Object) string { return object.GetKind() + "/" + object.GetName() }

// settle applies a state and waits until controllers have nothing left to do. It returns the machines.
func (c *cluster) settle(ctx context.Context, objects, removed []*live.Object) (*snapshot, error) {
	if err := c.apply(ctx, objects, removed); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, settleLimit, fmt.Errorf("not settled after %s", settleLimit))
	defer cancel()
	ticker := time.NewTicker(lookInterval)
	defer ticker.Stop()
	last, quiet := "", 0
	for {
		found, err := c.look()
		if err != nil {
			return nil, err
		}
		switch signature := found.signature(); {
		case found.missing != "" || signature != last:
			last, quiet = signature, 0
		default:
			if quiet++; quiet >= quietLooks {
				return found, nil
			}
		}
		select {
		case <-limited.Done():
			return nil, fmt.Errorf("%w:\n%s", context.Cause(limited), found.missing)
		case <-ticker.C:
		}
	}
}
