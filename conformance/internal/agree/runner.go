package agree

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/cluster"
	"conformance/internal/manifest"
)

const (
	// workers is how many requests are on their way at a time.
	workers = 12
	// attempts is how often a request is sent that the server could not deal with.
	attempts = 4
	// firstPause is the time before the second attempt; it doubles with each.
	firstPause = 250 * time.Millisecond
	// settlePause is the time in which what was stored gets into the caches of webhooks.
	settlePause = 500 * time.Millisecond
	// reportInterval is the time between two reports of progress.
	reportInterval = 5 * time.Second
)

// Runner asks one server.
type Runner struct {
	// Client reaches the server.
	Client *cluster.Client
	// Rules are those of the definitions that the server has.
	Rules Rules
	// Missing are the API groups that the server should have and has not: cases of their kinds are left out.
	Missing []string
	// Report is called every few seconds with the number of cases that are done.
	Report func(done int)

	done atomic.Int64
}

// Run asks about all cases and returns the verdicts in their order. Everything it has stored is removed again.
// An error means that the run has to end, not that a case could not be run.
func (r *Runner) Run(ctx context.Context, sets []*Set) ([]*Verdict, error) {
	return r.runSets(ctx, sets, r.runSet)
}

// runSets returns the verdicts of all sets, with reports in between.
func (r *Runner) runSets(
	ctx context.Context, sets []*Set, runSet func(context.Context, *Set) ([]*Verdict, error),
) ([]*Verdict, error) {
	finished := make(chan struct{})
	defer close(finished)
	go r.reportUntil(finished)

	verdicts := make([]*Verdict, 0, Count(sets))
	for _, set := range sets {
		found, err := runSet(ctx, set)
		if err != nil {
			return nil, fmt.Errorf("set %s: %w", set.Name, err)
		}
		verdicts = append(verdicts, found...)
	}
	return verdicts, ctx.Err()
}

func (r *Runner) reportUntil(finished <-chan struct{}) {
	ticker := time.NewTicker(reportInterval)
	defer ticker.Stop()
	for {
		select {
		case <-finished:
			return
		case <-ticker.C:
			r.Report(int(r.done.Load()))
		}
	}
}

// runSet stores the objects of a set, asks about its cases and removes everything.
func (r *Runner) runSet(ctx context.Context, set *Set) (_ []*Verdict, err error) {
	if len(set.Cases) == 0 {
		return nil, nil
	}
	questions := newQuestions(set)
	namespaces := newNamespaces(r.Client)
	defer func() { err = errors.Join(err, namespaces.remove(ctx)) }()
	for _, question := range questions {
		if question.object != nil && slices.Contains(r.Missing, question.object.GroupVersionKind().Group) {
			question.verdict.Error = LeftOut + cluster.NotServed
		}
	}
	defer func() { err = errors.Join(err, r.removeStaying(ctx, questions, namespaces)) }()
	defer func() { err = errors.Join(err, removeAll(ctx, r.Client, set.Objects)) }()
	if err := r.store(ctx, set, namespaces); err != nil {
		for _, question := range questions {
			question.verdict.Error = err.Error()
		}
	}
	// Kinds that the set defines are known only now.
	for _, question := range questions {
		question.prepare(ctx, namespaces, r.Rules)
	}

	r.inParallel(queues(questions, isCreate), func(q *question) { r.create(ctx, q) })
	r.inParallel(queues(questions, isUpdate), func(q *question) { r.update(ctx, q, set, namespaces) })
	for _, question := range questions {
		if isLonelyUpdate(question) {
			r.update(ctx, question, set, namespaces)
			r.done.Add(1)
		}
	}
	return verdictsOf(questions), ctx.Err()
}

// store applies the objects of a set, namespaces first, in namespaces that are created if need be.
func (r *Runner) store(ctx context.Context, set *Set, namespaces *namespaces) error {
	documents := slices.Clone(set.Objects)
	slices.SortStableFunc(documents, func(a, b manifest.Document) int {
		return cluster.Rank(a.Object) - cluster.Rank(b.Object)
	})
	for _, document := range documents {
		if err := namespaces.create(ctx, document.Object); err != nil {
			return fmt.Errorf("set %s: %w", set.Name, err)
		}
		if _, err := r.apply(ctx, document.Object, document.Raw, false); err != nil {
			return fmt.Errorf("set %s: %s is refused: %w", set.Name, cluster.Describe(document.Object), err)
		}
		if err := r.awaitDefinition(ctx, document.Object); err != nil {
			return fmt.Errorf("set %s: %w", set.Name, err)
		}
		if err := r.Client.StoreStatus(ctx, document.Object); err != nil {
			return fmt.Errorf("set %s: %w", set.Name, err)
		}
		if cluster.IsNamespace(document.Object) {
			namespaces.adopt(document.Object.GetName())
		}
	}
	if len(documents) > 0 {
		return settle(ctx)
	}
	return nil
}

// settle waits until webhooks that look objects up in a cache have seen what was stored.
func settle(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(settlePause):
		return nil
	}
}

// inParallel answers the questions of each queue one after the other, and the queues side by side.
func (r *Runner) inParallel(queues [][]*question, answer func(*question)) {
	work := make(chan []*question)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for queue := range work {
				for _, question := range queue {
					answer(question)
					r.done.Add(1)
				}
			}
		})
	}
	for _, queue := range queues {
		work <- queue
	}
	close(work)
	group.Wait()
}

// create asks what the server would say to a new object.
func (r *Runner) create(ctx context.Context, q *question) {
	if q.isAnswered() {
		return
	}
	warnings, err := r.apply(ctx, q.object, []byte(q.text), true)
	q.answer(warnings, err, r.Rules)
}

// update stores the object before, asks what the server says to the other, and removes it. It is for real: some webhooks
// do not look at dry runs.
func (r *Runner) update(ctx context.Context, q *question, set *Set, namespaces *namespaces) {
	if q.isAnswered() {
		return
	}
	if err := q.readBefore(set); err != nil {
		q.verdict.Error = err.Error()
		return
	}
	if err := r.spareDefinition(ctx, q); err != nil {
		q.verdict.Error = err.Error()
		return
	}
	if _, err := r.apply(ctx, q.before, []byte(q.beforeText), false); err != nil {
		q.verdict.Error = fmt.Sprintf("before is refused: %v", err)
	} else if err := r.awaitDefinition(ctx, q.before); err != nil {
		q.verdict.Error = err.Error()
	} else {
		warnings, err := r.apply(ctx, q.object, []byte(q.text), false)
		q.answer(warnings, err, r.Rules)
	}
	if err := r.removeUpdated(ctx, q.before, namespaces); err != nil {
		if q.staysBehind = len(set.Objects) > 0; !q.staysBehind {
			q.verdict.Error = fmt.Sprintf("the object stays behind: %v", err)
		}
	}
}

// spareDefinition returns an error if the object before is a definition that the server has: the kinds of other cases come from it.
func (r *Runner) spareDefinition(ctx context.Context, q *question) error {
	if !cluster.IsDefinition(q.before) {
		return nil
	}
	exists, err := r.Client.Exists(ctx, q.before)
	if err == nil && exists {
		err = errors.New("the server has this definition, and other cases need it")
	}
	return err
}

// removeStaying removes updated objects that could not be removed while the objects of the set were there.
func (r *Runner) removeStaying(ctx context.Context, questions []*question, namespaces *namespaces) error {
	var problems []error
	for _, q := range questions {
		if q.staysBehind {
			problems = append(problems, patiently(ctx, func() error { return r.removeUpdated(ctx, q.before, namespaces) }))
		}
	}
	return errors.Join(problems...)
}

// awaitDefinition waits until a definition is in use: until then, more of it may change.
func (r *Runner) awaitDefinition(ctx context.Context, object *unstructured.Unstructured) error {
	if !cluster.IsDefinition(object) {
		return nil
	}
	return r.Client.AwaitDefinition(ctx, object)
}

// removeUpdated removes an object, or empties it if it is a namespace that others are in.
func (r *Runner) removeUpdated(ctx context.Context, object *unstructured.Unstructured, namespaces *namespaces) error {
	if !cluster.IsNamespace(object) || !namespaces.has(object.GetName()) {
		return r.Client.Remove(ctx, object)
	}
	bare := cluster.NewNamespace(object.GetName())
	text, err := bare.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = r.apply(ctx, bare, text, false)
	return err
}

// apply sends a text, more than once if the server could not deal with it.
func (r *Runner) apply(ctx context.Context, object *unstructured.Unstructured, text []byte, dryRun bool) ([]string, error) {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		warnings, err := r.Client.ApplyText(ctx, object, text, dryRun)
		if err == nil || attempt == attempts || !isTemporary(err) {
			return warnings, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
			pause *= 2
		}
	}
}

// isTemporary reports whether another attempt could have another outcome.
func isTemporary(err error) bool {
	var answer apierrors.APIStatus
	if errors.As(err, &answer) {
		return isFailure(answer.Status())
	}
	var transport *url.Error
	return errors.As(err, &transport)
}

// removeAll removes objects, the last one first, but no namespaces: others may be in them.
func removeAll(ctx context.Context, client *cluster.Client, documents []manifest.Document) error {
	var problems []error
	for _, document := range slices.Backward(documents) {
		if !cluster.IsNamespace(document.Object) {
			problems = append(problems, patiently(ctx, func() error { return client.Remove(ctx, document.Object) }))
		}
	}
	return errors.Join(problems...)
}

// patiently removes an object, more than once if a webhook refuses that: it may still have somebody in its cache who uses the object.
func patiently(ctx context.Context, remove func() error) error {
	for attempt := 1; ; attempt++ {
		err := remove()
		if err == nil || attempt == attempts {
			return err
		}
		if err := settle(ctx); err != nil {
			return err
		}
	}
}
