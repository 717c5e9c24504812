// Package steps asks the code of Argo CD in which order an ApplicationSet with steps syncs its Applications: the guide says that a later step may
// overtake. A release in which it may not makes the test fail.
package steps

import (
	"context"
	"slices"
	"testing"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	log "github.com/sirupsen/logrus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/argoproj/argo-cd/v3/applicationset/progressivesync"
	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

// statuses keeps what the manager writes into the status of its copy of the set.
type statuses struct{ of *v1alpha1.ApplicationSet }

func (s statuses) SetAppSetApplicationStatus(_ context.Context, _ *log.Entry, set *v1alpha1.ApplicationSet, found []v1alpha1.ApplicationSetApplicationStatus) error {
	set.Status.ApplicationStatus, s.of.Status.ApplicationStatus = found, found
	return nil
}

func (statuses) SetApplicationSetStatusCondition(context.Context, *v1alpha1.ApplicationSet, v1alpha1.ApplicationSetCondition, bool) error {
	return nil
}

const label = "rollout-step"

// fleet is a set with one Application in each step, all of which are synced and healthy in the commit "old".
type fleet struct {
	t       *testing.T
	set     v1alpha1.ApplicationSet
	live    []v1alpha1.Application
	desired []v1alpha1.Application
}

func newFleet(t *testing.T, names ...string) *fleet {
	f := &fleet{t: t, set: v1alpha1.ApplicationSet{ObjectMeta: metav1.ObjectMeta{Name: "clusters"}}}
	rolling := &v1alpha1.ApplicationSetRolloutStrategy{}
	for _, name := range names {
		app := v1alpha1.Application{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{label: name}},
			Spec:       v1alpha1.ApplicationSpec{Source: &v1alpha1.ApplicationSource{RepoURL: "https://git.example.com/tenants.git", Path: name, TargetRevision: "main"}},
		}
		app.Status.Health.Status = health.HealthStatusHealthy
		f.live, f.desired = append(f.live, app), append(f.desired, *app.DeepCopy())
		f.compared(name, "old", v1alpha1.SyncStatusCodeSynced)
		rolling.Steps = append(rolling.Steps, v1alpha1.ApplicationSetRolloutStep{
			MatchExpressions: []v1alpha1.ApplicationMatchExpression{{Key: label, Operator: "In", Values: []string{name}}},
		})
	}
	f.set.Spec.Strategy = &v1alpha1.ApplicationSetStrategy{Type: "RollingSync", RollingSync: rolling}
	f.reconcile()
	return f
}

// compared is what the controller of Applications finds when it looks at the repository for one of them.
func (f *fleet) compared(name, revision string, sync v1alpha1.SyncStatusCode) {
	for at := range f.live {
		if f.live[at].Name == name {
			f.live[at].Status.Sync.Revision, f.live[at].Status.Sync.Status = revision, sync
		}
	}
}

// reconcile returns the Applications that are synced now.
func (f *fleet) reconcile() []string {
	f.t.Helper()
	manager := progressivesync.NewManager(nil, nil, statuses{&f.set})
	allowed, err := manager.PerformProgressiveSyncs(f.t.Context(), log.NewEntry(log.StandardLogger()), f.set, f.live, f.desired)
	if err != nil {
		f.t.Fatal(err)
	}
	synced := []string{}
	for _, status := range f.set.Status.ApplicationStatus {
		if status.Status == v1alpha1.ProgressiveSyncPending && allowed[status.Application] {
			synced = append(synced, status.Application)
		}
	}
	return synced
}

func (f *fleet) expect(what string, want ...string) {
	f.t.Helper()
	if got := f.reconcile(); !slices.Equal(got, want) {
		f.t.Errorf("%s: %v are synced, expected %v", what, got, want)
	}
}

func TestStepsInOrder(t *testing.T) {
	f := newFleet(t, "canary", "main")
	f.compared("canary", "new", v1alpha1.SyncStatusCodeOutOfSync)
	f.expect("the first step sees the commit", "canary")
	f.compared("main", "new", v1alpha1.SyncStatusCodeOutOfSync)
	f.expect("the second step sees it while the first is synced", "canary")
}

// TestLaterStepOvertakes: the step before counts as healthy until its own Application has seen the commit.
func TestLaterStepOvertakes(t *testing.T) {
	f := newFleet(t, "canary", "main")
	f.compared("main", "new", v1alpha1.SyncStatusCodeOutOfSync)
	f.expect("the second step sees the commit first", "main")
}

// TestPinnedRevision: a set that names each commit changes all Applications at once, and that does not help. Those that are synced with the
// commit before count as healthy in the same reconciliation.
func TestPinnedRevision(t *testing.T) {
	f := newFleet(t, "canary", "main")
	for at := range f.desired {
		f.desired[at].Spec.Source.TargetRevision = "new"
	}
	f.expect("all Applications get another revision")
	for _, status := range f.set.Status.ApplicationStatus {
		if status.Status != v1alpha1.ProgressiveSyncHealthy {
			t.Errorf("%s is %s: a set with revisions may close the gap now, see docs/guides/gated-rings.md", status.Application, status.Status)
		}
	}
	for at := range f.live {
		f.live[at].Spec.Source.TargetRevision = "new"
	}
	f.compared("main", "new", v1alpha1.SyncStatusCodeOutOfSync)
	f.expect("the second step is compared first", "main")
}
