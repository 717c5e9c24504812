import * as fs from 'node:fs';
import * as path from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { checkKubernetesCeiling } from '../../../src/constructs/control-planes/kamaji/kamaji-release';
import { INIT_FILE, JOIN_FILE } from '../../../src/constructs/hosts/scripts';
import { KUBERNETES_RELEASES } from '../../../src/manifests/values/kubernetes-releases';
import { KubernetesVersion } from '../../../src/manifests/values/kubernetes-version';
import { KAMAJI } from '../../../src/manifests/values/versions';
import { objectOf } from '../kamaji/control-plane-pairs';
import { objectsOf } from '../plan/page';

/** A machine as the program in conformance/ reads it (internal/machines/cases.go). */
export interface MachineCase {
  readonly id: string;

  /** Version of Kubernetes on the machine. */
  readonly version: string;

  /** The machine's user data for cloud-init, or its files by their paths. */
  readonly data?: string;
  readonly files?: Readonly<Record<string, string>>;

  /** File with the configuration of `kubeadm init`, or of `kubeadm join`. */
  readonly init?: string;
  readonly join?: string;

  /** ConfigMaps that kubeadm reads in the cluster that is joined: data by name. */
  readonly configMaps?: ConfigMaps;

  /** Expected error; unset if the machine must become a node. */
  readonly refused?: string;
}

/** Data of ConfigMaps by name. */
export type ConfigMaps = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A machine of Cluster API whose user data the bootstrap provider makes (webhooks/clusterapi/bootstrapdata). */
export interface BootstrapQuestion {
  readonly id: string;
  readonly cluster: object;
  readonly version: string;
  readonly spec: object;
  readonly discovery: object;
}

/** A control plane of Kamaji, which stores ConfigMaps for machines that join. */
export interface KamajiQuestion {
  readonly cluster: object;
  readonly controlPlane: any;
}

/** Asks the code of the providers. */
export interface Providers {
  /** The user data of machines, in their order. */
  readonly bootstrapData: (machines: readonly BootstrapQuestion[]) => readonly string[];

  /** Returns the ConfigMaps that Kamaji stores for machines of control planes, in their order. */
  readonly uploads: (controlPlanes: readonly KamajiQuestion[]) => readonly ConfigMaps[];
}

/** Values of the cluster that machines join (internal/machines/cluster.go). */
const ENDPOINT = 'cluster.invalid:6443';
const TOKEN = 'abcdef.0123456789abcdef';
const CA_HASH = `sha256:${'0'.repeat(64)}`;
const DISCOVERY = { apiServerEndpoint: ENDPOINT, token: TOKEN, caCertHashes: [CA_HASH] };

/** Paths to which the bootstrap provider of Cluster API writes the configuration of kubeadm. */
const INIT = '/run/kubeadm/kubeadm.yaml';
const JOIN = '/run/kubeadm/kubeadm-join-config.yaml';

/** Errors of a kubelet without one of the patches by which the library corrects the configuration that Kamaji stores, by the patch's path. */
const WITHOUT_PATCH: Readonly<Record<string, string>> = {
  '/crashLoopBackOff/maxContainerRestartPeriod': 'CrashLoopBackOff.MaxContainerRestartPeriod must not be set',
  '/imagePullCredentialsVerificationPolicy': '`imagePullCredentialsVerificationPolicy` must not be set',
  '/failCgroupV1': 'failCgroupV1: true keeps the kubelet from machines with cgroup v1',
};

/** The machines of tenants of each minor, with control planes of Kamaji where it runs the minor, and of kubeadm. */
export function tenantCases(providers: Providers): MachineCase[] {
  return KUBERNETES_RELEASES.flatMap((release) => {
    const refusals = checkKubernetesCeiling(KAMAJI.version, KubernetesVersion.of(release.slice(1)), 'kubernetesVersion');
    return [...refusals.length === 0 ? kamajiCases(release, providers) : [], ...kubeadmCases(release, providers)];
  });
}

function kamajiCases(release: string, { bootstrapData, uploads }: Providers): MachineCase[] {
  const objects = page('kamaji', release);
  const [cluster, controlPlane] = [objectOf(objects, 'Cluster'), objectOf(objects, 'KamajiControlPlane')];
  const [data] = bootstrapData([question(objects, release, objectOf(objects, 'KubeadmConfigTemplate').spec.template.spec)]);
  const patches: readonly any[] = controlPlane.spec.kubelet.configurationJSONPatches;
  const left = [undefined, ...Object.keys(WITHOUT_PATCH).filter((pointer) => patches.some((patch) => patch.path === pointer))];
  const stored = uploads(left.map((pointer) => {
    const others = patches.filter((patch) => patch.path !== pointer);
    return { cluster, controlPlane: withPatches(controlPlane, others) };
  }));
  return left.map((pointer, index) => ({
    id: `${release}, Kamaji${pointer === undefined ? '' : `, without the patch of ${pointer}`}`,
    version: release,
    data,
    join: JOIN,
    configMaps: stored[index],
    ...pointer !== undefined && { refused: WITHOUT_PATCH[pointer] },
  }));
}

function withPatches(controlPlane: any, configurationJSONPatches: readonly any[]): any {
  return { ...controlPlane, spec: { ...controlPlane.spec, kubelet: { ...controlPlane.spec.kubelet, configurationJSONPatches } } };
}

function kubeadmCases(release: string, { bootstrapData }: Providers): MachineCase[] {
  const objects = page('kubeadm', release);
  const { joinConfiguration, initConfiguration, ...both } = objectOf(objects, 'KubeadmControlPlane').spec.kubeadmConfigSpec;
  const [first, worker] = bootstrapData([
    question(objects, release, { ...both, initConfiguration }),
    question(objects, release, objectOf(objects, 'KubeadmConfigTemplate').spec.template.spec),
  ]);
  return [
    { id: `${release}, first machine of kubeadm's control plane`, version: release, data: first, init: INIT },
    { id: `${release}, pool beside kubeadm's control plane`, version: release, data: worker, join: JOIN, configMaps: configMapsOf(clusterDocuments(first)) },
  ];
}

function page(kind: 'kamaji' | 'kubeadm', release: string): any[] {
  return objectsOf({ kind, cluster: { kubernetesVersion: release.slice(1) }, pools: { general: { pool: { labels: { tier: 'general' } } } } }, 'tenant-acme');
}

function question(objects: readonly any[], version: string, spec: object): BootstrapQuestion {
  return { id: version, cluster: objectOf(objects, 'Cluster'), version, spec, discovery: DISCOVERY };
}

/** The documents of `kubeadm init` in user data for cloud-init. */
function clusterDocuments(data: string): string {
  const { write_files: files } = parse(data) as { write_files: readonly { path: string; content: string }[] };
  return files.find((file) => file.path === INIT)!.content;
}

/** ConfigMaps that `kubeadm init` stores for machines that join. */
function configMapsOf(documents: string): ConfigMaps {
  const kinds = new Map(parseAllDocuments(documents).map((document) => document.toJS()).map((content) => [content?.kind as string, content]));
  const kubelet = kinds.get('KubeletConfiguration') ?? { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', cgroupDriver: 'systemd' };
  return {
    'kubeadm-config': { ClusterConfiguration: stringify(kinds.get('ClusterConfiguration')) },
    'kubelet-config': { kubelet: stringify(kubelet) },
  };
}

/** Value for the key that the script for joining hosts fills in. */
const CERTIFICATE_KEY = 'f'.repeat(64);

/**
 * The nodes of a cluster of hosts.
 *
 * @param release version of Kubernetes with which the files were written
 * @param folder the folder of the cluster
 */
export function hostCases(release: string, folder: string): MachineCase[] {
  const hosts = fs.readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && becomesNode(path.join(folder, entry.name))).map((entry) => entry.name);
  const files = new Map(hosts.map((host) => [host, filesBelow(path.join(folder, host, 'files'))]));
  const init = [...files.values()].map((own) => own[INIT_FILE]).find((text) => text !== undefined);
  if (init === undefined) throw new Error(`no host in ${folder} has a ${INIT_FILE}`);
  return [...files].map(([host, own]): MachineCase => {
    const id = `${release}, host ${host} of ${path.basename(folder)}`;
    if (own[INIT_FILE] !== undefined) return { id, version: release, files: own, init: INIT_FILE };
    if (own[JOIN_FILE] === undefined) throw new Error(`${id} has neither ${INIT_FILE} nor ${JOIN_FILE}`);
    return { id, version: release, files: own, join: JOIN_FILE, configMaps: configMapsOf(init) };
  });
}

/** Load balancers and addons have scripts, too. */
function becomesNode(folder: string): boolean {
  return fs.readFileSync(path.join(folder, 'install.sh'), 'utf8').includes('kubeadm');
}

function filesBelow(folder: string): Record<string, string> {
  if (!fs.existsSync(folder)) return {};
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return [`/${path.relative(folder, file)}`, filledIn(fs.readFileSync(file, 'utf8'))];
  }));
}

function filledIn(text: string): string {
  return text
    .replaceAll('@KUBEADM_TOKEN@', TOKEN).replaceAll('@KUBEADM_CA_CERT_HASH@', CA_HASH).replaceAll('@KUBEADM_CERTIFICATE_KEY@', CERTIFICATE_KEY)
    .replace(/apiServerEndpoint: .*/g, `apiServerEndpoint: ${ENDPOINT}`);
}
