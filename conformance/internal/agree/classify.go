package agree

import (
	"errors"
	"net/http"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"conformance/internal/cluster"
)

// deniedBy matches what a server says about the answer of a webhook.
var deniedBy = regexp.MustCompile(`^admission webhook "([^"]+)" denied the request`)

// decodingTexts are what a server says about a text that it cannot read as an object of the kind.
var decodingTexts = []string{
	"strict decoding error",
	"error strict decoding patch",
	"error decoding patch",
	"failed to create typed patch object",
	"failed to convert new object",
	"cannot be handled as a",
	"json: cannot unmarshal",
}

// notChecked is a cause that only says that the rules of a kind did not get their turn.
const notChecked = "some validation rules were not checked"

// refuse writes into the verdict why a request failed. An error that is no answer to the case becomes the error of the verdict.
func (v *Verdict) refuse(err error, kind schema.GroupKind, rules Rules) {
	var answer apierrors.APIStatus
	switch {
	case meta.IsNoMatchError(err):
		v.Code, v.Reason, v.By, v.Message = http.StatusNotFound, string(metav1.StatusReasonNotFound), Other, err.Error()
	case errors.Is(err, cluster.ErrNoAddress):
		v.Code, v.Reason, v.By, v.Message = http.StatusBadRequest, string(metav1.StatusReasonBadRequest), Other, err.Error()
	case errors.As(err, &answer) && !isFailure(answer.Status()):
		v.setStatus(answer.Status())
		v.By, v.Webhook = refuser(answer.Status(), kind, rules)
	default:
		v.Error = err.Error()
	}
}

func (v *Verdict) setStatus(status metav1.Status) {
	v.Code, v.Reason, v.Message = status.Code, string(status.Reason), status.Message
	if status.Details == nil {
		return
	}
	for _, cause := range status.Details.Causes {
		v.Causes = append(v.Causes, Cause{Reason: string(cause.Type), Field: cause.Field, Message: cause.Message})
	}
}

// isFailure reports whether a status says that the server could not deal with the request, whatever the object is.
func isFailure(status metav1.Status) bool {
	switch status.Code {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout, http.StatusUnauthorized:
		return true
	case http.StatusInternalServerError:
		return strings.Contains(status.Message, "failed calling webhook") || strings.Contains(status.Message, "etcdserver:")
	default:
		return false
	}
}

// refuser returns who refused an object of a kind, with the name if it is a webhook.
func refuser(status metav1.Status, kind schema.GroupKind, rules Rules) (refuser Refuser, webhook string) {
	if match := deniedBy.FindStringSubmatch(status.Message); match != nil {
		return Webhook, match[1]
	}
	if status.Code == http.StatusUnprocessableEntity {
		if status.Details != nil && rules.explain(kind, status.Details.Causes) {
			return CEL, ""
		}
		return Schema, ""
	}
	for _, text := range decodingTexts {
		if strings.Contains(status.Message, text) {
			return Decoding, ""
		}
	}
	return Other, ""
}
