package agree

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
)

// identify reads from a text which object it is about; everything else in it may be wrong.
func identify(text string) (*unstructured.Unstructured, error) {
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(text), &object.Object); err != nil {
		return nil, err
	}
	if object.GetKind() == "" || object.GetAPIVersion() == "" {
		return nil, errors.New("apiVersion and kind have to be texts that are not empty")
	}
	return object, nil
}

// unreadable writes into the verdict that no client could send the text.
func (v *Verdict) unreadable(err error) {
	v.Code, v.Reason, v.By, v.Message = http.StatusBadRequest, string(metav1.StatusReasonBadRequest), Decoding, err.Error()
}

// identity tells objects in a cluster apart.
type identity struct {
	kind            schema.GroupKind
	namespace, name string
}

func identityOf(object *unstructured.Unstructured) identity {
	return identity{object.GroupVersionKind().GroupKind(), cluster.Namespace(object), object.GetName()}
}

// sameIdentity returns an error if two texts are about different objects.
func sameIdentity(before, after *unstructured.Unstructured) error {
	if identityOf(before) != identityOf(after) {
		return fmt.Errorf("the object before is %s, the one to apply over it is %s", cluster.Describe(before), cluster.Describe(after))
	}
	return nil
}

// actsOnOthers reports whether the server's answers about other objects depend on a stored object of a kind.
func actsOnOthers(kind schema.GroupKind) bool {
	switch kind {
	case schema.GroupKind{Kind: "Namespace"},
		schema.GroupKind{Kind: "ResourceQuota"},
		schema.GroupKind{Kind: "LimitRange"},
		schema.GroupKind{Group: "scheduling.k8s.io", Kind: "PriorityClass"},
		schema.GroupKind{Group: "cluster.x-k8s.io", Kind: "ClusterClass"}:
		return true
	default:
		return kind.Group == "admissionregistration.k8s.io"
	}
}
