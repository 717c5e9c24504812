package gitops

import (
	"fmt"
	"net"
	"net/http"
)

// Server answers requests until it is closed.
type Server struct{ server *http.Server }

// Close ends the server.
func (s *Server) Close() error { return s.server.Close() }

// serve answers on some addresses, by TLS if the server has a configuration for it.
func serve(server *http.Server, addresses ...string) (*Server, error) {
	s := &Server{server: server}
	for _, address := range addresses {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			_ = s.Close()
			return nil, fmt.Errorf("listen on %s: %w", address, err)
		}
		go func() {
			if s.server.TLSConfig == nil {
				_ = s.server.Serve(listener) // It ends when the server is closed.
			} else {
				_ = s.server.ServeTLS(listener, "", "")
			}
		}()
	}
	return s, nil
}
