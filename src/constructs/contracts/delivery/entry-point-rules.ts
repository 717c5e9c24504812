import { Rule } from '../../../manifests/values/problem';

/** Rules about how a GitOps tool finds the output. */
export const ENTRY_POINT_RULES = {
  entry: {
    id: 'TC-GITOPS-ENTRY',
    title: 'The source of the output must have a name, a namespace, a path and an address that the GitOps tool accepts.',
    source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md, argoproj/argo-cd docs/operator-manual/application.yaml',
  },
} satisfies Record<string, Rule>;
