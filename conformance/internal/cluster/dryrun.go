package cluster

import (
	"fmt"
	"net/http"
	"slices"

	"k8s.io/client-go/rest"
)

// ReadOnly returns a configuration whose requests cannot store anything: those that read and dry runs reach the server, all
// others fail before they are sent.
func ReadOnly(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return readOnly{next} })
	return config
}

// readOnly is the transport that lets only reading requests and dry runs through.
type readOnly struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t readOnly) RoundTrip(request *http.Request) (*http.Response, error) {
	reads := request.Method == http.MethodGet || request.Method == http.MethodHead
	if !reads && !slices.Equal(request.URL.Query()["dryRun"], []string{"All"}) {
		return nil, fmt.Errorf("%s %s is no dry run and is not sent to a cluster that is not our own", request.Method, request.URL.Path)
	}
	return t.next.RoundTrip(request)
}
