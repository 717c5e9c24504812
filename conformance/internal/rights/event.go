package rights

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"regexp"
)

// Stages and annotations of audit events (kubernetes/apiserver pkg/apis/audit/v1/types.go, pkg/endpoints/filters/authorization.go).
const (
	stageReceived = "RequestReceived"
	stageStarted  = "ResponseStarted"
	decision      = "authorization.k8s.io/decision"
)

// event is what matters of an Event of audit.k8s.io/v1.
type event struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	AuditID    string `json:"auditID"`
	Stage      string `json:"stage"`
	RequestURI string `json:"requestURI"`
	Verb       string `json:"verb"`
	User       struct {
		Username string `json:"username"`
	} `json:"user"`
	ImpersonatedUser *struct {
		Username string `json:"username"`
	} `json:"impersonatedUser"`
	ObjectRef *struct {
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
		APIGroup    string `json:"apiGroup"`
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"responseStatus"`
	Annotations map[string]string `json:"annotations"`
}

// events reads one line after the other. A last line that is cut off is left out: the server may be about to write the rest.
func events(log io.Reader) iter.Seq2[event, error] {
	return func(yield func(event, error) bool) {
		reader := bufio.NewReader(log)
		for number, ended := 1, false; !ended; number++ {
			line, err := reader.ReadBytes('\n')
			ended = errors.Is(err, io.EOF)
			if err != nil && !ended {
				yield(event{}, err)
				return
			}
			if len(bytes.TrimSpace(line)) == 0 || ended && !json.Valid(line) {
				continue
			}
			e, err := decode(line)
			if err != nil {
				err = fmt.Errorf("line %d: %w", number, err)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func decode(line []byte) (event, error) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		return event{}, err
	}
	if e.APIVersion != "audit.k8s.io/v1" || e.Kind != "Event" {
		return event{}, fmt.Errorf("kind %q of %q: expected Event of audit.k8s.io/v1", e.Kind, e.APIVersion)
	}
	return e, nil
}

// user returns the user whose rights count.
func (e event) user() string {
	if e.ImpersonatedUser != nil {
		return e.ImpersonatedUser.Username
	}
	return e.User.Username
}

// request returns what was asked for.
func (e event) request() request {
	if e.ObjectRef == nil {
		path := e.RequestURI
		if parsed, err := url.ParseRequestURI(path); err == nil {
			path = parsed.Path
		}
		return request{verb: e.Verb, path: path}
	}
	object := e.ObjectRef
	asked := request{
		verb: e.Verb, group: object.APIGroup, resource: object.Resource, subresource: object.Subresource,
		namespace: object.Namespace, name: object.Name,
	}
	if asked.subresource != "" {
		asked.resource += "/" + asked.subresource
	}
	return asked
}

// authorized returns what the API server asked RBAC about, when it let the request through.
func (e event) authorized() []request {
	asked := e.request()
	switch {
	case asked.verb == "create" && asked.subresource == "":
		// The log has the name from the body, which the authorizer does not see (kubernetes/apiserver pkg/audit/request.go).
		asked.name = ""
	case (asked.verb == "patch" || asked.verb == "update") && e.ResponseStatus.Code == http.StatusCreated:
		// To create an object in this way takes the right to create it as well (kubernetes/apiserver pkg/endpoints/handlers/{patch,update}.go).
		created := asked
		created.verb = "create"
		return []request{asked, created}
	}
	return []request{asked}
}

// forbidden is the message for a user without a right (kubernetes/apiserver pkg/endpoints/handlers/responsewriters/errors.go).
var forbidden = regexp.MustCompile(`User "[^"]*" cannot (\S+) (?:resource|path) "`)

// refusedVerb returns the verb that RBAC refused, and whether it refused any. It differs from that of the request if the API server looked
// up a second right: to create what a patch is for, to impersonate, or in an aggregated API.
func (e event) refusedVerb() (string, bool) {
	if e.Annotations[decision] == "forbid" {
		return e.Verb, true
	}
	match := forbidden.FindStringSubmatch(e.ResponseStatus.Message)
	if e.ResponseStatus.Code != http.StatusForbidden || match == nil {
		return "", false
	}
	return match[1], true
}
