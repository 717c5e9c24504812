import { Rule } from '../../../manifests/values/problem';

/** Rules for the network of a company, and for what cannot use it. */
export const COMPANY_NETWORK_RULES = {
  registry: {
    id: 'TC-COMPANY-NETWORK-REGISTRY',
    title: 'A private registry must be a host with an optional path, each once, with names of Secrets.',
    source: 'distribution/reference regexp.go',
  },
  importSecret: {
    id: 'TC-COMPANY-NETWORK-IMPORT-SECRET',
    title: 'A disk that CDI imports from a private registry requires a Secret of its own: CDI does not read image pull secrets.',
    source: 'kubevirt/containerized-data-importer doc/datavolumes.md, pkg/importer/registry-datasource.go',
  },
  bootstrap: {
    id: 'TC-COMPANY-NETWORK-BOOTSTRAP',
    title: 'The bootstrap of every pool must apply the proxy, certificate authorities, mirrors and time servers of the network.',
  },
  delivery: {
    id: 'TC-COMPANY-NETWORK-DELIVERY',
    title: 'The delivery of a cluster should be able to log in to the private chart repositories that its charts come from.',
    source: 'argoproj/argo-cd docs/operator-manual/declarative-setup.md (repositories)',
    warning: true,
  },
} satisfies Record<string, Rule>;
