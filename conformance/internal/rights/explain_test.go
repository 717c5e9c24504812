package rights

import (
	"slices"
	"testing"
)

func TestExplain(t *testing.T) {
	get, list := Right{Role: "Role acme/acme-driver", Resource: "pods", Verb: "get"}, Right{Role: "Role acme/acme-driver", Resource: "pods", Verb: "list"}
	pattern := get
	pattern.Role = "Role */*-driver"
	always, sometimes := Allowance{Right: pattern, Reason: "r"}, Allowance{Right: pattern, Reason: "r", Sometimes: true}
	bad := sometimes
	bad.Right.Role = "Role [/*-driver"
	for _, test := range []struct {
		name        string
		allowance   Allowance
		reports     []*Report
		unexplained []Right
		unneeded    bool
	}{
		{"an unused right", always, []*Report{{Unused: []Right{get}}}, nil, false},
		{"another unused right", always, []*Report{{Unused: []Right{get, list}}}, []Right{list}, false},
		{"a right that is used after all", always, []*Report{{Used: []Right{get}}}, nil, true},
		{"a right that is used elsewhere", always, []*Report{{Used: []Right{get}}, {Unused: []Right{get}}}, nil, false},
		{"a right that is used sometimes", sometimes, []*Report{{Used: []Right{get}}}, nil, false},
		{"a right that is not granted any more", sometimes, []*Report{{Used: []Right{list}}}, nil, true},
		{"a bad pattern", bad, []*Report{{Unused: []Right{get}}}, []Right{get}, true},
	} {
		unexplained, unneeded := Explain([]Allowance{test.allowance}, test.reports...)
		if !slices.Equal(unexplained, test.unexplained) || len(unneeded) > 0 != test.unneeded {
			t.Errorf("%s: got %v, and %v is not needed", test.name, unexplained, unneeded)
		}
	}
}

func TestUnexpected(t *testing.T) {
	report := &Report{Refused: []Refusal{
		{User: "system:serviceaccount:ns:acme-manager", Verb: "list", Group: "g", Resource: "things"},
		{User: "system:serviceaccount:ns:acme-manager", Verb: "list", Resource: "things"},
		{User: "system:serviceaccount:ns:acme-manager", Verb: "get", Group: "g", Resource: "things"},
		{User: "system:serviceaccount:ns:acme-driver", Verb: "list", Group: "g", Resource: "things"},
	}}
	expected := []ExpectedRefusal{{User: "system:serviceaccount:*:*-manager", Verb: "list", Group: "g", Resource: "things"}}
	if got := Unexpected(expected, report); !slices.Equal(got, report.Refused[1:]) {
		t.Errorf("got %v", got)
	}
}
