import { Rule } from '../validation/problem';

/** What is demanded of an app that writes a GitOps repository. */
export const GITOPS_RULES = {
  entry: {
    id: 'TC-GITOPS-ENTRY',
    title: 'What a GitOps tool is told about the source of the output can be a name, a namespace, a path, an address of it.',
    source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md, argoproj/argo-cd docs/operator-manual/application.yaml',
  },
  entryName: {
    id: 'TC-GITOPS-ENTRY-NAME',
    title: 'No two folders have entries of one name: a GitOps tool would be told of one of them only.',
  },
  folder: {
    id: 'TC-GITOPS-FOLDER',
    title: 'Two charts do not write into one folder.',
  },
  kept: {
    id: 'TC-GITOPS-KEPT',
    title: 'A cluster is taken down before it is removed from the code: its files are kept until then.',
    source: 'kubernetes-sigs/cluster-api issues 1444 and 13536 (the Cluster is deleted, and nothing else before it is gone)',
    warning: true,
  },
  keptConflict: {
    id: 'TC-GITOPS-KEPT-CONFLICT',
    title: 'A cluster of the code makes nothing that a cluster which is kept makes, too, where one list leads to both: kustomize would apply nothing of it.',
    source: 'kubernetes-sigs/kustomize api/resmap/reswrangler.go (may not add resource with an already registered id)',
  },
  order: {
    id: 'TC-GITOPS-ORDER',
    title: 'Folders that are applied by themselves do not depend on each other both ways: neither could be the first.',
    source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (dependsOn)',
    warning: true,
  },
  shard: {
    id: 'TC-GITOPS-SHARD',
    title: 'A shard is one of a number of shards.',
  },
} satisfies Record<string, Rule>;
