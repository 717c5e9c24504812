import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { documents, edited } from '../../../rules/example-text';
import { selects } from '../../../rules/label-selectors';
import { fieldAt, Fields, isFields, isSet, listAt, stringAt } from '../../../values/fields';
import { APPLICATION, APPLICATION_SET, applicationSpec } from '../deliveries';
import { DEFAULT_PROJECT } from '../projects';
import { APP_PROJECT } from '../sync-windows';

const TYPE = { label: 'argocd.argoproj.io/secret-type', value: 'cluster' } as const;

const SECRET_TEXT = `apiVersion: v1
kind: Secret
metadata:
  name: acme
  namespace: argocd
  labels: {argocd.argoproj.io/secret-type: cluster, ring: canary}
stringData: {name: acme, server: "https://acme.example.com:6443"}
`;
const SET_TEXT = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: network, namespace: argocd}
spec:
  goTemplate: true
  generators:
    - clusters: {selector: {matchLabels: {ring: canary}}}
  template:
    metadata: {name: "network-{{ .name }}"}
    spec:
      project: default
      destination: {server: "{{ .server }}", namespace: kube-system}
      source: {repoURL: "https://git.example.com/fleet.git", path: network, targetRevision: main}
`;

const CLUSTER: TransitionRule = {
  id: 'TC-CHANGE-ARGO-CD-CLUSTER',
  title: 'A Secret of a cluster that an ApplicationSet selects must stay selected: Argo CD deletes the Applications that it makes for the cluster otherwise.',
  source: 'argoproj/argo-cd applicationset/generators/cluster.go (GenerateParams), controller/appcontroller.go (finalizeApplicationDeletion), v3.6.1',
  kinds: ['/Secret'],
  trap: true,
  stranding: true,
  example: {
    before: documents(SECRET_TEXT, SET_TEXT),
    failing: documents(edited(SECRET_TEXT, { 'ring: canary': 'ring: rest' }), SET_TEXT),
    corrected: documents(edited(SECRET_TEXT, { 'ring: canary': 'ring: canary, site: a' }), SET_TEXT),
  },
  check: ({ before, after, old, now }) => {
    if (!before || !isCluster(before)) return [];
    return now.all(APPLICATION_SET).flatMap((set) => {
      const former = old.find(APPLICATION_SET, namespaceOf(set), nameOf(set));
      const isLost = former && isSelected(before, former) && !(after && isCluster(after) && isSelected(after, set));
      if (!isLost || keepsApplications(set)) return [];
      const keeps = !after || fieldAt(set, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') === true;
      return [{
        path: after ? ['metadata', 'labels'] : [],
        message: `Argo CD deletes the Applications that ApplicationSet ${nameOf(set)} has made for this cluster, ${
          keeps ? 'and leaves what they applied, which nothing manages then' : 'with what they applied'}`,
        fix: 'keep it until nothing is delivered to the cluster any more',
      }];
    });
  },
};

const PROJECT_TEXT = `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: tenants, namespace: argocd}
spec: {sourceRepos: ["*"], destinations: [{server: "*", namespace: "*"}]}
`;
const APPLICATION_TEXT = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: acme, namespace: argocd}
spec:
  project: tenants
  destination: {server: "https://kubernetes.default.svc", namespace: tenant-acme}
  source: {repoURL: "https://git.example.com/fleet.git", path: acme, targetRevision: main}
`;

const PROJECT_REMOVED: TransitionRule = {
  id: 'TC-CHANGE-ARGO-CD-PROJECT',
  title: 'An AppProject must stay as long as Applications name it: Argo CD neither compares nor syncs them without it.',
  source: 'argoproj/argo-cd util/argo/argo.go (GetAppProject), controller/appcontroller.go (refreshAppConditions), v3.6.1',
  kinds: [APP_PROJECT],
  trap: true,
  stranding: true,
  example: {
    before: documents(PROJECT_TEXT, APPLICATION_TEXT),
    failing: APPLICATION_TEXT,
    corrected: edited(APPLICATION_TEXT, { 'project: tenants': 'project: default' }),
  },
  check: ({ before, after, now }) => {
    if (!before || after) return [];
    const hasOther = now.all(APP_PROJECT).some((project) => nameOf(project) === nameOf(before));
    const users = [APPLICATION, APPLICATION_SET].flatMap((kind) => now.all(kind))
      .filter((object) => (stringAt(object, ...applicationSpec(object), 'project') || DEFAULT_PROJECT) === nameOf(before))
      // Another Argo CD has projects of its own.
      .filter((object) => namespaceOf(object) === namespaceOf(before) || !hasOther);
    if (users.length === 0) return [];
    const more = users.length > 1 ? ` and ${users.length - 1} more` : '';
    return [{
      path: [], message: `${String(users[0].kind)} ${nameOf(users[0])}${more} of this project cannot be synced without it${nameOf(before) === DEFAULT_PROJECT ? ', until the server of Argo CD starts again and makes it anew' : ''}`, fix: 'name another project there first, or put it back',
    }];
  },
};

/** Secrets with credentials of one repository, and of all whose addresses begin with one: argoproj/argo-cd common/common.go (LabelValueSecretTypeRepository). */
const REPOSITORY_TYPES: readonly string[] = ['repository', 'repo-creds'];

/** Keys of such a Secret with credentials: argoproj/argo-cd pkg/apis/application/v1alpha1/repository_types.go (HasCredentials). */
const CREDENTIALS: readonly string[] = [
  'azureServicePrincipalClientSecret', 'bearerToken', 'gcpServiceAccountKey', 'githubAppPrivateKey', 'password', 'sshPrivateKey', 'tlsClientCertData',
  'useAzureWorkloadIdentity', 'username',
];

const REPOSITORY_TEXT = `apiVersion: v1
kind: Secret
metadata:
  name: fleet
  namespace: argocd
  labels: {argocd.argoproj.io/secret-type: repository}
stringData: {url: "https://git.example.com/fleet.git", username: argo, password: ""}
`;

const REPOSITORY_REMOVED: TransitionRule = {
  id: 'TC-CHANGE-ARGO-CD-REPOSITORY',
  title: 'Credentials of a repository must stay as long as Applications read it: without them, Argo CD applies no change of a private repository.',
  source: 'argoproj/argo-cd util/db/repository.go (GetRepository, enrichCredsToRepo), common/common.go (LabelKeySecretType), v3.6.1',
  kinds: ['/Secret'],
  trap: true,
  stranding: true,
  example: {
    before: documents(REPOSITORY_TEXT, APPLICATION_TEXT),
    failing: APPLICATION_TEXT,
    corrected: documents(edited(REPOSITORY_TEXT, { 'username: argo': 'username: fleet' }), APPLICATION_TEXT),
  },
  check: ({ before, after, now }) => {
    if (!before || after || !hasCredentials(before)) return [];
    const others = now.allIn('/Secret', namespaceOf(before)).filter(hasCredentials);
    const users = [APPLICATION, APPLICATION_SET].flatMap((kind) => now.allIn(kind, namespaceOf(before)))
      .filter((object) => addressesOf(object).some((address) => opens(before, address) && !others.some((secret) => opens(secret, address))));
    if (users.length === 0) return [];
    const more = users.length > 1 ? ` and ${users.length - 1} more` : '';
    return [{
      path: [],
      message: `${String(users[0].kind)} ${nameOf(users[0])}${more} ${users.length > 1 ? 'read' : 'reads'} the repository without credentials from now on: if it is private, what was applied stays, and no change is applied`,
      fix: 'put it back, or give Argo CD other credentials for this address first',
    }];
  },
};

/** Rules for clusters, projects and repositories that Applications need. */
export const REMOVED_DESTINATIONS: readonly TransitionRule[] = [CLUSTER, PROJECT_REMOVED, REPOSITORY_REMOVED];

function hasCredentials(secret: ManifestObject): boolean {
  const type = stringAt(secret, 'metadata', 'labels', TYPE.label);
  return type !== undefined && REPOSITORY_TYPES.includes(type)
    && ['data', 'stringData'].some((field) => keysAt(secret, field).some((key) => CREDENTIALS.includes(key)));
}

/** True if a Secret has the credentials of the repository at an address. Source: util/db/repository_secrets.go (getRepositoryCredentialIndex). */
function opens(secret: ManifestObject, address: string): boolean {
  const url = dataAt(secret, 'url');
  if (url === undefined) return false;
  const [own, wanted] = [url, address].map(plainAddress);
  const isOfAll = stringAt(secret, 'metadata', 'labels', TYPE.label) === 'repo-creds';
  return isOfAll ? wanted.startsWith(own) : wanted.replace(/\/$/, '') === own.replace(/\/$/, '');
}

function keysAt(secret: ManifestObject, field: string): string[] {
  const found = fieldAt(secret, field);
  return isFields(found) ? Object.keys(found) : [];
}

/** A value of a Secret as text. */
function dataAt(secret: ManifestObject, key: string): string | undefined {
  const encoded = stringAt(secret, 'data', key);
  return stringAt(secret, 'stringData', key) ?? (encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').trim());
}

function addressesOf(object: ManifestObject): string[] {
  const spec = applicationSpec(object);
  const sources = [fieldAt(object, ...spec, 'source'), ...listAt(object, ...spec, 'sources')];
  return sources.flatMap((source) => stringAt(source, 'repoURL') ?? []);
}

function plainAddress(address: string): string {
  return address.trim().toLowerCase().replace(/\.git(\/?)$/, '$1');
}

function isCluster(secret: ManifestObject): boolean {
  return stringAt(secret, 'metadata', 'labels', TYPE.label) === TYPE.value;
}

/** True if a generator of an ApplicationSet selects the Secret of a cluster. */
function isSelected(secret: ManifestObject, set: ManifestObject): boolean {
  const labels = fieldAt(secret, 'metadata', 'labels');
  return generatorsIn(set.spec).filter(({ clusters }) => isFields(clusters))
    .some(({ clusters }) => !isSet(clusters, 'selector') || selects(fieldAt(clusters, 'selector'), isFields(labels) ? labels : {}));
}

/** The generators of an ApplicationSet, and those inside of others. */
function generatorsIn(value: unknown): Fields[] {
  return listAt(value, 'generators').filter(isFields).flatMap((generator) => (
    [generator, ...['matrix', 'merge'].flatMap((kind) => generatorsIn(generator[kind]))]));
}

/** True if an ApplicationSet deletes none of its Applications. */
function keepsApplications(set: ManifestObject): boolean {
  return ['create-only', 'create-update'].includes(stringAt(set, 'spec', 'syncPolicy', 'applicationsSync') ?? '');
}
