package gitops

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/live"
)

// lookInterval is the time between two looks at an object.
const lookInterval = 250 * time.Millisecond

// State is a state of an object of Flux. It returns what is missing, empty if nothing is. The object is nil if it does not exist.
type State func(object *live.Object) (missing string)

// Await waits until an object is in a state. The error says what was missing at last.
func Await(ctx context.Context, client *live.Client, kind schema.GroupKind, namespace, name string, state State) error {
	ticker := time.NewTicker(lookInterval)
	defer ticker.Stop()
	missing := "no answer"
	for {
		object, err := client.Get(ctx, kind, namespace, name)
		if err == nil {
			if missing = state(object); missing == "" {
				return nil
			}
			if object != nil {
				missing += "\n    " + live.Describe(object)
			}
		} else if ctx.Err() == nil {
			missing = err.Error()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s %s/%s: %w; missing at last: %s", kind.Kind, namespace, name, context.Cause(ctx), missing)
		case <-ticker.C:
		}
	}
}

// Fetched is the state of a source that has a revision.
func Fetched(revision string) State {
	return existing(func(object *live.Object) string {
		return expect("status.artifact.revision", live.String(object.Object, "status", "artifact", "revision"), revision)
	})
}

// Applied is the state of a Kustomization that has applied a revision, and found ready what it waits for.
func Applied(revision string) State {
	return existing(func(object *live.Object) string {
		if missing := ready(object); missing != "" {
			return missing
		}
		return expect("status.lastAppliedRevision", live.String(object.Object, "status", "lastAppliedRevision"), revision)
	})
}

// Released is the state of a HelmRelease that has installed what it asks for, in a version of its chart.
func Released(version string) State {
	return existing(func(object *live.Object) string {
		if missing := ready(object); missing != "" {
			return missing
		}
		history := live.Maps(object.Object, "status", "history")
		if len(history) == 0 {
			return "status.history is empty"
		}
		// The chart of an OCIRepository has its digest behind the version.
		installed, _, _ := strings.Cut(live.String(history[0], "chartVersion"), "+")
		wanted, _, _ := strings.Cut(version, "+")
		return expect("status.history[0].chartVersion", installed, wanted)
	})
}

// Failed is the state of an object that is not ready, with words in the message of its condition.
func Failed(words string) State {
	return existing(func(object *live.Object) string {
		condition := readyCondition(object)
		if live.String(condition, "status") != "False" || !strings.Contains(live.String(condition, "message"), words) {
			return fmt.Sprintf("a failure with %q", words)
		}
		return ""
	})
}

// Suspended is the state of an object that its controller leaves alone.
func Suspended(object *live.Object) string {
	return existing(func(object *live.Object) string {
		if !live.Bool(object.Object, "spec", "suspend") {
			return "spec.suspend is not true"
		}
		return ""
	})(object)
}

// Gone is the state of an object that does not exist. That of a HelmRelease is reached after it was uninstalled.
func Gone(object *live.Object) string {
	if object != nil {
		return "it exists"
	}
	return ""
}

func existing(state State) State {
	return func(object *live.Object) string {
		if object == nil {
			return "it does not exist"
		}
		return state(object)
	}
}

// Ready is the state of an object that its controller has done all with.
func Ready(object *live.Object) string { return existing(ready)(object) }

// ready looks for the condition that the controllers of Flux write last.
func ready(object *live.Object) string {
	if seen := live.Int(object.Object, "status", "observedGeneration"); seen != object.GetGeneration() {
		return fmt.Sprintf("status.observedGeneration is %d, and the generation %d", seen, object.GetGeneration())
	}
	if live.String(readyCondition(object), "status") != "True" {
		return "it is not ready"
	}
	return ""
}

func readyCondition(object *live.Object) map[string]any {
	for _, condition := range live.Maps(object.Object, "status", "conditions") {
		if live.String(condition, "type") == "Ready" {
			return condition
		}
	}
	return nil
}

func expect(field, got, want string) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("%s is %q, expected %q", field, got, want)
}
