import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isFields } from '../../../values/fields';
import { APPLICATION, objectSources } from '../deliveries';

const TEXT = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://github.com/example/web", path: chart, targetRevision: main, helm: {releaseName: web}}
  destination: {server: "https://kubernetes.default.svc", namespace: web}
  syncPolicy: {syncOptions: [CreateNamespace=true]}
`;

/** Fields of a source for one kind of tool. */
const TOOLS: readonly string[] = ['directory', 'helm', 'kustomize'];

const emptySource: ManifestRule = {
  id: 'TC-TRAP-ARGO-CD-EMPTY-SOURCE',
  title: 'Settings of a source of an Application should not be empty: Argo CD removes them, and an Application that delivers this one is never in sync.',
  source: 'argoproj/argo-cd util/argo/argo.go (NormalizeSource), issue 14668, v3.6.1',
  kinds: [APPLICATION],
  trap: true,
  warning: true,
  example: replaced(TEXT, 'helm: {releaseName: web}', 'helm: {}'),
  check: (object) => objectSources(object).flatMap(({ source, path }) => TOOLS.filter((tool) => isEmpty(fieldAt(source, tool))).map((tool) => ({
    path: [...path, tool], message: 'Argo CD removes it when it reads the Application, and it stays a difference', fix: 'leave it out',
  }))),
};

function isEmpty(value: unknown): boolean {
  return isFields(value) && Object.keys(value).length === 0;
}

/** Rules over what Argo CD removes from its own objects. */
export const EMPTY_SOURCES: readonly ManifestRule[] = [emptySource];
