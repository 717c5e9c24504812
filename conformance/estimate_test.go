package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"conformance/internal/programs"
)

// estimateCase is a question of scripts/conformance/capacity/estimates.ts.
type estimateCase struct {
	Name string
	Node *corev1.Node
	Pods []*corev1.Pod
	// Limit is the number of nodes at which the estimator stops.
	Limit int
	// Needed is the number of nodes that capacity says the pods need, and WithLoss the same with a node that is lost; nil if no number suffices.
	Needed, WithLoss *int
	// IsBound is true if pods mind others, or where these are.
	IsBound bool
}

const (
	estimatorName = "cluster-autoscaler-estimator"
	estimateCases = 400
)

// TestCapacityAgreesWithEstimator asks the estimator of the cluster autoscaler, which simulates the scheduler, for the number of nodes of one kind
// that pods need. It fills nodes in turn, so that it may take more than are needed, and never fewer: capacity must not ask for more than it takes,
// and it must place no pods that capacity proves to fit on no number of nodes. With one node more, one may be lost.
func TestCapacityAgreesWithEstimator(t *testing.T) {
	questions := readEstimateCases(t)
	answers := estimated(t, questions)
	equal, fewer, impossible := 0, 0, 0
	for i, one := range questions {
		answer := answers[i]
		isComplete := answer.Pods == len(one.Pods)
		switch {
		case one.Needed == nil:
			impossible++
			if isComplete {
				t.Errorf("%s: the estimator places all pods on %d nodes, and capacity on no number of them", one.Name, answer.Nodes)
			}
		case !isComplete && !one.IsBound:
			t.Errorf("%s: the estimator leaves %d pods, which need %d nodes", one.Name, len(one.Pods)-answer.Pods, *one.Needed)
		case !isComplete:
			// Filling nodes in turn does not find each placement of pods that mind others.
		case *one.Needed > answer.Nodes && !one.IsBound:
			t.Errorf("%s: capacity asks for %d nodes, and the estimator takes %d", one.Name, *one.Needed, answer.Nodes)
		case *one.Needed > answer.Nodes+1:
			// A node on which it has placed nothing may count as a domain of a spread.
			t.Errorf("%s: capacity asks for %d nodes, and the estimator takes %d", one.Name, *one.Needed, answer.Nodes)
		case !one.IsBound && (one.WithLoss == nil || *one.WithLoss > answer.Nodes+1):
			t.Errorf("%s: with a lost node, capacity asks for more than %d nodes", one.Name, answer.Nodes+1)
		case *one.Needed == answer.Nodes:
			equal++
		default:
			fewer++
		}
	}
	t.Logf("%d the same, %d with fewer nodes than the estimator takes, %d on no number of nodes, of %d", equal, fewer, impossible, len(questions))
	if equal == 0 || impossible == 0 {
		t.Error("the questions lack an answer: choose another seed")
	}
}

// readEstimateCases runs the command line's own code over random pods. CAPACITY_SEED chooses others.
func readEstimateCases(t *testing.T) (questions []estimateCase) {
	t.Helper()
	seed := os.Getenv("CAPACITY_SEED")
	if seed == "" {
		seed = "estimate"
	}
	command := exec.CommandContext(t.Context(), "node", "-r", "./scripts/esbuild-register.js", "scripts/conformance/capacity/estimates.ts",
		seed, strconv.Itoa(estimateCases))
	command.Dir = ".."
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &questions); err != nil {
		t.Fatal(err)
	}
	return questions
}

type estimate struct {
	Name        string
	Nodes, Pods int
}

// estimated runs the estimator: that of the variable ESTIMATOR, else the one that is built.
func estimated(t *testing.T, questions []estimateCase) (answers []estimate) {
	t.Helper()
	input, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), estimatorPath(t))
	command.Stdin, command.Stderr = bytes.NewReader(input), os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatal(err)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(answers), len(questions))
	}
	return answers
}

func estimatorPath(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("ESTIMATOR"); path != "" {
		return path
	}
	table, err := programs.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	unbuilt, err := table.Unbuilt(programs.Options{}, estimatorName)
	if err != nil {
		t.Fatal(err)
	}
	if len(unbuilt) > 0 && os.Getenv("CONFORMANCE_BUILD") == "" {
		t.Skipf("%s must be built first, which takes minutes: set CONFORMANCE_BUILD=true", estimatorName)
	}
	built, missing, err := table.Build(t.Context(), programs.Options{Log: t.Logf}, estimatorName)
	if err != nil || len(missing) > 0 {
		t.Fatal(err, missing)
	}
	return built[0].Path
}
