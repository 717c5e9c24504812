import { Effect } from './effects';
import { isUpdate } from './kept-fields';
import { TransitionRule } from './transition-rule';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { isKept } from '../../objects/prune-annotations';
import { fieldAt, sameValue } from '../../values/fields';
import { CLUSTER } from '../cluster-api/cluster-api-kinds';
import { controlPlaneKind } from '../cluster-api/cluster-classes';
import { CLUSTER_PARTS, clusterYaml } from '../cluster-api/example-manifests';
import { changedText, documents } from '../example-text';
import { ManifestIndex } from '../manifest-index';

/** A Secret with an authority or a key, and the consequences of its changes. */
export interface AuthoritySecret {
  /** Its content and what happens with another one, in words. */
  readonly words: string;
  readonly effect: Effect;

  /** The consequence of another content, in words that follow the name of the cluster. */
  readonly changed: string;

  /** The consequence of its removal. */
  readonly removed: string;

  /** The remedy of a change. */
  readonly fix: string;
}

/** Secrets with the authorities and keys of control planes of a kind. */
export interface AuthorityFacts {
  /** The object whose name the names of the Secrets begin with. */
  readonly namedAfter: 'Cluster' | 'controlPlane';

  /** The Secrets, by the end of their names, such as `ca`. */
  readonly secrets: Readonly<Record<string, AuthoritySecret>>;
}

/** A Secret with an authority of a control plane among the manifests. */
export interface FoundAuthority {
  readonly secret: AuthoritySecret;

  /** The Cluster or control plane that the Secret is named after. */
  readonly owner: ManifestObject;
}

/** Finds the control plane that takes an authority or key from a Secret. */
export function authorityOf(object: ManifestObject, kind: string, facts: AuthorityFacts, index: ManifestIndex): FoundAuthority | undefined {
  if (groupKind(object) !== '/Secret') return undefined;
  const name = nameOf(object) ?? '';
  const isOwner = (owner: ManifestObject) => facts.namedAfter === 'controlPlane' || controlPlaneKind(owner, index) === kind;
  for (const [purpose, secret] of Object.entries(facts.secrets)) {
    if (!name.endsWith(`-${purpose}`)) continue;
    const owner = index.find(facts.namedAfter === 'Cluster' ? CLUSTER : kind, namespaceOf(object), name.slice(0, -purpose.length - 1));
    if (owner && isOwner(owner)) return { secret, owner };
  }
  return undefined;
}

const SECRET_TEXT = `apiVersion: v1
kind: Secret
metadata:
  name: acme-ca
  namespace: tenant-acme
  labels: {cluster.x-k8s.io/cluster-name: acme}
type: cluster.x-k8s.io/secret
data:
  tls.crt: b25l
  tls.key: b25l
`;

/** Rule for the Secrets with authorities of control planes of some kinds: they must stay as they are. */
export function authorityRule(rule: Pick<TransitionRule, 'id' | 'title' | 'source'>, authorities: Readonly<Record<string, AuthorityFacts>>, beside?: string): TransitionRule {
  const kind = Object.keys(authorities)[0].split('/')[1];
  return {
    ...rule,
    kinds: ['/Secret'],
    trap: true,
    stranding: true,
    example: changedText(
      documents(SECRET_TEXT, beside ?? clusterYaml(CLUSTER_PARTS.replace('KamajiControlPlane', kind))), { 'tls.crt: b25l': 'tls.crt: dHdv' }, { 'labels: {': 'labels: {tier: gold, ' },
    ),
    check: (change) => {
      const { before, after, now } = change;
      if (!before || (after ? !isUpdate(change) : isKept(before))) return [];
      const found = Object.entries(authorities).map(([one, facts]) => authorityOf(before, one, facts, now)).find((one) => one !== undefined);
      if (!found) return [];
      const { secret, owner } = found;
      const what = `the ${String(owner.kind)} "${nameOf(owner)}"`;
      if (!after) return [{ path: [], message: `it is gone, and ${what} ${secret.removed}`, fix: 'put it back, or take it over into another owner first, such as an ExternalSecret' }];
      const differs = ['data', 'stringData'].some((field) => !sameValue(fieldAt(before, field), fieldAt(after, field)));
      return differs ? [{ path: ['data'], message: `what is in it changed, and ${what} ${secret.changed}`, fix: secret.fix }] : [];
    },
  };
}

const NEW_CLUSTER = 'put it back, or make a new Cluster and move what runs';

/**
 * Authorities of providers that write them on the first machine alone: the others get them from machines that run, through the data store. The
 * provider makes a kubeconfig, and a client of etcd, from the Secrets.
 *
 * @param command the command that exchanges authorities on a server
 */
export function firstMachineAuthorities(command: string): AuthorityFacts {
  const removed = 'runs with it: the provider makes another one, which no machine has';
  const fix = `put it back. Authorities are exchanged on a server by "${command}"; then the Secret gets what that command was given, and this is silenced`;
  const ofServers = (what: string): AuthoritySecret => ({
    words: `${what}: no machine takes it, and the kubeconfig of Cluster API does not fit the machines once it is renewed`,
    effect: Effect.IN_PLACE,
    changed: 'runs with the former content, which machines get from each other: the kubeconfig of Cluster API does not fit them once it is renewed',
    removed,
    fix,
  });
  return {
    namedAfter: 'Cluster',
    secrets: {
      ca: ofServers('certificate authority of servers'),
      cca: ofServers('certificate authority of clients'),
      etcd: {
        words: 'certificate authority of etcd: no machine takes it, and the provider cannot reach etcd with it',
        effect: Effect.IN_PLACE,
        changed: 'runs with the former content: the provider cannot reach its etcd with another one, and neither scales, upgrades nor repairs it',
        removed,
        fix,
      },
    },
  };
}

/** Authorities of which each machine of the control plane gets those that the Secrets have when it is made. */
export function machineAuthorities(): AuthorityFacts {
  const secret = (what: string, fix = NEW_CLUSTER): AuthoritySecret => ({
    words: `${what} of new machines alone, which do not fit the existing ones`,
    effect: Effect.LATER,
    changed: 'runs with the former content',
    removed: 'runs with it: its control plane is neither scaled, upgraded nor repaired without it, and no machine joins',
    fix,
  });
  return {
    namedAfter: 'Cluster',
    secrets: {
      ca: secret('certificate authority'),
      etcd: secret('certificate authority of etcd'),
      proxy: secret('certificate authority of aggregated APIs'),
      sa: secret('key of service accounts', 'put it back, and exchange keys step by step, by an ExternalSecret (serviceAccountKeys in a page)'),
    },
  };
}
