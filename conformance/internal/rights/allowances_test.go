package rights

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"conformance/internal/golden"
)

// tenantObjects returns the objects of a golden file with all controllers of a tenant.
func tenantObjects(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, document := range golden.Read(t, "management", "example-diy-cloud") {
		objects = append(objects, document.Object)
	}
	return objects
}

func TestRightsOfTenant(t *testing.T) {
	report, err := Read(strings.NewReader(""), tenantObjects(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Requests) != 3 || len(report.Used) > 0 {
		t.Errorf("got requests %v, want those of three controllers, and without any, these used rights: %v", report.Requests, report.Used)
	}
	for _, want := range []string{
		"ClusterRole tenant-acme.acme.csi-driver: get persistentvolumes",
		"Role tenant-acme/acme-cloud-controller-manager: update services",
		"Role tenant-acme/acme-cluster-autoscaler: patch machinedeployments.cluster.x-k8s.io/scale",
	} {
		if !slices.ContainsFunc(report.Unused, func(right Right) bool { return right.String() == want }) {
			t.Errorf("%s is missing in %v", want, report.Unused)
		}
	}
}

// TestAllowances makes sure that each allowance is for one right that the controllers of a tenant have.
func TestAllowances(t *testing.T) {
	report, err := Read(strings.NewReader(""), tenantObjects(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, allowance := range Allowances() {
		unexplained, _ := Explain([]Allowance{allowance}, report)
		if explained := len(report.Unused) - len(unexplained); explained != 1 || allowance.Reason == "" {
			t.Errorf("%s is an allowance for %d rights, its reason is %q", allowance.Right, explained, allowance.Reason)
		}
	}
}

// TestExpectedRefusals makes sure that each of them is about a controller of a tenant, which has no such right.
func TestExpectedRefusals(t *testing.T) {
	grants, err := newGrants(tenantObjects(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, expected := range ExpectedRefusals() {
		users := 0
		for user, roles := range grants.users {
			if !matches(expected.User, user) {
				continue
			}
			users++
			for _, role := range roles {
				for _, entry := range role.entries {
					if entry.allows(request{verb: expected.Verb, group: expected.Group, resource: expected.Resource}) {
						t.Errorf("%s: %s is granted", user, entry)
					}
				}
			}
		}
		if users != 1 || expected.Reason == "" {
			t.Errorf("%+v is about %d controllers, or has no reason", expected, users)
		}
	}
}
