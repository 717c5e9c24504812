package gitops

import (
	"slices"
	"strings"
	"testing"
)

func TestStates(t *testing.T) {
	const (
		ready    = "metadata: {generation: 2}\nstatus:\n  observedGeneration: 2\n  conditions: [{type: Ready, status: 'True'}]\n"
		failed   = "status: {conditions: [{type: Ready, status: 'False', message: no such host}]}\n"
		applied  = "  lastAppliedRevision: main@sha1:1\n"
		released = "  history: [{chartVersion: 1.2.3+abc}, {chartVersion: 1.2.2}]\n"
	)
	tests := []struct {
		name    string
		object  string
		state   State
		missing string
	}{
		{"an applied revision", ready + applied, Applied("main@sha1:1"), ""},
		{"an older revision", ready + applied, Applied("main@sha1:2"), `status.lastAppliedRevision is "main@sha1:1", expected "main@sha1:2"`},
		{"an older generation", strings.Replace(ready, "generation: 2", "generation: 3", 1) + applied, Applied("main@sha1:1"),
			"status.observedGeneration is 2, and the generation 3"},
		{"a revision whose objects are not ready", strings.Replace(ready, "'True'", "Unknown", 1) + applied, Applied("main@sha1:1"),
			"it is not ready"},
		{"a release", ready + released, Released("1.2.3"), ""},
		{"an older release", ready + released, Released("1.2.4"), `status.history[0].chartVersion is "1.2.3", expected "1.2.4"`},
		{"no release", ready, Released("1.2.3"), "status.history is empty"},
		{"a fetched revision", "status: {artifact: {revision: main@sha1:1}}", Fetched("main@sha1:1"), ""},
		{"no revision", "status: {}", Fetched("main@sha1:1"), `status.artifact.revision is "", expected "main@sha1:1"`},
		{"a failure", failed, Failed("no such host"), ""},
		{"another failure", failed, Failed("refused"), `a failure with "refused"`},
		{"no failure", ready, Failed(""), `a failure with ""`},
		{"a suspended object", "spec: {suspend: true}", Suspended, ""},
		{"an object that is not suspended", "spec: {}", Suspended, "spec.suspend is not true"},
		{"an object that is there", "spec: {}", Gone, "it exists"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			object := parse(t, "apiVersion: example.com/v1\nkind: Thing\n"+test.object)[0]
			if got := test.state(object); got != test.missing {
				t.Errorf("got %q, want %q", got, test.missing)
			}
		})
	}
	for name, state := range map[string]State{"Applied": Applied(""), "Failed": Failed(""), "Suspended": Suspended} {
		if state(nil) != "it does not exist" {
			t.Errorf("%s: an object that does not exist is in the state", name)
		}
	}
	if Gone(nil) != "" {
		t.Error("an object that does not exist is not gone")
	}
}

func TestDefinitions(t *testing.T) {
	const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: NAME}
spec: {group: example.com}
`
	upstream := t.TempDir()
	for _, controller := range ControllerNames {
		write(t, upstream, controller+"/config/crd/bases/things.yaml", strings.Replace(definition, "NAME", "things."+controller, 1))
	}
	known := parse(t, strings.Replace(definition, "NAME", "things.helm-controller", 1))
	found, err := Definitions(known, upstream)
	var names []string
	for _, object := range found {
		names = append(names, object.GetName())
	}
	if want := []string{"things.source-controller", "things.kustomize-controller"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("got %v, %v; want %v", names, err, want)
	}
	known[0].Object["spec"] = map[string]any{"group": "other.example.com"}
	_, err = Definitions(known, upstream)
	if err == nil || !strings.Contains(err.Error(), "things.helm-controller: that of helm-controller differs") {
		t.Errorf("got error %v, want one about another release", err)
	}
}
