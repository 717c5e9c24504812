package cluster

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/client-go/rest"
)

func TestReadOnly(t *testing.T) {
	received := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { received++ }))
	defer server.Close()
	client, err := rest.HTTPClientFor(ReadOnly(&rest.Config{Host: server.URL}))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		method, query string
		sent          bool
	}{
		{http.MethodGet, "", true},
		{http.MethodPatch, "?dryRun=All&force=true", true},
		{http.MethodPost, "?dryRun=All", true},
		{http.MethodPatch, "", false},
		{http.MethodPatch, "?dryRun=", false},
		{http.MethodPost, "?dryRun=None", false},
		{http.MethodPost, "?dryRun=All&dryRun=None", false},
		{http.MethodPut, "?dryrun=All", false},
		{http.MethodDelete, "", false},
	}
	for _, test := range tests {
		t.Run(test.method+test.query, func(t *testing.T) {
			before := received
			request, err := http.NewRequest(test.method, server.URL+"/api/v1/namespaces"+test.query, nil)
			if err != nil {
				t.Fatal(err)
			}
			response, err := client.Do(request)
			if err == nil {
				response.Body.Close()
			}
			if sent := received > before; sent != test.sent || (err == nil) != test.sent {
				t.Errorf("sent: %v, error: %v; want sent: %v", sent, err, test.sent)
			}
		})
	}
}
