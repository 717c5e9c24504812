package gitops

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"

	"conformance/internal/controlplane"
)

// serverConfig serves by a certificate of an authority for some host names.
func serverConfig(pki *controlplane.PKI, hosts []string) (*tls.Config, error) {
	authority, err := tls.X509KeyPair(pki.CA, pki.CAKey)
	if err != nil {
		return nil, fmt.Errorf("read the authority: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate the key of the chart server: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 64))
	if err != nil {
		return nil, fmt.Errorf("draw a serial number: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		NotBefore:    authority.Leaf.NotBefore,
		NotAfter:     authority.Leaf.NotAfter,
		DNSNames:     hosts,
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, authority.Leaf, key.Public(), authority.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf("create the certificate of the chart server: %w", err)
	}
	return &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}},
		MinVersion:   tls.VersionTLS12,
	}, nil
}
