package agree

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// rules are those that the recorded answers are about, in the words of their definitions.
var rules = Rules{
	{Group: "kamaji.clastix.io", Kind: "DataStore"}: {
		"certificateAuthority privateKey must have secretReference or content when driver is etcd",
		"clientCertificate must have secretReference or content when driver is etcd",
		"clientCertificate privateKey must have secretReference or content when driver is etcd",
	},
	{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}: {"either chart or chartRef must be set"},
}

// refusal is an answer of a kube-apiserver 1.36 with the definitions and webhooks of this suite, and who gave it.
type refusal struct {
	Case    string        `json:"case"`
	Kind    string        `json:"kind"`
	By      Refuser       `json:"by"`
	Webhook string        `json:"webhook"`
	Status  metav1.Status `json:"status"`
}

func TestRefuse(t *testing.T) {
	file, err := os.Open("testdata/refusals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var recorded refusal
		if err := json.Unmarshal(lines.Bytes(), &recorded); err != nil {
			t.Fatal(err)
		}
		t.Run(recorded.Case, func(t *testing.T) {
			verdict := &Verdict{}
			verdict.refuse(&apierrors.StatusError{ErrStatus: recorded.Status}, schema.ParseGroupKind(recorded.Kind), rules)
			if verdict.By != recorded.By || verdict.Webhook != recorded.Webhook {
				t.Errorf("refused by %s %q, want %s %q: %s", verdict.By, verdict.Webhook, recorded.By, recorded.Webhook, verdict.Message)
			}
			if verdict.Accepted || verdict.Error != "" || verdict.Code != recorded.Status.Code || verdict.Message != recorded.Status.Message {
				t.Errorf("the verdict has other words than the answer: %+v", verdict)
			}
			if recorded.Status.Details != nil && len(verdict.Causes) != len(recorded.Status.Details.Causes) {
				t.Errorf("%d causes, want %d", len(verdict.Causes), len(recorded.Status.Details.Causes))
			}
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestRefuseByRulesOfOtherKinds(t *testing.T) {
	status := metav1.Status{
		Code:    http.StatusUnprocessableEntity,
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: "Invalid value: either chart or chartRef must be set"}}},
	}
	verdict := &Verdict{}
	verdict.refuse(&apierrors.StatusError{ErrStatus: status}, schema.GroupKind{Group: "example.com", Kind: "Other"}, rules)
	if verdict.By != Schema {
		t.Errorf("refused by %s, want %s", verdict.By, Schema)
	}
}

func TestRefuseWithoutAnswer(t *testing.T) {
	kind := schema.GroupKind{Kind: "ConfigMap"}
	tests := []struct {
		name string
		err  error
		// by is empty if the error is no answer to the case.
		by Refuser
	}{
		{"a kind that is not served", &meta.NoKindMatchError{GroupKind: kind, SearchedVersions: []string{"v9"}}, Other},
		{"a webhook that is not there", apierrors.NewInternalError(errors.New(`failed calling webhook "a": connection refused`)), ""},
		{"a busy server", apierrors.NewTooManyRequestsError("later"), ""},
		{"no server", errors.New("connection refused"), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			verdict := &Verdict{}
			verdict.refuse(test.err, kind, rules)
			if verdict.By != test.by || (verdict.Error != "") != (test.by == "") {
				t.Errorf("refused by %q with error %q, want %q", verdict.By, verdict.Error, test.by)
			}
		})
	}
}
