package progress

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"conformance/internal/live"
)

func objectOf(apiVersion, kind, name string) *live.Object {
	object := &live.Object{}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetName(name)
	return object
}

func TestWhatMayBeLeft(t *testing.T) {
	applied := []*live.Object{
		objectOf("v1", "ConfigMap", "applied"),
		objectOf("v1", "Secret", "credentials"),
		objectOf("infrastructure.cluster.x-k8s.io/v1alpha1", "KubevirtMachineTemplate", "template"),
	}
	c := &checker{tenant: &tenant{objects: applied}}
	secret := objectOf("v1", "Secret", "credentials")
	secret.SetLabels(map[string]string{live.ClusterLabel: "acme"})
	stuck := objectOf("v1", "ConfigMap", "applied")
	now := metav1.NewTime(time.Now())
	stuck.SetDeletionTimestamp(&now)
	for name, test := range map[string]struct {
		object *live.Object
		may    bool
	}{
		"what was applied":                     {objectOf("v1", "ConfigMap", "applied"), true},
		"what was applied, in another version": {objectOf("v2", "ConfigMap", "applied"), true},
		"what somebody else created":           {objectOf("v1", "ConfigMap", "other"), false},
		"a Secret that was applied":            {objectOf("v1", "Secret", "credentials"), true},
		"a Secret of the cluster":              {secret, false},
		"a template":                           {applied[2], false},
		"a virtual machine":                    {objectOf("kubevirt.io/v1", "VirtualMachine", "m"), false},
		"an object that waits for a finalizer": {stuck, false},
	} {
		t.Run(name, func(t *testing.T) {
			if may := c.whyLeft(test.object) != ""; may != test.may {
				t.Errorf("may be left: %t", may)
			}
		})
	}
}
