import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { isCloudController } from '../../rules/changes/controller-changes';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { isOfLeavingCluster } from '../../rules/cluster-api/cluster-members';
import { replaced } from '../../rules/example-text';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { mountedFile, podSources, PodSource } from '../../rules/mounted-files';
import { POD_KINDS } from '../../rules/pod-objects';
import { argumentOf, Program, programsOf, valueOf } from '../../rules/programs';
import { CLUSTER_TEXT } from '../../rules/references/examples';
import { partReference } from '../../rules/references/object-references';
import { HELM_RELEASE_TEXT } from '../../systems/flux/rules/examples';
import { deliveryFacts, providers } from '../../systems/providers';
import { computedName, computedTopology } from '../../topology/computed-topology';
import { isKnownProgram } from '../../values/component-facts';
import { fieldAt, FieldPath, Fields, isFields, isSet, stringAt } from '../../values/fields';
import { allOf, Finding } from '../../values/finding';
import { nearestName } from '../../values/nearest-name';

const SECRETS = 'kubernetes-sigs/cluster-api util/secret/consts.go; clastix/kamaji internal/resources/kubeconfig.go, 26.8.2-edge';

const CONTROLLER = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cloud-controller-manager
  namespace: tenant-acme
spec:
  selector:
    matchLabels: {app: cloud-controller-manager}
  template:
    metadata:
      labels: {app: cloud-controller-manager}
    spec:
      containers:
        - name: cloud-controller-manager
          image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.33.0
          args: [--kubeconfig=/etc/kubernetes/kubeconfig]
          volumeMounts:
            - {name: kubeconfig, mountPath: /etc/kubernetes}
      volumes:
        - name: kubeconfig
          secret: {secretName: acme-kubeconfig, items: [{key: value, path: kubeconfig}]}
`;

const key: ManifestRule = {
  id: 'TC-TRAP-REF-KEY',
  title: 'A key that a pod takes from a ConfigMap or Secret must be in it: the pod does not start otherwise, or its program misses the file.',
  source: `kubernetes/kubernetes pkg/volume/secret/secret.go, pkg/kubelet/kubelet_pods.go; ${SECRETS}`,
  kinds: POD_KINDS,
  trap: true,
  stranding: true,
  example: replaced(CONTROLLER, 'key: value', 'key: kubeconfig', CLUSTER_TEXT),
  check: (object, index) => allOf(
    podSources(object).flatMap((source) => {
      const known = keysOf(object, source, index);
      if (!known || (source.isOptional && !known.isFixed)) return [];
      return (source.keys ?? []).filter((taken) => !known.keys.includes(taken.key)).map((taken) => missingKey(source, taken, known.keys));
    }),
    programsOf(object).flatMap((program) => fileFindings(program, index)),
  ),
};

const kubeconfig: ManifestRule = {
  id: 'TC-TRAP-REF-KUBECONFIG',
  title: 'The Secret with the kubeconfig of a cluster, which a controller beside it uses, should be that of a Cluster in its namespace.',
  source: SECRETS,
  kinds: POD_KINDS,
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(CONTROLLER, 'secretName: acme-kubeconfig', 'secretName: acm-kubeconfig', CLUSTER_TEXT),
  check: (object, index) => {
    const used = new Set(programsOf(object).flatMap((program) => program.args
      .filter(({ name }) => /^(?:tenant-cluster-)?kubeconfig$/.test(name))
      .flatMap((argument) => mountedFile(program, valueOf(program, argument, index) ?? '')?.source.name ?? [])));
    return podSources(object).filter(({ kind, name }) => kind === '/Secret' && KUBECONFIG.test(name)).flatMap((source) => {
      const names = [...madeSecrets(index).get(namespaceOf(object) ?? '')?.keys() ?? []];
      if (names.length === 0 || names.includes(source.name) || index.find('/Secret', namespaceOf(object), source.name)) return [];
      const owner = ownerOf(source.name);
      const nearOwner = nearestName(owner, names.map(ownerOf));
      const near = names.find((name) => ownerOf(name) === nearOwner && name.endsWith(source.name.slice(owner.length)))
        ?? names.find((name) => ownerOf(name) === nearOwner);
      if ((near === undefined && !used.has(source.name)) || isOfLeavingCluster(object, owner, index)) return [];
      return [{
        path: [...source.path, source.path.includes('volumes') && source.path.at(-1) === 'secret' && !source.path.includes('projected') ? 'secretName' : 'name'],
        message: `no Cluster among the manifests that were read has a Secret ${source.name} in the namespace`,
        fix: near === undefined ? `write the Secret of the Cluster: ${names.join(', ')}` : `did you mean ${near}?`,
      }];
    });
  },
};

const delivered: ManifestRule = {
  id: 'TC-TRAP-REF-DELIVERY-KEY',
  title: 'The key of the kubeconfig that a delivery takes from a Secret must be in it: nothing is applied or installed otherwise.',
  source: `fluxcd/helm-controller internal/kube/config.go, v1.6.3; ${SECRETS}`,
  get kinds() { return providers().flatMap(({ deliveries = [] }) => deliveries).filter((facts) => facts.kubeconfig).map(({ kind: one }) => one); },
  trap: true,
  example: replaced(HELM_RELEASE_TEXT, 'key: value', 'key: kubeconfig', CLUSTER_TEXT),
  check: (object, index) => {
    const reference = deliveryFacts(object)?.kubeconfig?.(object);
    const known = reference && keysOf(object, { kind: '/Secret', name: reference.secret }, index);
    if (!known || reference.keys.some((one) => known.keys.includes(one))) return [];
    const meant = nearestName(reference.keys[0], known.keys) ?? (known.keys.find((one) => one === 'super-admin.svc') ?? known.keys[0]);
    return [{
      path: [...reference.path, 'key'],
      message: `the Secret "${reference.secret}" has no key ${reference.keys.join(' or ')}`,
      accepted: known.keys.join(', '),
      fix: `write key: ${meant}`,
    }];
  },
};

const clusterName: ManifestRule = {
  id: 'TC-TRAP-REF-CLOUD-CLUSTER',
  title: 'The cluster name of a cloud controller manager should be that of a Cluster in its namespace: load balancers and routes are named after it.',
  source: 'kubernetes/cloud-provider options/kubecloudshared.go (cluster-name)',
  kinds: POD_KINDS,
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(CONTROLLER.replace('args: [', 'args: [--cluster-name=acme, '), '--cluster-name=acme', '--cluster-name=acm', CLUSTER_TEXT),
  // Systems whose flags are known have rules of their own.
  check: (object, index) => programsOf(object).filter((program) => isCloudController(program) && !isKnownProgram(program.name)).flatMap((program) => {
    const argument = argumentOf(program, 'cluster-name');
    const given = argument && valueOf(program, argument, index);
    const names = index.allIn(CLUSTER, namespaceOf(object)).map((one) => nameOf(one) ?? '');
    if (!given || names.length === 0 || names.includes(given) || isOfLeavingCluster(object, given, index)) return [];
    const near = nearestName(given, names);
    return [{
      path: argument.path,
      message: `--cluster-name is ${given}, and among the manifests that were read there is no such Cluster in the namespace`,
      fix: near === undefined ? 'write the name of the Cluster' : `did you mean ${near}?`,
    }];
  }),
};

/** Rules for the keys, Secrets and names that pods and deliveries take from other objects. */
export const SOURCE_KEYS: readonly ManifestRule[] = [key, kubeconfig, delivered, clusterName];

const KUBECONFIG = /^(.+?)(?:-admin)?-kubeconfig$/;

/** Name of the cluster whose kubeconfig a Secret holds, by the name of the Secret. */
function ownerOf(secret: string): string {
  return KUBECONFIG.exec(secret)?.[1] ?? secret;
}

/** Controllers of other projects that fill a ConfigMap or Secret beside what is written. */
const FILLED = /inject|reflect|replicat|secret-?generator|vault/i;

const WRITTEN = new Lookup(['/ConfigMap', '/Secret'], (object) => [groupKind(object), nameOf(object)]);

/** The keys of a ConfigMap or Secret; fixed if a controller makes it. */
interface KnownKeys {
  readonly keys: readonly string[];
  readonly isFixed: boolean;
}

/** The keys of a ConfigMap or Secret in the namespace of an object; undefined if they are not known. */
export function keysOf(object: ManifestObject, { kind, name }: Pick<PodSource, 'kind' | 'name'>, index: ManifestIndex): KnownKeys | undefined {
  const namespace = namespaceOf(object);
  // Overlays of kustomize hold parts of an object.
  const written = WRITTEN.find(index, kind, name).filter((one) => namespace === undefined || (namespaceOf(one) ?? namespace) === namespace);
  if (written.length === 0) {
    const made = kind === '/Secret' ? madeSecrets(index).get(namespace ?? '')?.get(name) : undefined;
    return made && { keys: made, isFixed: true };
  }
  const keys = written.flatMap((one) => ['data', 'binaryData', 'stringData'].flatMap((field) => Object.keys(fieldsAt(one, field))));
  const isFilled = written.some((one) => (
    stringAt(one, 'type') === 'kubernetes.io/service-account-token' || ['annotations', 'labels'].some((field) => (
      Object.keys(fieldsAt(one, 'metadata', field)).some((label) => FILLED.test(label))))
  ));
  return keys.length === 0 || isFilled ? undefined : { keys, isFixed: false };
}

function fieldsAt(object: ManifestObject, ...path: FieldPath): Fields {
  const found = fieldAt(object, ...path);
  return isFields(found) ? found : {};
}

export type SecretKeys = Map<string, readonly string[]>;

const MADE = new WeakMap<ManifestIndex, ReadonlyMap<string, SecretKeys>>();

/** The Secrets that control planes make, by namespace and name. */
export function madeSecrets(index: ManifestIndex): ReadonlyMap<string, SecretKeys> {
  const found = MADE.get(index);
  if (found) return found;
  const made = new Map<string, SecretKeys>();
  const add = (object: ManifestObject, secrets: Readonly<Record<string, readonly string[]>>) => {
    const namespace = namespaceOf(object) ?? '';
    const known = made.get(namespace) ?? new Map<string, readonly string[]>();
    Object.entries(secrets).forEach(([name, keys]) => known.set(name, keys));
    made.set(namespace, known);
  };
  index.all(CLUSTER).forEach((object) => add(object, { [`${nameOf(object) ?? ''}-kubeconfig`]: ['value'] }));
  const topologies = index.all(CLUSTER).flatMap((object) => {
    const controlPlane = isSet(object, 'spec', 'topology') ? computedTopology(object, index)?.controlPlane.object : undefined;
    return controlPlane && computedName(controlPlane) !== undefined ? [{ object, controlPlane }] : [];
  });
  for (const [kind, secretsOf] of providers().flatMap(({ secrets = {} }) => Object.entries(secrets))) {
    // A Cluster names its control plane, which may be written elsewhere.
    const named = index.all(CLUSTER).map((object) => ({ object, part: partReference(object, 'controlPlaneRef') })).filter(({ part }) => part?.kind === kind);
    named.forEach(({ object, part }) => add(object, secretsOf({ apiVersion: '', kind: '', metadata: { name: part!.name, namespace: namespaceOf(object) } })));
    topologies.filter(({ controlPlane }) => groupKind(controlPlane) === kind)
      .forEach(({ object, controlPlane }) => add(object, secretsOf(controlPlane)));
    index.all(kind).forEach((object) => add(object, secretsOf(object)));
  }
  MADE.set(index, made);
  return made;
}

/** The finding that a key is not in a ConfigMap or Secret. */
export function missingKey(source: Pick<PodSource, 'kind' | 'name'> & Partial<Pick<PodSource, 'isOptional'>>, taken: { readonly key: string; readonly path: FieldPath }, keys: readonly string[]): Finding {
  const near = nearestName(taken.key, keys) ?? (keys.length === 1 ? keys[0] : undefined);
  return {
    path: taken.path,
    message: `the ${source.kind.slice(1)} "${source.name}" has no key "${taken.key}"${source.isOptional ? ', and the program starts without it' : ''}`,
    accepted: keys.join(', '),
    fix: near === undefined ? 'write one of its keys, or add the key to it' : `write "${near}"`,
  };
}

/** Characters of patterns, lists and placeholders, which name no single file. */
const NO_FILE = /[*?,;\s{}$]/;

/** Findings for files that arguments name, in volumes that are made of ConfigMaps and Secrets alone. */
function fileFindings(program: Program, index: ManifestIndex): Finding[] {
  return program.args.flatMap((argument) => {
    const file = valueOf(program, argument, index);
    const mounted = file?.startsWith('/') && !NO_FILE.test(file) ? mountedFile(program, file) : undefined;
    if (!mounted) return [];
    const { source, key: taken } = mounted;
    if (taken === undefined) {
      const files = (source.keys ?? []).flatMap((one) => one.file ?? []);
      return files.some((one) => one.startsWith(`${file!.split('/').at(-1)!}/`)) ? [] : [{
        path: argument.path,
        message: `--${argument.name} names ${file!}, and the volume of the ${source.kind.slice(1)} "${source.name}" has no such file`,
        accepted: files.join(', '),
        fix: 'write a file of the volume, or add it to the items of the volume',
      }];
    }
    const known = keysOf(program.object, source, index);
    // A key has no folders, so that such a path names something else.
    if (!known || known.keys.includes(taken) || taken.includes('/')) return [];
    const item = source.keys?.find((one) => one.key === taken);
    // The other rule finds what no pod starts without.
    return item && (!source.isOptional || known.isFixed) ? [] : [missingKey(source, item ?? { key: taken, path: argument.path }, known.keys)];
  });
}
